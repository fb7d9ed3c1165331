package dbcopy

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"

	"tarmac/service/store/database"
)

// rowReader reads rows, changes them if necessary, and computes a digest of the changed rows. It
// implements database.Rows.
type rowReader struct {
	rows     *sql.Rows
	values   []any
	pointers []any // pointers to the elements of values, for Scan
	digest   digest
	n        int64
	err      error
	change   func(values []any) error // changes a row in place; may be nil
	onRow    func()                   // called after each row; may be nil
}

func newRowReader(rows *sql.Rows, columns int) *rowReader {
	r := &rowReader{
		rows: rows, digest: digest{Hash: sha256.New()}, values: make([]any, columns), pointers: make([]any, columns),
	}
	for i := range r.values {
		r.pointers[i] = &r.values[i]
	}
	return r
}

// rewrite returns a reader for a table's rows in the source. In the rows that it returns, the
// target's internal keys replace the source's.
func (o *orgCopy) rewrite(rows *sql.Rows, t table, columns []string) *rowReader {
	column := map[string]int{}
	for i, name := range columns {
		column[name] = i
	}
	r := newRowReader(rows, len(columns))
	r.onRow = o.reportRow
	r.change = func(values []any) error {
		if i, ok := column["org_id"]; ok {
			values[i] = int64(o.to)
		}
		if t.name == ledgerTable {
			id, publicID := column["id"], column["public_id"]
			key, _ := values[id].(int64)
			name, _ := values[publicID].(string)
			values[id], values[publicID] = o.to.CopiedRow(key, name)
		}
		for name, referred := range references {
			if i, ok := column[name]; ok {
				key, _ := values[i].(int64)
				values[i] = o.newKeys[referred][key]
			}
		}
		if o.Dialect == database.Postgres {
			return checkText(columns, values)
		}
		return nil
	}
	return r
}

// checkText returns an error if a text of a row cannot be stored in PostgreSQL. The error names the
// column and the row.
func checkText(columns []string, values []any) error {
	for i, value := range values {
		text, ok := value.(string)
		if !ok || database.CanHoldText(text) {
			continue
		}
		row := "a row"
		if id := slices.Index(columns, "public_id"); id >= 0 {
			row = fmt.Sprint(values[id])
		}
		return fmt.Errorf("the %s of %s has a zero character or bytes that are no UTF-8, which PostgreSQL cannot hold; "+
			"nothing of the organization was kept", columns[i], row)
	}
	return nil
}

// progressStep is the number of rows between two calls of progress.
const progressStep = 1000

func (o *orgCopy) reportRow() {
	if o.done++; o.progress != nil && (o.done%progressStep == 0 || o.done == o.total) {
		o.progress(o.done, o.total)
	}
}

// Next advances to the next row. It returns false after the last row and after an error.
func (r *rowReader) Next() bool {
	if r.err != nil || !r.rows.Next() {
		r.err = errors.Join(r.err, r.rows.Err())
		return false
	}
	if r.err = r.rows.Scan(r.pointers...); r.err == nil && r.change != nil {
		r.err = r.change(r.values)
	}
	if r.err == nil {
		r.err = r.digest.add(r.values)
	}
	if r.err != nil {
		return false
	}
	r.n++
	if r.onRow != nil {
		r.onRow()
	}
	return true
}

// Values returns the current row as it is written to the target.
func (r *rowReader) Values() ([]any, error) { return r.values, nil }

// Err returns the error that made Next return false, or nil after the last row.
func (r *rowReader) Err() error { return r.err }

// digest is a hash of rows. The kind and the length of each value are part of it, so equal digests
// mean equal rows in the same order.
type digest struct {
	hash.Hash
	row []byte
}

func (d *digest) add(values []any) error {
	d.row = d.row[:0]
	for _, value := range values {
		switch v := value.(type) {
		case nil:
			d.row = append(d.row, 0)
		case int64:
			d.row = binary.BigEndian.AppendUint64(append(d.row, 1), uint64(v))
		case string:
			d.row = append(binary.BigEndian.AppendUint64(append(d.row, 2), uint64(len(v))), v...)
		case []byte:
			d.row = append(binary.BigEndian.AppendUint64(append(d.row, 3), uint64(len(v))), v...)
		default:
			return fmt.Errorf("a column has values of an unknown type, %T", value)
		}
	}
	_, err := d.Write(d.row)
	return err
}
