package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// intake is one organization on its way into another database, in one transaction.
type intake struct {
	dialect
	ctx       context.Context
	from      *source
	conn      *sql.Conn
	tx        *sql.Tx
	was, org  OrgKey          // before and now
	endpoints map[int64]int64 // keys before and now
	carried   Carried
	done      int64 // rows written
	total     int64
	told      func(done, total int64)
}

func (c *Copying) begin(ctx context.Context, was OrgKey) (*intake, error) {
	in := &intake{dialect: c.to.dialect, ctx: ctx, from: c.from, was: was, carried: c.carried, endpoints: map[int64]int64{}}
	var err error
	if in.conn, err = c.to.writer.Conn(ctx); err == nil {
		in.tx, err = in.conn.BeginTx(ctx, nil)
	}
	if err == nil && in.dialect == ofPostgres {
		// It waits for what is read; a machine that is gone is given up all the same.
		err = in.exec("SET LOCAL idle_in_transaction_session_timeout = '1min'")
	}
	if err != nil {
		in.end()
		return nil, fmt.Errorf("beginning to write: %w", notBegun(err))
	}
	return in, nil
}

// end gives up what was not committed.
func (in *intake) end() {
	if in.tx != nil {
		_ = in.tx.Rollback()
	}
	if in.conn != nil {
		_ = in.conn.Close()
	}
}

func (in *intake) exec(query string, args ...any) error {
	_, err := in.tx.ExecContext(in.ctx, in.text(query), args...)
	return err
}

func (in *intake) queryRow(query string, args ...any) *sql.Row {
	return in.tx.QueryRowContext(in.ctx, in.text(query), args...)
}

func (in *intake) query(query string, args ...any) (*sql.Rows, error) {
	return in.tx.QueryContext(in.ctx, in.text(query), args...)
}

// columns returns the columns of a table, which have to be the same on both sides.
func (in *intake) columns(table string, without string) ([]string, error) {
	of := func(rows *sql.Rows, err error) ([]string, error) {
		if err != nil {
			return nil, err
		}
		names, err := rows.Columns()
		return names, errors.Join(err, rows.Close())
	}
	const none = " WHERE 1 = 0"
	here, err := of(in.query("SELECT * FROM " + table + none))
	if err != nil {
		return nil, err
	}
	there, err := of(in.from.query(in.ctx, "SELECT * FROM "+table+none))
	if err != nil {
		return nil, err
	}
	slices.Sort(here)
	slices.Sort(there)
	if !slices.Equal(here, there) {
		return nil, errors.New("the table has other columns in the two databases")
	}
	return slices.DeleteFunc(here, func(name string) bool { return name == without }), nil
}

// insertOrganization adds the organization, with its counters as they are.
func (in *intake) insertOrganization() error {
	columns, err := in.columns("organizations", "id")
	if err != nil {
		return err
	}
	list := strings.Join(columns, ", ")
	rows, err := in.from.query(in.ctx, "SELECT "+list+" FROM organizations WHERE id = ?", in.was)
	if err != nil {
		return err
	}
	read := in.reader(rows, copiedTable{name: "organizations"}, columns)
	read.written = nil
	read.Next()
	if err := errors.Join(read.err, rows.Close()); err != nil {
		return err
	}
	err = in.queryRow("INSERT INTO organizations ("+list+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+") RETURNING id", read.values...).Scan(&in.org)
	if err == nil && in.org > maxOrg {
		err = errors.New("the database is full: it holds as many organizations as it can")
	}
	return err
}

// copyTable copies the organization's rows of a table, reads them again, and
// returns how many there are.
func (in *intake) copyTable(t copiedTable) (int64, error) {
	surrogate := ""
	if t.own {
		surrogate = "id"
	}
	columns, err := in.columns(t.name, surrogate)
	if err != nil {
		return 0, err
	}
	list := strings.Join(columns, ", ")
	query := "SELECT " + list + " FROM " + t.name + " WHERE " + t.where() + " ORDER BY " + t.order
	rows, err := in.from.query(in.ctx, query, t.of(in.was)...)
	if err != nil {
		return 0, err
	}
	read := in.reader(rows, t, columns)
	if in.dialect == ofPostgres {
		err = in.copyFrom(t.name, columns, read)
	} else {
		err = in.insertRows(t.name, columns, read)
	}
	if err = errors.Join(err, rows.Close()); err != nil {
		return 0, err
	}
	if rows, err = in.query(query, t.of(in.org)...); err != nil {
		return 0, err
	}
	again := &rowReader{rows: rows, digest: digest{Hash: sha256.New()}}
	again.sized(len(columns))
	for again.Next() {
	}
	if err := errors.Join(again.err, rows.Close()); err != nil {
		return 0, err
	}
	if again.n != read.n || !bytes.Equal(again.digest.Sum(nil), read.digest.Sum(nil)) {
		return 0, fmt.Errorf("%d rows were read and %d written, and they are not the same; nothing of the organization was kept", read.n, again.n)
	}
	if t.name == "webhook_endpoints" {
		return read.n, in.matchEndpoints()
	}
	return read.n, nil
}

// matchEndpoints learns the new keys of endpoints, which deliveries refer to.
func (in *intake) matchEndpoints() error {
	const keys = "SELECT id, public_id FROM webhook_endpoints WHERE org_id = ?"
	now := map[string]int64{}
	var key int64
	var id string
	rows, err := in.query(keys, in.org)
	_, err = collect(rows, err, "the copied endpoints", func(row rowScanner) (none struct{}, err error) {
		err = row.Scan(&key, &id)
		now[id] = key
		return none, err
	})
	if err != nil {
		return err
	}
	rows, err = in.from.query(in.ctx, keys, in.was)
	_, err = collect(rows, err, "the endpoints", func(row rowScanner) (none struct{}, err error) {
		err = row.Scan(&key, &id)
		in.endpoints[key] = now[id]
		return none, err
	})
	return err
}

// copyFrom writes rows as PostgreSQL takes many of them.
func (in *intake) copyFrom(table string, columns []string, rows *rowReader) error {
	return in.conn.Raw(func(driver any) error {
		conn, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the database's driver is a %T", driver)
		}
		_, err := conn.Conn().CopyFrom(in.ctx, pgx.Identifier{table}, columns, rows)
		return err
	})
}

// insertRows writes rows one by one, and with the ledger's what SQLite keeps beside
// them.
func (in *intake) insertRows(table string, columns []string, rows *rowReader) error {
	insert, err := in.tx.PrepareContext(in.ctx, "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")")
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	for rows.Next() {
		if _, err := insert.ExecContext(in.ctx, rows.values...); err != nil {
			return err
		}
	}
	if rows.err != nil || table != ledgerTable {
		return rows.err
	}
	first, last := days{0, maxDay}.keys(in.org)
	if err := in.exec("INSERT INTO transaction_facts (id, facts) SELECT id, (usd_cents << 2) | (direction << 1) | usd_known FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id", first, last); err != nil {
		return err
	}
	return in.exec("INSERT INTO transaction_search (rowid, search_text) SELECT id, search_text FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id", first, last)
}

// rowReader reads rows as they are to be written. It is a pgx.CopyFromSource.
type rowReader struct {
	rows    *sql.Rows
	values  []any
	into    []any
	digest  digest
	n       int64
	err     error
	change  func(values []any) error
	written func()
}

// reader reads rows of the source with the keys that they will have.
func (in *intake) reader(rows *sql.Rows, t copiedTable, columns []string) *rowReader {
	at := map[string]int{}
	for i, name := range columns {
		at[name] = i
	}
	r := &rowReader{rows: rows, digest: digest{Hash: sha256.New()}, written: in.tell}
	r.sized(len(columns))
	r.change = func(values []any) error {
		if i, ok := at["org_id"]; ok {
			values[i] = int64(in.org)
		}
		if i, ok := at["id"]; ok && t.name == ledgerTable {
			key, _ := values[i].(int64)
			values[i] = rowKey(in.org, 0, 0) | key&(1<<(dayBits+sequenceBits)-1)
		}
		if i, ok := at["endpoint_id"]; ok {
			key, _ := values[i].(int64)
			values[i] = in.endpoints[key]
		}
		if in.dialect == ofPostgres {
			return storable(columns, values)
		}
		return nil
	}
	return r
}

func (r *rowReader) sized(columns int) {
	r.values, r.into = make([]any, columns), make([]any, columns)
	for i := range r.values {
		r.into[i] = &r.values[i]
	}
}

// storable refuses text that PostgreSQL cannot hold, and says where it is.
func storable(columns []string, values []any) error {
	for i, value := range values {
		text, ok := value.(string)
		if !ok || !unstorable(text) {
			continue
		}
		of := "a row"
		if id := slices.Index(columns, "public_id"); id >= 0 {
			of = fmt.Sprint(values[id])
		}
		return fmt.Errorf("the %s of %s has a zero character or bytes that are no UTF-8, which PostgreSQL cannot hold; nothing of the organization was kept", columns[i], of)
	}
	return nil
}

const toldEvery = 1000

func (in *intake) tell() {
	if in.done++; in.told != nil && (in.done%toldEvery == 0 || in.done == in.total) {
		in.told(in.done, in.total)
	}
}

// Next reads the next row.
func (r *rowReader) Next() bool {
	if r.err != nil || !r.rows.Next() {
		r.err = errors.Join(r.err, r.rows.Err())
		return false
	}
	if r.err = r.rows.Scan(r.into...); r.err == nil && r.change != nil {
		r.err = r.change(r.values)
	}
	if r.err == nil {
		r.err = r.digest.add(r.values)
	}
	if r.err != nil {
		return false
	}
	r.n++
	if r.written != nil {
		r.written()
	}
	return true
}

// Values returns the row that was read.
func (r *rowReader) Values() ([]any, error) { return r.values, nil }

// Err returns why reading ended before the last row.
func (r *rowReader) Err() error { return r.err }
