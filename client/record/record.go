// Package record describes each record of the API once: the names, labels, values, units
// and meanings of its fields. JSON, CSV, tables, details, line mode and copies are made
// from it, so that a new field is added only here.
//
//	o := record.Transaction(t)
//	for _, f := range o.Pick("date", "amount_cents", "memo") {
//		fmt.Println(f.Label + ": " + f.TextOrDash())
//	}
//
// Pick, Without and MoveLast select and order fields. Kind, Amount and Direction serve callers
// that format amounts or times themselves.
package record

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
)

// Kind is the kind of a field's value, which decides how the value is formatted and compared.
type Kind uint8

// The kinds.
const (
	KindText Kind = iota
	KindDate
	KindTime
	KindAmount  // two columns in CSV, both a dash for an unknown amount
	KindCount   // a whole number
	KindDecimal // a number with a fraction
	KindFlag    // true or false
	KindWords   // a list of words, such as the scopes of a token
	KindJSON    // JSON as received
	KindObject  // a nested record
	KindObjects // a list of nested records
)

// Field is one field of a record.
type Field struct {
	Name      string              // the API's name
	Label     string              // the name that people see; "" limits the field to JSON and CSV
	Meaning   string              // an explanation of the value, or ""
	Amount    apiclient.Amount    // the value of a KindAmount
	Direction apiclient.Direction // the direction of the amount, or ""
	Column    Column
	Kind      Kind
	Extra     bool // the server sent the field although the API does not define it

	null   bool   // JSON has null as the value
	absent bool   // JSON omits the field
	text   string // the value as short text; if "", Text formats the value
	detail string // the value as longer text; if "", Detail uses the short text
	n      int64  // the number of a KindCount; 1 or 0 for a KindFlag
	value  any    // for kinds that JSON does not write from text, Amount or n
}

// Column tells how the commands' tables show a field.
type Column struct {
	InTable   bool  // the field has a column
	Truncated bool  // narrow tables truncate the column
	WholeWord bool  // truncation keeps the first word whole
	DropOrder uint8 // order in which tables that are still too wide drop columns, from 1; 0 for never
}

// Text returns a text field.
func Text(name, label, s string) Field { return Field{Name: name, Label: label, text: s} }

// nullIfEmpty returns a text field that is null if s is "".
func nullIfEmpty(name, label, s string) Field {
	return Field{Name: name, Label: label, text: s, null: s == ""}
}

// omitEmpty returns a text field that JSON omits if s is "".
func omitEmpty(name, label, s string) Field {
	return Field{Name: name, Label: label, text: s, null: s == "", absent: s == ""}
}

// Time returns a time field; nil is null.
func Time(name, label string, t *time.Time) Field {
	f := Field{Name: name, Label: label, Kind: KindTime, null: t == nil}
	if t != nil {
		f.value = t.UTC()
	}
	return f
}

// Count returns a whole-number field; nil is null.
func Count(name, label string, n *int64) Field {
	f := Field{Name: name, Label: label, Kind: KindCount, null: n == nil}
	if n != nil {
		f.n = *n
	}
	return f
}

// Flag returns a field with value true or false.
func Flag(name, label string, on bool) Field {
	f := Field{Name: name, Label: label, Kind: KindFlag}
	if on {
		f.n = 1
	}
	return f
}

// Nested returns a field with a nested record.
func Nested(name string, o Object) Field {
	return Field{Name: name, Kind: KindObject, value: o}
}

// List returns a field with a list of nested records; nil is null.
func List(name string, all []Object) Field {
	return Field{Name: name, Kind: KindObjects, value: all, null: all == nil}
}

// Null returns a field without a value.
func Null(name string) Field { return Field{Name: name, null: true} }

func amount(name, label string, a apiclient.Amount) Field {
	return Field{Name: name, Label: label, Kind: KindAmount, Amount: a}
}

// cents returns an amount field in USD; nil is an unknown amount.
func cents(name, label string, n *int64) Field {
	if n == nil {
		return amount(name, label, apiclient.UnknownAmount("USD"))
	}
	return amount(name, label, apiclient.NewAmount(*n, "USD"))
}

func words[T ~string](name, label string, all []T) Field {
	list := make([]string, len(all))
	for i, one := range all {
		list[i] = string(one)
	}
	return Field{Name: name, Label: label, Kind: KindWords, value: list}
}

// inTable gives the field a column in the commands' tables.
func (f Field) inTable() Field {
	f.Column.InTable = true
	return f
}

func (f Field) truncated() Field {
	f.Column.Truncated = true
	return f
}

func (f Field) dropped(turn uint8) Field {
	f.Column.DropOrder = turn
	return f
}

func (f Field) withDirection(d apiclient.Direction) Field {
	f.Direction = d
	return f
}

func (f Field) withMeaning(text string) Field {
	f.Meaning = text
	return f
}

// withDetail sets the text that Detail returns; with "" Detail returns Text.
func (f Field) withDetail(text string) Field {
	f.detail = text
	return f
}

// Right reports whether tables align the field right.
func (f *Field) Right() bool { return f.Kind == KindAmount || f.Kind == KindCount }

// Text returns the value as short text: an amount with its sign and currency, a time in UTC
// to the second. It returns "" for a missing value.
func (f *Field) Text() string {
	if f.text != "" || f.null {
		return f.text
	}
	switch f.Kind {
	case KindAmount:
		if f.Amount.Known() {
			return Sign(f.Direction) + f.Amount.String()
		}
	case KindCount:
		return money.Count(f.n)
	case KindFlag:
		if f.n != 0 {
			return "yes"
		}
		return "no"
	case KindTime:
		if at, ok := f.At(); ok {
			return Timestamp(at)
		}
	case KindWords:
		return strings.Join(f.value.([]string), ", ")
	}
	return ""
}

// TextOrDash returns Text, or a dash for "".
func (f *Field) TextOrDash() string {
	if text := f.Text(); text != "" {
		return text
	}
	return money.Dash
}

// Detail returns the value as text for the details of a record. It may be longer than Text, such
// as "held: waiting for approval or release" for "held". It returns "" for a missing value.
func (f *Field) Detail() string {
	if f.detail != "" {
		return f.detail
	}
	if at, ok := f.At(); ok {
		return at.Format("2006-01-02 15:04:05 UTC")
	}
	return f.Text()
}

// IsTrue reports whether the field is a flag that is true.
func (f *Field) IsTrue() bool { return f.Kind == KindFlag && f.n != 0 }

// Raw returns the value for machines: numbers without separators, times as RFC 3339, "" for
// null.
func (f *Field) Raw() string {
	switch v := f.value.(type) {
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []string:
		return strings.Join(v, ",")
	case json.RawMessage:
		line, err := appendValue(nil, v)
		if err != nil {
			return ""
		}
		return string(line)
	}
	switch f.Kind {
	case KindCount:
		if !f.null {
			return strconv.FormatInt(f.n, 10)
		}
	case KindFlag:
		return strconv.FormatBool(f.n != 0)
	}
	return f.text
}

// At returns the time of a KindTime field in UTC, or false if there is none.
func (f *Field) At() (time.Time, bool) {
	at, ok := f.value.(time.Time)
	return at, ok && f.Kind == KindTime && !at.IsZero()
}

// Object returns the nested record, or false for other fields and null.
func (f *Field) Object() (Object, bool) {
	o, ok := f.value.(Object)
	return o, ok && !f.null
}

// NestedFields returns the nested record even if it is null, with the fields it would have, or
// false for other fields.
func (f *Field) NestedFields() (Object, bool) {
	o, ok := f.value.(Object)
	return o, ok
}

// Objects returns the list of nested records, or false for other fields.
func (f *Field) Objects() ([]Object, bool) {
	all, ok := f.value.([]Object)
	return all, ok
}

// Timestamp returns a time in UTC to the second: "2026-11-20 14:02:05Z".
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// Minute returns a time in UTC to the minute: "2026-11-20 14:02 UTC".
func Minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// Sign returns "+" for money in, "-" for money out, and "" for an unknown direction
// (docs/api.md, Transaction).
func Sign(d apiclient.Direction) string {
	switch d {
	case apiclient.Inflow:
		return "+"
	case apiclient.Outflow:
		return "-"
	}
	return ""
}
