package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"github.com/pressly/goose/v3"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// Versions of the schema since which the ledger's search text is folded as
// internal/fold does it.
const (
	refoldedSQLite   = 3
	refoldedPostgres = 2
)

// errElsewhere ends a migration that another process was first with.
var errElsewhere = errors.New("another process has done it")

// refolding is the migration that folds again what older versions folded: rows that no
// keyword would find otherwise.
func refolding(d database.Dialect) []*goose.Migration {
	version := int64(refoldedSQLite)
	if d == database.Postgres {
		version = refoldedPostgres
	}
	return []*goose.Migration{goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		var done int
		if err := tx.QueryRowContext(ctx, d.Rebind("SELECT count(*) FROM goose_db_version WHERE version_id = ?"), version).Scan(&done); err != nil {
			return err
		}
		if done > 0 {
			return errElsewhere
		}
		return refold(ctx, d, tx)
	}}, nil)}
}

// refoldBatch is how many rows are held in memory.
const refoldBatch = 1000

func refold(ctx context.Context, d database.Dialect, tx *sql.Tx) error {
	folder, changed := ledger.NewFolder(), false
	for last := int64(math.MinInt64); ; {
		batch, err := unfolded(ctx, d, tx, last)
		if err != nil {
			return fmt.Errorf("folding the ledger's text: %w", err)
		}
		var stale []staleRow
		for _, row := range batch {
			if row.text = folder.SearchText(&row.said); row.text != row.was {
				stale = append(stale, row)
			}
			last = row.key
		}
		if err := replaceText(ctx, d, tx, stale); err != nil {
			return fmt.Errorf("folding the ledger's text: %w", err)
		}
		changed = changed || len(stale) > 0
		if len(batch) < refoldBatch {
			break
		}
	}
	if !changed {
		return nil
	}
	// Other processes remember what keywords found.
	_, err := tx.ExecContext(ctx, "UPDATE organizations SET ledger_revision = "+raisedRevision(d))
	return err
}

// staleRow is a row of the ledger with the text that keywords were looked for in, and
// the text that they are to be looked for in.
type staleRow struct {
	key       int64
	said      ledger.Transaction
	was, text string
}

// unfolded returns rows behind the key whose folded text is not ASCII: other text is
// folded as it always was.
func unfolded(ctx context.Context, d database.Dialect, tx *sql.Tx, last int64) ([]staleRow, error) {
	rows, err := tx.QueryContext(ctx, d.Rebind(`SELECT id, counterparty, memo, reference, category, search_text FROM transactions
		WHERE id > ? AND octet_length(search_text) <> length(search_text) ORDER BY id LIMIT ?`), last, refoldBatch)
	return database.Collect(rows, err, "the ledger", func(row database.Row) (r staleRow, err error) {
		err = row.Scan(&r.key, &r.said.Counterparty, &r.said.Memo, &r.said.Reference, &r.said.Category, &r.was)
		return r, err
	})
}

func replaceText(ctx context.Context, d database.Dialect, tx *sql.Tx, stale []staleRow) error {
	if d == database.Postgres {
		var keys []int64
		var texts []string
		for _, row := range stale {
			keys, texts = append(keys, row.key), append(texts, row.text)
		}
		_, err := tx.ExecContext(ctx, `UPDATE transactions SET search_text = folded.text
			FROM unnest($1::bigint[], $2::text[]) AS folded (id, text) WHERE transactions.id = folded.id`, keys, texts)
		return err
	}
	for _, row := range stale {
		// The index keeps no text and has to be told what it forgets.
		for _, step := range [...]struct {
			statement string
			args      []any
		}{
			{"INSERT INTO transaction_search (transaction_search, rowid, search_text) VALUES ('delete', ?, ?)", []any{row.key, row.was}},
			{"INSERT INTO transaction_search (rowid, search_text) VALUES (?, ?)", []any{row.key, row.text}},
			{"UPDATE transactions SET search_text = ? WHERE id = ?", []any{row.text, row.key}},
		} {
			if _, err := tx.ExecContext(ctx, step.statement, step.args...); err != nil {
				return err
			}
		}
	}
	return nil
}
