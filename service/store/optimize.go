package store

import (
	"context"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// Bounds of the number of pages of the search index that one transaction of mergeSearch writes, and
// the time that it should take. Others who write wait meanwhile.
const (
	leastMergePages, mostMergePages = 16, 256
	mergeTime                       = 60 * time.Millisecond
)

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
	if err := s.mergeSearch(ctx, true); err != nil {
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
	return s.mergeSearch(ctx, false)
}

// mergeSearch merges segments of SQLite's search index, all of them into one or only small ones, in
// many short transactions. When the merge command changes fewer than two rows, nothing is left to
// merge.
func (s *Store) mergeSearch(ctx context.Context, all bool) error {
	pages := leastMergePages
	for first := true; ; first = false {
		command := pages
		if all && first {
			command = -pages // a negative number begins a merge of all segments into one
		}
		changed, took := 0, time.Duration(0)
		// If the merge is lost in a power failure, searches are only slower.
		err := s.WriteUnsynced(ctx, func(tx *Tx) (err error) {
			began := time.Now()
			changed, err = mergeStep(tx, command)
			took = time.Since(began)
			return err
		})
		if err != nil {
			return fmt.Errorf("merging the search index: %w", err)
		}
		if changed < 2 {
			return nil
		}
		pages = nextMergePages(pages, took)
	}
}

// nextMergePages returns how many pages the next step of a merge should write, given the number of
// the last step and the time that it took.
func nextMergePages(pages int, took time.Duration) int {
	next := int(int64(pages) * int64(mergeTime) / int64(max(took, time.Millisecond)))
	return min(max(next, pages/2, leastMergePages), 2*pages, mostMergePages)
}

// mergeStep runs one merge command of the search index. It returns the number of changed rows.
func mergeStep(tx *Tx, pages int) (changed int, err error) {
	var before, after int
	if err := tx.db.QueryRow("SELECT total_changes()").Scan(&before); err != nil {
		return 0, err
	}
	_, err = tx.db.Exec("INSERT INTO transaction_search (transaction_search, rank) VALUES ('merge', ?)", pages)
	if err != nil {
		return 0, err
	}
	err = tx.db.QueryRow("SELECT total_changes()").Scan(&after)
	return after - before, err
}
