package store

import (
	"database/sql"
	"fmt"

	"tarmac/service/payables"
	"tarmac/service/statements/bank"
	"tarmac/service/store/database"
)

// Bills returns bills of the organization: at most mostOpen to pay in the order of their due days,
// then at most mostPaid paid ones, the latest first.
func (s *Snapshot) Bills(org OrgKey, mostOpen, mostPaid int) ([]payables.Bill, error) {
	open, err := s.billsWhere("state <> 'paid' ORDER BY COALESCE(due_day, 0), id", org, mostOpen)
	if err != nil {
		return nil, err
	}
	paid, err := s.billsWhere("state = 'paid' ORDER BY COALESCE(-paid_day, 0), id", org, mostPaid)
	return append(open, paid...), err
}

func (s *Snapshot) billsWhere(condition string, org OrgKey, limit int) ([]payables.Bill, error) {
	rows, err := s.db.Query(`SELECT number, vendor, currency, open_minor, usd_cents, reporting_minor, issued_day, due_day,
				paid_day, paid_by, state, may_be_paid, source
			FROM imported_bills WHERE org_id = ? AND `+condition+" LIMIT ?", org, limit)
	return database.Collect(rows, err, "the bills", func(row database.Row) (b payables.Bill, err error) {
		var usd, reporting, issued, due, paid sql.NullInt64
		err = row.Scan(&b.Number, &b.Vendor, &b.Currency, &b.OpenMinor, &usd, &reporting, &issued, &due, &paid, &b.PaidBy,
			&b.State, &b.MayBePaid, &b.Source)
		b.USDCents, b.ReportingMinor = intOrNil(usd), intOrNil(reporting)
		b.Issued, b.Due, b.Paid = dateOrZero(issued), dateOrZero(due), dateOrZero(paid)
		return b, err
	})
}

// CountOpenBills returns the number of bills to pay, with disputed ones.
func (s *Snapshot) CountOpenBills(org OrgKey) (n int64, err error) {
	err = s.db.QueryRow("SELECT COUNT(*) FROM imported_bills WHERE org_id = ? AND state <> 'paid'", org).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("counting the bills: %w", err)
	}
	return n, nil
}

func intOrNil(n sql.NullInt64) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}

// KnowsBills reports whether the organization has bills, or has imported a list of bills or an
// electronic invoice. Otherwise it is not known what is to be paid.
func (s *Snapshot) KnowsBills(org OrgKey) (has bool, err error) {
	err = s.db.QueryRow(`SELECT EXISTS (SELECT 1 FROM imported_bills WHERE org_id = ?)
		OR EXISTS (SELECT 1 FROM book_open_lists l JOIN book_files f ON f.id = l.file_id
			WHERE l.org_id = ? AND l.side = ?`+s.view.seen("f")+")", org, org, bank.Payable).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("reading the lists of bills: %w", err)
	}
	return has, nil
}

// ReplaceBills replaces the bills of the organization.
func (tx *Tx) ReplaceBills(org OrgKey, bills []payables.Bill) error {
	if _, err := tx.db.Exec("DELETE FROM imported_bills WHERE org_id = ?", org); err != nil {
		return fmt.Errorf("removing the bills: %w", err)
	}
	batch := tx.db.NewBatch("imported_bills", "org_id", "number", "vendor", "currency", "open_minor", "usd_cents",
		"reporting_minor", "issued_day", "due_day", "paid_day", "paid_by", "state", "may_be_paid", "source")
	for _, b := range bills {
		err := batch.Add(
			org, b.Number, b.Vendor, b.Currency, b.OpenMinor, b.USDCents, b.ReportingMinor, nullDay(b.Issued), nullDay(b.Due),
			nullDay(b.Paid), b.PaidBy, b.State, bit(b.MayBePaid), b.Source)
		if err != nil {
			return fmt.Errorf("adding the bill %s: %w", b.Number, err)
		}
	}
	if err := batch.Flush(); err != nil {
		return fmt.Errorf("adding bills: %w", err)
	}
	return nil
}
