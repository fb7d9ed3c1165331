package store

import (
	"database/sql"
	"errors"
	"fmt"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// Summary returns the summary of all transactions that match the filter f. The error is
// ledger.ErrOverflow if a sum overflows 64 bits.
func (s *Snapshot) Summary(org OrgKey, f ledger.Filter) (ledger.Summary, error) {
	summary, err := s.summarize(org, f)
	return summary.Summary, err
}

func (s *Snapshot) summarize(org OrgKey, f ledger.Filter) (partialSummary, error) {
	summary, _, err := s.cachedSummary(org, f)
	for err == nil && !summary.complete() {
		summary, err = s.extendSummary(org, f, summary)
	}
	return summary, err
}

// revision returns the revision of the organization's ledger, which increases whenever the ledger
// changes.
func (s *Snapshot) revision(org OrgKey) (revision int64, err error) {
	side := int64(0)
	row := s.db.QueryRow("SELECT ledger_revision, ledger_side FROM organizations WHERE id = ?", org)
	if err := row.Scan(&revision, &side); err != nil {
		return 0, notFound(err, "the ledger's revision")
	}
	s.known = knownLedger{org, org.ledger(side)}
	return revision, nil
}

// dailyColumns follow the columns of flowsIn in a query for the fields of a partialSummary from
// rows of ledger_daily. They give the first and the last day instead of the smallest and the
// greatest key.
const dailyColumns = `, coalesce(min(day), 0), coalesce(max(day), 0)`

// flowColumns computes the fields of a ledger.Summary in US dollars from rows of ledger_daily.
// PostgreSQL's sums are cast to 64 bits, so that they overflow as on SQLite.
const flowColumns = `CAST(coalesce(sum(n), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN direction = 1 THEN usd_cents ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN direction = 0 THEN usd_cents ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(unconverted), 0) AS BIGINT)`

// summarizeDays computes the summary of a filter without a keyword from the stored daily sums.
func (s *Snapshot) summarizeDays(org OrgKey, f ledger.Filter) (partialSummary, error) {
	l, err := s.ledger(org)
	if err != nil {
		return partialSummary{}, err
	}
	days := dayRangeOf(f.From, f.To)
	q := selectQuery{from: "ledger_daily"}
	q.where("org_id = ?", l)
	q.where("day BETWEEN ? AND ?", days.first, days.last)
	if f.Direction != nil {
		q.where("direction = ?", int64(*f.Direction))
	}
	flows, _ := flowsIn(f.Currency)
	summary, err := scanSummary(s.db.QueryRow(q.sql(flows+dailyColumns), q.args...))
	summary.oldest, summary.newest = dayRange{summary.oldest, summary.newest}.keys(l)
	return summary, err
}

func scanSummary(row database.Row) (summary partialSummary, err error) {
	err = row.Scan(
		&summary.Count, &summary.Inflow, &summary.Outflow, &summary.Unconverted, &summary.oldest, &summary.newest,
	)
	if err != nil {
		return partialSummary{}, summaryError(err)
	}
	return summary, nil
}

// summaryError returns the error of a query that adds up transactions.
func summaryError(err error) error {
	switch {
	case err == nil:
		return nil
	case database.IsOverflow(err):
		return ledger.ErrOverflow
	}
	return fmt.Errorf("adding up the transactions: %w", err)
}

// OperatingSummary is the summary of transactions without internal transfers and financing.
type OperatingSummary struct {
	ledger.Summary
	UnconvertedOut int64 // the part of Unconverted that is money out
}

// OperatingSummary returns the summary of a source's transactions from firstDate to lastDate,
// including both, without internal transfers and financing. The currency is as in ledger.Filter.
func (s *Snapshot) OperatingSummary(
	org OrgKey, source ledger.Source, firstDate, lastDate civil.Date, currency string,
) (sum OperatingSummary, err error) {
	l, err := s.ledger(org)
	if err != nil {
		return sum, err
	}
	days := dayRangeOf(firstDate, lastDate)
	flows, unconverted := flowsIn(currency)
	err = s.db.QueryRow("SELECT "+flows+`,
		CAST(coalesce(sum(CASE WHEN direction = 0 THEN `+unconverted+` ELSE 0 END), 0) AS BIGINT) FROM ledger_daily
		WHERE org_id = ? AND day BETWEEN ? AND ? AND source = ? AND operating = 1`,
		l, days.first, days.last, int64(source)).
		Scan(&sum.Count, &sum.Inflow, &sum.Outflow, &sum.Unconverted, &sum.UnconvertedOut)
	return sum, summaryError(err)
}

// FirstDay returns the date of the oldest transaction of a source, or the zero date if there is
// none.
func (s *Snapshot) FirstDay(org OrgKey, source ledger.Source) (civil.Date, error) {
	l, err := s.ledger(org)
	if err != nil {
		return civil.Date{}, err
	}
	var day int64
	err = s.db.QueryRow("SELECT day FROM ledger_daily WHERE org_id = ? AND source = ? ORDER BY day LIMIT 1",
		l, int64(source)).Scan(&day)
	if errors.Is(err, sql.ErrNoRows) {
		return civil.Date{}, nil
	}
	if err != nil {
		return civil.Date{}, fmt.Errorf("reading a feed's first day: %w", err)
	}
	return dateOf(day), nil
}
