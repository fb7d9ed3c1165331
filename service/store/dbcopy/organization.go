package dbcopy

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/service/store"
	"tarmac/service/store/database"
)

// orgCopy is the copy of one organization, which is one transaction in the target.
type orgCopy struct {
	*database.Load
	ctx      context.Context
	source   *database.Source
	keys     ServerKeys
	from, to store.OrgKey
	side     int64 // organizations.ledger_side in the source
	// newKeys maps the name of each table to the new keys of its rows, by their keys in the
	// source.
	newKeys  map[string]map[int64]int64
	done     int64 // number of rows written
	total    int64
	progress func(done, total int64)
}

// errStaged is the error for an organization with an import that has not ended.
var errStaged = errors.New("an import into its books has not ended; copy it afterwards, or after the next start of " +
	"tarmac serve if the import was killed")

// readSide reads which side of the organization's ledger counts.
func (o *orgCopy) readSide() error {
	var stage int64
	err := o.source.QueryRow(o.ctx, "SELECT ledger_side, books_stage FROM organizations WHERE id = ?", o.from).
		Scan(&o.side, &stage)
	if err == nil && stage != 0 && stage != 2 {
		err = errStaged
	}
	return err
}

// countRows returns the number of the organization's rows in all tables to copy.
func (o *orgCopy) countRows() (total int64, err error) {
	for _, t := range tables {
		var n int64
		query := "SELECT count(*) FROM " + t.name + " WHERE " + t.where()
		if err := o.source.QueryRow(o.ctx, query, t.args(o.from, o.side)...).Scan(&n); err != nil {
			return 0, fmt.Errorf("counting %s: %w", t.name, err)
		}
		total += n
	}
	return total, nil
}

// copy writes the rows of all tables to the target and checks them.
func (o *orgCopy) copy(result *Result) error {
	err := o.insertOrganization()
	if database.IsDuplicate(err) {
		return ErrExists // another process has copied it since Exists was called
	}
	if err != nil {
		return fmt.Errorf("copying the organization: %w", err)
	}
	for _, t := range tables {
		n, err := o.copyTable(t)
		if database.IsDuplicate(err) {
			return fmt.Errorf("an id of its %s is another organization's there, as where both were generated with one seed; "+
				"copy to a database of its own", t.name)
		}
		if err != nil {
			return fmt.Errorf("copying %s: %w", t.name, err)
		}
		result.Rows[t.name] = n
	}
	if err := o.copyServerKeys(); err != nil {
		return err
	}
	if err := o.checkSums(result); err != nil {
		return err
	}
	return o.checkFeed(result)
}

// columns returns the columns of a table. It leaves out one column, whose name is given; "" leaves
// out none. It returns an error if the table's columns differ between source and target.
func (o *orgCopy) columns(table string, without string) ([]string, error) {
	names := func(rows *sql.Rows, err error) ([]string, error) {
		if err != nil {
			return nil, err
		}
		columns, err := rows.Columns()
		return columns, errors.Join(err, rows.Close())
	}
	query := "SELECT * FROM " + table + " WHERE 1 = 0"
	target, err := names(o.Query(query))
	if err != nil {
		return nil, err
	}
	source, err := names(o.source.Query(o.ctx, query))
	if err != nil {
		return nil, err
	}
	slices.Sort(target)
	slices.Sort(source)
	if !slices.Equal(target, source) {
		return nil, errors.New("the table has other columns in the two databases")
	}
	return slices.DeleteFunc(target, func(name string) bool { return name == without }), nil
}

// insertOrganization adds the row of the table organizations to the target. Its counters stay the
// same.
func (o *orgCopy) insertOrganization() error {
	columns, err := o.columns("organizations", "id")
	if err != nil {
		return err
	}
	rows, err := o.source.Query(o.ctx, "SELECT "+strings.Join(columns, ", ")+" FROM organizations WHERE id = ?", o.from)
	if err != nil {
		return err
	}
	r := o.rewrite(rows, table{name: "organizations"}, columns)
	r.onRow = nil // countRows does not count this row
	replaced := r.change
	r.change = func(values []any) error {
		for i, name := range columns {
			if name == "ledger_side" || name == "books_stage" {
				values[i] = int64(0)
			}
		}
		return replaced(values)
	}
	r.Next()
	if err := errors.Join(r.err, rows.Close()); err != nil {
		return err
	}
	err = o.QueryRow(database.InsertInto("organizations", columns)+" RETURNING id", r.values...).Scan(&o.to)
	if err == nil && !o.to.Valid(o.Dialect) {
		err = store.ErrNoRoom
	}
	return err
}

// copyTable copies the organization's rows of a table and returns their number. It then reads them
// from the target and compares them.
func (o *orgCopy) copyTable(t table) (int64, error) {
	without := ""
	if t.ownKey {
		without = "id"
	}
	columns, err := o.columns(t.name, without)
	if err != nil {
		return 0, err
	}
	query := "SELECT " + strings.Join(columns, ", ") + " FROM " + t.name + " WHERE " + t.where() + " ORDER BY " + t.order
	rows, err := o.source.Query(o.ctx, query, t.args(o.from, o.side)...)
	if err != nil {
		return 0, err
	}
	read := o.rewrite(rows, t, columns)
	err = o.Insert(t.name, columns, read)
	if err == nil && t.name == ledgerTable {
		err = store.IndexTransactions(o.Load, o.to)
	}
	if err = errors.Join(err, rows.Close()); err != nil {
		return 0, err
	}
	if rows, err = o.Query(query, t.args(o.to, 0)...); err != nil {
		return 0, err
	}
	written := newRowReader(rows, len(columns))
	for written.Next() {
	}
	if err := errors.Join(written.err, rows.Close()); err != nil {
		return 0, err
	}
	if written.n != read.n || !bytes.Equal(written.digest.Sum(nil), read.digest.Sum(nil)) {
		return 0, fmt.Errorf("%d rows were read and %d written, and they are not the same; "+
			"nothing of the organization was kept", read.n, written.n)
	}
	for _, referred := range references {
		if referred == t.name {
			return read.n, o.matchKeys(t.name)
		}
	}
	return read.n, nil
}

// matchKeys finds the new keys of a table's rows in the target. The n-th row of the source is the
// n-th of the target, because both databases assigned keys in the same order.
func (o *orgCopy) matchKeys(table string) error {
	query := "SELECT id FROM " + table + " WHERE org_id = ? ORDER BY id"
	scan := func(row database.Row) (key int64, err error) {
		err = row.Scan(&key)
		return key, err
	}
	rows, err := o.source.Query(o.ctx, query, o.from)
	before, err := database.Collect(rows, err, "the keys of "+table, scan)
	if err != nil {
		return err
	}
	rows, err = o.Query(query, o.to)
	after, err := database.Collect(rows, err, "the copied keys of "+table, scan)
	if err != nil {
		return err
	}
	keys := make(map[int64]int64, len(before))
	for i, key := range before {
		keys[key] = after[i]
	}
	o.newKeys[table] = keys
	return nil
}

// copyServerKeys copies the service's secret keys as ServerKeys says.
func (o *orgCopy) copyServerKeys() error {
	var others int
	if err := o.QueryRow("SELECT count(*) FROM organizations WHERE id <> ?", o.to).Scan(&others); err != nil {
		return err
	}
	onConflict := "NOTHING"
	if others == 0 {
		onConflict = "UPDATE SET key = excluded.key"
	}
	return errors.Join(o.copyServerKey(o.keys.Replace, onConflict), o.copyServerKey(o.keys.Fill, "NOTHING"))
}

func (o *orgCopy) copyServerKey(name, onConflict string) error {
	var key []byte
	err := o.source.QueryRow(o.ctx, "SELECT key FROM server_keys WHERE name = ?", name).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = o.Exec("INSERT INTO server_keys (name, key) VALUES (?, ?) ON CONFLICT (name) DO "+onConflict, name, key)
	}
	if err != nil {
		return fmt.Errorf("copying the server key %s: %w", name, err)
	}
	return nil
}
