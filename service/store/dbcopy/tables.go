package dbcopy

import "tarmac/service/store"

// table is a table whose rows of an organization are copied, with all its columns.
type table struct {
	name   string
	order  string // of the rows, on both sides
	ownKey bool   // rows have an internal key, which the target assigns anew in this order
}

// tables are the tables to copy, each after those that it refers to.
var tables = [...]table{
	{name: "accounts", order: "org_id"},
	{name: "tokens", order: "id", ownKey: true},
	{name: "linked_accounts", order: "id", ownKey: true},
	{name: "imported_receivables", order: "id", ownKey: true},
	{name: ledgerTable, order: "id"},
	{name: "ledger_daily", order: "day, direction, source, operating"},
	{name: "invoices", order: "id", ownKey: true},
	{name: "payment_intents", order: "id", ownKey: true},
	{name: "events", order: "sequence"},
	{name: "idempotency_keys", order: "created_at, invoice_id"},
	{name: "webhook_endpoints", order: "id", ownKey: true},
	{name: "webhook_deliveries", order: "id", ownKey: true},
}

// notCopied is the other tables, and why their rows are not copied.
var notCopied = map[string]string{
	"organizations":             "its row is written first, with a new key",
	"server_keys":               "of the database, not of an organization; ServerKeys says which are copied",
	"goose_db_version":          "the schema's version",
	"sqlite_sequence":           "the keys that SQLite has assigned",
	"allowances":                "what tokens have used of their rate in the last minute",
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

// ledgerTable has its organization in the rows' key.
const ledgerTable = "transactions"

func (t table) where() string {
	if t.name == ledgerTable {
		return "id BETWEEN ? AND ?"
	}
	return "org_id = ?"
}

// args returns the arguments of where.
func (t table) args(org store.OrgKey) []any {
	if t.name == ledgerTable {
		first, last := org.RowRange()
		return []any{first, last}
	}
	return []any{org}
}
