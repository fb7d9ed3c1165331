package store

import (
	"context"
	"database/sql"
	"errors"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// The ledger holds two amounts of each transaction: US cents, and minor units of the organization's
// reporting currency, which are NULL where they are not known or the currency is the US dollar. A
// request adds up one of the two.

// usDollar is the reporting currency for which the second amount is not stored.
const usDollar = "USD"

// ErrOtherCurrency is returned for a request in a currency in which the organization does not
// report, or no longer reports.
var ErrOtherCurrency = errors.New("the organization reports in another currency")

// ReportingCurrency is the currency in which an organization reports.
type ReportingCurrency struct {
	Code   string // ISO 4217
	Chosen string // the owner's choice; "" if the currency follows from the oldest import
}

// ReportingCurrency returns the currency in which the organization reports.
func (s *Snapshot) ReportingCurrency(org OrgKey) (ReportingCurrency, error) {
	return readReportingCurrency(s.db, org)
}

// ReportingCurrency returns the currency in which the organization reports.
func (tx *Tx) ReportingCurrency(org OrgKey) (ReportingCurrency, error) {
	return readReportingCurrency(tx.db, org)
}

func readReportingCurrency(r database.Queryer, org OrgKey) (c ReportingCurrency, err error) {
	err = r.QueryRow("SELECT reporting_currency, coalesce(reporting_chosen, '') FROM organizations WHERE id = ?", org).
		Scan(&c.Code, &c.Chosen)
	if err != nil {
		err = notFound(err, "the reporting currency")
	}
	return c, err
}

// ForeignOrganization is an organization of which some accounts are not in the currency in which it
// reports.
type ForeignOrganization struct {
	Org      OrgKey
	PublicID string
}

// ForeignBooks returns the organizations whose own books have accounts in another currency than
// they report in, or cash that was stored by a version that does not know their currency.
func (s *Store) ForeignBooks(ctx context.Context) ([]ForeignOrganization, error) {
	rows, err := s.db.Reader.QueryContext(ctx, `SELECT o.id, o.public_id FROM organizations o
		WHERE EXISTS (SELECT 1 FROM book_accounts a WHERE a.org_id = o.id AND a.currency <> o.reporting_currency)
			OR o.reporting_currency <> 'USD' AND EXISTS
				(SELECT 1 FROM book_cash_shares c WHERE c.org_id = o.id AND c.reporting_available IS NULL)
		ORDER BY o.id`)
	return database.Collect(rows, err, "the organizations", func(row database.Row) (o ForeignOrganization, err error) {
		err = row.Scan(&o.Org, &o.PublicID)
		return o, err
	})
}

// SetReportingCurrency stores in which currency the organization reports. The transactions must be
// those of the currency already.
func (tx *Tx) SetReportingCurrency(org OrgKey, c ReportingCurrency) error {
	before, err := tx.ReportingCurrency(org)
	if err != nil || before == c {
		return err
	}
	tx.booksChanged(org)
	err = tx.execOne("UPDATE organizations SET reporting_currency = ?, reporting_chosen = nullif(?, '') WHERE id = ?",
		c.Code, c.Chosen, org)
	if err != nil || before.Code == c.Code {
		return err
	}
	// No summary and no page of the other currency may be used any more.
	return tx.rewriteRevision(org)
}

// CheckCurrency returns ErrOtherCurrency unless the organization reports in a currency, which is as
// in ledger.Filter. All organizations have amounts in US dollars.
func (s *Snapshot) CheckCurrency(org OrgKey, currency string) error {
	if currency == "" {
		return nil
	}
	c, err := s.ReportingCurrency(org)
	if err == nil && c.Code != currency {
		err = ErrOtherCurrency
	}
	return err
}

// textSumsMark is an SQL expression for organizations.text_sums_rewritten while the sums by pattern
// are right. Sums in the reporting currency have another mark than those in US dollars, so that
// neither are taken for the other, by no version.
func textSumsMark(inReporting bool) string {
	if inReporting {
		return "-1 - o.ledger_rewritten"
	}
	return "o.ledger_rewritten"
}

// rowColumns returns the SQL columns that readRows reads in one query.
func rowColumns(f ledger.Filter, packed bool) string {
	switch {
	case packed && f.Currency == "":
		return packedColumns
	case packed:
		return packedReporting
	case f.Currency == "":
		return transactionColumns
	}
	return reportingColumns
}

// reportingColumns are transactionColumns with the amount in the reporting currency.
const reportingColumns = transactionColumns + ", t.reporting_minor"

func scanReporting(row database.Row, t *ledger.Transaction, key *int64) error {
	var minor sql.NullInt64
	err := scanTransaction(rowWith{Row: row, after: []any{&minor}}, t, key)
	t.ReportingMinor, t.ReportingKnown = minor.Int64, minor.Valid
	return err
}

// reportingMinor returns a transaction's amount in the reporting currency as it is stored.
func reportingMinor(t *ledger.Transaction) sql.NullInt64 {
	return sql.NullInt64{Int64: t.ReportingMinor, Valid: t.ReportingKnown}
}

// reportingFlows are flowColumns in the reporting currency. A version that does not know it adds
// rows to n alone: they are unconverted.
const reportingFlows = `CAST(coalesce(sum(n), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN direction = 1 THEN reporting_minor ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN direction = 0 THEN reporting_minor ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(n - reporting_n), 0) AS BIGINT)`

// flowsIn returns SQL columns for the fields of a ledger.Summary from rows of ledger_daily, and an
// expression for the number of transactions without an amount.
func flowsIn(currency string) (columns, unconverted string) {
	if currency == "" {
		return flowColumns, "unconverted"
	}
	return reportingFlows, "n - reporting_n"
}

// reportingFacts are factColumns in the reporting currency.
var reportingFacts = [...]string{
	"count(x.id)",
	"sum(iif(x.facts & 2, x.reporting, 0))",
	"sum(iif(x.facts & 2, 0, x.reporting))",
	"sum(x.reporting IS NULL)",
	"min(x.id)",
	"max(x.id)",
}

// postgresReporting are postgresColumns in the reporting currency.
const postgresReporting = `count(*),
	CAST(coalesce(sum(CASE WHEN t.direction = 1 THEN t.reporting_minor ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN t.direction = 0 THEN t.reporting_minor ELSE 0 END), 0) AS BIGINT),
	count(*) FILTER (WHERE t.reporting_minor IS NULL), coalesce(min(t.id), 0), coalesce(max(t.id), 0)`
