package jsonlines

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// object holds the fields of a JSON object that have not been read yet. A method that reads a field
// removes it. Fields that are null count as missing. The first error is kept in err; after it, all
// methods return zero values.
type object struct {
	line   int
	inside string // name of the field whose value the object is, with a dot; "" for a whole line
	fields map[string]json.RawMessage
	err    error
}

// subject is what a line describes.
type subject uint8

const (
	unknownSubject subject = iota
	transaction
	account
	invoice
	bill
	invoiceList
)

// subject tells what the line describes by the fields that it has.
func (o *object) subject() subject {
	switch {
	case o.has("date"):
		return transaction
	case o.has("invoice"):
		return invoice
	case o.has("bill"):
		return bill
	case o.has("amount"):
		return transaction
	case o.has("account"):
		return account
	case o.has("source") || o.has("as_of"):
		return invoiceList
	}
	return unknownSubject
}

// maxFields is the largest number of fields of an object.
const maxFields = 200

// parseObject parses a line. It returns a *bank.Error if the line is not one JSON object, or if a
// field is there twice.
func parseObject(line int, text string) (*object, error) {
	o := &object{line: line, fields: map[string]json.RawMessage{}}
	decoder := json.NewDecoder(strings.NewReader(text))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return nil, bank.Errorf(line, "is no JSON object")
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, syntaxError(line, err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, syntaxError(line, err)
		}
		key := name.(string) // only texts can be names; other tokens are syntax errors
		if len(o.fields) == maxFields {
			return nil, bank.Errorf(line, "has more than %d fields", maxFields)
		}
		if _, twice := o.fields[key]; twice {
			return nil, bank.Errorf(line, "the field %q is there twice", bank.Short(key))
		}
		o.fields[key] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, syntaxError(line, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, bank.Errorf(line, "has more than one JSON object")
	}
	return o, nil
}

// syntaxError returns the error for a line that begins like a JSON object but is none.
func syntaxError(line int, err error) error {
	if wrong := new(json.SyntaxError); errors.As(err, &wrong) {
		return bank.Errorf(line, "is not JSON: %s", wrong.Error())
	}
	return bank.Errorf(line, "ends within its JSON object")
}

// has reports whether a field is there and is not null.
func (o *object) has(name string) bool {
	value, ok := o.fields[name]
	return ok && string(value) != "null"
}

// take removes a field and returns its value. It returns false if the field is missing, or after an
// error.
func (o *object) take(name string) (json.RawMessage, bool) {
	value, ok := o.fields[name], o.has(name)
	delete(o.fields, name)
	return value, ok && o.err == nil
}

// fail keeps an error about a field. The parameter reason goes on after the field's name.
func (o *object) fail(name, reason string, args ...any) {
	if o.err == nil {
		args = append([]any{o.inside + name}, args...)
		o.err = bank.Errorf(o.line, "the field %q "+reason, args...)
	}
}

// text returns the text of a field, cleaned. It returns "" for a missing field.
func (o *object) text(name string) (text string) {
	value, ok := o.take(name)
	if !ok {
		return ""
	}
	if err := json.Unmarshal(value, &text); err != nil {
		o.fail(name, "must be a text in quotes, not %q", shortJSON(value))
	}
	return bank.Text(text)
}

// boolean returns the value of a field that is true or false. A missing field is false.
func (o *object) boolean(name string) (set bool) {
	value, ok := o.take(name)
	if !ok {
		return false
	}
	if err := json.Unmarshal(value, &set); err != nil {
		o.fail(name, "must be true or false, not %q", shortJSON(value))
	}
	return set
}

// day returns the date of a field, or the zero date for a missing field.
func (o *object) day(name string) civil.Date {
	if !o.has(name) {
		delete(o.fields, name)
		return civil.Date{}
	}
	text := o.text(name)
	day, err := civil.Parse(text)
	if err == nil {
		_, ok := bank.Day(day.Year(), int(day.Month()), day.Day())
		if ok {
			return day
		}
	}
	o.fail(name, "must be a day such as 2026-09-30, not %q", bank.Short(text))
	return civil.Date{}
}

// currency returns the ISO 4217 code of a field, or "" for a missing field.
func (o *object) currency(name string) string {
	code := strings.ToUpper(o.text(name))
	if code != "" && !bank.IsCurrency(code) {
		o.fail(name, "must be a currency of ISO 4217, not %q", bank.Short(code))
	}
	return code
}

// decimal returns a number as it is written: the digits of a JSON number, or a text with such
// digits. It returns "" for a missing field.
func (o *object) decimal(name string) string {
	value, ok := o.take(name)
	if !ok {
		return ""
	}
	number := string(value)
	if value[0] == '"' {
		if err := json.Unmarshal(value, &number); err != nil {
			number = ""
		}
	}
	if !isDecimal(number) {
		o.fail(name, "must be a number such as -1234.50, not %q", shortJSON(value))
		return ""
	}
	return number
}

// isDecimal reports whether a text has digits, at most one point between or before digits, and at
// most one sign before them.
func isDecimal(text string) bool {
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	whole, decimals, point := strings.Cut(text, ".")
	return whole+decimals != "" && (!point || decimals != "") && strings.Trim(whole+decimals, "0123456789") == ""
}

// amount returns the amount of a field in minor units of the currency. It returns nil for a missing
// field.
func (o *object) amount(name, currency string) *int64 {
	text := o.decimal(name)
	if text == "" {
		return nil
	}
	minor, err := bank.ParseAmount(text, '.', currency)
	if err != nil {
		o.fail(name, "%v: %q in %s", err, bank.Short(text), currency)
		return nil
	}
	return &minor
}

// object returns the fields of a field that is a JSON object itself. It returns nil for a missing
// field.
func (o *object) object(name string) *object {
	value, ok := o.take(name)
	if !ok {
		return nil
	}
	inner, err := parseObject(o.line, string(value))
	if err != nil {
		o.fail(name, "must be a JSON object, not %q", shortJSON(value))
		return nil
	}
	inner.inside = name + "."
	return inner
}

// shortJSON returns a value for an error message: in one line, without control characters and cut.
func shortJSON(value json.RawMessage) string {
	return bank.Short(bank.Text(string(bytes.ToValidUTF8(value[:min(len(value), 200)], nil))))
}
