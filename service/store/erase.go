package store

import (
	"context"
	"fmt"

	"tarmac/service/store/database"
)

// eraseRows is the number of rows that one transaction of Erase deletes.
const eraseRows = 10_000

// erasedTables are the tables that Erase empties besides the ledger, those that refer to others
// first, with the columns of their keys. Lines of the audit stay: they have IDs and no names.
var erasedTables = [...]struct{ name, key string }{
	{"webhook_deliveries", "id"}, {"events", "org_id, sequence"}, {"webhook_endpoints", "id"},
	{"idempotency_keys", "org_id, key"}, {"payment_intents", "id"},
	{"book_paid_invoices", "file_id, remote_id"}, {"book_feed_balances", "file_id, account_id, day"},
	{"connection_requests", "id"}, {"connection_invoices", "connection_id, remote_id"}, {"connection_accounts", "id"},
	{"connections", "id"}, {"book_cash_shares", "org_id, identity, currency"}, {"book_cash", "org_id"},
	{"book_invoice_payments", "org_id, invoice_id, transaction_id"}, {"book_questions", "org_id, question"},
	{"book_proofs", "org_id, account_id"}, {"book_days", "org_id, day"}, {"book_balances", "id"},
	{"book_account_choices", "id"}, {"book_rules", "org_id"}, {"book_answers", "id"},
	{"book_rates", "org_id, currency, day, file_id"}, {"book_open_items", "id"}, {"book_open_lists", "id"},
	{"book_packs", "id"}, {"book_lines", "id"}, {"book_statements", "id"}, {"book_import_files", "import_id, file_id"},
	{"book_imports", "id"}, {"book_files", "id"}, {"book_accounts", "id"}, {"invoices", "id"}, {"imported_bills", "id"},
	{"imported_receivables", "id"}, {"linked_accounts", "id"}, {"ssh_documents", "key_id, name"}, {"ssh_sessions", "id"},
	{"ssh_keys", "id"}, {"accounts", "org_id"}, {"tokens", "id"},
}

// Erase deletes everything of an organization but its ID, in many transactions: first it revokes
// tokens and SSH keys and stops webhooks. Its row stays without a name, so that no other
// organization gets its key, which processes have in their caches. After an interruption, Erase
// can be called again. It returns the number of rows that it has deleted.
func (s *Store) Erase(ctx context.Context, org OrgKey) (deleted int64, err error) {
	if err := s.Write(ctx, func(tx *Tx) error { return tx.close(org) }); err != nil {
		return 0, fmt.Errorf("revoking the access to the organization: %w", err)
	}
	for _, side := range [...]int64{0, 1} {
		n, err := s.eraseLedger(ctx, org, org.ledger(side))
		if deleted += n; err != nil {
			return deleted, fmt.Errorf("deleting transactions: %w", err)
		}
		if s.db.Dialect == database.Postgres {
			break
		}
	}
	for _, table := range erasedTables {
		n, err := s.eraseTable(ctx, org, table.name, table.key)
		if deleted += n; err != nil {
			return deleted, fmt.Errorf("deleting from %s: %w", table.name, err)
		}
	}
	return deleted, s.Write(ctx, func(tx *Tx) error {
		if err := tx.lock(org); err != nil {
			return err
		}
		return tx.execOne(`UPDATE organizations SET name = '', owner_name = NULL, owner_email = NULL,
			requests_per_minute = NULL, max_drafts = NULL, max_draft_bytes = NULL, ledger_revision = ledger_revision + 1
			WHERE id = ?`, org)
	})
}

// close ends all access to an organization and its deliveries.
func (tx *Tx) close(org OrgKey) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	for _, statement := range [...]string{
		"DELETE FROM tokens WHERE org_id = ?",
		"UPDATE ssh_keys SET revoked_at = coalesce(revoked_at, created_at) WHERE org_id = ?",
		"UPDATE webhook_endpoints SET status = 'paused' WHERE org_id = ?",
		"DELETE FROM ssh_document_claims WHERE key_id IN (SELECT id FROM ssh_keys WHERE org_id = ?)",
	} {
		if _, err := tx.db.Exec(statement, org); err != nil {
			return err
		}
	}
	return nil
}

// eraseTable deletes the organization's rows of a table, given the columns of its key.
func (s *Store) eraseTable(ctx context.Context, org OrgKey, table, key string) (deleted int64, err error) {
	statement := fmt.Sprintf("DELETE FROM %s WHERE (%s) IN (SELECT %s FROM %s WHERE org_id = ? LIMIT ?)",
		table, key, key, table)
	for n := int64(eraseRows); n == eraseRows && err == nil; deleted += n {
		err = s.Write(ctx, func(tx *Tx) error {
			n = 0
			if err := tx.lock(org); err != nil {
				return err
			}
			result, err := tx.db.Exec(statement, org, eraseRows)
			if err == nil {
				n, err = result.RowsAffected()
			}
			return err
		})
	}
	return deleted, err
}

// eraseLedger deletes a side of the organization's ledger.
func (s *Store) eraseLedger(ctx context.Context, org OrgKey, l ledgerKey) (deleted int64, err error) {
	first, last := l.rows()
	for n := int64(eraseRows); n == eraseRows && err == nil; deleted += n {
		err = s.Write(ctx, func(tx *Tx) error {
			n = 0
			if err := tx.lock(org); err != nil {
				return err
			}
			var keys keyRange
			err := tx.db.QueryRow(`SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM
				(SELECT id FROM transactions WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?) AS batch`, first, last, eraseRows).
				Scan(&n, &keys.first, &keys.last)
			if err != nil || n == 0 {
				return err
			}
			_, err = tx.removeRows(keys)
			return err
		})
	}
	if err != nil {
		return deleted, err
	}
	return deleted, s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.db.Exec("DELETE FROM ledger_daily WHERE org_id = ?", l); err != nil {
			return err
		}
		_, err := tx.db.Exec("DELETE FROM ledger_text_sums WHERE id BETWEEN ? AND ?", first, last)
		return err
	})
}
