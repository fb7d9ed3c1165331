package store

import (
	"context"
	"fmt"

	"tarmac/service/store/database"
)

// mergePages is how many pages of the search index one step of a merge writes.
const mergePages = 500

// Optimize speeds a database up after a bulk load: it merges the search index into one segment,
// which makes searches several times faster, and folds the log into the file. It takes about a
// tenth of the time of the load, in steps that let others write in between.
func (s *Store) Optimize(ctx context.Context) error {
	if s.db.Dialect == database.Postgres {
		// Vacuuming also moves the search index's pending entries into place.
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
		// Passive: truncating the log as well would wait for all readers.
		"PRAGMA wal_checkpoint(PASSIVE)",
	} {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("optimizing the database: %w", err)
		}
	}
	return nil
}

// mergeSearch merges the search index in steps. A negative number of pages begins a merge of all
// segments into one. A step that changes fewer than two rows had nothing left to merge.
func (s *Store) mergeSearch(ctx context.Context) error {
	for pages := -mergePages; ; pages = mergePages {
		changed := 0
		err := s.Write(ctx, func(tx *Tx) error {
			var before, after int
			if err := tx.db.QueryRow("SELECT total_changes()").Scan(&before); err != nil {
				return err
			}
			_, err := tx.db.Exec("INSERT INTO transaction_search (transaction_search, rank) VALUES ('merge', ?)", pages)
			if err != nil {
				return err
			}
			err = tx.db.QueryRow("SELECT total_changes()").Scan(&after)
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
