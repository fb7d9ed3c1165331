package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tarmac/client/export"
)

// sheet writes rows as CSV (RFC 4180) with the API's names in its first line.
// What a record has beyond the sample has no column.
type sheet struct {
	w       *csv.Writer
	columns int  // of a record; an amount is two
	inUSD   bool // amounts of which no column names the currency
}

func newSheet(w io.Writer, sample object) (*sheet, error) {
	s := &sheet{w: export.NewCSV(w), columns: len(sample)}
	var names []string
	for _, f := range sample {
		if f.money {
			names = append(names, export.AmountColumns(f.name)...)
			s.inUSD = true
			continue
		}
		names = append(names, f.name)
	}
	if s.inUSD = s.inUSD && !slices.Contains(names, "currency"); s.inUSD {
		names = append(names, "currency")
	}
	return s, s.w.Write(names)
}

func (s *sheet) add(o object) error {
	var cells []string
	for _, f := range o[:s.columns] {
		if f.money {
			cells = append(cells, export.AmountCells(f.amount)...)
			continue
		}
		cells = append(cells, f.cell())
	}
	if s.inUSD {
		cells = append(cells, "USD")
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
		return ""
	case string:
		return export.Cell(v)
	case []string:
		return export.Cell(strings.Join(v, ","))
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
