package httpapi

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"tarmac/internal/civil"
	"tarmac/service/access"
)

// query reads the query strictly: only the named parameters, each at most once.
// A silently ignored "form=" on a sum of money is worse than an error.
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
			return nil, invalid("unknown query parameter%s", echo(name))
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

// echo returns a blank and what was given, quoted, or nothing where that may not be
// repeated.
func echo(given string) string {
	if !access.Repeatable(given) {
		return ""
	}
	return ` "` + given + `"`
}

// noQuery refuses any query parameter.
func (c *call) noQuery() error {
	_, err := c.query()
	return err
}

// limit reads a page size from 1 to most.
func limit(values url.Values, most, otherwise int) (int, error) {
	if !values.Has("limit") {
		return otherwise, nil
	}
	n := 0
	text := values.Get("limit")
	for _, c := range []byte(text) {
		if c < '0' || c > '9' || n > most {
			n = 0
			break
		}
		n = n*10 + int(c-'0')
	}
	if n < 1 || n > most || strings.HasPrefix(text, "0") {
		return 0, invalid("limit must be an integer from 1 to %d", most)
	}
	return n, nil
}

// date reads a calendar date; no date when it is not given.
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
