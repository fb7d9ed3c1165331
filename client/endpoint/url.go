// Package endpoint holds the rules for webhook endpoints that screens and line mode share: which
// URLs are valid, which event types there are, and what is known after a request whose response was
// lost.
package endpoint

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"tarmac/apiclient"
)

// MaxURL is the maximum length of an endpoint's URL, in characters.
const MaxURL = 2048

// Errors with the same texts as the messages of the service (docs/api.md, Webhook URL).
var (
	errNotHTTPS   = errors.New("url must be an https URL")
	errLength     = errors.New("url must be at most 2048 characters long")
	errCharacters = errors.New("url must be plain ASCII without spaces; " +
		"write other characters as %XX and in host names as xn--")
	errUserInfo = errors.New("url must not have a user name or password")
	errFragment = errors.New("url must not have a fragment")
	errPort     = errors.New("url must have no port, or port 443, 8443 or any from 1024 to 65535")
)

// CheckURL returns an error if the form of an endpoint's URL is wrong. Only the service checks
// hosts and ports, because its operator may allow exceptions.
func CheckURL(raw string) error {
	switch {
	case len(raw) > MaxURL:
		return errLength
	case strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' }):
		return errCharacters
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "":
		return errNotHTTPS
	case u.User != nil:
		return errUserInfo
	case strings.Contains(raw, "#"):
		return errFragment
	case strings.HasSuffix(u.Host, ":"):
		return errPort
	}
	return nil
}

// Host returns the host of an endpoint's URL for use in messages. It returns the whole URL if that
// has no host, and "the endpoint" for "".
func Host(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return u.Host
	}
	if raw == "" {
		return "the endpoint"
	}
	return raw
}

// Name returns what messages call an endpoint: its host, and its path too if another of all has the
// same host.
func Name(w *apiclient.Webhook, all []apiclient.Webhook) string {
	host := Host(w.URL)
	shared := slices.ContainsFunc(all, func(other apiclient.Webhook) bool {
		return other.ID != w.ID && Host(other.URL) == host
	})
	if u, err := url.Parse(w.URL); shared && err == nil && u.Host != "" {
		return host + u.EscapedPath()
	}
	return host
}
