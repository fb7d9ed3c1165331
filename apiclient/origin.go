package apiclient

import (
	"net/url"
	"strings"
)

// WithOrigin sets the result of Origin, for a server whose address changes with each start.
func WithOrigin(origin string) Option {
	return func(c *Client) error {
		c.origin = origin
		return nil
	}
}

// WithLocalServer marks errors as those of a server that is a part of this program, so that nobody
// is sent to the people who run it.
func WithLocalServer() Option {
	return func(c *Client) error {
		c.local = true
		return nil
	}
}

// Credential returns the value of WithoutToken; "" if the client sends a token.
func (c *Client) Credential() string { return c.credential }

// Origin returns the value of WithOrigin or, without it, the scheme, host and port of the server,
// in lower case and without the default port. Origin and organization ID together identify an
// organization among those of all servers.
func (c *Client) Origin() string {
	if c.origin != "" {
		return c.origin
	}
	u, err := url.Parse(c.base)
	if err != nil {
		return c.base
	}
	origin := u.Scheme + "://" + strings.ToLower(u.Host)
	return strings.TrimSuffix(origin, map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
