package table

import (
	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
)

// Titled returns the columns of a record, with the fields' labels as titles where a column has
// none.
func Titled(sample record.Object, columns []Column) []Column {
	for i := range columns {
		if c := &columns[i]; c.Title == "" {
			c.Title = sample.Get(c.Field).Label
		}
	}
	return columns
}

// Cells appends the cells of a record. cell makes each from its column's field.
func (t *Table) Cells(dst []Cell, o record.Object, cell func(record.Field) Cell) []Cell {
	for i := range t.columns {
		dst = append(dst, cell(o.Get(t.columns[i].Field)))
	}
	return dst
}

// Fields returns a record's labelled fields for a detail, each in its ink. Missing values are a
// dash in the ink unknown.
func Fields(o record.Object, unknown Ink, ink func(record.Field) Ink) []Field {
	fields := make([]Field, 0, len(o))
	for i := range o {
		f := &o[i]
		switch text := f.Detail(); {
		case f.Label == "":
		case text == "":
			fields = append(fields, Field{Label: f.Label, Text: money.Dash, Ink: unknown})
		default:
			fields = append(fields, Field{Label: f.Label, Text: text, Ink: ink(*f)})
		}
	}
	return fields
}

// Problem returns a detail's line that says why a record could not be read.
func Problem(why *apiclient.ContractError, ink Ink) Field {
	return Field{Label: "Problem", Text: "could not be read: " + problem.OfRecord(why), Ink: ink}
}
