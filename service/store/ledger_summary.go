package store

import (
	"database/sql"
	"errors"
	"fmt"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// Summary returns the totals of all transactions of the filter, or ledger.ErrOverflow if a sum
// does not fit.
func (s *Snapshot) Summary(org OrgKey, f ledger.Filter) (ledger.Summary, error) {
	sum, err := s.total(org, f)
	return sum.Summary, err
}

func (s *Snapshot) total(org OrgKey, f ledger.Filter) (total, error) {
	sum, _, err := s.cachedTotal(org, f)
	for err == nil && !sum.complete() {
		sum, err = s.extendTotal(org, f, sum)
	}
	return sum, err
}

// revision returns the ledger's revision, which grows whenever the ledger changes.
func (s *Snapshot) revision(org OrgKey) (revision int64, err error) {
	if err := s.db.QueryRow("SELECT ledger_revision FROM organizations WHERE id = ?", org).Scan(&revision); err != nil {
		return 0, notFound(err, "the ledger's revision")
	}
	return revision, nil
}

// dailySums are a total's columns over stored daily sums, with the first and the last day
// instead of keys. PostgreSQL's sums are cast back to 64 bits, so that the same sums
// overflow as on SQLite.
const dailySums = `CAST(coalesce(sum(n), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN direction = 1 THEN usd_cents ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN direction = 0 THEN usd_cents ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(unconverted), 0) AS BIGINT), coalesce(min(day), 0), coalesce(max(day), 0)`

// sumDays adds up a filter without a keyword: stored daily sums instead of rows.
func (s *Snapshot) sumDays(org OrgKey, f ledger.Filter) (total, error) {
	days := dayRangeOf(f.From, f.To)
	q := selectQuery{from: "ledger_daily"}
	q.where("org_id = ?", org)
	q.where("day BETWEEN ? AND ?", days.first, days.last)
	if f.Direction != nil {
		q.where("direction = ?", int64(*f.Direction))
	}
	sum, err := scanTotal(s.db.QueryRow(q.sql(dailySums), q.args...))
	sum.oldest, sum.newest = dayRange{sum.oldest, sum.newest}.keys(org)
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

// OperatingSummary returns the totals of one source between two days, inclusive, without
// internal transfers and financing.
func (s *Snapshot) OperatingSummary(org OrgKey, source ledger.Source, from, to civil.Date) (ledger.Summary, error) {
	days := dayRangeOf(from, to)
	sum, err := scanTotal(s.db.QueryRow("SELECT "+dailySums+` FROM ledger_daily
		WHERE org_id = ? AND day BETWEEN ? AND ? AND source = ? AND operating = 1`,
		org, days.first, days.last, int64(source)))
	return sum.Summary, err
}

// FirstDay returns the date of a source's oldest transaction, or no date if it has none.
func (s *Snapshot) FirstDay(org OrgKey, source ledger.Source) (civil.Date, error) {
	var day int64
	err := s.db.QueryRow("SELECT day FROM ledger_daily WHERE org_id = ? AND source = ? ORDER BY day LIMIT 1",
		org, int64(source)).Scan(&day)
	if errors.Is(err, sql.ErrNoRows) {
		return civil.Date{}, nil
	}
	if err != nil {
		return civil.Date{}, fmt.Errorf("reading a feed's first day: %w", err)
	}
	return dateOf(day), nil
}
