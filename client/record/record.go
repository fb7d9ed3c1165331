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
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Kind is the kind of a field's value, which decides how the value is formatted and compared.
type Kind uint8

// Values of Kind.
const (
	KindText Kind = iota
	KindDate
	KindTime
	KindAmount  // has two columns in CSV, both a dash for an unknown amount
	KindCount   // whole number
	KindDecimal // number with a fraction
	KindFlag    // true or false
	KindWords   // list of words, such as the scopes of a token
	KindJSON    // JSON as the server sent it
	KindObject  // nested record
	KindObjects // list of nested records
)

// Field is one field of a record, with its value.
type Field struct {
	Name      string              // name in the API
	Label     string              // name shown to users; if "", the field appears only in JSON and CSV
	Meaning   string              // explanation of the value; may be ""
	Amount    apiclient.Amount    // value of a KindAmount
	Direction apiclient.Direction // direction of the amount; "" if it has none
	Column    Column
	Kind      Kind
	Extra     bool   // the server has sent the field although the API does not define it
	Listed    bool   // voices without a place of its own for the figure list it after the others
	Derived   bool   // for people only; JSON and CSV have the values of the API
	Reveals   bool   // the value isn't an amount, but amounts can be derived from it; masking hides it, too
	own       bool   // the program wrote the text; see IsOwn
	Unit      string // what follows the value, such as "a month"; may be ""
	Phrase    string // how a sentence says the value, such as "until %s"; NoPhrase, or "" for the label and the value

	figure *figures.Total // what people read in place of the value in JSON and CSV; nil if they are the same
	null   bool           // the value in JSON is null
	absent bool           // JSON omits the field, because its value is missing
	text   string         // the value as short text; if "", the method Text formats the value
	detail string         // the value as longer text; if "", the method Detail returns the short text
	n      int64          // value of a KindCount; 1 or 0 for a KindFlag
	// value of a KindTime, KindWords, KindObject or KindObjects, or of a text that people read in
	// other words
	value any
}

// Column says how the tables of commands show a field.
type Column struct {
	InTable   bool  // the field has a column
	Truncated bool  // the column is cut if the table is too wide
	WholeWord bool  // cutting preserves the first word
	DropOrder uint8 // columns with low numbers are dropped first if a table is still too wide; 0 means never
}

// Text returns a field whose value is the text s.
func Text(name, label, s string) Field { return Field{Name: name, Label: label, text: s} }

// counterpartyName returns a field with the name of a counterparty.
func counterpartyName(label, name string) Field {
	return Field{Name: "counterparty_name", Label: label, text: counterparty.Display(name), value: name}
}

// nullIfEmpty returns a text field whose value is null in JSON if s is "".
func nullIfEmpty(name, label, s string) Field {
	return Field{Name: name, Label: label, text: s, null: s == ""}
}

// omitEmpty returns a text field that JSON omits if s is "".
func omitEmpty(name, label, s string) Field {
	return Field{Name: name, Label: label, text: s, null: s == "", absent: s == ""}
}

// Time returns a time field. If t is nil, its value is null.
func Time(name, label string, t *time.Time) Field {
	f := Field{Name: name, Label: label, Kind: KindTime, null: t == nil}
	if t != nil {
		f.value = t.UTC()
	}
	return f
}

// Count returns a field whose value is a whole number. If n is nil, the value is null.
func Count(name, label string, n *int64) Field {
	f := Field{Name: name, Label: label, Kind: KindCount, null: n == nil}
	if n != nil {
		f.n = *n
	}
	return f
}

// Flag returns a field whose value is true or false.
func Flag(name, label string, on bool) Field {
	f := Field{Name: name, Label: label, Kind: KindFlag}
	if on {
		f.n = 1
	}
	return f
}

// Nested returns a field whose value is a nested record.
func Nested(name string, o Object) Field {
	return Field{Name: name, Kind: KindObject, value: o}
}

// List returns a field whose value is a list of nested records. If records is nil, the value is
// null.
func List(name string, records []Object) Field {
	return Field{Name: name, Kind: KindObjects, value: records, null: records == nil}
}

// Null returns a field whose value is null.
func Null(name string) Field { return Field{Name: name, null: true} }

func amount(name, label string, a apiclient.Amount) Field {
	return Field{Name: name, Label: label, Kind: KindAmount, Amount: a}
}

// inMinor returns a field for an amount in minor units. If n is nil, the amount is unknown.
func inMinor(name, label, currency string, n *int64) Field {
	if n == nil {
		return amount(name, label, apiclient.UnknownAmount(currency))
	}
	return amount(name, label, apiclient.NewAmount(*n, currency))
}

func words[T ~string](name, label string, all []T) Field {
	list := make([]string, len(all))
	for i, one := range all {
		list[i] = string(one)
	}
	return Field{Name: name, Label: label, Kind: KindWords, value: list}
}

// Sentences returns a field with the program's own sentences, for people only.
func Sentences(name string, all ...string) Field { return words(name, "", all).derived().ownText() }

// Words returns the words of a KindWords field.
func (f *Field) Words() []string {
	all, _ := f.value.([]string)
	return all
}

// unknownToPeopleIf returns a copy of the field that people read as unknown if the condition holds.
// JSON and CSV keep the value.
func (f Field) unknownToPeopleIf(unknown bool) Field {
	if unknown {
		f.figure = &figures.Total{Unknown: true}
	}
	return f
}

// inTable returns a copy of the field that has a column in the tables of commands.
func (f Field) inTable() Field {
	f.Column.InTable = true
	return f
}

func (f Field) truncated() Field {
	f.Column.Truncated = true
	return f
}

func (f Field) dropOrder(turn uint8) Field {
	f.Column.DropOrder = turn
	return f
}

// NoPhrase is the value of Field.Phrase of a field that no sentence says.
const NoPhrase = "-"

// phrased returns a copy of the field that sentences say in the given form.
func (f Field) phrased(form string) Field {
	f.Phrase = form
	return f
}

// phrasedCount returns a copy of a number that sentences say with what it counts: "3 invoices".
func (f Field) phrasedCount(form, noun string) Field {
	return f.phrasedIf(!f.null, strings.Replace(form, "%s", plural.Count(f.n, noun), 1))
}

// phrasedIf returns a copy of the field that sentences say in the given form if the condition
// holds.
func (f Field) phrasedIf(condition bool, form string) Field {
	if f.Phrase = form; !condition {
		f.Phrase = NoPhrase
	}
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

func (f Field) listed() Field {
	f.Listed = true
	return f
}

// ownText returns a copy of a field whose text the program wrote itself.
func (f Field) ownText() Field {
	f.own = true
	return f
}

func (f Field) derived() Field {
	f.Derived = true
	return f
}

// withDetail returns a copy of the field whose method Detail returns text. If text is "", Detail
// returns the same as Text.
func (f Field) withDetail(text string) Field {
	f.detail = text
	return f
}

// AlignsRight reports whether tables align the field to the right.
func (f *Field) AlignsRight() bool { return f.Kind == KindAmount || f.Kind == KindCount }

// Known reports whether people may read the value as a figure. JSON and CSV may have a zero in
// place of an unknown one, as the API does.
func (f *Field) Known() bool {
	switch {
	case f.figure != nil:
		return !f.figure.Unknown
	case f.Kind == KindAmount:
		return f.Amount.Known()
	}
	return !f.null
}

// Mark returns the mark of an incomplete figure.
func (f *Field) Mark() figures.Mark {
	if f.figure == nil {
		return figures.NoMark
	}
	return f.figure.Mark()
}

// Why returns the program's own sentence about why the figure is unknown or incomplete. It returns
// "" for a complete figure.
func (f *Field) Why() string {
	if f.figure == nil {
		return ""
	}
	return f.figure.Why()
}

// Names returns the names, from the server, of what the figure excludes, or "".
func (f *Field) Names() string {
	if f.figure == nil {
		return ""
	}
	return f.figure.Names
}

// Total returns the figure as a total. It returns false for other fields.
func (f *Field) Total() (figures.Total, bool) {
	switch {
	case f.figure != nil:
		return *f.figure, true
	case f.Kind != KindAmount || f.Amount.Currency() == "":
		return figures.Total{}, false
	}
	return figures.AmountOf(f.Amount), true
}

// Text returns the value as short text, for example an amount with sign and currency, or a time in
// UTC to the second. For a missing value it returns "".
func (f *Field) Text() string {
	switch {
	case !f.Known():
		return ""
	case f.text != "":
		return f.Mark().Sign() + f.text
	case f.null:
		return ""
	}
	switch f.Kind {
	case KindAmount:
		switch {
		case f.figure != nil:
			return f.figure.String()
		case f.Amount.Known():
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

// Short returns the value in a shorter form, such as "≥$12.4k". For a value that has none, it
// returns "".
func (f *Field) Short() string {
	t, ok := f.Total()
	if !ok || f.Kind != KindAmount || f.text != "" || t.Unknown {
		return ""
	}
	return Sign(f.Direction) + t.Short()
}

// TextOrDash returns Text, or a dash if that is "".
func (f *Field) TextOrDash() string {
	if text := f.Text(); text != "" {
		return text
	}
	return money.Dash
}

// Detail returns the value as text for the details of a record. That may be longer than Text, such
// as "held: waiting for approval or release" instead of "held". For a missing value it returns "".
func (f *Field) Detail() string {
	if f.detail != "" {
		return f.detail
	}
	if at, ok := f.At(); ok {
		return at.Format("2006-01-02 15:04:05 UTC")
	}
	return f.Text()
}

// IsTrue reports whether the field is a flag with the value true.
func (f *Field) IsTrue() bool { return f.Kind == KindFlag && f.n != 0 }

// IsOwn reports whether the program wrote the text itself, as it does for dates. Other texts may
// have words of a server, a bank or a customer.
func (f *Field) IsOwn() bool { return f.own || f.Kind == KindDate }

// Raw returns the value in a form for programs: numbers without separators, times as RFC 3339, and
// "" for null.
func (f *Field) Raw() string {
	switch v := f.value.(type) {
	case string:
		return v
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

// At returns the time of a KindTime field in UTC. It returns false if the time is missing.
func (f *Field) At() (time.Time, bool) {
	at, ok := f.value.(time.Time)
	return at, ok && f.Kind == KindTime && !at.IsZero()
}

// Object returns the nested record of a field. It returns false if the value is null or the field
// is of another kind.
func (f *Field) Object() (Object, bool) {
	o, ok := f.value.(Object)
	return o, ok && !f.null
}

// NestedFields returns the nested record of a field. If the value is null, the record has its usual
// fields, but their values are unknown. It returns false if the field is of another kind.
func (f *Field) NestedFields() (Object, bool) {
	o, ok := f.value.(Object)
	return o, ok
}

// Objects returns the list of nested records. It returns false if the field is of another kind.
func (f *Field) Objects() ([]Object, bool) {
	all, ok := f.value.([]Object)
	return all, ok
}

// Timestamp returns a time in UTC to the second, such as "2026-11-20 14:02:05Z".
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// Minute returns a time in UTC to the minute, such as "2026-11-20 14:02 UTC".
func Minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// Sign returns "+" for money in and "-" for money out (docs/api.md, Transaction). For an unknown
// direction it returns "".
func Sign(d apiclient.Direction) string {
	switch d {
	case apiclient.Inflow:
		return "+"
	case apiclient.Outflow:
		return "-"
	}
	return ""
}
