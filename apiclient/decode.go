package apiclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tarmac/internal/termtext"
)

// decode reads a JSON answer into v, a pointer. Trailing text and an answer of
// another shape are errors; unknown fields are not.
func decode(call call, body []byte, v any) error {
	err := json.Unmarshal(body, v)
	var shape *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &shape):
		return call.broken(termtext.Line(shape.Field), "has a JSON "+termtext.Line(shape.Value)+" where another type belongs")
	}
	return call.broken("", "is not valid JSON")
}

// fields reads the parts of a decoded answer. It remembers the first one that is
// missing or wrong, so that a reader checks once, at the end.
type fields struct {
	call call
	row  int    // the index of a record in a list, or -1
	list string // the name of that list
	err  *ContractError
}

func (c call) fields() *fields { return &fields{call: c, row: -1} }

func (f *fields) fail(name, problem string) {
	if f.err == nil {
		f.err = f.call.broken(f.name(name), problem)
	}
}

// failure returns the first thing that was wrong, as an error.
func (f *fields) failure() error {
	if f.err == nil {
		return nil
	}
	return f.err
}

// need returns a required value, and the zero value where it is missing.
func need[T any](f *fields, name string, p *T) T {
	if p == nil {
		f.fail(name, "is missing")
		var zero T
		return zero
	}
	return *p
}

func (f *fields) text(name string, p *string) string {
	return termtext.Line(need(f, name, p))
}

func (f *fields) time(name string, p *string) time.Time {
	t := f.optionalTime(name, p)
	if t == nil {
		f.fail(name, "is missing")
		return time.Time{}
	}
	return *t
}

func (f *fields) optionalTime(name string, p *string) *time.Time {
	if p == nil || *p == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339, *p)
	if err != nil {
		f.fail(name, "is not a date and time")
		return nil
	}
	t = t.UTC()
	return &t
}

func (f *fields) date(name string, p *string) Date {
	d, err := ParseDate(need(f, name, p))
	if err != nil {
		f.fail(name, "is not a date in the form YYYY-MM-DD")
	}
	return d
}

// magnitude is a required amount that cannot be below zero: a sign would be
// counted twice.
func (f *fields) magnitude(name string, p *int64) int64 {
	n := need(f, name, p)
	if n < 0 {
		f.fail(name, "is negative")
	}
	return n
}

func optionalText(p *string) string {
	if p == nil {
		return ""
	}
	return termtext.Line(*p)
}

// Field is a field of an answer that the API does not name: its name as it came, and
// its value as clean text.
type Field struct{ Name, Value string }

const maxFields = 200

// object is a JSON object whose field names are not certain: its fields in the
// order in which they came.
type object struct {
	names  []string
	values []json.RawMessage
	used   []bool
}

// UnmarshalJSON keeps the order, which a map would lose.
func (o *object) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return &json.UnmarshalTypeError{Value: kindOf(b)}
	}
	for d.More() && len(o.names) < maxFields {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		o.names = append(o.names, fmt.Sprint(key))
		o.values = append(o.values, value)
	}
	o.used = make([]bool, len(o.names))
	return nil
}

// take reads the first of the named fields that is there and not null into v, and
// reports whether there was one of v's type. Otherwise v stays as it was: a list
// with one wrong element is not read as far as it went.
func take[T any](o *object, v *T, names ...string) bool {
	for _, name := range names {
		for i, have := range o.names {
			if have != name || o.used[i] {
				continue
			}
			if isNull(o.values[i]) {
				o.used[i] = true
				continue
			}
			var value T
			if json.Unmarshal(o.values[i], &value) == nil {
				o.used[i] = true
				*v = value
				return true
			}
		}
	}
	return false
}

func (o *object) text(names ...string) string {
	var s string
	take(o, &s, names...)
	return termtext.Line(s)
}

// address is text that is kept at its full length when it is printable ASCII, as
// URLs are, so that it can be edited and sent back.
func (o *object) address(names ...string) string {
	var s string
	take(o, &s, names...)
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] > '~' {
			return termtext.Line(s)
		}
	}
	return s
}

// secret takes a signing secret out of the object: under its name, or whatever its
// name is, by what it begins with (docs/api.md, Webhook endpoint). It is "" when
// there is none.
func (o *object) secret() Secret {
	var s string
	if take(o, &s, "secret", "signing_secret") && strings.HasPrefix(s, SecretPrefix) {
		return Secret(s)
	}
	for i, raw := range o.values {
		if !o.used[i] && json.Unmarshal(raw, &s) == nil && strings.HasPrefix(s, SecretPrefix) {
			o.used[i] = true
			return Secret(s)
		}
	}
	return ""
}

// within returns the object that is in o under one of the names, and o itself when
// there is none.
func (o *object) within(names ...string) *object {
	var inner object
	if take(o, &inner, names...) {
		return &inner
	}
	return o
}

func (o *object) integer(names ...string) *int64 {
	var n int64
	if !take(o, &n, names...) {
		return nil
	}
	return &n
}

func (o *object) moment(names ...string) *time.Time {
	var t time.Time
	if !take(o, &t, names...) {
		return nil
	}
	t = t.UTC()
	return &t
}

// rest returns the fields that nobody took, nulls left out. What looks like a
// signing secret is hidden in them.
func (o *object) rest() []Field {
	var rest []Field
	for i, name := range o.names {
		if o.used[i] || isNull(o.values[i]) {
			continue
		}
		rest = append(rest, Field{Name: termtext.Line(hideSecrets(name)), Value: hideSecrets(plainValue(o.values[i]))})
	}
	return rest
}

// plainValue is a JSON value for reading: a string without its quotes, anything
// else as compact JSON.
func plainValue(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return termtext.Line(s)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return ""
	}
	return termtext.Line(compact.String())
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// kindOf names the type of a JSON value.
func kindOf(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "null"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// query is a URL's query; what is not given is not sent.
type query map[string][]string

func (q query) text(name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		q[name] = []string{value}
	}
}

func (q query) limit(n int) {
	if n != 0 {
		q["limit"] = []string{strconv.Itoa(n)}
	}
}
