package export

import (
	"encoding/csv"
	"io"
	"slices"

	"tarmac/client/record"
)

// Sheet writes records as CSV (RFC 4180), one a row, with the API's names in its first line.
type Sheet struct {
	w     *csv.Writer
	names []string // of the fields that have columns; an amount has two
	inUSD bool     // amounts of which no field names the currency
	cells []string // of a row
}

// NewSheet begins a sheet with the columns of the sample, a record that may be empty. What
// a record has beyond the sample has no column.
func NewSheet(w io.Writer, sample record.Object) (*Sheet, error) {
	s := &Sheet{w: csv.NewWriter(w)}
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

// Add writes a record. It has the sample's fields in their order; of others, which a server
// sends beside them, some may be missing.
func (s *Sheet) Add(o record.Object) error {
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

// Flush writes what is buffered.
func (s *Sheet) Flush() error {
	s.w.Flush()
	return s.w.Error()
}

// WriteCSV writes one record below its names. What a record within it holds has a column
// each, such as balance.available_cents; lists of records have none.
func WriteCSV(w io.Writer, o record.Object) error {
	flat := flatten(nil, o, "")
	s, err := NewSheet(w, flat)
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
		switch parts, is := f.Parts(); {
		case is:
			flat = flatten(flat, parts, f.Name+".")
		case f.Kind != record.KindObjects:
			flat = append(flat, f)
		}
	}
	return flat
}
