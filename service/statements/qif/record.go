package qif

import (
	"bytes"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// maxRecord is the largest length of a record in bytes.
const maxRecord = 1 << 20

// field is a line of a record: a letter for the kind of field, and the text after it.
type field struct {
	code byte
	text string
	line int
}

// record is the header of a section, or the fields up to a line with ^. Its fields and raw text are
// valid until the next record is read.
type record struct {
	section string // header of the section in lower case, without the exclamation mark
	header  bool   // true for the header of a section, which has no fields
	fields  []field
	line    int
	raw     []byte
}

// get returns the first field with the given code that is not empty. It returns false if there is
// none.
func (r *record) get(code byte) (field, bool) {
	for _, f := range r.fields {
		if f.code == code && f.text != "" {
			return f, true
		}
	}
	return field{line: r.line}, false
}

// text returns the text of the first field with the given code, or "".
func (r *record) text(code byte) string {
	f, _ := r.get(code)
	return f.text
}

// isTransaction reports whether a record is a transaction of a bank, cash or card account.
func (r *record) isTransaction() bool {
	_, ok := sectionKinds[r.section]
	return ok && !r.header
}

// sectionKinds maps the sections that have transactions to the kind of their account. Quicken does
// not distinguish checking and savings accounts.
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
	pending *record // header that ended the previous record and is returned next
	last    int     // number of the last line that was read

	// Buffers that are used again for each record.
	fields []field
	raw    []byte
}

// next returns the next record or header, or io.EOF at the end.
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

// begin handles the header of a section. If it follows a record without ^, begin returns that
// record, and the header is returned next.
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

// complete sets the section of a record. A file without any header belongs to a bank account.
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

// end returns the last record, which some banks do not end with ^. If its last line has no line
// end, the file is cut short.
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

// amount returns the field with the amount: T or, in newer versions, U.
func (r *record) amount() (field, bool) {
	if f, ok := r.get('T'); ok {
		return f, true
	}
	return r.get('U')
}

// lastByte is an io.Reader that records whether the last byte read ends a line.
type lastByte struct {
	in      io.Reader
	newline bool
}

// Read implements io.Reader.
func (l *lastByte) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for i := n - 1; i >= 0; i-- {
		// In UTF-16, one byte of a line end is zero.
		if p[i] != 0 {
			l.newline = p[i] == '\n' || p[i] == '\r'
			break
		}
	}
	return n, err
}
