package store

import (
	"encoding/binary"
	"fmt"
	"hash"
)

// copiedTable is a table of which an organization's rows are copied.
type copiedTable struct {
	name  string
	order string // which the copy has too
	// own is set where rows have a key of the database's own: the copy's are new,
	// in the same order.
	own bool
}

// copied are in an order that references allow. Their columns are those that the
// tables have.
var copied = [...]copiedTable{
	{name: "accounts", order: "org_id"},
	{name: "tokens", order: "id", own: true},
	{name: "linked_accounts", order: "id", own: true},
	{name: "imported_receivables", order: "id", own: true},
	{name: "transactions", order: "id"},
	{name: "ledger_daily", order: "day, direction, source, operating"},
	{name: "invoices", order: "id", own: true},
	{name: "payment_intents", order: "id", own: true},
	{name: "events", order: "sequence"},
	{name: "idempotency_keys", order: "created_at, invoice_id"},
	{name: "webhook_endpoints", order: "id", own: true},
	{name: "webhook_deliveries", order: "id", own: true},
}

// leftBehind are the other tables, and why their rows are not copied.
var leftBehind = map[string]string{
	"organizations":             "its row is written first, with a key of the copy's own",
	"server_keys":               "of the database, not of an organization; one is carried into an empty one",
	"goose_db_version":          "of the schema",
	"sqlite_sequence":           "the keys that SQLite has given out",
	"allowances":                "what tokens have used of their rate in the last minute",
	"transaction_facts":         "written with each transaction",
	"transaction_search":        "written with each transaction",
	"transaction_search_config": "of the search index",
	"transaction_search_data":   "of the search index",
	"transaction_search_idx":    "of the search index",
}

func copiedNames() (names []string) {
	for _, t := range copied {
		names = append(names, t.name)
	}
	return names
}

const ledgerTable = "transactions"

func (t copiedTable) where() string {
	if t.name == ledgerTable {
		return "id BETWEEN ? AND ?"
	}
	return "org_id = ?"
}

// of returns what where asks for.
func (t copiedTable) of(org OrgKey) []any {
	if t.name == ledgerTable {
		first, last := days{0, maxDay}.keys(org)
		return []any{first, last}
	}
	return []any{org}
}

// digest adds up rows, each value with its kind and length, so that equal sums are
// of equal rows in the same order.
type digest struct {
	hash.Hash
	row []byte
}

func (d *digest) add(values []any) error {
	d.row = d.row[:0]
	for _, value := range values {
		switch v := value.(type) {
		case nil:
			d.row = append(d.row, 0)
		case int64:
			d.row = binary.BigEndian.AppendUint64(append(d.row, 1), uint64(v))
		case string:
			d.row = append(binary.BigEndian.AppendUint64(append(d.row, 2), uint64(len(v))), v...)
		case []byte:
			d.row = append(binary.BigEndian.AppendUint64(append(d.row, 3), uint64(len(v))), v...)
		default:
			return fmt.Errorf("a column has values of a kind that is not known, %T", value)
		}
	}
	_, err := d.Write(d.row)
	return err
}
