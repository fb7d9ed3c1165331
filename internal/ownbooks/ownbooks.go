// Package ownbooks has the values of a company's own books: accounts, imports, questions and
// connections to providers, with their names in JSON and with what they say. The service makes
// them, and the front ends show them. Their texts come from banks, so the service cleans them
// (Clean).
package ownbooks

import (
	"encoding/json"
	"reflect"
	"time"

	"tarmac/internal/termtext"
)

// Optional is a text that is null in JSON if it is empty.
type Optional string

// MarshalJSON returns the text, or null if it is empty.
func (o Optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(o))
}

// Moment is a time that is null in JSON if it is zero, and in UTC otherwise.
type Moment struct{ time.Time }

// At returns a time as a Moment.
func At(t time.Time) Moment { return Moment{t} }

// MarshalJSON returns the time in UTC, or null if it is zero.
func (m Moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	return m.UTC().MarshalJSON()
}

// Clean makes every text in a value safe to print: one line without control characters. The value
// is a pointer to one of the types of this package, or a slice of them.
func Clean(value any) { clean(reflect.ValueOf(value)) }

func clean(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			clean(v.Elem())
		}
	case reflect.Slice:
		for n := range v.Len() {
			clean(v.Index(n))
		}
	case reflect.Struct:
		for n := range v.NumField() {
			if v.Type().Field(n).IsExported() {
				clean(v.Field(n))
			}
		}
	case reflect.String:
		v.SetString(termtext.Line(v.String()))
	}
}
