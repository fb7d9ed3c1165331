package store

import (
	"context"
	"fmt"
)

// Optimize brings a database into its best shape after very much was written at
// once: the search index becomes one piece, which makes its pages several times
// faster, and the log is folded into the file. It holds the writer for about as
// long as a tenth of the writing took.
func (s *Store) Optimize(ctx context.Context) error {
	for _, statement := range [...]string{
		"INSERT INTO transaction_search (transaction_search) VALUES ('optimize')",
		"PRAGMA optimize",
		"PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if _, err := s.writer.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("optimizing the database: %w", err)
		}
	}
	return nil
}
