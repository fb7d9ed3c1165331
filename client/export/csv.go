package export

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/spreadsheet"
)

// CSVWriter writes a header with the field names of the API, followed by one row per record (RFC
// 4180).
type CSVWriter struct {
	w     *csv.Writer
	names []string // names of the fields that have a column; an amount has two columns
	named bool     // records have amounts but no currency field, so an extra column has the currency
	cells []string // cells of the current row; reused for the next row
}

// NewCSVWriter returns a CSVWriter and writes the header. The fields of sample become the columns,
// except derived ones; their values do not matter. Fields of later records that sample does not
// have are left out.
func NewCSVWriter(w io.Writer, sample record.Object) (*CSVWriter, error) {
	s := &CSVWriter{w: csv.NewWriter(w)}
	s.w.UseCRLF = true
	amounts := false
	for i := range sample {
		if sample[i].Derived {
			continue
		}
		name := sample[i].Name
		s.names = append(s.names, name)
		s.cells = append(s.cells, spreadsheet.Cell(name))
		if sample[i].Kind == record.KindAmount {
			amounts = true
			s.cells = append(s.cells, wholeUnits(name))
		}
	}
	if s.named = amounts && !slices.Contains(s.cells, "currency"); s.named {
		s.cells = append(s.cells, "currency")
	}
	return s, s.w.Write(s.cells)
}

// Add writes a record as a row. It is fastest if the fields are in the same order as in sample. If
// the record lacks a field, the column stays empty.
func (s *CSVWriter) Add(o record.Object) error {
	s.cells = s.cells[:0]
	currency := ""
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
			currency = cmp.Or(currency, f.Amount.Currency())
			s.cells = append(s.cells, minor, whole)
			continue
		}
		s.cells = append(s.cells, cell(f))
	}
	if s.named {
		s.cells = append(s.cells, cmp.Or(currency, apiclient.DefaultCurrency))
	}
	return s.w.Write(s.cells)
}

// Flush writes buffered rows.
func (s *CSVWriter) Flush() error {
	s.w.Flush()
	return s.w.Error()
}

// WriteCSV writes one record as a header and a row. A field of a nested record gets a column such
// as balance.available_cents. Lists of nested records and nested JSON of the server are left out.
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
		case f.Kind != record.KindObjects && f.Kind != record.KindObject:
			flat = append(flat, f)
		}
	}
	return flat
}
