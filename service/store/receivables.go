package store

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/receivables"
	"tarmac/service/store/database"
)

// OpenItems returns the organization's open receivables in US dollars: the outstanding amounts of
// its invoices, and the open items that were imported from accounting systems.
func (s *Snapshot) OpenItems(org OrgKey) ([]receivables.OpenItem, error) {
	rows, err := s.db.Query(`SELECT 0, recipient_email, recipient_name, total_cents - paid_cents, total_cents - paid_cents,
				CASE WHEN currency = 'USD' THEN 1 ELSE 0 END, due_day
			FROM invoices WHERE org_id = ? AND status IN ('sent', 'overdue') AND total_cents > paid_cents
		UNION ALL
		SELECT 1, customer_key, customer_name, open_minor, usd_cents, usd_known, due_day
			FROM imported_receivables WHERE org_id = ? AND open_minor > 0`, org, org)
	return database.Collect(rows, err, "the receivables", func(row database.Row) (receivables.OpenItem, error) {
		var o receivables.OpenItem
		var imported bool
		var due sql.NullInt64
		err := row.Scan(&imported, &o.CustomerKey, &o.CustomerName, &o.OpenMinor, &o.Cents, &o.Known, &due)
		if err != nil {
			return o, err
		}
		o.Due = dateOrZero(due)
		if imported {
			o.CustomerKey = receivables.ImportedCustomer(o.CustomerKey)
		} else {
			o.CustomerKey = receivables.InvoicedCustomer(o.CustomerKey)
		}
		if !o.Known {
			o.Cents = 0
		}
		return o, nil
	})
}

// ImportedItems returns at most limit invoices that were imported from accounting systems: the open
// ones in the order of their due days, then the paid ones, the latest first.
func (s *Snapshot) ImportedItems(org OrgKey, limit int) ([]receivables.ImportedItem, error) {
	rows, err := s.db.Query(selectImported+` WHERE org_id = ? AND (open_minor > 0 OR paid_day IS NOT NULL)
			ORDER BY COALESCE(paid_day, 1000000) DESC, COALESCE(due_day, 1000000), id LIMIT ?`, org, limit)
	return database.Collect(rows, err, "the imported invoices", func(row database.Row) (receivables.ImportedItem, error) {
		_, i, err := scanImported(row)
		return i, err
	})
}

const selectImported = `SELECT id, number, customer_key, customer_name, currency, open_minor, usd_cents, usd_known,
	issued_day, due_day, paid_day, reporting_minor FROM imported_receivables`

// scanImported reads a row of selectImported.
func scanImported(row database.Row) (id int64, i receivables.ImportedItem, err error) {
	var issued, due, paid, reporting sql.NullInt64
	err = row.Scan(&id, &i.Number, &i.CustomerKey, &i.CustomerName, &i.Currency, &i.OpenMinor, &i.USDCents, &i.USDKnown,
		&issued, &due, &paid, &reporting)
	i.ReportingMinor, i.ReportingKnown = reporting.Int64, reporting.Valid
	i.Issued, i.Due, i.Paid = dateOrZero(issued), dateOrZero(due), dateOrZero(paid)
	return id, i, err
}

// ReportedItems is OpenItems in the currency in which the organization reports. Its own invoices
// are converted by the newest rate of today or the days before it (bookrules.Convert).
func (s *Snapshot) ReportedItems(org OrgKey, currency string, today civil.Date) ([]receivables.OpenItem, error) {
	if err := s.CheckCurrency(org, currency); err != nil {
		return nil, err
	}
	day, rates := bookrules.DayOf(today), bookrules.Rates{}
	var err error
	rates[currency], err = s.BookRates(org, currency, bookrules.Span{First: day - bookrules.MaxRateAge, Last: day})
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(`SELECT 0, recipient_email, recipient_name, total_cents - paid_cents, currency, NULL, due_day
			FROM invoices WHERE org_id = ? AND status IN ('sent', 'overdue') AND total_cents > paid_cents
		UNION ALL
		SELECT 1, customer_key, customer_name, open_minor, currency, reporting_minor, due_day
			FROM imported_receivables WHERE org_id = ? AND open_minor > 0`, org, org)
	return database.Collect(rows, err, "the receivables", func(row database.Row) (o receivables.OpenItem, err error) {
		var imported bool
		var from string
		var minor, due sql.NullInt64
		err = row.Scan(&imported, &o.CustomerKey, &o.CustomerName, &o.OpenMinor, &from, &minor, &due)
		o.Due = dateOrZero(due)
		if imported {
			o.CustomerKey = receivables.ImportedCustomer(o.CustomerKey)
			o.Cents, o.Known = minor.Int64, minor.Valid
			return o, err
		}
		o.CustomerKey = receivables.InvoicedCustomer(o.CustomerKey)
		if o.Cents, o.Known = bookrules.Convert(o.OpenMinor, from, currency, day, rates); !o.Known {
			o.Cents = 0
		}
		return o, err
	})
}

// InsertReceivables adds open items that were imported from an accounting system.
func (tx *Tx) InsertReceivables(org OrgKey, items ...receivables.ImportedItem) error {
	return tx.insertReceivables(org, slices.Values(items), 0)
}

// insertReceivables adds items except the first ones, whose number is skipped.
func (tx *Tx) insertReceivables(org OrgKey, items iter.Seq[receivables.ImportedItem], skipped int) error {
	batch := tx.db.NewBatch("imported_receivables", "org_id", "customer_key", "customer_name", "currency", "open_minor",
		"usd_cents", "usd_known", "due_day", "number", "issued_day", "paid_day", "reporting_minor")
	for item := range items {
		if skipped--; skipped >= 0 {
			continue
		}
		if err := addReceivable(batch, org, &item); err != nil {
			return fmt.Errorf("adding the receivable of %q: %w", item.CustomerName, err)
		}
	}
	if err := batch.Flush(); err != nil {
		return fmt.Errorf("adding receivables: %w", err)
	}
	return nil
}

func addReceivable(batch *database.Batch, org OrgKey, r *receivables.ImportedItem) error {
	if r.OpenMinor < 0 || r.USDCents < 0 || !r.USDKnown && r.USDCents != 0 ||
		r.ReportingMinor < 0 || !r.ReportingKnown && r.ReportingMinor != 0 {
		return errors.New("it breaks the rules of amounts")
	}
	return batch.Add(org, r.CustomerKey, r.CustomerName, r.Currency, r.OpenMinor,
		r.USDCents, bit(r.USDKnown), nullDay(r.Due),
		r.Number, nullDay(r.Issued), nullDay(r.Paid), sql.NullInt64{Int64: r.ReportingMinor, Valid: r.ReportingKnown})
}

// ReplaceReceivables replaces all open items that were imported from accounting systems. It doesn't
// write the first ones again that are the same as the stored ones: most imports change none.
func (tx *Tx) ReplaceReceivables(org OrgKey, items iter.Seq[receivables.ImportedItem]) error {
	same, rest, err := tx.sameReceivables(org, items)
	if err != nil {
		return err
	}
	if _, err := tx.db.Exec("DELETE FROM imported_receivables WHERE org_id = ? AND id >= ?", org, rest); err != nil {
		return fmt.Errorf("removing the receivables: %w", err)
	}
	return tx.insertReceivables(org, items, same)
}

// sameReceivables returns how many of the first items are the same as the stored ones, and the id
// of the first stored one that differs.
func (tx *Tx) sameReceivables(
	org OrgKey, items iter.Seq[receivables.ImportedItem],
) (same int, differs int64, err error) {
	next, stop := iter.Pull(items)
	defer stop()
	differs = math.MaxInt64
	rows, err := tx.db.Query(selectImported+" WHERE org_id = ? ORDER BY id", org)
	err = database.Each(rows, err, "the receivables", func(row database.Row) error {
		if differs < math.MaxInt64 {
			return nil
		}
		id, stored, err := scanImported(row)
		if item, more := next(); more && item == stored {
			same++
		} else {
			differs = id
		}
		return err
	})
	return same, differs, err
}
