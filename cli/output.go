package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// field is a field of a record, said once for all the forms that print it: JSON
// and CSV have the API's names, tables and labels are for people.
type field struct {
	name   string
	label  string // "" keeps it to JSON and CSV
	means  string // for people, below all values: what this one counts; "" where the label says it
	value  any    // in JSON; nil is null
	text   string // for people; "" is the dash
	column bool   // in tables
	right  bool   // in tables: aligned right
	short  bool   // in tables: cut where the terminal is too narrow
	named  bool   // in tables: its first word is whole where it is cut
	yields int    // in tables: left out where that is not enough, 1 first; 0 never
	money  bool   // an amount: in CSV two columns, and a dash in both where nobody knows it
	amount apiclient.Amount
	absent bool   // not in the answer: left out of JSON
	parts  object // the columns of an object that is null
}

// object is a record: its fields in the API's order.
type object []field

// dash is what people see where there is nothing to see.
const dash = money.Dash

func text(name, label, s string) field { return field{name: name, label: label, value: s, text: s} }

// optional is text that is null where there is none; spare is left out.
func optional(name, label, s string) field {
	f := text(name, label, s)
	if s == "" {
		f.value = nil
	}
	return f
}

func spare(name, label, s string) field {
	f := optional(name, label, s)
	f.absent = s == ""
	return f
}

// cents is a sum of USD cents; the server may not have said it.
func cents(name, label string, n *int64) field {
	if n == nil {
		return minor(name, label, apiclient.UnknownAmount("USD"))
	}
	return minor(name, label, apiclient.NewAmount(*n, "USD"))
}

// sum is a sum of USD cents as the server gave it; people see whether it leaves
// something out.
func sum(name, label string, s figures.Sum) field { return said(name, label, &s.Cents, s) }

// said is sum for one that the server may not have said.
func said(name, label string, given *int64, s figures.Sum) field {
	f := cents(name, label, given)
	if given != nil {
		f.text = s.String()
	}
	return f
}

func minor(name, label string, a apiclient.Amount) field {
	f := field{name: name, label: label, money: true, amount: a, right: true}
	if n, known := a.Minor(); known {
		f.value, f.text = n, a.String()
	}
	return f
}

func count(name, label string, n *int64) field {
	if n == nil {
		return field{name: name, label: label, right: true}
	}
	return field{name: name, label: label, value: *n, text: money.Count(*n), right: true}
}

func truth(name, label string, b bool) field {
	f := field{name: name, label: label, value: b, text: "no"}
	if b {
		f.text = "yes"
	}
	return f
}

// dated is when figures are from; people see no time that is none to go by.
func dated(name, label string, t *time.Time) field {
	f := when(name, label, t)
	if t != nil && !figures.Dated(*t) {
		f.text = ""
	}
	return f
}

func when(name, label string, t *time.Time) field {
	if t == nil {
		return field{name: name, label: label}
	}
	return field{name: name, label: label, value: t.UTC(), text: clock(*t)}
}

// clock writes a time for people.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

func list[T ~string](name, label string, all []T) field {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = string(one)
	}
	return field{name: name, label: label, value: words, text: strings.Join(words, ", ")}
}

// meaning has it said what the value counts.
func (f field) meaning(text string) field {
	f.means = text
	return f
}

// in puts the field into tables.
func (f field) in() field {
	f.column = true
	return f
}

// cut has the column made narrower where a terminal has no room for it.
func (f field) cut() field {
	f.short = true
	return f
}

// yield has the column left out where a terminal has no room for it, in this turn.
func (f field) yield(turn int) field {
	f.yields = turn
	return f
}

// shown is the field for people.
func (f field) shown() string {
	if f.text == "" {
		return dash
	}
	return f.text
}

// with appends the fields that this program does not know, as text.
func (o object) with(extra []apiclient.Field) object {
next:
	for _, e := range extra {
		for _, f := range o {
			if f.name == e.Name {
				continue next
			}
		}
		o = append(o, text(e.Name, e.Name, e.Value))
	}
	return o
}

// appendJSON writes the object on one line.
func (o object) appendJSON(b []byte) ([]byte, error) {
	b = append(b, '{')
	first := true
	for _, f := range o {
		if f.absent {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		var err error
		if b, err = appendValue(b, f.name); err != nil {
			return nil, err
		}
		if b, err = appendValue(append(b, ':'), f.value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendValue(b []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case object:
		return v.appendJSON(b)
	case []object:
		b = append(b, '[')
		for i, o := range v {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = o.appendJSON(b); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return appendVisible(b, bytes.TrimSuffix(line.Bytes(), []byte("\n"))), nil
}

// appendVisible writes JSON with everything that a terminal acts on, or draws
// nothing for, as an escape, and so the marks that stand on too many others: the text
// that it stands for stays the same.
func appendVisible(b, raw []byte) []byte {
	var before termtext.Marks
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		shown := before.Shown(r)
		switch {
		case r >= ' ' && r < 0x7f:
			b = append(b, byte(r))
		case r == utf8.RuneError && size == 1:
			b = append(b, `\ufffd`...)
		case shown:
			b = append(b, raw[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendEscape(appendEscape(b, high), low)
		default:
			b = appendEscape(b, r)
		}
		raw = raw[size:]
	}
	return b
}

func appendEscape(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// writeJSON writes the object as one line.
func (o object) writeJSON(w io.Writer) error {
	line, err := o.appendJSON(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// writeLabels writes a label and a value on each line, and below them what some values
// count. Fields of an object stand in its place; lists of objects follow as tables, in so
// many columns at most (see newGrid).
func (o object) writeLabels(w io.Writer, columns int) error {
	flat, lists := o.flat(nil, nil)
	width := 0
	for _, f := range flat {
		width = max(width, termtext.Width(f.label))
	}
	for _, f := range flat {
		if _, err := io.WriteString(w, pad(f.label, width)+"  "+f.shown()+"\n"); err != nil {
			return err
		}
	}
	for _, f := range flat {
		if f.means == "" {
			continue
		}
		if _, err := io.WriteString(w, f.label+" is "+f.means+".\n"); err != nil {
			return err
		}
	}
	for _, objects := range lists {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := writeTable(w, columns, objects); err != nil {
			return err
		}
	}
	return nil
}

// flat returns the fields that have labels, those of objects in them too.
func (o object) flat(fields []field, lists [][]object) ([]field, [][]object) {
	for _, f := range o {
		switch v := f.value.(type) {
		case object:
			fields, lists = v.flat(fields, lists)
		case []object:
			if len(v) > 0 {
				lists = append(lists, v)
			}
		default:
			if f.label != "" {
				fields = append(fields, f)
			}
		}
	}
	return fields, lists
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-termtext.Width(s)))
}
