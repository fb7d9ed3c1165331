package store

import (
	"context"
	"fmt"

	"tarmac/service/store/database"
)

// mergePages is how many pages of the search index one step of merging writes.
const mergePages = 500

// Optimize brings a database into its best shape after very much was written at
// once: the search index becomes one piece, which makes its pages several times
// faster, and the log is folded into the file. It takes about a tenth of the time
// that the writing took, in steps that others can write between.
func (s *Store) Optimize(ctx context.Context) error {
	if s.db.Dialect == database.Postgres {
		// It also sorts what the search index has not taken in yet.
		if _, err := s.db.Writer.ExecContext(ctx, "VACUUM (ANALYZE) transactions, ledger_daily, events"); err != nil {
			return fmt.Errorf("optimizing the database: %w", err)
		}
		return nil
	}
	if err := s.mergeSearch(ctx); err != nil {
		return fmt.Errorf("merging the search index: %w", err)
	}
	for _, statement := range [...]string{
		"PRAGMA optimize",
		// Passive: to also shorten the log would be to wait for all readers.
		"PRAGMA wal_checkpoint(PASSIVE)",
	} {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("optimizing the database: %w", err)
		}
	}
	return nil
}

// mergeSearch merges step by step. The first, negative, asks for one piece; the
// index tells that nothing is left to merge by changing less than two rows.
func (s *Store) mergeSearch(ctx context.Context) error {
	for pages := -mergePages; ; pages = mergePages {
		changed := 0
		err := s.Write(ctx, func(tx *Tx) error {
			var before, after int
			if err := tx.db.QueryRow("SELECT total_changes()").Scan(&before); err != nil {
				return err
			}
			if _, err := tx.db.Exec("INSERT INTO transaction_search (transaction_search, rank) VALUES ('merge', ?)", pages); err != nil {
				return err
			}
			err := tx.db.QueryRow("SELECT total_changes()").Scan(&after)
			changed = after - before
			return err
		})
		if err != nil {
			return err
		}
		if changed < 2 {
			return nil
		}
	}
}
