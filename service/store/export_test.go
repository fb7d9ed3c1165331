package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"tarmac/service/bookrules"
	"tarmac/service/ledger"
)

// ForgetSummaries empties the cache of summaries.
func (s *Store) ForgetSummaries() {
	s.summaries.forget()
}

// TrackAllSummaries makes the store update the cached summaries of all keywords with rows that
// are added, however few rows they match. It sets the size of a batch to three.
func (s *Store) TrackAllSummaries() { s.history.minTracked, s.history.batchHits = 0, 3 }

// SumAllTexts makes SumTexts add up even days with few transactions, in small steps.
func (s *Store) SumAllTexts() { s.textSums = textSumsPolicy{minRows: 1, rowsPerPattern: 0, batch: 3} }

// TurnLedger writes parts of an organization's ledger beside the one that counts, two rows at a
// time, and turns to them. It does nothing on PostgreSQL.
func (s *Store) TurnLedger(ctx context.Context, org OrgKey, parts []SidePart) error {
	s.stageRows = 2
	err := s.StageBooks(ctx, org, func(g *BookStage) error {
		err := g.Write(ctx, func(tx *Tx) error {
			_, err := tx.InsertBookImport(org, bookrules.Import{ID: fmt.Sprintf("imp_%d_%d", org, time.Now().UnixNano())})
			return err
		})
		return errors.Join(err, g.WriteSide(ctx, parts), g.Publish(ctx, true, func(*Tx) error { return nil }))
	})
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// ReadAlwaysAhead makes the store read ahead of each batch of a summary, at once.
func (s *Store) ReadAlwaysAhead() { s.history.readAheadDelay, s.history.cachedProbe = 0, 0 }

// AddUpBatch adds up one batch of a filter's rows, as a request that runs out of time does.
func (s *Store) AddUpBatch(ctx context.Context, org OrgKey, f ledger.Filter) error {
	return s.Read(ctx, func(snap *Snapshot) error {
		known, _, err := snap.cachedSummary(org, f)
		if err == nil && !known.complete() {
			_, err = snap.extendSummary(org, f, known)
		}
		return err
	})
}

// HoldScans takes all connections of the pool Scans until release is called.
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

// LockSearch locks the organization's search mutex until done is called.
func (s *Store) LockSearch(ctx context.Context, org OrgKey) (done func(), err error) {
	return s.searching.lock(ctx, org)
}

// AwaitRollback waits until the transaction of a canceled call is rolled back.
func (s *Store) AwaitRollback() {
	for s.db.Writer.Stats().InUse > 0 {
		runtime.Gosched()
	}
}

// Synchronous returns SQLite's synchronous setting: 0 is OFF, 2 is FULL.
func (s *Store) Synchronous(ctx context.Context) (level int, err error) {
	err = s.db.Writer.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&level)
	return level, err
}

// NoRoom keeps the database from growing, as a full disk does, until release is called.
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

// SetSynchronous sets SQLite's synchronous setting: OFF, NORMAL or FULL.
func (s *Store) SetSynchronous(ctx context.Context, level string) error {
	_, err := s.db.Writer.ExecContext(ctx, "PRAGMA synchronous("+level+")")
	return err
}

// Fold copies the write-ahead log into the file.
func (s *Store) Fold(ctx context.Context) error {
	_, err := s.db.Writer.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}
