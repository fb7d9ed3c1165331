// Package database runs transactions on a SQLite file or on a PostgreSQL database
// that several processes share. It opens, migrates and backs up databases and knows
// nothing of their tables: those come with a Schema.
//
// SQLite allows one write transaction at a time, so all writes of a process share one
// connection and queue for it, which is cheaper than retrying on a busy file. Readers
// see a snapshot and never wait for the writer (write-ahead log). On PostgreSQL write
// transactions run side by side; the caller takes the row locks that they need.
package database

import (
	"context"
	"errors"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Options are the choices when opening a database.
type Options struct {
	// Ephemeral is for data that can be generated again: commits do not wait for the
	// disk, so a power cut can lose or damage the file. PostgreSQL ignores it.
	Ephemeral bool
}

// Schema is the sequence of migrations that make a database's tables.
type Schema struct {
	SQLite, Postgres fs.FS // goose migrations, as *.sql files
	// Code returns migrations written in Go.
	Code func(Dialect) []*goose.Migration
}

// DB is an open database. It is safe for concurrent use. Each kind of work has its own
// pool of connections, so that slow work cannot keep the rest waiting.
type DB struct {
	Dialect
	Writer Pool
	Reader Pool // ordinary reads
	Lookup Pool // credentials and readiness
	Scans  Pool // searches that may read a whole ledger

	committed chan struct{} // receives a value after a transaction that called Notify
	notifier  *notifier     // PostgreSQL only
}

// Open opens a database and migrates it to the newest schema. The name is a
// postgres:// URL or the path of a SQLite file, which is created (readable by its owner
// only) if it does not exist. Open refuses a schema newer than this program, a write-ahead
// log that belongs to another file, and files that belong to another user or that others
// can read. Its errors never contain the URL's password.
func Open(ctx context.Context, name string, schema Schema, opts Options) (*DB, error) {
	if IsPostgres(name) {
		return openPostgres(ctx, name, schema)
	}
	return openSQLite(ctx, name, schema, opts)
}

func newDB(d Dialect) *DB { return &DB{Dialect: d, committed: make(chan struct{}, 1)} }

// Close closes all connections. Calls that are still running fail.
func (db *DB) Close() error {
	if db.notifier != nil {
		db.notifier.close()
	}
	// The writer last: closing SQLite's last connection folds the log into the file.
	return errors.Join(db.Scans.close(), db.Lookup.close(), db.Reader.close(), db.Writer.close())
}
