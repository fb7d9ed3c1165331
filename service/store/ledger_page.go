package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// trigram is the smallest number of characters in a keyword for which the search index is used.
const trigram = 3

// Page is a page of transactions, newest first.
type Page struct {
	Rows []ledger.Transaction
	// Next is the position of the last row, after which the next page starts. It is nil on the
	// last page.
	Next *ledger.Position
	// Revision is the ledger's revision, which increases with every change of the ledger. Only
	// Listing sets it.
	Revision int64
}

const transactionColumns = `t.id, t.public_id, t.direction, t.source, t.amount_minor, t.amount_known, t.usd_cents,
	t.usd_known, t.has_receipt, t.currency, t.counterparty, t.category, t.logo_url, t.memo, t.method, t.reference`

// selectQuery is a SELECT statement without its list of columns and its ORDER BY clause.
type selectQuery struct {
	from       string
	conditions []string
	args       []any
}

func (q *selectQuery) where(condition string, args ...any) {
	q.conditions = append(q.conditions, condition)
	q.args = append(q.args, args...)
}

func (q *selectQuery) sql(columns string) string {
	return "SELECT " + columns + " FROM " + q.from + " WHERE " + strings.Join(q.conditions, " AND ")
}

// usesIndex reports whether the filter's keyword is long enough for the search index.
func usesIndex(f ledger.Filter) bool { return utf8.RuneCountInString(f.Keyword) >= trigram }

// phrase quotes a keyword for the search index's query language, in which unquoted characters can
// have a special meaning.
func phrase(keyword string) string { return `"` + strings.ReplaceAll(keyword, `"`, `""`) + `"` }

// Transactions returns a page of at most limit transactions that match the filter f. The page
// starts after position, or with the newest transaction if position is nil.
func (s *Snapshot) Transactions(org OrgKey, f ledger.Filter, position *ledger.Position, limit int) (Page, error) {
	l, err := s.ledger(org)
	if err != nil {
		return Page{}, err
	}
	first, last := dayRangeOf(f.From, f.To).keys(l)
	return s.readRows(selectQuery{}, f, false, keyAfter(l, position, last), first, limit, int64(limit)+1)
}

// Listing returns a page like Transactions, and the summary of all transactions that match the
// filter. The summary also gives the smallest and the greatest matching key, which bound the rows
// that are read for the page.
func (s *Snapshot) Listing(
	org OrgKey, f ledger.Filter, after *ledger.Position, limit int,
) (Page, ledger.Summary, error) {
	summary, err := s.summarize(org, f)
	if err != nil {
		return Page{}, ledger.Summary{}, err
	}
	last := keyAfter(ledgerOfKey(summary.newest), after, summary.newest)
	if summary.Count == 0 || last < summary.oldest {
		return Page{Rows: []ledger.Transaction{}, Revision: summary.revision}, summary.Summary, nil
	}
	frequent, err := s.isFrequent(org, f, summary)
	if err != nil {
		return Page{}, ledger.Summary{}, err
	}
	var page Page
	if s.db.Dialect == database.SQLite && usesIndex(f) {
		page, err = s.searchPage(org, f, summary, last, limit)
	} else {
		page, err = s.readRows(selectQuery{}, f, frequent, last, summary.oldest, limit, min(int64(limit)+1, summary.Count))
	}
	page.Revision = summary.revision
	return page, summary.Summary, err
}

// keyAfter returns the greatest key on the page that starts after position, but at most maxKey.
// Pages are in descending order of keys.
func keyAfter(l ledgerKey, position *ledger.Position, maxKey int64) int64 {
	if position == nil {
		return maxKey
	}
	return min(maxKey, rowKey(l, dayOf(position.Date), position.Seq)-1)
}

// readRows reads up to fetch rows that match the conditions of q and the filter, from highKey down
// to lowKey. The page gets at most limit of them. frequent is the result of isFrequent, and matters
// on PostgreSQL only.
func (s *Snapshot) readRows(
	q selectQuery, f ledger.Filter, frequent bool, highKey, lowKey int64, limit int, fetch int64,
) (Page, error) {
	if s.db.Dialect == database.Postgres {
		q.selectPostgres(f, frequent, lowKey, highKey)
		q.args = append(q.args, fetch)
		rows, err := s.db.Query(q.sql(rowColumns(f, false))+" ORDER BY t.id DESC LIMIT ?", q.args...)
		return readPage(rows, err, limit, scanRow(f))
	}
	// The table transactions has long rows. It is joined last, so that only the rows of the page
	// are read from it.
	key := ""
	switch {
	case usesIndex(f) && f.Direction != nil:
		q.from = "transaction_search CROSS JOIN transaction_facts x ON x.id = transaction_search.rowid" +
			" CROSS JOIN transactions t ON t.id = x.id"
		key = "transaction_search.rowid"
	case usesIndex(f):
		q.from = "transaction_search CROSS JOIN transactions t ON t.id = transaction_search.rowid"
		key = "transaction_search.rowid"
	case f.Direction != nil:
		q.from, key = "transaction_facts x CROSS JOIN transactions t ON t.id = x.id", "x.id"
	default:
		q.from, key = "transactions t", "t.id"
	}
	if usesIndex(f) {
		q.where("transaction_search MATCH ?", phrase(f.Keyword))
	}
	q.where(key+" BETWEEN ? AND ?", lowKey, highKey)
	if f.Direction != nil {
		q.where("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	}
	if f.Keyword != "" && !usesIndex(f) {
		q.where("instr(t.search_text, ?) > 0", f.Keyword)
	}
	q.args = append(q.args, fetch)
	// Without "+ 0", SQLite would prepare the statement again for each different limit.
	order := " ORDER BY " + key + " DESC LIMIT ? + 0"
	// There may be many other rows between two matching ones, so the query must be interruptible.
	if f.Keyword != "" || f.Direction != nil {
		return s.readPacked(q, f, order, limit, s.db.SlowQuery)
	}
	return s.readPacked(q, f, order, limit, s.db.Query)
}

// readPacked reads a page on SQLite. q must give the table transactions the alias t. Each row is
// read as one text (packedColumns). If a row cannot be packed, all rows are read column by column
// instead.
func (s *Snapshot) readPacked(
	q selectQuery, f ledger.Filter, order string, limit int, query func(string, ...any) (*sql.Rows, error),
) (Page, error) {
	rows, err := query(q.sql(rowColumns(f, true))+order, q.args...)
	page, err := readPage(rows, err, limit, scanPacked(f))
	if errors.Is(err, errNotPacked) {
		rows, err = query(q.sql(rowColumns(f, false))+order, q.args...)
		return readPage(rows, err, limit, scanRow(f))
	}
	return page, err
}

// scanRow returns the function that scans the columns of rowColumns.
func scanRow(f ledger.Filter) scanFunc {
	if f.Currency == "" {
		return scanTransaction
	}
	return scanReporting
}

type scanFunc func(row database.Row, t *ledger.Transaction, key *int64) error

// readPage reads a page of up to limit rows. If rows has one more row, it sets page.Next.
func readPage(rows *sql.Rows, err error, limit int, scan scanFunc) (page Page, failed error) {
	if err != nil {
		return Page{}, fmt.Errorf("reading the transactions: %w", err)
	}
	defer func() { failed = errors.Join(failed, rows.Close()) }()
	page.Rows = make([]ledger.Transaction, 0, min(limit, 256))
	var key, last int64
	for rows.Next() {
		if len(page.Rows) == limit {
			next := positionOf(last)
			page.Next = &next
			return page, nil
		}
		page.Rows = append(page.Rows, ledger.Transaction{})
		if err := scan(rows, &page.Rows[len(page.Rows)-1], &key); err != nil {
			return Page{}, fmt.Errorf("reading the transactions: %w", err)
		}
		last = key
	}
	if err := rows.Err(); err != nil {
		return Page{}, fmt.Errorf("reading the transactions: %w", err)
	}
	return page, nil
}

// Transaction returns one of the organization's transactions, or ErrNotFound.
func (s *Snapshot) Transaction(org OrgKey, publicID string) (ledger.Transaction, error) {
	bare, ok := strings.CutPrefix(publicID, ids.Transaction)
	if !ok {
		return ledger.Transaction{}, ErrNotFound
	}
	var t ledger.Transaction
	var key int64
	l, err := s.ledger(org)
	if err != nil {
		return ledger.Transaction{}, err
	}
	first, last := l.rows()
	query := "SELECT " + reportingColumns + " FROM transactions t WHERE t.public_id = ? AND t.id BETWEEN ? AND ?"
	row := s.db.QueryRow(query, l.storedID(s.db.Dialect, bare), first, last)
	if err := scanReporting(row, &t, &key); err != nil {
		return ledger.Transaction{}, notFound(err, "the transaction")
	}
	return t, nil
}

func scanTransaction(row database.Row, t *ledger.Transaction, key *int64) error {
	err := row.Scan(key, &t.ID, &t.Direction, &t.Source, &t.AmountMinor, &t.AmountKnown, &t.USDCents, &t.USDKnown,
		&t.HasReceipt, &t.Currency, &t.Counterparty, &t.Category, &t.LogoURL, &t.Memo, &t.Method, &t.Reference)
	t.ID = ids.Transaction + bareID(t.ID)
	day, _ := splitKey(*key)
	t.Date = dateOf(day)
	return err
}
