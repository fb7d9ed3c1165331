// Package store reads and writes the service's records in a database: a SQLite file, or a
// PostgreSQL database that any number of processes share.
//
// Each kind of record has a file: organizations.go, tokens.go, accounts.go, invoices.go,
// payments.go, events.go, endpoints.go, deliveries.go and so on. Transactions of the ledger have
// several: ledger_*.go. The directory migrations creates the tables. locks.go says which locks make
// concurrent writes safe on PostgreSQL. Package database opens databases and runs transactions on
// them. Package dbcopy copies organizations between databases.
//
// Amounts are in minor units, times in microseconds since 1970 in UTC, and days are counted from
// 1900-01-01.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

var (
	// ErrNotFound is returned for a record that the organization does not have.
	ErrNotFound = errors.New("no such record")
	// ErrBusy is database.ErrBusy: nothing was written, and the caller may try again.
	ErrBusy = database.ErrBusy
	// ErrAway is database.ErrAway: no server of the database takes writes, and nothing was written.
	ErrAway = database.ErrAway
)

// Options configures Open.
type Options = database.Options

// Store reads and writes the records of an open database. It is safe for concurrent use.
type Store struct {
	db        *database.DB
	name      string // of the database, as given to Open
	summaries summaryCache
	history   ledgerHistory
	textSums  textSumsPolicy
	searching orgMutex
	writing   orgMutex // limits writes on PostgreSQL; see WriteOf
	books     orgMutex // held by changes of own books on SQLite; see WriteBooks
	stageRows int      // normally defaultStageRows; smaller in some tests
	// auditRequired is set by RequireAudit.
	auditRequired bool
}

// Open opens a database with the tables of this package (database.Open).
func Open(ctx context.Context, name string, opts Options) (*Store, error) {
	db, err := database.Open(ctx, name, Schema(), opts)
	if err != nil {
		return nil, err
	}
	s := New(db)
	s.name = name
	return s, nil
}

// New returns a store for a database that was opened with Schema. Store.Close closes that database.
func New(db *database.DB) *Store {
	return &Store{
		db: db,
		history: ledgerHistory{
			minTracked: minTrackedRows, batchHits: batchHits, readAheadDelay: readAheadDelay, cachedProbe: cachedProbe,
		},
		textSums:  defaultTextSums,
		searching: newOrgMutex(),
		writing:   newOrgMutex(),
		books:     newOrgMutex(),
		stageRows: defaultStageRows,
	}
}

// Close closes the database. Calls that are still in progress fail.
func (s *Store) Close() error { return s.db.Close() }

// Shared reports whether processes on several machines may use this database. That is so on
// PostgreSQL.
func (s *Store) Shared() bool { return s.db.Dialect == database.Postgres }

// Away returns for how long in all no server of a shared database took writes, as far as this
// process noticed.
func (s *Store) Away() time.Duration { return s.db.Away() }

// Readers returns how many calls of Read can run at the same time. Further calls wait.
func (s *Store) Readers() int { return s.db.Reader.Size() }

// Backup copies the database to a new file at path (database.DB.Backup).
func (s *Store) Backup(ctx context.Context, path string) (size int64, err error) {
	return s.db.Backup(ctx, path)
}

// Check returns an error if the database file is damaged (database.DB.Check).
func (s *Store) Check(ctx context.Context) error { return s.db.Check(ctx) }

// Queued returns a channel that receives a value after deliveries were queued, on SQLite by this
// process, on PostgreSQL by any process. Notifications can get lost, so the receiver must also
// poll.
func (s *Store) Queued() <-chan struct{} { return s.db.Notifications(s.forgetSummaries) }

// Ready returns an error if the database does not answer, or if it is a PostgreSQL server that
// accepts no writes, such as a standby.
func (s *Store) Ready(ctx context.Context) error {
	if s.db.Dialect == database.Postgres {
		var readOnly bool
		if err := s.db.Lookup.QueryRowContext(ctx, database.ReadOnlyQuery).Scan(&readOnly); err != nil {
			return fmt.Errorf("reading the database: %w", database.Advise(err))
		}
		if readOnly {
			return errors.New("the database accepts no writes: it is a standby or read-only")
		}
	}
	var one int
	query := "SELECT 1 FROM organizations UNION ALL SELECT 1 LIMIT 1"
	if err := s.db.Lookup.QueryRowContext(ctx, query).Scan(&one); err != nil {
		return fmt.Errorf("reading the database: %w", database.Advise(err))
	}
	return nil
}

// Tx is a write transaction. It is not safe for concurrent use, and must not be used after the
// function that received it has returned.
type Tx struct {
	db *database.Tx
	// locked holds what lock and lockEndpoint have locked, by OrgKey, EndpointKey or the public id
	// of an endpoint.
	locked map[any]bool
	folder *ledger.Folder
	// firstCreated is the public ID of the first record that the transaction added.
	firstCreated string
	books        booksChanges
	known        knownLedger
	retired      bool // true after RetireBookImport
	view         bookView
}

// Context returns the context of the transaction.
func (t *Tx) Context() context.Context { return t.db.Context() }

// Write calls fn in a write transaction (database.DB.Write). On PostgreSQL, fn may be called
// several times, and transactions that write to the same organization wait for each other.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) error {
	return s.audited(ctx, s.db.Write, fn)
}

// inTx returns fn as a function of the database's transaction.
func inTx(fn func(*Tx) error) func(*database.Tx) error {
	return func(db *database.Tx) error {
		tx := &Tx{
			db: db, locked: map[any]bool{}, folder: ledger.NewFolder(),
			books: booksChanges{orgs: map[OrgKey]bool{}, connections: map[ConnectionKey]shownConnection{}},
		}
		if err := fn(tx); err != nil {
			return err
		}
		return tx.raiseBooksRevisions()
	}
}

// WriteOf is Write for a transaction that writes to one organization. On PostgreSQL, this process
// runs one such transaction at a time for each organization. Further ones would only wait for the
// organization's row lock, on connections that other organizations need.
func (s *Store) WriteOf(ctx context.Context, org OrgKey, fn func(*Tx) error) error {
	if s.db.Dialect == database.Postgres {
		waiting, cancel := context.WithTimeout(ctx, database.LockTimeout)
		defer cancel()
		unlock, err := s.writing.lock(waiting, org)
		if err != nil {
			return err
		}
		defer unlock()
	}
	return s.Write(ctx, fn)
}

// WriteUnsynced is Write for a change that may be lost in a power failure, such as a reading that
// can be repeated. It does not wait for the disk.
func (s *Store) WriteUnsynced(ctx context.Context, fn func(*Tx) error) error {
	return s.audited(ctx, s.db.WriteUnsynced, fn)
}

// AllowPauses allows the transaction to be idle for up to a minute, for example while a file is
// being read. PostgreSQL ends other idle transactions after a few seconds.
func (tx *Tx) AllowPauses() error {
	if tx.db.Dialect != database.Postgres {
		return nil
	}
	_, err := tx.db.Exec(database.AllowPauses)
	return err
}

// execOne runs a statement that must change exactly one row. It returns ErrNotFound if the
// statement changed none.
func (tx *Tx) execOne(query string, args ...any) error {
	result, err := tx.db.Exec(query, args...)
	if database.IsNotFound(err) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if n != 1 {
		return ErrNotFound
	}
	return nil
}

// Snapshot is a read transaction. All its reads see the database at the same moment. It is not safe
// for concurrent use, and must not be used after the function that received it has returned.
type Snapshot struct {
	db        *database.Snapshot
	summaries *summaryCache
	history   *ledgerHistory
	known     knownLedger
	view      bookView
}

// Context returns the context of the snapshot.
func (s *Snapshot) Context() context.Context { return s.db.Context() }

// Read calls fn with a snapshot. It does not wait for write transactions.
func (s *Store) Read(ctx context.Context, fn func(*Snapshot) error) error {
	return s.readFrom(ctx, s.db.Reader, fn)
}

func (s *Store) readFrom(ctx context.Context, from database.Pool, fn func(*Snapshot) error) error {
	return s.db.Read(ctx, from, func(db *database.Snapshot) error {
		return fn(&Snapshot{db: db, summaries: &s.summaries, history: &s.history})
	})
}
