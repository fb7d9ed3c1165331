package store

import (
	"context"
	"fmt"

	"tarmac/service/store/database"
)

// mergePages is the number of pages of the search index that one transaction of mergeSearch writes.
// It takes less than a tenth of a second.
const mergePages = 150

// Optimize makes queries faster after a bulk load. It adds up busy days by text (SumTexts). On
// SQLite it merges the search index into one segment, which makes searches several times faster,
// and copies the write-ahead log into the file. It takes about a fifth of the time of the load. Its
// transactions are short, so that others can write in between.
func (s *Store) Optimize(ctx context.Context) error {
	if err := s.SumTexts(ctx, false); err != nil {
		return err
	}
	if s.db.Dialect == database.Postgres {
		// VACUUM also moves new entries of the search index to their final pages.
		if _, err := s.db.Writer.ExecContext(ctx, "VACUUM (ANALYZE) transactions, ledger_daily, events"); err != nil {
			return fmt.Errorf("optimizing the database: %w", err)
		}
		return nil
	}
	if err := s.mergeSearch(ctx, -mergePages); err != nil {
		return err
	}
	for _, statement := range [...]string{
		"PRAGMA optimize",
		// A passive checkpoint does not wait for readers, unlike one that truncates the log.
		"PRAGMA wal_checkpoint(PASSIVE)",
	} {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("optimizing the database: %w", err)
		}
	}
	return nil
}

// MergeSearch merges the small segments of SQLite's search index that an import has left. It takes
// less time than Optimize, and also many short transactions. It does nothing on PostgreSQL.
func (s *Store) MergeSearch(ctx context.Context) error {
	if s.db.Dialect == database.Postgres {
		return nil
	}
	return s.mergeSearch(ctx, mergePages)
}

// mergeSearch merges segments of SQLite's search index, in many transactions. In the merge command,
// a negative number of pages starts a merge of all segments into one; first is the number of the
// first command. When a command changes fewer than two rows, nothing is left to merge.
func (s *Store) mergeSearch(ctx context.Context, first int) error {
	for pages := first; ; pages = mergePages {
		changed := 0
		// If the merge is lost in a power failure, searches are only slower.
		err := s.WriteUnsynced(ctx, func(tx *Tx) error {
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
			return fmt.Errorf("merging the search index: %w", err)
		}
		if changed < 2 {
			return nil
		}
	}
}
