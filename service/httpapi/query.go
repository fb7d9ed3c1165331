package httpapi

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"tarmac/internal/civil"
	"tarmac/service/access"
)

// query returns the query parameters. Repeated parameters, and parameters other than names, are
// errors: if a mistyped "form=2026-01-01" were ignored, the sums would be wrong.
func (c *call) query(names ...string) (url.Values, error) {
	values, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return nil, invalid("the query string is not well formed")
	}
	given := make([]string, 0, len(values))
	for name := range values {
		given = append(given, name)
	}
	slices.Sort(given)
	for _, name := range given {
		if !slices.Contains(names, name) {
			return nil, invalid("unknown query parameter%s", quoted(name))
		}
		if len(values[name]) > 1 {
			return nil, invalid("%s was given more than once", name)
		}
		if !utf8.ValidString(values[name][0]) {
			return nil, invalid("%s must be UTF-8 text", name)
		}
	}
	return values, nil
}

// quoted returns value in quotes, after a space. It returns "" if an error message must not contain
// value because it may hold a credential.
func quoted(value string) string {
	if !access.IsQuotable(value) {
		return ""
	}
	return ` "` + value + `"`
}

// noQuery returns an error if the request has query parameters.
func (c *call) noQuery() error {
	_, err := c.query()
	return err
}

// pageSize returns the value of the parameter "limit", which must be from 1 to maximum. If the
// parameter is missing, it returns fallback.
func pageSize(values url.Values, maximum, fallback int) (int, error) {
	if !values.Has("limit") {
		return fallback, nil
	}
	n := 0
	text := values.Get("limit")
	for _, c := range []byte(text) {
		if c < '0' || c > '9' || n > maximum {
			n = 0
			break
		}
		n = n*10 + int(c-'0')
	}
	if n < 1 || n > maximum || strings.HasPrefix(text, "0") {
		return 0, invalid("limit must be an integer from 1 to %d", maximum)
	}
	return n, nil
}

// date returns the value of the named parameter as a date. If the parameter is missing, it returns
// the zero date.
func date(values url.Values, name string) (civil.Date, error) {
	if !values.Has(name) {
		return civil.Date{}, nil
	}
	d, err := civil.Parse(values.Get(name))
	if err != nil {
		return civil.Date{}, invalid("%s must be a calendar date in the form YYYY-MM-DD", name)
	}
	return d, nil
}
