package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	result "modernc.org/sqlite/lib"
)

// advised says of an error of the database what is to be done about it, in the
// same line. Errors of the program's own making are returned as they are.
func advised(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; start it as the user that owns the file and its directory", err)
	}
	if errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w; %s", err, makeWritable)
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
	restore      = "stop all that uses it, keep the file, and restore a backup as docs/operating.md has it"
	// SQLite knows neither from the other.
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

// notBegun is advised for what has not changed anything: where another process
// was in the way, another time will do, and that is ErrBusy.
func notBegun(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == result.SQLITE_BUSY {
		return fmt.Errorf("%w: %w", ErrBusy, advised(err))
	}
	return advised(notItsTurn(err))
}

// canceled wraps err in context.Canceled if the call was canceled meanwhile: database/sql
// then reports a closed statement or a finished transaction. Errors of the database itself
// are returned unchanged.
func canceled(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || !errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff != result.SQLITE_INTERRUPT {
		return err
	}
	if state := sqlState(err); state != "" && state != queryCanceled {
		return err
	}
	return fmt.Errorf("%w: %w", context.Canceled, err)
}

// rolledBack reports whether SQLite may have ended the whole transaction because
// of the error, and not its statement alone.
func rolledBack(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() & 0xff {
	case result.SQLITE_FULL, result.SQLITE_IOERR, result.SQLITE_NOMEM, result.SQLITE_BUSY, result.SQLITE_INTERRUPT, result.SQLITE_CORRUPT:
		return true
	}
	return false
}
