package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"tarmac/internal/civil"
	"tarmac/internal/fold"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// foldedBefore folds text as versions before the migration of codeMigrations did.
func foldedBefore(s string) string { return norm.NFC.String(cases.Fold().String(s)) }

// laterSchema undoes the migrations that follow the one of codeMigrations.
var laterSchema = []string{
	"ALTER TABLE organizations DROP COLUMN reporting_currency",
	"ALTER TABLE organizations DROP COLUMN reporting_chosen",
	"ALTER TABLE organizations DROP COLUMN requests_per_minute",
	"ALTER TABLE organizations DROP COLUMN max_drafts", "ALTER TABLE organizations DROP COLUMN max_draft_bytes",
	"ALTER TABLE imported_receivables DROP COLUMN number", "ALTER TABLE imported_receivables DROP COLUMN issued_day",
	"ALTER TABLE imported_receivables DROP COLUMN paid_day",
	"ALTER TABLE transactions DROP COLUMN reporting_minor", "ALTER TABLE ledger_daily DROP COLUMN reporting_minor",
	"ALTER TABLE ledger_daily DROP COLUMN reporting_n", "ALTER TABLE imported_receivables DROP COLUMN reporting_minor",
	"ALTER TABLE organizations DROP COLUMN ledger_side", "ALTER TABLE organizations DROP COLUMN books_stage",
	"DROP TABLE audit", "DROP TABLE book_packs", "DROP TABLE book_proofs",
	"ALTER TABLE organizations DROP COLUMN books_revision",
	"DROP TABLE ledger_text_sums", "ALTER TABLE organizations DROP COLUMN text_sums_rewritten",
	"DROP TABLE ssh_processes",
	"DROP TABLE ssh_document_claims", "DROP TABLE ssh_documents", "DROP TABLE ssh_sessions", "DROP TABLE ssh_keys",
	"DROP TABLE book_cash_shares", "DROP TABLE connection_requests", "DROP TABLE connection_invoices",
	"DROP TABLE connection_accounts", "DROP TABLE connections", "DROP TABLE book_paid_invoices",
	"DROP TABLE book_feed_balances",
	"DROP TABLE book_cash", "DROP TABLE book_invoice_payments", "DROP TABLE book_questions",
	"ALTER TABLE organizations DROP COLUMN ledger_rewritten", "DROP TABLE book_balances",
	"DROP TABLE book_account_choices", "DROP TABLE book_rules", "DROP TABLE book_days", "DROP TABLE book_answers",
	"DROP TABLE book_rates",
	"DROP TABLE imported_bills",
	"DROP TABLE book_open_items", "DROP TABLE book_open_lists", "DROP TABLE book_lines", "DROP TABLE book_statements",
	"DROP TABLE book_import_files", "DROP TABLE book_imports", "DROP TABLE book_files", "DROP TABLE book_accounts",
}

// olderLedger makes a database as an older version left it, with a transaction for each
// counterparty.
func olderLedger(t *testing.T, names []string) (name string) {
	t.Helper()
	name = testdb.New(t)
	s, err := Open(t.Context(), name, Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	source := ids.NewSource(rand.NewChaCha8([32]byte{1}))
	err = s.Write(t.Context(), func(tx *Tx) error {
		org, err := tx.CreateOrganization(Organization{PublicID: "org_1", Name: "One", CreatedAt: begun})
		if err != nil {
			return err
		}
		rows := make([]ledger.Transaction, len(names))
		for i, counterparty := range names {
			id, err := source.New(ids.Transaction, begun)
			if err != nil {
				return err
			}
			rows[i] = ledger.Transaction{ID: id, Date: civil.New(2026, 11, 1), Currency: "USD", Counterparty: counterparty,
				USDKnown: true, USDCents: 1, AmountKnown: true, AmountMinor: 1}
		}
		if err := tx.InsertTransactions(org, rows); err != nil {
			return err
		}
		for i, counterparty := range names {
			key := rowKey(org.ledger(0), dayOf(rows[i].Date), int64(i+1))
			now, before := tx.folder.SearchText(&rows[i]), foldedBefore(counterparty)+"\x1f\x1f\x1f"
			if tx.db.Dialect == database.SQLite {
				for _, step := range []string{
					"INSERT INTO transaction_search (transaction_search, rowid, search_text) VALUES ('delete', ?, ?)",
					"INSERT INTO transaction_search (rowid, search_text) VALUES (?, ?)",
				} {
					text := map[bool]string{true: now, false: before}[strings.Contains(step, "delete")]
					if _, err := tx.db.Exec(step, key, text); err != nil {
						return err
					}
				}
			}
			if err := tx.execOne("UPDATE transactions SET search_text = ? WHERE id = ?", before, key); err != nil {
				return err
			}
		}
		undone := laterSchema
		if tx.db.Dialect == database.SQLite {
			undone = append([]string{"ALTER TABLE transaction_facts DROP COLUMN reporting"}, undone...)
		}
		for _, undo := range undone {
			if _, err := tx.db.Exec(undo); err != nil {
				return err
			}
		}
		_, err = tx.db.Exec("DELETE FROM goose_db_version WHERE version_id >= ?",
			map[database.Dialect]int{database.SQLite: searchTextVersionSQLite,
				database.Postgres: searchTextVersionPostgres}[tx.db.Dialect])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// Keywords find transactions that an older version stored just as they find new ones.
func TestAnOlderLedgerIsFoldedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	names := []string{"İstanbul Ltd", "Istanbul Ltd", "Straße", "ＦＵＬＬ Width", "株式会社", "Harbour Office"}
	for i := range 2*searchTextBatch + 1 {
		names = append(names, fmt.Sprintf("Isparta%sn %d", map[bool]string{true: "ı", false: "\u0307"}[i%2 == 0], i))
	}
	s := opened(t, olderLedger(t, names))
	for keyword, want := range map[string]int64{
		"İSTANBUL": 2, "istanbul": 2, "i\u0307stanbul": 2, "strasse": 1, "full": 1, "株式": 1, "harbour": 1,
		"is": int64(2 + 2*searchTextBatch + 1), "ispartain": searchTextBatch + 1,
	} {
		page, summary, err := s.Listing(context.Background(), 1, ledger.Filter{Keyword: fold.String(keyword)}, nil, 10)
		if err != nil || summary.Count != want || summary.Inflow+summary.Outflow != want ||
			len(page.Rows) != int(min(want, 10)) {
			t.Errorf("%q: %d rows on the page, %d in all, %v; want %d", keyword, len(page.Rows), summary.Count, err, want)
		}
	}
	// The index no longer has the old texts.
	if _, summary, err := s.Listing(context.Background(), 1, ledger.Filter{Keyword: foldedBefore("İstan")}, nil,
		1); err != nil || summary.Count != 0 {
		t.Errorf("as it was folded before: %d rows, %v", summary.Count, err)
	}
}

func TestALedgerIsFoldedAgainOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	older := olderLedger(t, []string{"İstanbul Ltd"})
	opened(t, older)
	s := opened(t, older)
	var times int
	if err := s.db.Reader.QueryRow("SELECT count(*) FROM goose_db_version WHERE version_id > 1 AND version_id = (SELECT " +
		"max(version_id) FROM goose_db_version)").Scan(&times); err != nil || times != 1 {
		t.Errorf("it was folded again %d times, %v", times, err)
	}
}

// The migration skips rows whose folded text is ASCII, because their folding has not changed.
func TestWhatWasFoldedToASCIIStaysAsItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || r == 0x7f {
			continue
		}
		before := foldedBefore(string(r))
		if now := fold.String(string(r)); len(before) == utf8.RuneCountInString(before) && now != before {
			t.Errorf("%U was folded to %q and is to %q", r, before, now)
		}
	}
}
