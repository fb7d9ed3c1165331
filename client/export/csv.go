package export

import (
	"encoding/csv"
	"io"
	"slices"

	"tarmac/client/record"
)

// CSVWriter writes records as CSV (RFC 4180), one per row, under a header with the API's names.
type CSVWriter struct {
	w     *csv.Writer
	names []string // of the fields with columns; an amount has two
	inUSD bool     // the currency of the amounts is not a field
	cells []string // of the current row
}

// NewCSVWriter begins a sheet with the columns of sample, which may be empty. Other fields of
// later records have no column.
func NewCSVWriter(w io.Writer, sample record.Object) (*CSVWriter, error) {
	s := &CSVWriter{w: csv.NewWriter(w)}
	s.w.UseCRLF = true
	amounts := false
	for i := range sample {
		name := sample[i].Name
		s.names = append(s.names, name)
		s.cells = append(s.cells, Cell(name))
		if sample[i].Kind == record.KindAmount {
			amounts = true
			s.cells = append(s.cells, wholeUnits(name))
		}
	}
	if s.inUSD = amounts && !slices.Contains(s.cells, "currency"); s.inUSD {
		s.cells = append(s.cells, "currency")
	}
	return s, s.w.Write(s.cells)
}

// Add writes a record. Its fields should be in the order of sample; fields that the API
// does not define may be missing.
func (s *CSVWriter) Add(o record.Object) error {
	s.cells = s.cells[:0]
	for i, name := range s.names {
		var f *record.Field
		if i < len(o) && o[i].Name == name {
			f = &o[i]
		} else {
			other := o.Get(name)
			f = &other
		}
		if f.Kind == record.KindAmount {
			minor, whole := amountCells(f.Amount)
			s.cells = append(s.cells, minor, whole)
			continue
		}
		s.cells = append(s.cells, cell(f))
	}
	if s.inUSD {
		s.cells = append(s.cells, "USD")
	}
	return s.w.Write(s.cells)
}

// Flush writes buffered rows.
func (s *CSVWriter) Flush() error {
	s.w.Flush()
	return s.w.Error()
}

// WriteCSV writes a header and one record. Fields of nested records have columns such as
// balance.available_cents; lists of records have none.
func WriteCSV(w io.Writer, o record.Object) error {
	flat := flatten(nil, o, "")
	s, err := NewCSVWriter(w, flat)
	if err == nil {
		err = s.Add(flat)
	}
	if err != nil {
		return err
	}
	return s.Flush()
}

func flatten(flat, o record.Object, within string) record.Object {
	for _, f := range o {
		f.Name = within + f.Name
		switch parts, is := f.NestedFields(); {
		case is:
			flat = flatten(flat, parts, f.Name+".")
		case f.Kind != record.KindObjects:
			flat = append(flat, f)
		}
	}
	return flat
}
