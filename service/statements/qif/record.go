package qif

import (
	"bytes"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// maxRecord is the most bytes that a record may have.
const maxRecord = 1 << 20

// field is a line of a record: a letter that says what it is, and its text.
type field struct {
	code byte
	text string
	line int
}

// record is what stands before a line with ^, or a header. Its fields and raw text are valid
// until the next record.
type record struct {
	section string // the header of the section, in lower case without the exclamation mark
	header  bool   // the section begins; there are no fields
	fields  []field
	line    int
	raw     []byte
}

// get returns the text of the first field with a code.
func (r *record) get(code byte) (field, bool) {
	for _, f := range r.fields {
		if f.code == code && f.text != "" {
			return f, true
		}
	}
	return field{line: r.line}, false
}

// text returns the text of the first field with a code, or "".
func (r *record) text(code byte) string {
	f, _ := r.get(code)
	return f.text
}

// isTransaction reports whether a record is a line of an account with cash.
func (r *record) isTransaction() bool {
	_, ok := sectionKinds[r.section]
	return ok && !r.header
}

// sectionKinds are the sections with lines of accounts, and the kinds of these. Quicken does
// not tell checking from savings accounts.
var sectionKinds = map[string]bank.Kind{
	"type:bank": bank.KindUnknown, "type:cash": bank.KindUnknown, "type:ccard": bank.KindCard,
	"type:oth a": bank.KindUnknown, "type:oth l": bank.KindUnknown,
	"type:banque": bank.KindUnknown, "type:banco": bank.KindUnknown, "type:banca": bank.KindUnknown,
}

// scanner splits a file into records.
type scanner struct {
	lines   *bank.Lines
	ended   *lastByte
	section string
	pending *record // a header that ended the record before it
	last    int     // number of the last line

	// The memory of the last record.
	fields []field
	raw    []byte
}

// next returns the next record or header, or io.EOF.
func (s *scanner) next() (record, error) {
	if header := s.pending; header != nil {
		s.pending = nil
		return *header, nil
	}
	next := record{fields: s.fields[:0], raw: s.raw[:0]}
	for {
		text, number, err := s.lines.Next()
		if err == io.EOF {
			return s.end(next)
		}
		if err != nil {
			return record{}, err
		}
		s.last = number
		text = strings.TrimSpace(strings.TrimLeft(strings.ReplaceAll(text, "\x00", ""), "\ufeff"))
		switch {
		case text == "":
			continue
		case text[0] == '!':
			return s.begin(text, number, next), nil
		case strings.Trim(text, "^") == "":
			if len(next.fields) == 0 {
				continue
			}
			return s.complete(next), nil
		}
		if len(next.fields) == 0 {
			next.line = number
		}
		next.fields = append(next.fields, field{code: text[0], text: strings.TrimSpace(text[1:]), line: number})
		next.raw = append(append(next.raw, text...), '\n')
		if len(next.raw) > maxRecord {
			return record{}, bank.Errorf(next.line, "a record is longer than 1 MB")
		}
	}
}

// begin starts a section. A record that a header ends is given first.
func (s *scanner) begin(text string, number int, open record) record {
	section := strings.ToLower(strings.Join(strings.Fields(text[1:]), " "))
	section = strings.Replace(section, ": ", ":", 1)
	header := record{section: section, header: true, line: number}
	if len(open.fields) == 0 {
		s.section = section
		return header
	}
	done := s.complete(open)
	s.section, s.pending = section, &header
	return done
}

// complete fills in what a record has besides its fields. Files without a header are of a bank.
func (s *scanner) complete(r record) record {
	s.fields, s.raw = r.fields, r.raw
	if r.section = s.section; r.section == "" {
		r.section = "type:bank"
	}
	r.raw = bytes.TrimSuffix(r.raw, []byte("\n"))
	if len(r.raw) > bank.MaxRaw {
		r.raw = bytes.ToValidUTF8(r.raw[:bank.MaxRaw], nil)
	}
	return r
}

// end gives the last record, which some banks do not end. Without its line end it is cut.
func (s *scanner) end(r record) (record, error) {
	if len(r.fields) == 0 {
		return record{}, io.EOF
	}
	r = s.complete(r)
	_, dated := r.get('D')
	_, valued := r.amount()
	if r.isTransaction() && (!s.ended.newline || !dated || !valued) {
		return record{}, bank.Errorf(s.last, "the file ends within a transaction: it is cut short")
	}
	return r, nil
}

// amount returns the field with the amount: T, or U, which newer versions add.
func (r *record) amount() (field, bool) {
	if f, ok := r.get('T'); ok {
		return f, true
	}
	return r.get('U')
}

// lastByte remembers whether the bytes that were read end with the end of a line.
type lastByte struct {
	in      io.Reader
	newline bool
}

// Read reads from in.
func (l *lastByte) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for i := n - 1; i >= 0; i-- {
		// In UTF-16, half of a line end is zero.
		if p[i] != 0 {
			l.newline = p[i] == '\n' || p[i] == '\r'
			break
		}
	}
	return n, err
}
