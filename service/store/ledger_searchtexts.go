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

// The schema versions that changed how the ledger's search texts are folded. Package fold folds
// them since then.
const (
	searchTextVersionSQLite   = 3
	searchTextVersionPostgres = 2
)

// errMigratedElsewhere is returned by a migration that another process has already applied.
var errMigratedElsewhere = errors.New("another process has done it")

// codeMigrations returns the migration that computes search texts again. Older versions of the
// program folded them differently, so keywords would not find those transactions.
func codeMigrations(d database.Dialect) []*goose.Migration {
	version := int64(searchTextVersionSQLite)
	if d == database.Postgres {
		version = searchTextVersionPostgres
	}
	run := func(ctx context.Context, tx *sql.Tx) error {
		var done int
		query := d.Rebind("SELECT count(*) FROM goose_db_version WHERE version_id = ?")
		if err := tx.QueryRowContext(ctx, query, version).Scan(&done); err != nil {
			return err
		}
		if done > 0 {
			return errMigratedElsewhere
		}
		return updateSearchTexts(ctx, d, tx)
	}
	return []*goose.Migration{goose.NewGoMigration(version, &goose.GoFunc{RunTx: run}, nil)}
}

// searchTextBatch is the number of transactions that are read at a time.
const searchTextBatch = 1000

func updateSearchTexts(ctx context.Context, d database.Dialect, tx *sql.Tx) error {
	folder, changed := ledger.NewFolder(), false
	for last := int64(math.MinInt64); ; {
		batch, err := readFolded(ctx, d, tx, last)
		if err != nil {
			return fmt.Errorf("folding the ledger's text: %w", err)
		}
		var stale []foldedRow
		for _, row := range batch {
			if row.newText = folder.SearchText(&row.transaction); row.newText != row.oldText {
				stale = append(stale, row)
			}
			last = row.key
		}
		if err := replaceText(ctx, d, tx, stale); err != nil {
			return fmt.Errorf("folding the ledger's text: %w", err)
		}
		changed = changed || len(stale) > 0
		if len(batch) < searchTextBatch {
			break
		}
	}
	if !changed {
		return nil
	}
	// The new revision invalidates summaries and pages that other processes have cached.
	_, err := tx.ExecContext(ctx, "UPDATE organizations SET ledger_revision = "+nextRevision("ledger_revision", d))
	return err
}

// foldedRow is a transaction with the search text that is stored and the one that it should have.
type foldedRow struct {
	key              int64
	transaction      ledger.Transaction
	oldText, newText string
}

// readFolded returns the next searchTextBatch transactions after the transaction with the key
// lastKey whose search text is not ASCII. The folding of ASCII has never changed.
func readFolded(ctx context.Context, d database.Dialect, tx *sql.Tx, lastKey int64) ([]foldedRow, error) {
	rows, err := tx.QueryContext(ctx, d.Rebind(`SELECT id, counterparty, memo, reference, category, search_text
		FROM transactions WHERE id > ? AND octet_length(search_text) <> length(search_text) ORDER BY id LIMIT ?`),
		lastKey, searchTextBatch)
	return database.Collect(rows, err, "the ledger", func(row database.Row) (r foldedRow, err error) {
		t := &r.transaction
		err = row.Scan(&r.key, &t.Counterparty, &t.Memo, &t.Reference, &t.Category, &r.oldText)
		return r, err
	})
}

func replaceText(ctx context.Context, d database.Dialect, tx *sql.Tx, stale []foldedRow) error {
	if d == database.Postgres {
		var keys []int64
		var texts []string
		for _, row := range stale {
			keys, texts = append(keys, row.key), append(texts, row.newText)
		}
		_, err := tx.ExecContext(ctx, `UPDATE transactions SET search_text = folded.text
			FROM unnest($1::bigint[], $2::text[]) AS folded (id, text) WHERE transactions.id = folded.id`, keys, texts)
		return err
	}
	for _, row := range stale {
		// SQLite's search index does not store its texts. To delete an entry, the statement must
		// give the old text.
		for _, step := range [...]struct {
			statement string
			args      []any
		}{
			{"INSERT INTO transaction_search (transaction_search, rowid, search_text) VALUES ('delete', ?, ?)",
				[]any{row.key, row.oldText}},
			{"INSERT INTO transaction_search (rowid, search_text) VALUES (?, ?)", []any{row.key, row.newText}},
			{"UPDATE transactions SET search_text = ? WHERE id = ?", []any{row.newText, row.key}},
		} {
			if _, err := tx.ExecContext(ctx, step.statement, step.args...); err != nil {
				return err
			}
		}
	}
	return nil
}
