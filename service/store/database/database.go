// Package database runs transactions on a SQLite file, or on a PostgreSQL database that several
// processes share. It opens, migrates and backs up databases. It does not know their tables,
// which a Schema describes.
//
// SQLite allows one write transaction at a time, so all writes of a process wait for one
// connection, which is cheaper than retrying on a busy file. Readers see a snapshot and never
// wait for the writer (write-ahead log). On PostgreSQL, write transactions run at the same time;
// the caller takes the row locks that they need.
package database

import (
	"context"
	"errors"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Options are the options of Open.
type Options struct {
	// Ephemeral is for data that can be generated again: commits do not wait for the disk, so a
	// power failure can lose or damage the file. PostgreSQL ignores it.
	Ephemeral bool
}

// Schema holds the migrations that create and change a database's tables.
type Schema struct {
	SQLite, Postgres fs.FS // migrations of the library goose, as *.sql files
	// Code returns migrations written in Go.
	Code func(Dialect) []*goose.Migration
}

// DB is an open database. It is safe for concurrent use. Each kind of work has its own
// pool of connections, so that slow work cannot keep the rest waiting.
type DB struct {
	Dialect
	Writer Pool
	Reader Pool // ordinary reads
	Lookup Pool // look-ups of credentials, and readiness checks
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
	// The writer is closed last: closing the last connection copies SQLite's log into the file.
	return errors.Join(db.Scans.close(), db.Lookup.close(), db.Reader.close(), db.Writer.close())
}
