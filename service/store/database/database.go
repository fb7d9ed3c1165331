// Package database runs transactions on a SQLite file, or on a PostgreSQL database that several
// processes share. It also opens, migrates and backs up databases. It does not know their tables,
// which a Schema describes.
//
// SQLite allows one write transaction at a time. All writes of a process therefore wait for one
// connection, which is cheaper than retrying on a busy file. Readers see a snapshot and never wait
// for the writer, because SQLite uses a write-ahead log. On PostgreSQL, write transactions run at
// the same time; the caller takes the row locks that they need.
package database

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

// Options configures Open.
type Options struct {
	// Ephemeral is for data that can be generated again. Commits do not wait for the disk, so a
	// power failure can lose or damage a SQLite file. PostgreSQL ignores this option.
	Ephemeral bool
	// SmallCache is for programs that write once and end, and for those whose memory other things
	// need. It bounds the memory that SQLite uses for pages to 10 MB for the connection that writes
	// and 2 MB for each other connection, instead of 64 and 16 MB.
	SmallCache bool
	// Committed is called after each write transaction on SQLite, with the number of rows that it
	// has changed in all tables. It may be nil.
	Committed func(changes int64)
	// Returned is called when a PostgreSQL server takes writes again after a time in which none
	// did. It may be nil.
	Returned func(away time.Duration)
}

// Schema holds the migrations that create and change a database's tables.
type Schema struct {
	SQLite, Postgres fs.FS // *.sql files with migrations for the library goose
	// Code returns the migrations that are written in Go.
	Code func(Dialect) []*goose.Migration
}

// DB is an open database. It is safe for concurrent use. It has a pool of connections for each kind
// of work, so that slow work does not make other work wait.
type DB struct {
	Dialect
	Writer Pool
	Reader Pool // for ordinary reads
	Lookup Pool // for credential look-ups and readiness checks
	Scans  Pool // for searches that may read a whole ledger

	ahead     readAhead
	ephemeral bool          // Options.Ephemeral
	onCommit  func(int64)   // Options.Committed
	committed chan struct{} // receives a value after a transaction that called Notify
	notifier  *notifier     // nil on SQLite
	outages   *outages      // nil on SQLite
}

// Open opens a database and migrates it to the newest schema. name is a postgres:// URL or the path
// of a SQLite file. If the file does not exist, Open creates it so that only its owner can read it.
// Open refuses a schema newer than this program, a write-ahead log that belongs to another file,
// and files that belong to another user or that others can read. Its errors never contain the
// password in a URL.
func Open(ctx context.Context, name string, schema Schema, opts Options) (*DB, error) {
	if IsPostgres(name) {
		return openPostgres(ctx, name, schema, opts)
	}
	return openSQLite(ctx, name, schema, opts)
}

func newDB(d Dialect) *DB {
	return &DB{Dialect: d, committed: make(chan struct{}, 1), ahead: readAhead{busy: make(chan struct{}, 1)}}
}

// Path returns the absolute path of a SQLite file.
func (db *DB) Path() string { return db.ahead.path }

// Close closes all connections. Calls that are still in progress fail.
func (db *DB) Close() error {
	if db.notifier != nil {
		db.notifier.close()
	}
	if db.outages != nil {
		db.outages.cancel()
	}
	// The pool Writer is closed last: when the last connection is closed, SQLite copies its
	// write-ahead log into the file.
	return errors.Join(db.Scans.close(), db.Lookup.close(), db.Reader.close(), db.Writer.close())
}
