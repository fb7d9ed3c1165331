package table

import (
	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
)

// Titled sets the title of each column that has none to the label of its field in sample. It
// returns the same columns.
func Titled(sample record.Object, columns []Column) []Column {
	for i := range columns {
		if c := &columns[i]; c.Title == "" {
			c.Title = sample.Get(c.Field).Label
		}
	}
	return columns
}

// Cells appends one cell per column to dst. cell makes the cell from the field of o that the column
// shows.
func (t *Table) Cells(dst []Cell, o record.Object, cell func(record.Field) Cell) []Cell {
	for i := range t.columns {
		dst = append(dst, cell(o.Get(t.columns[i].Field)))
	}
	return dst
}

// Fields returns the labelled fields of a record for a Detail. ink returns the style of a value. A
// missing value is a dash in the style unknown.
func Fields(o record.Object, unknown Ink, ink func(record.Field) Ink) []Field {
	fields := make([]Field, 0, len(o))
	for i := range o {
		f := &o[i]
		switch text := f.Detail(); {
		case f.Label == "":
		case text == "":
			fields = append(fields, Field{Label: f.Label, Text: money.Dash, Ink: unknown})
		default:
			fields = append(fields, Field{Label: f.Label, Text: text, Ink: ink(*f), Link: f.Link()})
		}
	}
	return fields
}

// Problem returns a Field that says why a record could not be decoded.
func Problem(why *apiclient.ContractError, ink Ink) Field {
	return Field{Label: "Problem", Text: "could not be read: " + problem.OfRecord(why), Ink: ink}
}
