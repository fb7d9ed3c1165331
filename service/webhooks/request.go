package webhooks

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"tarmac/service/events"
)

// MaxURL is the largest length of a webhook endpoint's URL, in bytes.
const MaxURL = 2048

// Errors of a webhook endpoint's URL. Responses to callers contain their texts (docs/api.md,
// Webhook URL, Errors).
var (
	ErrNotHTTPS   = errors.New("url must be an https URL")
	ErrNotPublic  = errors.New("url must be publicly routable")
	ErrLength     = fmt.Errorf("url must be at most %d characters long", MaxURL)
	ErrCharacters = errors.New(
		"url must be plain ASCII without spaces; write other characters as %XX and in host names as xn--",
	)
	ErrUserInfo = errors.New("url must not have a user name or password")
	ErrFragment = errors.New("url must not have a fragment")
	ErrPort     = errors.New("url must have no port, or port 443, 8443 or any from 1024 to 65535")
)

// CheckURL parses the URL of a webhook endpoint and checks its form. The error is one of
// ErrNotHTTPS and the variables declared with it. Package egress checks the host and the port.
func CheckURL(raw string) (*url.URL, error) {
	switch {
	case len(raw) > MaxURL:
		return nil, ErrLength
	case strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' }):
		return nil, ErrCharacters
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "":
		return nil, ErrNotHTTPS
	case u.User != nil:
		return nil, ErrUserInfo
	case strings.Contains(raw, "#"):
		return nil, ErrFragment
	// A colon without a port is more likely a mistake than a request for the default port.
	case strings.HasSuffix(u.Host, ":"):
		return nil, ErrPort
	}
	return u, nil
}

// UnknownTypeError is returned for a name that is not an event type. Its text does not contain the
// name, which may be a secret put in the wrong field.
type UnknownTypeError struct{ Name string }

func (*UnknownTypeError) Error() string { return "unknown event type" }

// ParseTypes returns the event types with the given names, in the given order and without
// duplicates. The error is *UnknownTypeError for an unknown name. An empty list is an error too
// (docs/api.md, Webhook endpoint).
func ParseTypes(names []string) ([]events.Type, error) {
	if len(names) == 0 {
		return nil, errors.New("event_types must name at least one event type")
	}
	var types []events.Type
	for _, name := range names {
		t, ok := events.ParseType(name)
		if !ok {
			return nil, &UnknownTypeError{name}
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types, nil
}
