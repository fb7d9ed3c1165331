package table

import (
	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
)

// Titled returns columns of a record's fields, with the fields' labels where a column has no
// title of its own.
func Titled(sample record.Object, columns []Column) []Column {
	for i := range columns {
		if c := &columns[i]; c.Title == "" {
			c.Title = sample.Get(c.Field).Label
		}
	}
	return columns
}

// Cells appends the cells of a record, each made by cell of its column's field.
func (t *Table) Cells(dst []Cell, o record.Object, cell func(record.Field) Cell) []Cell {
	for i := range t.columns {
		dst = append(dst, cell(o.Get(t.columns[i].Field)))
	}
	return dst
}

// Fields returns the labelled fields of a record for a detail, each in its ink. What the
// server did not give is a dash in the ink of the unknown.
func Fields(o record.Object, unknown Ink, ink func(record.Field) Ink) []Field {
	fields := make([]Field, 0, len(o))
	for i := range o {
		f := &o[i]
		switch text := f.Full(); {
		case f.Label == "":
		case text == "":
			fields = append(fields, Field{Label: f.Label, Text: money.Dash, Ink: unknown})
		default:
			fields = append(fields, Field{Label: f.Label, Text: text, Ink: ink(*f)})
		}
	}
	return fields
}

// Problem returns the line of a detail that says why a record could not be read.
func Problem(why *apiclient.ContractError, ink Ink) Field {
	return Field{Label: "Problem", Text: "could not be read: " + problem.OfRecord(why), Ink: ink}
}
