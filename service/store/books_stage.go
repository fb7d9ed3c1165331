package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tarmac/internal/privatefile"
	"tarmac/service/store/database"
)

// openAccount is the account of staged statements of which it is not known yet. Its parameter is
// the organization.
const openAccount = "(SELECT id FROM book_accounts WHERE org_id = ? AND staged = 2)"

// Values of organizations.books_stage.
const (
	stageNone   = 0 // all rows of the books count, and the other side of the ledger is empty
	stageOpen   = 1 // a change has rows that do not count, or had when it was killed
	stageTurned = 2 // the other side of the ledger has rows that a change has replaced
	stageEnded  = 3 // what a change has left, or has made not count, is being removed
)

// BookStage is a change of an organization's own books in short transactions, of which nobody sees
// anything before the last one. While it is open, other changes of these books wait (WriteBooks).
type BookStage struct {
	store  *Store
	org    OrgKey
	state  int64 // as organizations.books_stage
	turned bool
}

// StageBooks opens a stage of the organization's books and calls fn with it. If fn does not publish
// the stage, nothing that it wrote is left. If the process is killed, the next change of the books
// removes the rest. The error is errors.ErrUnsupported if there are no stages: on PostgreSQL, where
// a long transaction does not keep others from writing, and on file systems without locks.
func (s *Store) StageBooks(ctx context.Context, org OrgKey, fn func(*BookStage) error) (failed error) {
	if s.db.Dialect == database.Postgres || !org.Valid(database.SQLite) {
		return errors.ErrUnsupported
	}
	unlock, err := s.books.lock(ctx, org)
	if err != nil {
		return err
	}
	defer unlock()
	release, err := s.lockBooks(ctx, org)
	if err != nil {
		return err
	}
	defer release()
	if err := s.auditStage(ctx); err != nil {
		return err
	}
	g := &BookStage{store: s, org: org}
	if err := g.open(ctx); err != nil {
		return err
	}
	defer func() {
		// Past the snapshot of the import, the log could not be copied into the file. Otherwise the
		// next commit would do all of that, whoever writes. An error leaves it to that commit.
		_, _ = s.db.Scans.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
		// What a canceled import has written is removed too.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxCleaning)
		defer cancel()
		failed = errors.Join(failed, g.clean(ctx))
	}()
	return fn(g)
}

// maxCleaning is the timeout of removing what an import has left.
const maxCleaning = 5 * time.Minute

// WriteBooks is WriteOf for a change of the organization's own books. On SQLite it waits for an
// import that is open (StageBooks), in this process or in another, and first removes what a killed
// one has left.
func (s *Store) WriteBooks(ctx context.Context, org OrgKey, fn func(*Tx) error) error {
	if s.db.Dialect == database.Postgres {
		return s.WriteOf(ctx, org, fn)
	}
	unlock, err := s.books.lock(ctx, org)
	if err != nil {
		return err
	}
	defer unlock()
	for {
		err := s.Write(ctx, func(tx *Tx) error {
			state, err := tx.readStage(org)
			if err == nil && (state == stageOpen || state == stageEnded) {
				err = errStageOpen
			}
			if err != nil {
				return err
			}
			return fn(tx)
		})
		if !errors.Is(err, errStageOpen) {
			return err
		}
		if err := s.CleanBooks(ctx, org); err != nil {
			return err
		}
	}
}

// errStageOpen is the error of a change of books into which another process imports.
var errStageOpen = errors.New("an import into these books has not ended")

// CleanBooks waits until no other process imports into the organization's books, and removes what a
// killed import has left.
func (s *Store) CleanBooks(ctx context.Context, org OrgKey) error {
	release, err := s.lockBooks(ctx, org)
	switch {
	case err == nil:
		defer release()
	case !errors.Is(err, errors.ErrUnsupported): // without locks, no process has a stage
		return err
	}
	g := &BookStage{store: s, org: org}
	if err := g.read(ctx); err != nil {
		return err
	}
	return g.clean(ctx)
}

// lockPause is the time between two attempts to lock books that another process has locked.
const lockPause = 20 * time.Millisecond

// lockBooks waits until no other process has a stage of the organization's books. The lock is that
// of a file beside the database, which the system releases when a process is killed.
func (s *Store) lockBooks(ctx context.Context, org OrgKey) (release func(), err error) {
	path, err := filepath.EvalSymlinks(s.db.Path())
	if err != nil {
		return nil, fmt.Errorf("locking the books: %w", err)
	}
	path += fmt.Sprintf("-books-%d", org)
	for {
		locked, err := privatefile.Lock(path)
		if err == nil {
			return func() {
				// The file is removed while it is locked, so that it is not one that another
				// process has locked since.
				_ = os.Remove(path)
				_ = locked.Close()
			}, nil
		}
		if !errors.Is(err, privatefile.ErrLocked) {
			return nil, fmt.Errorf("locking the books: %w", err)
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for an import into the books: %w", database.DeadlineAsBusy(ctx.Err()))
		}
	}
}

// auditStage writes the line of the audit for a change that is made on a stage. Its outcome is
// written when the stage is published.
func (s *Store) auditStage(ctx context.Context) error {
	a := auditOf(ctx)
	if a == nil {
		if s.auditRequired {
			return errNotAudited
		}
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return s.beginAudit(ctx, a)
}

func (tx *Tx) readStage(org OrgKey) (state int64, err error) {
	err = tx.db.QueryRow("SELECT books_stage FROM organizations WHERE id = ?", org).Scan(&state)
	if err != nil {
		err = notFound(err, "the state of the books")
	}
	return state, err
}

func (tx *Tx) setStage(org OrgKey, state int64) error {
	return tx.execOne("UPDATE organizations SET books_stage = ? WHERE id = ?", state, org)
}

// open removes what a killed import has left, and opens the stage.
func (g *BookStage) open(ctx context.Context) error {
	if err := g.read(ctx); err != nil {
		return err
	}
	if err := g.clean(ctx); err != nil {
		return err
	}
	err := g.Write(ctx, func(tx *Tx) error {
		_, err := tx.db.Exec(`INSERT INTO book_accounts (org_id, number, currency, bank, name, role, staged)
			VALUES (?, '', '', '', '', 'operating', 2)`, g.org)
		return errors.Join(err, tx.setStage(g.org, stageOpen))
	})
	if err == nil {
		g.state = stageOpen
	}
	return err
}

// read reads the state that the last process with a stage has left.
func (g *BookStage) read(ctx context.Context) error {
	return g.store.Read(ctx, func(s *Snapshot) error {
		err := s.db.QueryRow("SELECT books_stage FROM organizations WHERE id = ?", g.org).Scan(&g.state)
		if err != nil {
			err = notFound(err, "the state of the books")
		}
		return err
	})
}

// Write calls fn in a transaction that writes rows that do not count. It does not wait for the
// disk: Publish does.
func (g *BookStage) Write(ctx context.Context, fn func(*Tx) error) error {
	return g.store.db.WriteUnsynced(ctx, inTx(func(tx *Tx) error {
		tx.view.stage = 1
		return fn(tx)
	}))
}

// Read calls fn with a snapshot that sees the rows of the stage.
func (g *BookStage) Read(ctx context.Context, fn func(*Snapshot) error) error {
	return g.store.Read(ctx, func(s *Snapshot) error {
		s.view.stage = 1
		return fn(s)
	})
}

// Publish makes the rows of the stage count, and calls fn in the same transaction. If turn is true,
// the ledger is then the side that WriteSide has written. What fn retires (RetireBookImport) is
// deleted when the stage ends.
func (g *BookStage) Publish(ctx context.Context, turn bool, fn func(*Tx) error) error {
	state := int64(stageNone)
	if turn {
		state = stageTurned
	}
	err := g.store.Write(ctx, func(tx *Tx) error {
		if err := tx.publishStage(g.org, turn, state); err != nil {
			return err
		}
		err := fn(tx)
		if err == nil && tx.retired {
			state = stageEnded
			err = tx.setStage(g.org, state)
		}
		return err
	})
	if err == nil {
		g.state, g.turned = state, turn
	}
	return err
}

// Turned reports whether Publish has turned the ledger to its other side.
func (g *BookStage) Turned() bool { return g.turned }

func (tx *Tx) publishStage(org OrgKey, turn bool, state int64) error {
	err := tx.execOne("UPDATE organizations SET books_stage = ? WHERE id = ? AND books_stage = ?", state, org, stageOpen)
	if err != nil {
		return fmt.Errorf("ending the import: %w", err)
	}
	var id string
	err = tx.db.QueryRow("SELECT public_id FROM book_imports WHERE org_id = ? AND staged = 1", org).Scan(&id)
	switch {
	case err == nil:
		tx.created(id)
	case !database.IsNotFound(err): // a change that is no import has none
		return fmt.Errorf("reading the import: %w", err)
	}
	tx.booksChanged(org)
	for _, statement := range []string{
		"UPDATE book_imports SET staged = 0 WHERE org_id = ? AND staged = 1",
		"UPDATE book_files SET staged = 0 WHERE org_id = ? AND staged = 1",
		"UPDATE book_accounts SET staged = 0 WHERE org_id = ? AND staged = 1",
		"DELETE FROM book_accounts WHERE org_id = ? AND staged = 2",
	} {
		if _, err := tx.db.Exec(statement, org); err != nil {
			return fmt.Errorf("ending the import: %w", err)
		}
	}
	if !turn {
		return nil
	}
	if err := tx.execOne("UPDATE organizations SET ledger_side = 1 - ledger_side WHERE id = ?", org); err != nil {
		return err
	}
	tx.known = knownLedger{}
	return tx.rewriteRevision(org)
}

// GiveUpFile leaves out what a stage has of a file that could not be read to its end.
func (tx *Tx) GiveUpFile(org OrgKey, file int64) error {
	return tx.execOne("UPDATE book_files SET staged = 2 WHERE org_id = ? AND id = ? AND staged = 1", org, file)
}
