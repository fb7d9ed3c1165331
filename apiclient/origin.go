package apiclient

import (
	"net/url"
	"strings"
)

// Origin returns the scheme, host and port of the server, in lower case and without the default
// port. Origin and organization ID together identify an organization among those of all servers.
func (c *Client) Origin() string {
	u, err := url.Parse(c.base)
	if err != nil {
		return c.base
	}
	origin := u.Scheme + "://" + strings.ToLower(u.Host)
	return strings.TrimSuffix(origin, map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
