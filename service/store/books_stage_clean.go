package store

import (
	"context"
	"fmt"

	"tarmac/service/store/database"
)

// stagedRows are the tables that may have many rows of files that do not count. Each has the
// statement that deletes up to a number of them.
var stagedRows = [...]struct{ table, statement string }{
	{"book_lines", `DELETE FROM book_lines WHERE id IN (SELECT l.id FROM book_files f
		JOIN book_statements s ON s.file_id = f.id JOIN book_lines l ON l.statement_id = s.id
		WHERE f.org_id = ? AND f.staged <> 0 LIMIT ?)`},
	{"book_open_items", `DELETE FROM book_open_items WHERE id IN (SELECT i.id FROM book_files f
		JOIN book_open_lists l ON l.file_id = f.id JOIN book_open_items i ON i.list_id = l.id
		WHERE f.org_id = ? AND f.staged <> 0 LIMIT ?)`},
	{"book_rates", `DELETE FROM book_rates WHERE (org_id, currency, day, file_id) IN
		(SELECT r.org_id, r.currency, r.day, r.file_id FROM book_files f JOIN book_rates r ON r.file_id = f.id
		WHERE f.org_id = ? AND f.staged <> 0 LIMIT ?)`},
	{"book_packs", `DELETE FROM book_packs WHERE id IN (SELECT p.id FROM book_files f
		JOIN book_packs p ON p.file_id = f.id WHERE f.org_id = ? AND f.staged <> 0 LIMIT ?)`},
	{"book_statements", `DELETE FROM book_statements WHERE id IN (SELECT s.id FROM book_files f
		JOIN book_statements s ON s.file_id = f.id WHERE f.org_id = ? AND f.staged <> 0 LIMIT ?)`},
}

// clean removes the rows of a stage that do not count, or do not count any more, in many
// transactions.
func (g *BookStage) clean(ctx context.Context) error {
	if g.state == stageNone {
		return nil
	}
	unpublished := g.state != stageTurned
	if unpublished {
		if err := g.Write(ctx, func(tx *Tx) error { return tx.setStage(g.org, stageEnded) }); err != nil {
			return fmt.Errorf("removing what an import has left: %w", err)
		}
		for _, t := range stagedRows {
			if err := g.deleteStaged(ctx, t.statement); err != nil {
				return fmt.Errorf("removing what an import has left in %s: %w", t.table, err)
			}
		}
	}
	if err := g.deleteSide(ctx); err != nil {
		return fmt.Errorf("removing the other side of the ledger: %w", err)
	}
	err := g.Write(ctx, func(tx *Tx) error {
		if unpublished {
			if err := tx.deleteStaged(g.org); err != nil {
				return err
			}
		}
		return tx.setStage(g.org, stageNone)
	})
	if err != nil {
		return fmt.Errorf("removing what an import has left: %w", err)
	}
	g.state = stageNone
	return nil
}

// deleteStaged runs a statement until it deletes fewer rows than one transaction may.
func (g *BookStage) deleteStaged(ctx context.Context, statement string) error {
	limit := int64(g.store.stageRows)
	for deleted := limit; deleted == limit; {
		err := g.Write(ctx, func(tx *Tx) error {
			result, err := tx.db.Exec(statement, g.org, limit)
			if err == nil {
				deleted, err = result.RowsAffected()
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteStaged deletes what few rows a stage has that do not count.
func (tx *Tx) deleteStaged(org OrgKey) error {
	const files = "SELECT id FROM book_files WHERE org_id = ? AND staged <> 0"
	const accounts = "SELECT id FROM book_accounts WHERE org_id = ? AND staged <> 0"
	for _, statement := range []string{
		"DELETE FROM book_open_lists WHERE file_id IN (" + files + ")",
		"DELETE FROM book_import_files WHERE import_id IN (SELECT id FROM book_imports WHERE org_id = ? AND staged <> 0)",
		"DELETE FROM book_balances WHERE import_id IN (SELECT id FROM book_imports WHERE org_id = ? AND staged <> 0)",
		"DELETE FROM book_balances WHERE account_id IN (" + accounts + ")",
		"DELETE FROM book_feed_balances WHERE file_id IN (" + files + ")",
		"DELETE FROM book_feed_balances WHERE account_id IN (" + accounts + ")",
		"DELETE FROM book_paid_invoices WHERE file_id IN (" + files + ")",
		"DELETE FROM book_files WHERE org_id = ? AND staged <> 0",
		"DELETE FROM book_imports WHERE org_id = ? AND staged <> 0",
		"DELETE FROM book_accounts WHERE org_id = ? AND staged <> 0",
	} {
		if _, err := tx.db.Exec(statement, org); err != nil {
			return err
		}
	}
	return nil
}

// deleteSide deletes the side of the ledger that does not count.
func (g *BookStage) deleteSide(ctx context.Context) error {
	var other ledgerKey
	err := g.store.Read(ctx, func(s *Snapshot) error {
		counting, err := s.ledger(g.org)
		other = counting.other()
		return err
	})
	if err != nil {
		return err
	}
	first, last := other.rows()
	for n := g.store.stageRows; n == g.store.stageRows; {
		err := g.Write(ctx, func(tx *Tx) error {
			var keys keyRange
			err := tx.db.QueryRow(`SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM
				(SELECT id FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)`, first, last, g.store.stageRows).
				Scan(&n, &keys.first, &keys.last)
			if err != nil || n == 0 {
				return err
			}
			return tx.deleteRows(keys)
		})
		if err != nil {
			return err
		}
	}
	return g.Write(ctx, func(tx *Tx) error {
		if _, err := tx.db.Exec("DELETE FROM ledger_daily WHERE org_id = ?", other); err != nil {
			return err
		}
		_, err := tx.db.Exec("DELETE FROM ledger_text_sums WHERE id BETWEEN ? AND ?", first, last)
		return err
	})
}

// deleteRows deletes many transactions with their packed facts and search index entries on SQLite.
func (tx *Tx) deleteRows(keys keyRange) error {
	if err := tx.configureSearch(bulkSearch); err != nil {
		return err
	}
	if _, err := tx.removeRows(keys); err != nil {
		return err
	}
	return tx.configureSearch(usualSearch)
}

// CleanAllBooks removes what killed imports have left, of all organizations.
func (s *Store) CleanAllBooks(ctx context.Context) error {
	if s.db.Dialect == database.Postgres {
		return nil
	}
	var orgs []OrgKey
	err := s.Read(ctx, func(snap *Snapshot) error {
		rows, err := snap.db.Query("SELECT id FROM organizations WHERE books_stage <> 0 ORDER BY id")
		orgs, err = database.Collect(rows, err, "the organizations", func(row database.Row) (org OrgKey, err error) {
			err = row.Scan(&org)
			return org, err
		})
		return err
	})
	for _, org := range orgs {
		if err == nil {
			err = s.CleanBooks(ctx, org)
		}
	}
	return err
}
