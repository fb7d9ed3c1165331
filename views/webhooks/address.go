package webhooks

import (
	"errors"
	"net/url"
	"strings"
)

// maxURL is how many characters the URL of an endpoint may have.
const maxURL = 2048

// What can be wrong with a URL, in the service's words (docs/api.md, Webhook URL).
var (
	errNotHTTPS   = errors.New("url must be an https URL")
	errLength     = errors.New("url must be at most 2048 characters long")
	errCharacters = errors.New("url must be plain ASCII without spaces; write other characters as %XX and in host names as xn--")
	errUserInfo   = errors.New("url must not have a user name or password")
	errFragment   = errors.New("url must not have a fragment")
	errPort       = errors.New("url must have no port, or port 443, 8443 or any from 1024 to 65535")
)

// checkURL returns what is wrong with the form of an endpoint's URL, or nil. Which
// hosts and ports may be reached is the service's to say: it may have been told of
// exceptions.
func checkURL(raw string) error {
	switch {
	case len(raw) > maxURL:
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

// hostOf names an endpoint in a sentence: the host of its URL, or all of the URL
// where that has none.
func hostOf(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return u.Host
	}
	if raw == "" {
		return "the endpoint"
	}
	return raw
}
