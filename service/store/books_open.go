package store

import (
	"fmt"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store/database"
)

// InsertBookOpenList adds a list of open invoices or bills from an imported file. It returns the
// list's key, which InsertBookOpenItems needs to add more of them.
func (tx *Tx) InsertBookOpenList(org OrgKey, list bookrules.OpenList) (key int64, err error) {
	tx.booksChanged(org)
	err = tx.db.QueryRow(`INSERT INTO book_open_lists (org_id, file_id, side, source, as_of_day)
		VALUES (?, ?, ?, ?, ?) RETURNING id`, org, list.File, list.Side, list.Source, list.AsOf).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("adding a list of open invoices: %w", err)
	}
	return key, tx.InsertBookOpenItems(org, key, list.Items)
}

// InsertBookOpenItems adds open invoices or bills to a list.
func (tx *Tx) InsertBookOpenItems(org OrgKey, list int64, items []bank.OpenItem) error {
	tx.booksChanged(org)
	for _, i := range items {
		_, err := tx.db.Exec(`INSERT INTO book_open_items
				(org_id, list_id, place, number, customer, issued_day, due_day, currency, minor)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			org, list, i.Place, i.Number, i.Party, bookrules.DayOf(i.Issued), bookrules.DayOf(i.Due), i.Currency, i.Minor)
		if err != nil {
			return fmt.Errorf("adding the open invoice %s: %w", i.Number, err)
		}
	}
	return nil
}

// BookOpenLists returns the lists of open invoices and bills in the organization's imported files.
func (tx *Tx) BookOpenLists(org OrgKey) ([]bookrules.OpenList, error) {
	return readBookOpenLists(tx.db, org, tx.view)
}

// BookOpenLists returns the lists of open invoices and bills in the organization's imported files.
func (s *Snapshot) BookOpenLists(org OrgKey) ([]bookrules.OpenList, error) {
	return readBookOpenLists(s.db, org, s.view)
}

func readBookOpenLists(r database.Queryer, org OrgKey, view bookView) ([]bookrules.OpenList, error) {
	var lists []bookrules.OpenList
	rows, err := r.Query(`SELECT l.id, l.file_id, l.side, l.source, l.as_of_day, COALESCE(i.id, 0), COALESCE(i.place, 0),
			COALESCE(i.number, ''), COALESCE(i.customer, ''), COALESCE(i.issued_day, 0), COALESCE(i.due_day, 0),
			COALESCE(i.currency, ''), COALESCE(i.minor, 0)
		FROM book_open_lists l JOIN book_files f ON f.id = l.file_id
		LEFT JOIN book_open_items i ON i.list_id = l.id
		WHERE l.org_id = ?`+view.seen("f")+" ORDER BY l.id, i.id", org)
	_, err = database.Collect(rows, err, "the open invoices", func(row database.Row) (none struct{}, err error) {
		var (
			list        bookrules.OpenList
			key         int64 // 0 if the list is empty
			item        bank.OpenItem
			issued, due bookrules.Day
		)
		err = row.Scan(&list.Key, &list.File, &list.Side, &list.Source, &list.AsOf, &key, &item.Place, &item.Number,
			&item.Party, &issued, &due, &item.Currency, &item.Minor)
		item.Issued, item.Due = issued.Date(), due.Date()
		if last := len(lists) - 1; last < 0 || lists[last].Key != list.Key {
			lists = append(lists, list)
		}
		last := &lists[len(lists)-1]
		if key != 0 {
			last.Items = append(last.Items, item)
		}
		return none, err
	})
	return lists, err
}

// BookListDays returns the day of the newest list of open invoices of each source, by source.
func (s *Snapshot) BookListDays(org OrgKey) (map[string]civil.Date, error) {
	days := map[string]civil.Date{}
	rows, err := s.db.Query(`SELECT l.source, MAX(l.as_of_day) FROM book_open_lists l JOIN book_files f ON f.id = l.file_id
		WHERE l.org_id = ? AND l.side = ?`+s.view.seen("f")+" GROUP BY l.source", org, bank.Receivable)
	_, err = database.Collect(rows, err, "the lists of open invoices", func(row database.Row) (none struct{}, err error) {
		var source string
		var day bookrules.Day
		err = row.Scan(&source, &day)
		days[source] = day.Date()
		return none, err
	})
	return days, err
}

// InsertBookRate adds an exchange rate from an imported file. If the file has several rates for a
// day and currency, only the first is stored.
func (tx *Tx) InsertBookRate(org OrgKey, file int64, r bank.Rate) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec(`INSERT INTO book_rates (org_id, file_id, currency, day, numerator, denominator)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		org, file, r.Currency, bookrules.DayOf(r.Date), r.Numerator, r.Denominator)
	if err != nil {
		return fmt.Errorf("adding the rate of %s on %s: %w", r.Currency, r.Date, err)
	}
	return nil
}

// BookRates returns the exchange rates of a currency on the given days, oldest first. If several
// files have a rate for a day, the rate of the file imported last comes last.
func (tx *Tx) BookRates(org OrgKey, currency string, days bookrules.Span) ([]bank.Rate, error) {
	return readBookRates(tx.db, org, currency, days, tx.view)
}

// BookRates returns the exchange rates of a currency on the given days, oldest first. If several
// files have a rate for a day, the rate of the file imported last comes last.
func (s *Snapshot) BookRates(org OrgKey, currency string, days bookrules.Span) ([]bank.Rate, error) {
	return readBookRates(s.db, org, currency, days, s.view)
}

func readBookRates(r database.Queryer, org OrgKey, currency string, days bookrules.Span, view bookView,
) ([]bank.Rate, error) {
	rows, err := r.Query(`SELECT r.day, r.numerator, r.denominator FROM book_rates r JOIN book_files f ON f.id = r.file_id
		WHERE r.org_id = ? AND r.currency = ? AND r.day BETWEEN ? AND ?`+view.seen("f")+" ORDER BY r.day, r.file_id",
		org, currency, days.First, days.Last)
	return database.Collect(rows, err, "the exchange rates", func(row database.Row) (bank.Rate, error) {
		var day bookrules.Day
		rate := bank.Rate{Currency: currency}
		err := row.Scan(&day, &rate.Numerator, &rate.Denominator)
		rate.Date = day.Date()
		return rate, err
	})
}

// BookRateSpans returns for which days the organization's books have rates of each currency.
func (s *Snapshot) BookRateSpans(org OrgKey) ([]bookrules.RateSpan, error) {
	rows, err := s.db.Query(`SELECT r.currency, MIN(r.day), MAX(r.day), COUNT(DISTINCT r.day)
		FROM book_rates r JOIN book_files f ON f.id = r.file_id
		WHERE r.org_id = ?`+s.view.seen("f")+" GROUP BY r.currency ORDER BY r.currency", org)
	return database.Collect(rows, err, "the exchange rates", func(row database.Row) (r bookrules.RateSpan, err error) {
		err = row.Scan(&r.Currency, &r.First, &r.Last, &r.Days)
		return r, err
	})
}
