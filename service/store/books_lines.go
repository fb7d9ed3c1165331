package store

import (
	"fmt"
	"hash/fnv"

	"tarmac/service/books"
	"tarmac/service/statements/bank"
	"tarmac/service/store/database"
)

const bookLineColumns = `statement_id, place, day, value_day, minor, pending, transfer, bank_id, counterparty,
	other_account, description, reference, method, original_currency, original_minor, original_rate, raw`

// InsertBookLines adds lines of statements. The lines get increasing keys in the given order.
func (tx *Tx) InsertBookLines(org OrgKey, lines []books.Line) error {
	if tx.db.Dialect == database.Postgres {
		return tx.insertBookLineBatch(org, lines)
	}
	for i := range lines {
		l := &lines[i]
		original := originalOf(l)
		_, err := tx.db.Exec("INSERT INTO book_lines (org_id, "+bookLineColumns+
			") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			org, l.Statement, l.Place, books.DayOf(l.Booked), books.DayOf(l.Value), l.Minor, bit(l.Pending), bit(l.Transfer),
			l.ID, l.Counterparty, l.OtherAccount, l.Description, l.Reference, l.Method,
			original.Currency, original.Minor, original.Rate, l.Raw)
		if err != nil {
			return fmt.Errorf("adding line %d: %w", l.Place, err)
		}
	}
	return nil
}

// originalOf returns the amount of a line in another currency, or the zero value if it has none.
func originalOf(l *books.Line) bank.Original {
	if l.Original == nil {
		return bank.Original{}
	}
	return *l.Original
}

// insertBookLineBatch inserts lines, up to maxBatchRows with one SQL statement.
func (tx *Tx) insertBookLineBatch(org OrgKey, lines []books.Line) error {
	for len(lines) > 0 {
		n := min(len(lines), maxBatchRows)
		var b bookLineBatch
		for i := range lines[:n] {
			b.add(&lines[i])
		}
		_, err := tx.db.Exec(`INSERT INTO book_lines (org_id, `+bookLineColumns+`)
			SELECT ?::bigint, `+qualified("u", bookLineColumns)+`
			FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
				?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[],
				?::text[]) WITH ORDINALITY AS u (statement_id, place, day, value_day, minor, pending,
				transfer, bank_id, counterparty, other_account, description, reference, method, original_currency,
				original_minor, original_rate, raw, n) ORDER BY n`,
			org, b.statements, b.places, b.days, b.valueDays, b.amounts, b.pending, b.transfers, b.ids, b.counterparties,
			b.otherAccounts, b.descriptions, b.references, b.methods, b.currencies, b.originals, b.rates, b.raws)
		if err != nil {
			return fmt.Errorf("adding lines %d to %d: %w", lines[0].Place, lines[n-1].Place, err)
		}
		lines = lines[n:]
	}
	return nil
}

// bookLineBatch holds lines that one SQL statement inserts on PostgreSQL, as a slice for each
// column.
type bookLineBatch struct {
	statements, places, days, valueDays, amounts, pending, transfers, originals []int64
	ids, counterparties, otherAccounts, descriptions, references, methods       []string
	currencies, rates, raws                                                     []string
}

func (b *bookLineBatch) add(l *books.Line) {
	original := originalOf(l)
	b.statements, b.places = append(b.statements, l.Statement), append(b.places, int64(l.Place))
	b.days = append(b.days, int64(books.DayOf(l.Booked)))
	b.valueDays = append(b.valueDays, int64(books.DayOf(l.Value)))
	b.amounts, b.pending = append(b.amounts, l.Minor), append(b.pending, bit(l.Pending))
	b.transfers, b.ids = append(b.transfers, bit(l.Transfer)), append(b.ids, l.ID)
	b.counterparties = append(b.counterparties, l.Counterparty)
	b.otherAccounts = append(b.otherAccounts, l.OtherAccount)
	b.descriptions, b.references = append(b.descriptions, l.Description), append(b.references, l.Reference)
	b.methods, b.currencies = append(b.methods, l.Method), append(b.currencies, original.Currency)
	b.originals, b.rates = append(b.originals, original.Minor), append(b.rates, original.Rate)
	b.raws = append(b.raws, l.Raw)
}

// BookEntry is a booked line without its texts, with the key of the statement that lists it.
type BookEntry struct {
	Statement int64
	books.Entry
}

// BookEntries returns the booked lines of an account, ordered by file, day, amount and key.
func (tx *Tx) BookEntries(org OrgKey, account int64) ([]BookEntry, error) {
	return readBookEntries(tx.db, org, account)
}

// BookEntries returns the booked lines of an account, ordered by file, day, amount and key.
func (s *Snapshot) BookEntries(org OrgKey, account int64) ([]BookEntry, error) {
	return readBookEntries(s.db, org, account)
}

func readBookEntries(r database.Queryer, org OrgKey, account int64) ([]BookEntry, error) {
	rows, err := r.Query(`SELECT l.statement_id, l.id, l.day, l.value_day, l.minor, l.bank_id
		FROM book_statements s JOIN book_lines l ON l.statement_id = s.id
		WHERE s.org_id = ? AND s.account_id = ? AND l.pending = 0 ORDER BY s.file_id, l.day, l.minor, l.id`, org, account)
	return database.Collect(rows, err, "the lines of an account", func(row database.Row) (e BookEntry, err error) {
		var id string
		err = row.Scan(&e.Statement, &e.Line, &e.Day, &e.Value, &e.Minor, &id)
		if id != "" {
			h := fnv.New64a()
			_, _ = h.Write([]byte(id)) // Write of a hash never fails
			e.ID = h.Sum64()
		}
		return e, err
	})
}

// BookLines calls visit for each line, booked or pending, in the account's statements on the given
// days. If visit returns an error, BookLines stops and returns it. The lines are in no particular
// order.
func (s *Snapshot) BookLines(org OrgKey, account int64, days books.Span, visit func(books.Line) error) error {
	return readBookLines(s.db, org, account, days, visit)
}

// BookLines calls visit for each line, booked or pending, in the account's statements on the given
// days. If visit returns an error, BookLines stops and returns it. The lines are in no particular
// order.
func (tx *Tx) BookLines(org OrgKey, account int64, days books.Span, visit func(books.Line) error) error {
	return readBookLines(tx.db, org, account, days, visit)
}

func readBookLines(r database.Queryer, org OrgKey, account int64, days books.Span,
	visit func(books.Line) error,
) error {
	rows, err := r.Query(`SELECT l.id, `+qualified("l", bookLineColumns)+`
		FROM book_statements s JOIN book_lines l ON l.statement_id = s.id
		WHERE s.org_id = ? AND s.account_id = ? AND l.day BETWEEN ? AND ?`, org, account, days.First, days.Last)
	_, err = database.Collect(rows, err, "the lines of an account", func(row database.Row) (none struct{}, err error) {
		var l books.Line
		var booked, value books.Day
		var original bank.Original
		err = row.Scan(&l.Key, &l.Statement, &l.Place, &booked, &value, &l.Minor, &l.Pending, &l.Transfer, &l.ID,
			&l.Counterparty, &l.OtherAccount, &l.Description, &l.Reference, &l.Method, &original.Currency, &original.Minor,
			&original.Rate, &l.Raw)
		if err != nil {
			return none, err
		}
		l.Booked, l.Value = booked.Date(), value.Date()
		if original.Currency != "" {
			l.Original = &original
		}
		return none, visit(l)
	})
	return err
}
