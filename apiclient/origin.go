package apiclient

import (
	"net/url"
	"strings"
)

// Origin returns the server's scheme, host and port in lower case, without the default
// port. Together with an organization's id it identifies the organization across servers.
func (c *Client) Origin() string {
	u, err := url.Parse(c.base)
	if err != nil {
		return c.base
	}
	origin := u.Scheme + "://" + strings.ToLower(u.Host)
	return strings.TrimSuffix(origin, map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
