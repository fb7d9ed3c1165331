package httpapi

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"tarmac/internal/civil"
	"tarmac/service/access"
)

// query returns the query parameters. Parameters other than the named ones, and repeated
// ones, are errors: ignoring a mistyped "form=2026-01-01" would change a sum of money.
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

// quoted returns a space and the given text in quotes. It returns "" if an error must not repeat
// the text because it may hold a credential.
func quoted(given string) string {
	if !access.IsQuotable(given) {
		return ""
	}
	return ` "` + given + `"`
}

// noQuery refuses any query parameter.
func (c *call) noQuery() error {
	_, err := c.query()
	return err
}

// pageSize returns the parameter limit, from 1 to maximum, or fallback if it is missing.
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

// date returns a parameter as a date, or the zero date if it is missing.
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
