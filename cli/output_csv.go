package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// sheet writes rows as CSV (RFC 4180) with the API's names in its first line.
// What a record has beyond the sample has no column.
type sheet struct {
	w       *csv.Writer
	columns int
}

func newSheet(w io.Writer, sample object) (*sheet, error) {
	s := &sheet{w: csv.NewWriter(w), columns: len(sample)}
	s.w.UseCRLF = true
	names := make([]string, len(sample))
	for i, f := range sample {
		names[i] = f.name
	}
	return s, s.w.Write(names)
}

func (s *sheet) add(o object) error {
	cells := make([]string, s.columns)
	for i, f := range o[:s.columns] {
		cells[i] = f.cell()
	}
	return s.w.Write(cells)
}

func (s *sheet) flush() error {
	s.w.Flush()
	return s.w.Error()
}

// writeCSV writes one record as a line below its names. What an object in it holds
// has a column each, such as balance.available_cents; lists of objects have none.
func (o object) writeCSV(w io.Writer) error {
	all := o.columns(nil, "")
	s, err := newSheet(w, all)
	if err != nil {
		return err
	}
	if err := s.add(all); err != nil {
		return err
	}
	return s.flush()
}

func (o object) columns(all object, within string) object {
	for _, f := range o {
		f.name = within + f.name
		switch v := f.value.(type) {
		case object:
			all = v.columns(all, f.name+".")
		case []object:
		default:
			if f.parts != nil {
				all = f.parts.columns(all, f.name+".")
				continue
			}
			all = append(all, f)
		}
	}
	return all
}

// cell is the field in a row of CSV.
func (f field) cell() string {
	switch v := f.value.(type) {
	case nil:
		if f.unknown {
			return dash
		}
		return ""
	case string:
		return defused(v)
	case []string:
		return defused(strings.Join(v, ","))
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case json.RawMessage:
		line, err := appendValue(nil, v)
		if err != nil {
			return ""
		}
		return string(line)
	}
	return fmt.Sprint(f.value)
}

// defused keeps a spreadsheet from taking text for a formula: it is marked as text
// where it begins like one.
func defused(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", []rune(s)[0]) {
		return "'" + s
	}
	return s
}
