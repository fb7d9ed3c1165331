package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// trigram is the shortest keyword, in characters, that the search index knows.
const trigram = 3

// Page is a part of a listing, the newest rows first. Next is the place that
// the listing goes on from, nil on its last page. Revision is the ledger's that a
// page is of which comes with totals: as long as it stays, so does the page.
type Page struct {
	Rows     []ledger.Transaction
	Next     *ledger.Position
	Revision int64
}

const transactionColumns = `t.id, t.public_id, t.direction, t.source, t.amount_minor, t.amount_known, t.usd_cents, t.usd_known,
	t.has_receipt, t.currency, t.counterparty, t.category, t.logo_url, t.memo, t.method, t.reference`

// selection is the part of a query that a filter decides.
type selection struct {
	from  string
	where []string
	args  []any
}

func (q *selection) and(condition string, args ...any) {
	q.where = append(q.where, condition)
	q.args = append(q.args, args...)
}

func (q *selection) text(columns string) string {
	return "SELECT " + columns + " FROM " + q.from + " WHERE " + strings.Join(q.where, " AND ")
}

// indexed reports whether the filter's keyword is looked up in the search index.
func indexed(f ledger.Filter) bool { return utf8.RuneCountInString(f.Keyword) >= trigram }

// phrase is a keyword as the search index's query language writes one string:
// nothing in it has a meaning of its own.
func phrase(keyword string) string { return `"` + strings.ReplaceAll(keyword, `"`, `""`) + `"` }

// Transactions returns the rows of the filter that come after a place, or the
// first of them when after is nil.
func (s *Snapshot) Transactions(org OrgKey, f ledger.Filter, after *ledger.Position, limit int) (Page, error) {
	first, last := daysOf(f.From, f.To).keys(org)
	return s.transactions(f, false, before(org, after, last), first, limit, int64(limit)+1)
}

// Listing returns the rows of the filter that come after a place, or the first
// of them when after is nil, together with the totals of the whole filter. The
// totals say where the filter's rows lie: nothing is looked for beyond them.
func (s *Snapshot) Listing(org OrgKey, f ledger.Filter, after *ledger.Position, limit int) (Page, ledger.Summary, error) {
	sum, err := s.total(org, f)
	if err != nil {
		return Page{}, ledger.Summary{}, err
	}
	last := before(org, after, sum.newest)
	if sum.Count == 0 || last < sum.oldest {
		return Page{Rows: []ledger.Transaction{}, Revision: sum.revision}, sum.Summary, nil
	}
	frequent, err := s.frequent(org, f, sum)
	if err != nil {
		return Page{}, ledger.Summary{}, err
	}
	var page Page
	if s.db.Dialect == database.SQLite && indexed(f) {
		page, err = s.searched(org, f, sum, last, limit)
	} else {
		page, err = s.transactions(f, frequent, last, sum.oldest, limit, min(int64(limit)+1, sum.Count))
	}
	page.Revision = sum.revision
	return page, sum.Summary, err
}

// before returns the last key of a listing's part that comes after a place.
func before(org OrgKey, after *ledger.Position, last int64) int64 {
	if after == nil {
		return last
	}
	return min(last, rowKey(org, dayOf(after.Date), after.Seq)-1)
}

// transactions reads up to fetch rows from the key last back to the key first.
// Up to limit of them make the page. frequent is of PostgreSQL alone.
func (s *Snapshot) transactions(f ledger.Filter, frequent bool, last, first int64, limit int, fetch int64) (Page, error) {
	q := selection{}
	if s.db.Dialect == database.Postgres {
		q.fromWide(f, frequent, first, last)
		q.args = append(q.args, fetch)
		rows, err := s.db.Query(q.text(transactionColumns)+" ORDER BY t.id DESC LIMIT ?", q.args...)
		return readPage(rows, err, limit, scanTransaction)
	}
	key := ""
	// Rows of the wide table are only read where they are on the page.
	switch {
	case indexed(f) && f.Direction != nil:
		q.from, key = "transaction_search CROSS JOIN transaction_facts x ON x.id = transaction_search.rowid CROSS JOIN transactions t ON t.id = x.id", "transaction_search.rowid"
	case indexed(f):
		q.from, key = "transaction_search CROSS JOIN transactions t ON t.id = transaction_search.rowid", "transaction_search.rowid"
	case f.Direction != nil:
		q.from, key = "transaction_facts x CROSS JOIN transactions t ON t.id = x.id", "x.id"
	default:
		q.from, key = "transactions t", "t.id"
	}
	if indexed(f) {
		q.and("transaction_search MATCH ?", phrase(f.Keyword))
	}
	q.and(key+" BETWEEN ? AND ?", first, last)
	if f.Direction != nil {
		q.and("(x.facts >> 1 & 1) = ?", int64(*f.Direction))
	}
	if f.Keyword != "" && !indexed(f) {
		q.and("instr(t.search_text, ?) > 0", f.Keyword)
	}
	q.args = append(q.args, fetch)
	// A number that is given as it stands is planned with, so that the statement would
	// be prepared again each time.
	order := " ORDER BY " + key + " DESC LIMIT ? + 0"
	// Of one direction there may be few in many rows.
	if f.Keyword != "" || f.Direction != nil {
		return s.pageOf(q, order, limit, s.db.SlowQuery)
	}
	return s.pageOf(q, order, limit, s.db.Query)
}

// pageOf reads the rows of SQLite's wide table that are selected.
func (s *Snapshot) pageOf(q selection, order string, limit int, read func(string, ...any) (*sql.Rows, error)) (Page, error) {
	rows, err := read(q.text(packedColumns)+order, q.args...)
	page, err := readPage(rows, err, limit, scanPacked)
	if errors.Is(err, errNotPacked) {
		rows, err = read(q.text(transactionColumns)+order, q.args...)
		return readPage(rows, err, limit, scanTransaction)
	}
	return page, err
}

type scanRow func(row database.Row, t *ledger.Transaction, key *int64) error

func readPage(rows *sql.Rows, err error, limit int, scan scanRow) (page Page, failed error) {
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

// Transaction returns one row of the organization's ledger, or ErrNotFound.
func (s *Snapshot) Transaction(org OrgKey, publicID string) (ledger.Transaction, error) {
	bare, ok := strings.CutPrefix(publicID, ids.Transaction)
	if !ok {
		return ledger.Transaction{}, ErrNotFound
	}
	var t ledger.Transaction
	var key int64
	first, last := daysOf(civil.Date{}, civil.Date{}).keys(org)
	row := s.db.QueryRow("SELECT "+transactionColumns+" FROM transactions t WHERE t.public_id = ? AND t.id BETWEEN ? AND ?", bare, first, last)
	if err := scanTransaction(row, &t, &key); err != nil {
		return ledger.Transaction{}, notFound(err, "the transaction")
	}
	return t, nil
}

func scanTransaction(row database.Row, t *ledger.Transaction, key *int64) error {
	err := row.Scan(key, &t.ID, &t.Direction, &t.Source, &t.AmountMinor, &t.AmountKnown, &t.USDCents, &t.USDKnown,
		&t.HasReceipt, &t.Currency, &t.Counterparty, &t.Category, &t.LogoURL, &t.Memo, &t.Method, &t.Reference)
	t.ID = ids.Transaction + t.ID
	t.Date = dateOf(*key >> sequenceBits & maxDay)
	return err
}

// Summary totals all rows of the filter. It returns ledger.ErrOverflow when a
// sum does not fit.
func (s *Snapshot) Summary(org OrgKey, f ledger.Filter) (ledger.Summary, error) {
	sum, err := s.total(org, f)
	return sum.Summary, err
}

func (s *Snapshot) total(org OrgKey, f ledger.Filter) (total, error) {
	sum, _, err := s.known(org, f)
	for err == nil && !sum.whole() {
		sum, err = s.further(org, f, sum)
	}
	return sum, err
}

func (s *Snapshot) revision(org OrgKey) (revision int64, err error) {
	if err := s.db.QueryRow("SELECT ledger_revision FROM organizations WHERE id = ?", org).Scan(&revision); err != nil {
		return 0, notFound(err, "the ledger's revision")
	}
	return revision, nil
}

// dailySums are a total's columns over days, with the days that have rows. A sum
// is cast because PostgreSQL's would be of another type; it does not fit there where
// SQLite's does not.
const dailySums = `CAST(coalesce(sum(n), 0) AS BIGINT), CAST(coalesce(sum(CASE WHEN direction = 1 THEN usd_cents ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN direction = 0 THEN usd_cents ELSE 0 END), 0) AS BIGINT), CAST(coalesce(sum(unconverted), 0) AS BIGINT),
	coalesce(min(day), 0), coalesce(max(day), 0)`

// dailyTotal adds up days instead of rows.
func (s *Snapshot) dailyTotal(org OrgKey, f ledger.Filter) (total, error) {
	span := daysOf(f.From, f.To)
	q := selection{from: "ledger_daily"}
	q.and("org_id = ?", org)
	q.and("day BETWEEN ? AND ?", span.first, span.last)
	if f.Direction != nil {
		q.and("direction = ?", int64(*f.Direction))
	}
	sum, err := scanTotal(s.db.QueryRow(q.text(dailySums), q.args...))
	sum.oldest, sum.newest = days{sum.oldest, sum.newest}.keys(org)
	return sum, err
}

func scanTotal(row database.Row) (sum total, err error) {
	err = row.Scan(&sum.Count, &sum.InflowUSD, &sum.OutflowUSD, &sum.Unconverted, &sum.oldest, &sum.newest)
	if database.IsOverflow(err) {
		return total{}, ledger.ErrOverflow
	}
	if err != nil {
		return total{}, fmt.Errorf("adding up the transactions: %w", err)
	}
	return sum, nil
}

// OperatingSummary totals the rows of one feed between two days, inclusive,
// without internal transfers and financing.
func (s *Snapshot) OperatingSummary(org OrgKey, source ledger.Source, from, to civil.Date) (ledger.Summary, error) {
	span := daysOf(from, to)
	sum, err := scanTotal(s.db.QueryRow("SELECT "+dailySums+` FROM ledger_daily
		WHERE org_id = ? AND day BETWEEN ? AND ? AND source = ? AND operating = 1`,
		org, span.first, span.last, int64(source)))
	return sum.Summary, err
}

// FirstDay returns the day of a feed's oldest row, no date when it has none.
func (s *Snapshot) FirstDay(org OrgKey, source ledger.Source) (civil.Date, error) {
	var day int64
	err := s.db.QueryRow("SELECT day FROM ledger_daily WHERE org_id = ? AND source = ? ORDER BY day LIMIT 1", org, int64(source)).Scan(&day)
	if errors.Is(err, sql.ErrNoRows) {
		return civil.Date{}, nil
	}
	if err != nil {
		return civil.Date{}, fmt.Errorf("reading a feed's first day: %w", err)
	}
	return dateOf(day), nil
}
