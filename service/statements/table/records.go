package table

import (
	"bytes"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// record is one row of a file. Its fields have no outer quotes and blanks.
type record struct {
	line   int    // number of its first line, from 1
	text   string // text of the row as it is in the file
	fields []string
}

// records splits a text into records. A record is one line, or several if a line ends within
// quotes.
type records struct {
	lines     *bank.Lines
	delimiter byte
	current   record
}

func newRecords(b *bank.Budget, r io.Reader, delimiter byte) *records {
	return &records{lines: bank.NewLines(b, r), delimiter: delimiter}
}

// next returns the next record, or io.EOF at the end. The record is valid until the next call.
func (r *records) next() (*record, error) {
	text, line, err := r.lines.Next()
	if err != nil {
		return nil, err
	}
	r.current.line, r.current.text = line, text
	if strings.IndexByte(text, '"') < 0 {
		r.current.fields = splitPlain(r.current.fields[:0], text, r.delimiter)
		return r.checked()
	}
	fields, open := splitQuoted(r.current.fields[:0], text, r.delimiter)
	if open {
		if err = r.join(); err != nil {
			return nil, err
		}
		fields, _ = splitQuoted(fields[:0], r.current.text, r.delimiter)
	}
	r.current.fields = fields
	return r.checked()
}

// checked returns the current record, or an error if it has too many fields.
func (r *records) checked() (*record, error) {
	if len(r.current.fields) > bank.MaxFields {
		return nil, bank.Errorf(r.current.line, "has more than %d columns", bank.MaxFields)
	}
	return &r.current, nil
}

// join appends lines to the current record until its quotes are closed.
func (r *records) join() error {
	whole := []byte(r.current.text)
	for open := true; open; {
		text, _, err := r.lines.Next()
		switch {
		case err == io.EOF:
			return bank.Errorf(r.current.line, "a quote is not closed: the file is cut short or has one quote too many")
		case err != nil:
			return err
		case len(whole)+len(text) > bank.MaxLine:
			return bank.Errorf(r.current.line, "a quote is not closed within 1 MB")
		}
		whole = append(append(whole, '\n'), text...)
		open = staysOpen(text, r.delimiter)
	}
	r.current.text = string(whole)
	return nil
}

// staysOpen reports whether the quotes are still open after a line that begins within quotes.
func staysOpen(line string, delimiter byte) bool {
	for {
		_, rest, ok := strings.Cut(line, `"`)
		if !ok {
			return true
		}
		if line, ok = strings.CutPrefix(rest, `"`); ok {
			continue // a doubled quote
		}
		for quoted := false; !quoted; {
			if _, rest, ok = strings.Cut(rest, string(delimiter)); !ok {
				return false
			}
			line, quoted = strings.CutPrefix(strings.TrimLeft(rest, " "), `"`)
		}
	}
}

func splitPlain(fields []string, text string, delimiter byte) []string {
	for {
		at := strings.IndexByte(text, delimiter)
		if at < 0 {
			return append(fields, unwrap(strings.TrimSpace(text)))
		}
		fields = append(fields, unwrap(strings.TrimSpace(text[:at])))
		text = text[at+1:]
	}
}

// splitQuoted splits a record that has quotes. A quote inside an unquoted field is part of the
// text, as is text after a closing quote. unclosed is true if the last quote is not closed.
func splitQuoted(fields []string, text string, delimiter byte) (all []string, unclosed bool) {
	for {
		start := strings.TrimLeft(text, " ")
		if !strings.HasPrefix(start, `"`) {
			at := strings.IndexByte(text, delimiter)
			if at < 0 {
				return append(fields, unwrap(strings.TrimSpace(text))), false
			}
			fields, text = append(fields, unwrap(strings.TrimSpace(text[:at]))), text[at+1:]
			continue
		}
		field, rest, ok := quoted(start[1:])
		if !ok {
			return append(fields, strings.TrimSpace(field)), true
		}
		at := strings.IndexByte(rest, delimiter)
		if at < 0 {
			return append(fields, unwrap(strings.TrimSpace(field+rest))), false
		}
		fields, text = append(fields, unwrap(strings.TrimSpace(field+rest[:at]))), rest[at+1:]
	}
}

// quoted returns the text up to the closing quote, with doubled quotes replaced by single ones, and
// the text after it. It returns false if there is no closing quote.
func quoted(text string) (field, rest string, ok bool) {
	end := strings.IndexByte(text, '"')
	if end < 0 {
		return text, "", false
	}
	if !strings.HasPrefix(text[end+1:], `"`) {
		return text[:end], text[end+1:], true
	}
	var whole bytes.Buffer
	for {
		whole.WriteString(text[:end])
		if text = text[end+1:]; !strings.HasPrefix(text, `"`) {
			return whole.String(), text, true
		}
		whole.WriteByte('"')
		text = text[1:]
		if end = strings.IndexByte(text, '"'); end < 0 {
			return whole.String() + text, "", false
		}
	}
}

// unwrap removes the formula ="…" around a text, with which exports keep spreadsheets from reading
// the text as a number.
func unwrap(field string) string {
	if len(field) > 3 && strings.HasPrefix(field, `="`) && strings.HasSuffix(field, `"`) {
		return field[2 : len(field)-1]
	}
	return field
}

// field returns the field of a column. It returns "" if the record has no such column.
func (r *record) field(column int) string {
	if column < 0 || column >= len(r.fields) {
		return ""
	}
	return r.fields[column]
}

// empty reports whether all fields are empty.
func (r *record) empty() bool {
	for _, field := range r.fields {
		if field != "" {
			return false
		}
	}
	return true
}
