package store

import (
	"database/sql"
	"fmt"
	"strings"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

const bookLineColumns = `statement_id, place, day, value_day, minor, pending, transfer, bank_id, counterparty,
	other_account, description, reference, method, original_currency, original_minor, original_rate, raw`

// InsertBookLines adds lines of statements. The lines get increasing keys in the given order.
func (tx *Tx) InsertBookLines(org OrgKey, lines []bookrules.Line) error {
	tx.booksChanged(org)
	if tx.db.Dialect == database.Postgres {
		return tx.insertBookLineBatch(org, lines)
	}
	batch := tx.db.NewBatch("book_lines", append([]string{"org_id"}, strings.Fields(
		strings.ReplaceAll(bookLineColumns, ",", ""))...)...)
	for i := range lines {
		l, original := storable(&lines[i])
		err := batch.Add(
			int64(org),
			l.Statement,
			int64(l.Place),
			int64(bookrules.DayOf(l.Booked)),
			int64(bookrules.DayOf(l.Value)),
			l.Minor,
			bit(l.Pending),
			bit(l.Transfer),
			l.ID,
			l.Counterparty,
			l.OtherAccount,
			l.Description,
			l.Reference,
			l.Method,
			original.Currency,
			original.Minor,
			original.Rate,
			l.Raw,
		)
		if err != nil {
			return fmt.Errorf("adding lines up to %d: %w", l.Place, err)
		}
	}
	if err := batch.Flush(); err != nil {
		return fmt.Errorf("adding lines: %w", err)
	}
	return nil
}

// insertBookLineBatch inserts lines, up to maxBatchRows with one SQL statement.
func (tx *Tx) insertBookLineBatch(org OrgKey, lines []bookrules.Line) error {
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

// bookLineBatch holds lines that one SQL statement inserts on PostgreSQL. It has a slice for each
// column.
type bookLineBatch struct {
	statements, places, days, valueDays, amounts, pending, transfers, originals []int64
	ids, counterparties, otherAccounts, descriptions, references, methods       []string
	currencies, rates, raws                                                     []string
}

func (b *bookLineBatch) add(line *bookrules.Line) {
	l, original := storable(line)
	b.statements, b.places = append(b.statements, l.Statement), append(b.places, int64(l.Place))
	b.days = append(b.days, int64(bookrules.DayOf(l.Booked)))
	b.valueDays = append(b.valueDays, int64(bookrules.DayOf(l.Value)))
	b.amounts, b.pending = append(b.amounts, l.Minor), append(b.pending, bit(l.Pending))
	b.transfers, b.ids = append(b.transfers, bit(l.Transfer)), append(b.ids, l.ID)
	b.counterparties = append(b.counterparties, l.Counterparty)
	b.otherAccounts = append(b.otherAccounts, l.OtherAccount)
	b.descriptions, b.references = append(b.descriptions, l.Description), append(b.references, l.Reference)
	b.methods, b.currencies = append(b.methods, l.Method), append(b.currencies, original.Currency)
	b.originals, b.rates = append(b.originals, original.Minor), append(b.rates, original.Rate)
	b.raws = append(b.raws, l.Raw)
}

// BookEntries calls visit for each booked line of an account, without its texts, and the key of the
// statement that lists it. The lines are in no particular order.
func (tx *Tx) BookEntries(org OrgKey, account int64, visit func(statement int64, e bookrules.Entry)) error {
	return readBookEntries(tx.db, org, account, visit)
}

// BookEntries calls visit for each booked line of an account, without its texts, and the key of the
// statement that lists it. The lines are in no particular order.
func (s *Snapshot) BookEntries(org OrgKey, account int64, visit func(statement int64, e bookrules.Entry)) error {
	return readBookEntries(s.db, org, account, visit)
}

func readBookEntries(
	r database.Queryer,
	org OrgKey,
	account int64,
	visit func(statement int64, e bookrules.Entry),
) error {
	rows, err := r.Query(`SELECT `+packedEntry+` FROM book_statements s JOIN book_lines l ON l.statement_id = s.id
		WHERE s.org_id = ? AND s.account_id = ? AND l.pending = 0`, string(packedSeparator), org, account)
	return database.Each(rows, err, "the lines of an account", func(row database.Row) error {
		var packed string
		if err := row.Scan(&packed); err != nil {
			return err
		}
		numbers, id, err := unpackNumbers(packed, 5)
		if err != nil {
			return err
		}
		e := bookrules.Entry{
			Line: numbers[1], Day: bookrules.Day(numbers[2]), Value: bookrules.Day(numbers[3]), Minor: numbers[4],
			ID: bookrules.IDHash(id),
		}
		visit(numbers[0], e)
		return nil
	})
}

// BookLines calls visit for each line, booked or pending, in the account's statements on the given
// days. If visit returns an error, BookLines stops and returns it. The lines are in no particular
// order and have no Raw text.
func (s *Snapshot) BookLines(org OrgKey, account int64, days bookrules.Span, visit func(bookrules.Line) error) error {
	return readBookLines(s.db, org, account, days, visit)
}

// BookLines calls visit for each line, booked or pending, in the account's statements on the given
// days. If visit returns an error, BookLines stops and returns it. The lines are in no particular
// order and have no Raw text.
func (tx *Tx) BookLines(org OrgKey, account int64, days bookrules.Span, visit func(bookrules.Line) error) error {
	return readBookLines(tx.db, org, account, days, visit)
}

func readBookLines(r database.Queryer, org OrgKey, account int64, days bookrules.Span,
	visit func(bookrules.Line) error,
) error {
	rows, err := r.Query(`SELECT `+packedLine+`
		FROM book_statements s JOIN book_lines l ON l.statement_id = s.id
		WHERE s.org_id = ? AND s.account_id = ? AND l.day BETWEEN ? AND ?`,
		string(packedSeparator), org, account, days.First, days.Last)
	return eachLine(rows, err, visit)
}

// BookFileLines calls visit for each line, booked or pending, of an account in a file on the given
// days. If visit returns an error, BookFileLines stops and returns it. The lines are in no
// particular order and have no Raw text.
func (tx *Tx) BookFileLines(
	org OrgKey,
	file, account int64,
	days bookrules.Span,
	visit func(bookrules.Line) error,
) error {
	return readBookFileLines(tx.db, org, file, account, days, visit)
}

// BookFileLines calls visit for lines as the method of Tx does.
func (s *Snapshot) BookFileLines(org OrgKey, file, account int64, days bookrules.Span, visit func(bookrules.Line) error,
) error {
	return readBookFileLines(s.db, org, file, account, days, visit)
}

func readBookFileLines(r database.Queryer, org OrgKey, file, account int64, days bookrules.Span,
	visit func(bookrules.Line) error,
) error {
	rows, err := r.Query(`SELECT `+packedLine+`
		FROM book_statements s JOIN book_lines l ON l.statement_id = s.id
		WHERE s.org_id = ? AND s.file_id = ? AND s.account_id = ? AND l.day BETWEEN ? AND ?`,
		string(packedSeparator), org, file, account, days.First, days.Last)
	return eachLine(rows, err, visit)
}

func eachLine(rows *sql.Rows, err error, visit func(bookrules.Line) error) error {
	return database.Each(rows, err, "the lines of an account", func(row database.Row) error {
		var packed string
		if err := row.Scan(&packed); err != nil {
			return err
		}
		line, err := unpackLine(packed)
		if err != nil {
			return err
		}
		return visit(line)
	})
}
