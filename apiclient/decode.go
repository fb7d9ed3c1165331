package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tarmac/internal/termtext"
)

// decode unmarshals a JSON response into v, a pointer. It ignores unknown fields. A value of the
// wrong type, or text after the JSON value, is an error.
func decode(call call, body []byte, v any) error {
	err := json.Unmarshal(body, v)
	var shape *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &shape):
		return call.contractError(termtext.Line(shape.Field), "has a JSON "+termtext.Line(shape.Value)+
			" where another type belongs")
	}
	return call.contractError("", "is not valid JSON")
}

// fetch sends a request and decodes the JSON response into a J. The function read converts the J to
// a T and checks its fields.
func fetch[J, T any](ctx context.Context, c *Client, call call, read func(*J, *fields) T) (*T, error) {
	body, err := c.send(ctx, &call)
	if err != nil {
		return nil, err
	}
	return decodeRecord(call, body, read)
}

// decodeRecord decodes the JSON response to a call; see fetch.
func decodeRecord[J, T any](call call, body []byte, read func(*J, *fields) T) (*T, error) {
	var response J
	if err := decode(call, body, &response); err != nil {
		return nil, err
	}
	f := call.fields()
	record := read(&response, f)
	if err := f.failure(); err != nil {
		return nil, err
	}
	return &record, nil
}

// fields checks the fields of a decoded response. It stores the first error. The caller can
// therefore read all fields before it calls failure once.
type fields struct {
	call call
	row  int    // index of the record in its list; -1 if there is no list
	list string // name of the field with the list; "" if the list is the whole response
	err  *ContractError
}

func (c call) fields() *fields { return &fields{call: c, row: -1} }

func (f *fields) fail(name, problem string) {
	if f.err == nil {
		f.err = f.call.contractError(f.path(name), problem)
	}
}

// failure returns the first error. It returns a nil error explicitly if there is none, because a
// nil *ContractError stored in an error is not equal to nil.
func (f *fields) failure() error {
	if f.err == nil {
		return nil
	}
	return f.err
}

// required returns the value of a required field. If the field is missing, it stores an error and
// returns the zero value.
func required[T any](f *fields, name string, p *T) T {
	if p == nil {
		f.fail(name, "is missing")
		var zero T
		return zero
	}
	return *p
}

func (f *fields) text(name string, p *string) string {
	return termtext.Line(required(f, name, p))
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
	d, err := ParseDate(required(f, name, p))
	if err != nil {
		f.fail(name, "is not a date in the form YYYY-MM-DD")
	}
	return d
}

// magnitude returns a required amount. A negative amount is an error, because the API gives the
// direction of money in a field of its own.
func (f *fields) magnitude(name string, p *int64) int64 {
	n := required(f, name, p)
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

// Field is a field that the API does not define, with its value as text that is safe to print.
type Field struct{ Name, Value string }

const maxFields = 200

// object is a JSON object whose field names the API does not fix. It preserves the order of the
// fields.
type object struct {
	names  []string
	values []json.RawMessage
	used   []bool
}

// UnmarshalJSON reads the fields one by one, because a map would lose their order.
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

// consume takes the first of the named fields that is present, is not null and has the type of v.
// It decodes that field into v and marks it as used. If there is no such field, it returns false
// and leaves v unchanged.
func consume[T any](o *object, v *T, names ...string) bool {
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
	consume(o, &s, names...)
	return termtext.Line(s)
}

// urlText returns the text of the first of the named fields that is present. Printable ASCII text
// is returned in its full length, so that a URL can be edited and sent back. Other text is cleaned
// and may be cut.
func (o *object) urlText(names ...string) string {
	var s string
	consume(o, &s, names...)
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] > '~' {
			return termtext.Line(s)
		}
	}
	return s
}

// secret returns the signing secret in the object. It finds the secret by the name of its field, or
// else by its prefix (docs/api.md, Webhook endpoint). If there is none, it returns "".
func (o *object) secret() Secret {
	var s string
	if consume(o, &s, "secret", "signing_secret") && strings.HasPrefix(s, SecretPrefix) {
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

// child returns the nested object in the first of the named fields. If there is none, it returns o
// itself.
func (o *object) child(names ...string) *object {
	var inner object
	if consume(o, &inner, names...) {
		return &inner
	}
	return o
}

func (o *object) integer(names ...string) *int64 {
	var n int64
	if !consume(o, &n, names...) {
		return nil
	}
	return &n
}

func (o *object) timestamp(names ...string) *time.Time {
	var t time.Time
	if !consume(o, &t, names...) {
		return nil
	}
	t = t.UTC()
	return &t
}

// extra returns the fields that have not been read, except those that are null. It masks signing
// secrets in their values.
func (o *object) extra() []Field {
	var rest []Field
	for i, name := range o.names {
		if o.used[i] || isNull(o.values[i]) {
			continue
		}
		rest = append(rest, Field{Name: termtext.Line(hideSecrets(name)), Value: hideSecrets(plainValue(o.values[i]))})
	}
	return rest
}

// plainValue returns a JSON value as text for display: a string without quotes, other values as
// compact JSON.
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

// kindOf returns the name of a JSON value's type.
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

// query holds the query parameters of a URL. Parameters with empty values are left out.
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
