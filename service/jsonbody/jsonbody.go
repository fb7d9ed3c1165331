// Package jsonbody parses the JSON bodies of requests strictly (docs/api.md, Strict requests).
//
// encoding/json accepts unknown and repeated fields, fields in another letter case, and text that
// is not valid Unicode. This package refuses them. It also refuses values of a wrong type.
//
// Values are decoded only when they are read, one level at a time. A hostile body of many or deeply
// nested values therefore costs no more than its bytes.
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

// Error is returned for a body that breaks a rule. Its text is one lower-case sentence for the
// sender that names the field and the rule (docs/api.md, Errors).
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

var errNotObject = &Error{"body must be a single JSON object"}

// Object is a JSON object without unknown or repeated fields. The type of a value is checked when
// the value is read.
type Object struct {
	path   string // path of the object in the body, such as "line_items[0]"; "" for the body itself
	fields map[string]json.RawMessage
}

// Parse parses a body, which must be a JSON object with no fields other than those named. Every
// error is an *Error.
func Parse(body []byte, fields ...string) (*Object, error) {
	// json.Valid limits the depth of nesting, but accepts invalid UTF-8.
	raw := bytes.TrimLeft(body, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' || !utf8.Valid(raw) || !json.Valid(raw) {
		return nil, errNotObject
	}
	return parseObject(raw, "", fields)
}

// parseObject parses a JSON object that json.Valid has accepted. It returns an error for the first
// unknown or repeated field.
func parseObject(raw json.RawMessage, path string, known []string) (*Object, error) {
	o := &Object{path: path, fields: make(map[string]json.RawMessage, len(known))}
	if raw[0] != '{' {
		return nil, newError(path, "must be an object")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, errNotObject
	}
	for dec.More() {
		token, err := dec.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, errNotObject
		}
		if !slices.Contains(known, name) {
			return nil, o.unknownField(name)
		}
		if o.Has(name) {
			return nil, &Error{fmt.Sprintf("field %q was given more than once", o.fieldPath(name))}
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, errNotObject
		}
		o.fields[name] = value
	}
	return o, nil
}

// unknownField returns the error for an unknown field. Its text contains the name only if that is a
// plain word and not a credential.
func (o *Object) unknownField(name string) *Error {
	switch {
	case access.IsQuotable(name):
		return &Error{fmt.Sprintf("unknown field %q", o.fieldPath(name))}
	case o.path == "":
		return &Error{"unknown field"}
	}
	return &Error{"unknown field in " + o.path}
}

// fieldPath returns the path of a field in the body, such as "line_items[0].quantity".
func (o *Object) fieldPath(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

// Invalid returns the error for a field that breaks a rule. rule is a text such as "must be
// positive". If name is "", the error is about the object itself.
func (o *Object) Invalid(name, rule string) *Error {
	if name == "" {
		return newError(o.path, rule)
	}
	return newError(o.fieldPath(name), rule)
}

func newError(path, rule string) *Error { return &Error{path + " " + rule} }

// Has reports whether the object has the field, even if its value is null.
func (o *Object) Has(name string) bool {
	_, given := o.fields[name]
	return given
}

// Text returns the value of a field that is required and must be a string. Errors are *Error.
func (o *Object) Text(name string) (string, error) {
	raw, err := o.value(name)
	if err != nil {
		return "", err
	}
	return text(raw, o.fieldPath(name))
}

// OptionalText returns the value of a field that must be a string if it is present. present is
// false if the field is missing or null.
func (o *Object) OptionalText(name string) (s string, present bool, err error) {
	if raw, given := o.fields[name]; !given || isNull(raw) {
		return "", false, nil
	}
	s, err = o.Text(name)
	return s, err == nil, err
}

// Integer returns the value of a field that is required and must be a 64-bit integer in plain
// digits. 1.0, 1e3 and "5" are errors. Errors are *Error.
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

// Texts returns the value of a field that is required and must be an array of strings. Errors are
// *Error.
func (o *Object) Texts(name string) ([]string, error) {
	var all []string
	err := o.elements(name, func(raw json.RawMessage, path string) error {
		s, err := text(raw, path)
		all = append(all, s)
		return err
	})
	return all, err
}

// Objects returns the value of a field that is required and must be an array of at most maximum
// objects. The objects may only have the named fields. Errors are *Error.
func (o *Object) Objects(name string, maximum int, fields ...string) ([]*Object, error) {
	var all []*Object
	err := o.elements(name, func(raw json.RawMessage, path string) error {
		if len(all) == maximum {
			return o.Invalid(name, fmt.Sprintf("must not have more than %d items", maximum))
		}
		element, err := parseObject(raw, path, fields)
		all = append(all, element)
		return err
	})
	return all, err
}

// elements calls visit for each element of the array in the named field. It stops when visit
// returns an error, and returns that error.
func (o *Object) elements(name string, visit func(raw json.RawMessage, path string) error) error {
	raw, err := o.value(name)
	if err != nil {
		return err
	}
	if raw[0] != '[' {
		return o.Invalid(name, "must be an array")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return errNotObject
	}
	for i := 0; dec.More(); i++ {
		var element json.RawMessage
		if err := dec.Decode(&element); err != nil {
			return errNotObject
		}
		if err := visit(element, o.fieldPath(name)+"["+strconv.Itoa(i)+"]"); err != nil {
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
