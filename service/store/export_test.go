package store

import (
	"context"
	"errors"
	"runtime"

	"tarmac/service/ledger"
)

// ForgetTotals makes the next keyword totals be computed.
func (s *Store) ForgetTotals() {
	s.totals.forget()
}

// FollowAllTotals keeps the totals of keywords up with what is written, however
// small they are, and adds them up a few rows at a time.
func (s *Store) FollowAllTotals() { s.history.minTracked, s.history.batchHits = 0, 3 }

// AddUpPart adds up a part of a filter's rows, as who runs out of time does.
func (s *Store) AddUpPart(ctx context.Context, org OrgKey, f ledger.Filter) error {
	return s.Read(ctx, func(snap *Snapshot) error {
		known, _, err := snap.cachedTotal(org, f)
		if err == nil && !known.complete() {
			_, err = snap.extendTotal(org, f, known)
		}
		return err
	})
}

// HoldScans takes all connections that ledgers are looked through with.
func (s *Store) HoldScans(ctx context.Context) (release func() error, err error) {
	var held []interface{ Close() error }
	for range s.db.Scans.Stats().MaxOpenConnections {
		conn, err := s.db.Scans.Conn(ctx)
		if err != nil {
			return nil, err
		}
		held = append(held, conn)
	}
	return func() (err error) {
		for _, conn := range held {
			err = errors.Join(err, conn.Close())
		}
		return err
	}, nil
}

// TakeSearch takes the organization's turn to search.
func (s *Store) TakeSearch(ctx context.Context, org OrgKey) (done func(), err error) {
	return s.searching.lock(ctx, org)
}

// AwaitRollback waits until the transaction of a canceled call is rolled back.
func (s *Store) AwaitRollback() {
	for s.db.Writer.Stats().InUse > 0 {
		runtime.Gosched()
	}
}

// Synchronous returns how the writer waits for the disk: 0 not at all, 2 fully.
func (s *Store) Synchronous(ctx context.Context) (level int, err error) {
	err = s.db.Writer.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&level)
	return level, err
}

// NoRoom keeps the database from growing, as a full disk does, until release.
func (s *Store) NoRoom(ctx context.Context) (release func() error, err error) {
	var pages int64
	if err := s.db.Writer.QueryRowContext(ctx, "PRAGMA max_page_count(1)").Scan(&pages); err != nil {
		return nil, err
	}
	return func() error {
		_, err := s.db.Writer.ExecContext(ctx, "PRAGMA max_page_count(4294967294)")
		return err
	}, nil
}

// SetSynchronous chooses how the writer waits for the disk: off, normal or full.
func (s *Store) SetSynchronous(ctx context.Context, level string) error {
	_, err := s.db.Writer.ExecContext(ctx, "PRAGMA synchronous("+level+")")
	return err
}

// Fold writes the whole log into the file.
func (s *Store) Fold(ctx context.Context) error {
	_, err := s.db.Writer.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}
