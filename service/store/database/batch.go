package database

import "strings"

// batchRows is the number of rows that a Batch inserts with one statement. Fifty rows take less
// than half the time of as many statements; more rows gain nothing.
const batchRows = 50

// Batch inserts rows into a table, many of them with one statement. Rows that were added may
// not be in the table before Flush.
type Batch struct {
	tx        *Tx
	one, many string // statements for one row and for batchRows rows
	columns   int
	args      []any
}

// NewBatch returns an empty batch for the given columns of a table.
func (tx *Tx) NewBatch(table string, columns ...string) *Batch {
	one := InsertInto(table, columns)
	_, row, _ := strings.Cut(one, " VALUES ")
	return &Batch{tx: tx, one: one, many: one + strings.Repeat(", "+row, batchRows-1), columns: len(columns)}
}

// Add adds a row. The values have the order of the batch's columns.
func (b *Batch) Add(values ...any) error {
	b.args = append(b.args, values...)
	if len(b.args) < batchRows*b.columns {
		return nil
	}
	_, err := b.tx.Exec(b.many, b.args...)
	b.args = b.args[:0]
	return err
}

// Flush inserts the rows that are not in the table yet.
func (b *Batch) Flush() error {
	for rest := b.args; len(rest) > 0; rest = rest[b.columns:] {
		if _, err := b.tx.Exec(b.one, rest[:b.columns]...); err != nil {
			return err
		}
	}
	b.args = b.args[:0]
	return nil
}
