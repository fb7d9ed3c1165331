package record

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
)

// JSONWriter writes an array of records as JSON, one record per line.
type JSONWriter struct {
	w      io.Writer
	paged  bool
	listed bool
	line   []byte
}

// NewJSONWriter returns a JSONWriter and writes the start of the array. If paged is set, the array
// is the field "data" of an object, like a page of the API.
func NewJSONWriter(w io.Writer, paged bool) (*JSONWriter, error) {
	opening := "["
	if paged {
		opening = `{"data":[`
	}
	_, err := io.WriteString(w, opening)
	return &JSONWriter{w: w, paged: paged}, err
}

// Add writes a record as an element of the array.
func (j *JSONWriter) Add(o Object) error {
	before := ",\n"
	if !j.listed {
		j.listed, before = true, "\n"
	}
	var err error
	if j.line, err = o.AppendJSON(append(j.line[:0], before...)); err != nil {
		return err
	}
	_, err = j.w.Write(j.line)
	return err
}

// End ends the array. For a page, trailer contains the fields that follow "data". Without End, the
// output is not valid JSON, so that an incomplete list cannot be mistaken for a complete one.
func (j *JSONWriter) End(trailer Object) error {
	closing := []byte("]")
	if j.listed {
		closing = []byte("\n]")
	}
	if j.paged {
		after, err := trailer.AppendJSON(nil)
		if err != nil {
			return err
		}
		closing = append(append(closing, ','), after[1:]...)
	}
	_, err := j.w.Write(append(closing, '\n'))
	return err
}

// WriteJSON writes the object as JSON on one line.
func (o Object) WriteJSON(w io.Writer) error {
	line, err := o.AppendJSON(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// AppendJSON appends the object as JSON on one line, with the names and values of the API. It
// escapes characters that affect a terminal, such as ESC. Amounts in another currency than the US
// dollar get a field `currency` (docs/api.md, Reporting currency).
func (o Object) AppendJSON(b []byte) ([]byte, error) {
	b = append(b, '{')
	first, currency, named := true, "", false
	for i := range o {
		f := &o[i]
		if f.absent || f.Derived {
			continue
		}
		named = named || f.Name == "currency"
		if f.Kind == KindAmount && currency == "" && f.Amount.Currency() != apiclient.DefaultCurrency {
			currency = f.Amount.Currency()
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		var err error
		if b, err = appendText(b, f.Name); err != nil {
			return nil, err
		}
		if b, err = f.appendJSON(append(b, ':')); err != nil {
			return nil, err
		}
	}
	if currency != "" && !named {
		b = append(append(append(b, `,"currency":"`...), currency...), '"')
	}
	return append(b, '}'), nil
}

func (f *Field) appendJSON(b []byte) ([]byte, error) {
	switch {
	case f.null:
		return append(b, "null"...), nil
	case f.value != nil:
		return appendValue(b, f.value)
	}
	switch f.Kind {
	case KindAmount:
		minor, known := f.Amount.Minor()
		if !known {
			return append(b, "null"...), nil
		}
		return strconv.AppendInt(b, minor, 10), nil
	case KindCount:
		return strconv.AppendInt(b, f.n, 10), nil
	case KindFlag:
		return strconv.AppendBool(b, f.n != 0), nil
	case KindDecimal:
		return append(b, f.text...), nil
	}
	return appendText(b, f.text)
}

// appendText appends s as a JSON string. It has a fast path for text that needs no escaping.
func appendText(b []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return appendValue(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"'), nil
}

func appendValue(b []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case Object:
		return v.AppendJSON(b)
	case []Object:
		b = append(b, '[')
		for i, o := range v {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = o.AppendJSON(b); err != nil {
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

// appendVisible appends JSON whose \u escapes replace characters that affect a terminal,
// invisible characters, and excess combining marks. The decoded value stays the same.
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
