package store

import (
	"encoding/json"
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store/database"
)

// BookCash says how complete the cash of own books is, in one currency.
type BookCash struct {
	Note    string // sentences about exchange rates and accounts that are left out
	Unknown string // why the cash is not known; "" if it is known
}

// SetBookCash stores how complete the cash of own books is in US dollars, and in the reporting
// currency if that is another; otherwise reporting is the zero value. assumed holds the days that
// weaker evidence than statements says are known.
func (tx *Tx) SetBookCash(org OrgKey, usd, reporting BookCash, assumed []AssumedDays) error {
	tx.booksChanged(org)
	days, err := json.Marshal(assumed)
	if err != nil {
		return err
	}
	_, err = tx.db.Exec(`INSERT INTO book_cash (org_id, note, unknown, reporting_note, reporting_unknown, assumed)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (org_id) DO UPDATE SET note = excluded.note, unknown = excluded.unknown,
			reporting_note = excluded.reporting_note, reporting_unknown = excluded.reporting_unknown,
			assumed = excluded.assumed`,
		org, usd.Note, usd.Unknown, reporting.Note, reporting.Unknown, string(days))
	if err != nil {
		return fmt.Errorf("storing the note about cash: %w", err)
	}
	return nil
}

// BookCash returns how complete the cash of own books is. The currency is as in ledger.Filter.
func (s *Snapshot) BookCash(org OrgKey, currency string) (c BookCash, err error) {
	columns := "note, unknown"
	if currency != "" {
		columns = "reporting_note, reporting_unknown"
	}
	err = s.db.QueryRow("SELECT "+columns+" FROM book_cash WHERE org_id = ?", org).Scan(&c.Note, &c.Unknown)
	if err != nil && !database.IsNotFound(err) {
		return BookCash{}, fmt.Errorf("reading the note about cash: %w", err)
	}
	return c, nil
}

// AssumedDays are days of an account that are known by weaker evidence than a statement.
type AssumedDays struct {
	Identity string        `json:"identity"` // Account.Identity
	Currency string        `json:"currency"`
	First    bookrules.Day `json:"first"`
	Last     bookrules.Day `json:"last"`
	Source   string        `json:"source"`
}

// AssumedDays returns the days that weaker evidence than statements says are known.
func (s *Snapshot) AssumedDays(org OrgKey) (assumed []AssumedDays, err error) {
	var text []byte
	err = s.db.QueryRow("SELECT assumed FROM book_cash WHERE org_id = ?", org).Scan(&text)
	if database.IsNotFound(err) || err == nil && len(text) == 0 {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &assumed)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the assumed days of accounts: %w", err)
	}
	return assumed, nil
}

// NewestBookRate returns the newest exchange rate of a currency that is not later than day. If
// several files have a rate for the same day, it returns the rate of the file imported last. It
// returns nil if there is no rate.
func (tx *Tx) NewestBookRate(org OrgKey, currency string, day bookrules.Day) (*bank.Rate, error) {
	return readNewestBookRate(tx.db, org, currency, day, tx.view)
}

// NewestBookRate returns the newest exchange rate of a currency as the method of Tx does.
func (s *Snapshot) NewestBookRate(org OrgKey, currency string, day bookrules.Day) (*bank.Rate, error) {
	return readNewestBookRate(s.db, org, currency, day, s.view)
}

func readNewestBookRate(r database.Queryer, org OrgKey, currency string, day bookrules.Day, view bookView,
) (*bank.Rate, error) {
	rate := bank.Rate{Currency: currency}
	err := r.QueryRow(`SELECT r.day, r.numerator, r.denominator
		FROM book_rates r JOIN book_files f ON f.id = r.file_id
		WHERE r.org_id = ? AND r.currency = ? AND r.day <= ?`+view.seen("f")+`
		ORDER BY r.day DESC, r.file_id DESC LIMIT 1`, org, currency, day).
		Scan(&day, &rate.Numerator, &rate.Denominator)
	switch {
	case database.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the newest exchange rate: %w", err)
	}
	rate.Date = day.Date()
	return &rate, nil
}
