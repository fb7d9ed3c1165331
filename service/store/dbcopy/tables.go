package dbcopy

import "tarmac/service/store"

// table describes which of a table's rows belong to an organization, and how they are copied.
type table struct {
	name   string
	order  string // columns by which the rows are ordered, in both databases
	ownKey bool   // true if the target assigns new internal keys to the rows, in that order
}

// tables lists the tables to copy. A table comes after those that it refers to.
var tables = [...]table{
	{name: "accounts", order: "org_id"},
	{name: "tokens", order: "id", ownKey: true},
	{name: "ssh_keys", order: "id", ownKey: true},
	{name: "ssh_sessions", order: "id", ownKey: true},
	{name: "ssh_documents", order: "key_id, name"},
	{name: "linked_accounts", order: "id", ownKey: true},
	{name: "imported_receivables", order: "id", ownKey: true},
	{name: "imported_bills", order: "id", ownKey: true},
	{name: ledgerTable, order: "id"},
	{name: dailyTable, order: "day, direction, source, operating"},
	{name: "invoices", order: "id", ownKey: true},
	{name: "payment_intents", order: "id", ownKey: true},
	{name: "events", order: "sequence"},
	{name: "idempotency_keys", order: "created_at, invoice_id"},
	{name: "webhook_endpoints", order: "id", ownKey: true},
	{name: "webhook_deliveries", order: "id", ownKey: true},
	{name: "book_accounts", order: "id", ownKey: true},
	{name: "book_files", order: "id", ownKey: true},
	{name: "book_imports", order: "id", ownKey: true},
	{name: "book_import_files", order: "import_id, file_id"},
	{name: "book_statements", order: "id", ownKey: true},
	{name: "book_lines", order: "id", ownKey: true},
	{name: "book_open_lists", order: "id", ownKey: true},
	{name: "book_open_items", order: "id", ownKey: true},
	{name: "book_rates", order: "currency, day, file_id"},
	{name: "book_answers", order: "id", ownKey: true},
	{name: "book_rules", order: "org_id"},
	{name: "book_account_choices", order: "id", ownKey: true},
	{name: "book_balances", order: "id", ownKey: true},
	{name: "book_days", order: "day"},
	{name: "book_questions", order: "question"},
	{name: "book_invoice_payments", order: "invoice_id, transaction_id"},
	{name: "book_cash", order: "org_id"},
	{name: "book_cash_shares", order: "identity, currency"},
	{name: "connections", order: "id", ownKey: true},
	{name: "connection_accounts", order: "id", ownKey: true},
	{name: "connection_invoices", order: "connection_id, remote_id"},
	{name: "connection_requests", order: "id", ownKey: true},
	{name: "book_feed_balances", order: "file_id, account_id, day"},
	{name: "audit", order: "id", ownKey: true},
	{name: "book_paid_invoices", order: "file_id, remote_id"},
}

// references maps columns that hold keys of other rows to the tables of those rows.
var references = map[string]string{
	"endpoint_id":   "webhook_endpoints",
	"account_id":    "book_accounts",
	"file_id":       "book_files",
	"import_id":     "book_imports",
	"statement_id":  "book_statements",
	"list_id":       "book_open_lists",
	"connection_id": "connections",
	"key_id":        "ssh_keys",
}

// notCopied lists the tables whose rows are not copied, with the reason.
var notCopied = map[string]string{
	"organizations":             "its row is written first, with a new key",
	"server_keys":               "of the database, not of an organization; ServerKeys says which are copied",
	"goose_db_version":          "the schema's version",
	"sqlite_sequence":           "the keys that SQLite has assigned",
	"allowances":                "what tokens have used of their rate in the last minute",
	"ssh_document_claims":       "of sessions that are open",
	"ssh_processes":             "of the machines that serve this database",
	"ledger_text_sums":          "computed from transactions, later",
	"book_packs":                "computed from the other tables of books, later",
	"book_proofs":               "computed from the other tables of books, later",
	"transaction_facts":         "computed from each transaction",
	"transaction_search":        "computed from each transaction",
	"transaction_search_config": "of the search index",
	"transaction_search_data":   "of the search index",
	"transaction_search_idx":    "of the search index",
}

func tableNames() (names []string) {
	for _, t := range tables {
		names = append(names, t.name)
	}
	return names
}

// ledgerTable is the only copied table without a column for the organization, which is part of each
// row's key.
const ledgerTable = "transactions"

// dailyTable has the number of a ledger instead of the key of its organization.
const dailyTable = "ledger_daily"

func (t table) where() string {
	if t.name == ledgerTable {
		return "id BETWEEN ? AND ?"
	}
	return "org_id = ?"
}

// args returns the arguments for the condition that where returns.
func (t table) args(org store.OrgKey, side int64) []any {
	first, last, daily := org.CopiedRows(side)
	switch t.name {
	case ledgerTable:
		return []any{first, last}
	case dailyTable:
		return []any{daily}
	}
	return []any{org}
}
