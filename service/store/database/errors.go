package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	result "modernc.org/sqlite/lib"
)

// ErrBusy means that the time ran out during a search, or during a wait for a connection, a lock or
// another transaction. Nothing was written; the caller may try again.
var ErrBusy = errors.New("the database is busy")

// DeadlineAsBusy wraps ErrBusy around the error of an exceeded deadline. It returns other errors
// unchanged.
func DeadlineAsBusy(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}

// The error codes of PostgreSQL that this package handles.
const (
	stateDeadlock        = "40P01"
	stateSerialization   = "40001"
	stateLockTimeout     = "55P03"
	stateQueryCanceled   = "57014"
	stateOutOfRange      = "22003"
	stateUniqueViolation = "23505"
	stateInvalidText     = "22021" // text that PostgreSQL cannot represent
)

// sqlState returns PostgreSQL's error code, or "" if err is not from a PostgreSQL server.
func sqlState(err error) string {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code
	}
	return ""
}

// IsNotFound reports whether err means that a query found no row. That includes queries for text
// that PostgreSQL cannot represent.
func IsNotFound(err error) bool {
	return errors.Is(err, sql.ErrNoRows) || sqlState(err) == stateInvalidText
}

// IsDuplicate reports whether err means that a row was not inserted because its key exists.
func IsDuplicate(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() == result.SQLITE_CONSTRAINT_UNIQUE || e.Code() == result.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return sqlState(err) == stateUniqueViolation
}

// IsOverflow reports whether err means that a sum overflowed a 64-bit integer.
func IsOverflow(err error) bool {
	// SQLite reports overflows with this message and without an error code of their own.
	return err != nil && (sqlState(err) == stateOutOfRange || strings.Contains(err.Error(), "integer overflow"))
}

// CanHoldText reports whether PostgreSQL can store a text: it is valid UTF-8 without zero bytes.
func CanHoldText(s string) bool { return !strings.ContainsRune(s, 0) && utf8.ValidString(s) }

// isConflict reports whether PostgreSQL aborted a transaction because it conflicted with another
// one. Running it again may succeed.
func isConflict(err error) bool {
	code := sqlState(err)
	return code == stateDeadlock || code == stateSerialization
}

// conflictAsBusy wraps ErrBusy around the error of a conflict or of a lock that was not obtained in
// time.
func conflictAsBusy(err error) error {
	if sqlState(err) == stateLockTimeout || isConflict(err) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}

// beginError adds advice to the error of a transaction that could not begin. If another process was
// writing for too long, the result wraps ErrBusy.
func beginError(err error) error {
	if isBusy(err) {
		return fmt.Errorf("%w: %w", ErrBusy, Advise(err))
	}
	return Advise(DeadlineAsBusy(err))
}

// isBusy reports whether another connection to a SQLite file holds a lock.
func isBusy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == result.SQLITE_BUSY
}

// canceled wraps context.Canceled around err if ctx was canceled, because database/sql then only
// reports a closed statement or a finished transaction. Errors of the database itself are returned
// unchanged.
func canceled(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || !errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff != result.SQLITE_INTERRUPT {
		return err
	}
	if state := sqlState(err); state != "" && state != stateQueryCanceled {
		return err
	}
	return fmt.Errorf("%w: %w", context.Canceled, err)
}

// mayRollBack reports whether err may have made SQLite roll back the whole transaction and not only
// the statement.
func mayRollBack(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() & 0xff {
	case result.SQLITE_FULL, result.SQLITE_IOERR, result.SQLITE_NOMEM, result.SQLITE_BUSY,
		result.SQLITE_INTERRUPT, result.SQLITE_CORRUPT:
		return true
	}
	return false
}

// oneLine is an error whose message is shown in one line. Messages of the PostgreSQL driver have a
// line for each address that it tried.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

func (e oneLine) Unwrap() error { return e.error }

// OneLine returns err with its message in one line.
func OneLine(err error) error { return oneLine{err} }

// Advise appends advice for the operator to errors of the database or its files. It returns other
// errors unchanged.
func Advise(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; start it as the user that owns the file and its directory", err)
	}
	if errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w; %s", err, makeWritable)
	}
	if sqlState(err) == stateReadOnly || errors.Is(err, pgconn.ErrReadOnlyConnection) {
		return fmt.Errorf("%w; %s", err, namePrimary)
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	if advice := adviceFor(e.Code()); advice != "" {
		return fmt.Errorf("%w; %s", err, advice)
	}
	return err
}

const (
	makeRoom     = "make room on its disk: nothing of this was kept, what was kept before is whole"
	makeWritable = "it can be read and not written: make its file, directory and disk writable for this user"
	namePrimary  = "it is a standby or read-only: name the server that takes writes"
	restore      = "stop all that uses it, keep the file, and restore a backup as docs/operating.md has it"
	// SQLite has one error code for a file of another kind and for a damaged one.
	otherFile = "it is another kind of file, or its beginning is damaged: name the right one with --db, or " + restore
)

func adviceFor(code int) string {
	switch code {
	case result.SQLITE_IOERR_SHMSIZE:
		return makeRoom
	}
	switch code & 0xff {
	case result.SQLITE_FULL:
		return makeRoom
	case result.SQLITE_BUSY:
		return "another process has been writing to it for " + busyTimeout.String() + ": try again, or end that process"
	case result.SQLITE_READONLY, result.SQLITE_PERM:
		return makeWritable
	case result.SQLITE_CANTOPEN:
		return "it and its directory have to be readable and writable for this user"
	case result.SQLITE_CORRUPT:
		return "it is damaged: " + restore
	case result.SQLITE_NOTADB:
		return otherFile
	case result.SQLITE_IOERR:
		return "the disk fails or has gone away: see the system's log, and start again when it is mended"
	}
	return ""
}
