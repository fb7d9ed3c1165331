// Package record describes each record of the API once: its fields with the API's names,
// labels for people, values, units and meaning. JSON, CSV, tables, details, lines and copies
// are made from it, so that a new field is added here and shows everywhere.
//
//	o := record.Transaction(t)
//	for _, f := range o.Pick("date", "amount_cents", "memo") {
//		fmt.Println(f.Label + ": " + f.Shown())
//	}
//
// Who wants other fields, or another order, names them (Pick, Without, Last); labels and
// formats are not written again. Kind, Amount and Direction are for those who format an
// amount or a time in a way of their own.
package record

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
)

// Kind is what the value of a field is.
type Kind uint8

// The kinds.
const (
	KindText Kind = iota
	KindDate
	KindTime
	KindAmount  // in CSV two columns, and a dash in both where the amount is unknown
	KindCount   // a whole number
	KindDecimal // a number with a fraction
	KindFlag
	KindWords   // a list of words
	KindJSON    // JSON as the server sent it
	KindObject  // a record within the record
	KindObjects // a list of records
)

// Field is one field of a record.
type Field struct {
	Name      string              // the API's
	Label     string              // for people; "" keeps the field to JSON and CSV
	Means     string              // what the value counts; "" where the label says it
	Amount    apiclient.Amount    // of KindAmount
	Direction apiclient.Direction // which way the amount went; "" where it has none
	Column    Column
	Kind      Kind
	Extra     bool // the server sends it beside what the API names

	null   bool   // in JSON
	absent bool   // left out of JSON
	text   string // for people, where the value alone does not say it
	full   string // for people, where a detail says more than text
	n      int64  // of KindCount and KindFlag
	value  any    // in JSON, of the kinds that none of the fields above holds
}

// Column is how a field behaves in tables.
type Column struct {
	In        bool  // has a column
	Cut       bool  // is cut where the table is too narrow
	WholeWord bool  // keeps its first word where it is cut
	Yields    uint8 // is left out where cutting is not enough, 1 first; 0 never
}

// Text returns a field of text.
func Text(name, label, s string) Field { return Field{Name: name, Label: label, text: s} }

// optional returns a field of text that is null where there is none.
func optional(name, label, s string) Field {
	return Field{Name: name, Label: label, text: s, null: s == ""}
}

// spare returns a field of text that JSON leaves out where there is none.
func spare(name, label, s string) Field {
	return Field{Name: name, Label: label, text: s, null: s == "", absent: s == ""}
}

// Time returns a field of a time; nil is null.
func Time(name, label string, t *time.Time) Field {
	f := Field{Name: name, Label: label, Kind: KindTime, null: t == nil}
	if t != nil {
		f.value = t.UTC()
	}
	return f
}

// Count returns a field of a whole number; nil is null.
func Count(name, label string, n *int64) Field {
	f := Field{Name: name, Label: label, Kind: KindCount, null: n == nil}
	if n != nil {
		f.n = *n
	}
	return f
}

// Flag returns a field that is true or false.
func Flag(name, label string, on bool) Field {
	f := Field{Name: name, Label: label, Kind: KindFlag}
	if on {
		f.n = 1
	}
	return f
}

// Within returns a field that holds a record.
func Within(name string, o Object) Field {
	return Field{Name: name, Kind: KindObject, value: o}
}

// List returns a field that holds records; nil is null.
func List(name string, all []Object) Field {
	return Field{Name: name, Kind: KindObjects, value: all, null: all == nil}
}

// Null returns a field without a value.
func Null(name string) Field { return Field{Name: name, null: true} }

func amount(name, label string, a apiclient.Amount) Field {
	return Field{Name: name, Label: label, Kind: KindAmount, Amount: a}
}

// cents returns a field of USD cents; nil is unknown.
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

// in puts the field into tables.
func (f Field) in() Field {
	f.Column.In = true
	return f
}

func (f Field) cut() Field {
	f.Column.Cut = true
	return f
}

func (f Field) yields(turn uint8) Field {
	f.Column.Yields = turn
	return f
}

func (f Field) moved(d apiclient.Direction) Field {
	f.Direction = d
	return f
}

func (f Field) meaning(text string) Field {
	f.Means = text
	return f
}

// says sets what a detail says; "" is Text.
func (f Field) says(text string) Field {
	f.full = text
	return f
}

// Right reports whether a table aligns the field right.
func (f *Field) Right() bool { return f.Kind == KindAmount || f.Kind == KindCount }

// Text returns the value in a few words: an amount with its sign and currency, a time in
// UTC to the second. It is "" where the server gave none.
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
			return Clock(at)
		}
	case KindWords:
		return strings.Join(f.value.([]string), ", ")
	}
	return ""
}

// Shown returns Text, or a dash for "".
func (f *Field) Shown() string {
	if text := f.Text(); text != "" {
		return text
	}
	return money.Dash
}

// Full returns the value as a detail says it, in words where there are some: "held: waits
// until somebody lets it go on". It is "" where the server gave none.
func (f *Field) Full() string {
	if f.full != "" {
		return f.full
	}
	if at, ok := f.At(); ok {
		return at.Format("2006-01-02 15:04:05 UTC")
	}
	return f.Text()
}

// On reports whether a flag is true.
func (f *Field) On() bool { return f.Kind == KindFlag && f.n != 0 }

// Raw returns the value for machines: numbers without separators, times as RFC 3339. It is
// "" for null.
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

// At returns the time of a KindTime field in UTC, and false where there is none.
func (f *Field) At() (time.Time, bool) {
	at, ok := f.value.(time.Time)
	return at, ok && f.Kind == KindTime && !at.IsZero()
}

// Object returns the record within a field, and false for other fields and for null.
func (f *Field) Object() (Object, bool) {
	o, ok := f.value.(Object)
	return o, ok && !f.null
}

// Parts returns the fields that the record within a field has, also where it is null.
func (f *Field) Parts() (Object, bool) {
	o, ok := f.value.(Object)
	return o, ok
}

// Objects returns the records within a field, and false for other fields.
func (f *Field) Objects() ([]Object, bool) {
	all, ok := f.value.([]Object)
	return all, ok
}

// Clock writes a time in UTC to the second: "2026-11-20 14:02:05Z".
func Clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// Sign returns "+" for money in, "-" for money out, and "" for a direction that is neither:
// nothing is claimed that the server did not say (docs/api.md, Transaction).
func Sign(d apiclient.Direction) string {
	switch d {
	case apiclient.Inflow:
		return "+"
	case apiclient.Outflow:
		return "-"
	}
	return ""
}
