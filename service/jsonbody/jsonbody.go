// Package jsonbody reads request bodies strictly (docs/api.md, Strict requests).
//
// encoding/json takes a body of unknown and repeated fields, of fields in another
// case, and of text that is no Unicode, and makes something of it. A body of this
// API says what its sender meant, or it is refused: every field known, given
// once, of its one type.
//
// Only what a caller asks for is taken apart, one level at a time, so neither
// depth nor number of values in a hostile body costs more than its bytes.
package jsonbody

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"tarmac/service/access"
)

// Error says what is wrong with a body: one lower-case sentence, for the sender,
// that names the field and the rule (docs/api.md, Errors).
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

var errShape = &Error{"body must be a single JSON object"}

// Object is a JSON object whose fields are all known and given once. Their
// values are looked at when they are asked for.
type Object struct {
	path   string // "line_items[0]"; "" for the body itself
	fields map[string]json.RawMessage
}

// Parse reads a body that may have the named fields and no other. Every error is
// an *Error.
func Parse(body []byte, fields ...string) (*Object, error) {
	// json.Valid also bounds the depth; it lets invalid UTF-8 pass.
	raw := bytes.TrimLeft(body, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' || !utf8.Valid(raw) || !json.Valid(raw) {
		return nil, errShape
	}
	return object(raw, "", fields)
}

// object reads well-formed JSON. It gives up at the first field that it does not
// take: of a million it reads one.
func object(raw json.RawMessage, path string, known []string) (*Object, error) {
	o := &Object{path: path, fields: make(map[string]json.RawMessage, len(known))}
	if raw[0] != '{' {
		return nil, refusal(path, "must be an object")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, errShape
	}
	for dec.More() {
		token, err := dec.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, errShape
		}
		if !slices.Contains(known, name) {
			return nil, o.unknown(name)
		}
		if o.Has(name) {
			return nil, &Error{fmt.Sprintf("field %q was given more than once", o.at(name))}
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, errShape
		}
		o.fields[name] = value
	}
	return o, nil
}

// unknown repeats a name only where that may be repeated.
func (o *Object) unknown(name string) *Error {
	switch {
	case access.Repeatable(name):
		return &Error{fmt.Sprintf("unknown field %q", o.at(name))}
	case o.path == "":
		return &Error{"unknown field"}
	}
	return &Error{"unknown field in " + o.path}
}

// at is where a field is in the body: "line_items[0].quantity".
func (o *Object) at(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

// Invalid returns the error of a field that breaks a rule: "must be positive".
// With no name it is the object that does.
func (o *Object) Invalid(name, rule string) *Error {
	if name == "" {
		return refusal(o.path, rule)
	}
	return refusal(o.at(name), rule)
}

func refusal(at, rule string) *Error { return &Error{at + " " + rule} }

// Has reports whether the field was given, if only as null.
func (o *Object) Has(name string) bool {
	_, given := o.fields[name]
	return given
}

// Text returns a field that must be given, and be a string.
func (o *Object) Text(name string) (string, error) {
	raw, err := o.value(name)
	if err != nil {
		return "", err
	}
	return text(raw, o.at(name))
}

// OptionalText returns a field that may be left out or null, which both mean that
// there is none.
func (o *Object) OptionalText(name string) (s string, given bool, err error) {
	if raw, given := o.fields[name]; !given || isNull(raw) {
		return "", false, nil
	}
	s, err = o.Text(name)
	return s, err == nil, err
}

// Integer returns a field that must be given, and be an integer of 64 bits in
// plain digits: not 1.0, 1e3 or "5".
func (o *Object) Integer(name string) (int64, error) {
	raw, err := o.value(name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, o.Invalid(name, "must be an integer")
	}
	return n, nil
}

// Texts returns a field that must be given, and be an array of strings.
func (o *Object) Texts(name string) ([]string, error) {
	var all []string
	err := o.elements(name, func(raw json.RawMessage, at string) error {
		s, err := text(raw, at)
		all = append(all, s)
		return err
	})
	return all, err
}

// Objects returns a field that must be given, and be an array of at most that
// many objects, each of which may have the named fields and no other.
func (o *Object) Objects(name string, most int, fields ...string) ([]*Object, error) {
	var all []*Object
	err := o.elements(name, func(raw json.RawMessage, at string) error {
		if len(all) == most {
			return o.Invalid(name, fmt.Sprintf("must not have more than %d items", most))
		}
		element, err := object(raw, at, fields)
		all = append(all, element)
		return err
	})
	return all, err
}

// elements visits the elements of an array until visit returns an error.
func (o *Object) elements(name string, visit func(raw json.RawMessage, at string) error) error {
	raw, err := o.value(name)
	if err != nil {
		return err
	}
	if raw[0] != '[' {
		return o.Invalid(name, "must be an array")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return errShape
	}
	for i := 0; dec.More(); i++ {
		var element json.RawMessage
		if err := dec.Decode(&element); err != nil {
			return errShape
		}
		if err := visit(element, o.at(name)+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

func (o *Object) value(name string) (json.RawMessage, error) {
	raw, given := o.fields[name]
	switch {
	case !given:
		return nil, o.Invalid(name, "is missing")
	case isNull(raw):
		return nil, o.Invalid(name, "must not be null")
	}
	return raw, nil
}

func isNull(raw json.RawMessage) bool { return raw[0] == 'n' }
