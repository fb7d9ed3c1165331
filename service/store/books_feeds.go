package store

import (
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// BookFeed returns the file that holds the readings of a connection. It returns ErrNotFound if
// there is none.
func (tx *Tx) BookFeed(org OrgKey, connection string) (bookrules.File, error) {
	return readBookFeed(tx.db, org, connection, tx.view)
}

// BookFeed returns the file that holds the readings of a connection. It returns ErrNotFound if
// there is none.
func (s *Snapshot) BookFeed(org OrgKey, connection string) (bookrules.File, error) {
	return readBookFeed(s.db, org, connection, s.view)
}

func readBookFeed(r database.Queryer, org OrgKey, connection string, view bookView) (bookrules.File, error) {
	f, err := scanBookFile(r.QueryRow("SELECT "+bookFileColumns+` FROM book_files f
		WHERE org_id = ? AND connection = ? AND connection <> ''`+view.seen("f"), org, connection))
	if err != nil {
		return bookrules.File{}, notFound(err, "the readings of "+connection)
	}
	return f, nil
}

// UpdateBookFeed sets the hashes and the source of the file that holds the readings of a
// connection.
func (tx *Tx) UpdateBookFeed(org OrgKey, f bookrules.File) error {
	tx.booksChanged(org)
	return tx.execOne("UPDATE book_files SET hash = ?, sha256 = ?, own_feed = ? WHERE org_id = ? AND id = ?",
		f.Hash[:], f.SHA256[:], bit(f.OwnFeed), org, f.Key)
}

// UpdateBookImport sets the time of an import.
func (tx *Tx) UpdateBookImport(org OrgKey, i bookrules.Import) error {
	tx.booksChanged(org)
	return tx.execOne("UPDATE book_imports SET imported_at = ? WHERE org_id = ? AND id = ?", micros(i.At), org, i.Key)
}

// BookFeedLines returns the lines of an account in a file that are booked on the given days, and
// its pending lines of all days, in the order in which they were inserted. They have no Raw text.
func (tx *Tx) BookFeedLines(org OrgKey, file, account int64, days bookrules.Span) ([]bookrules.Line, error) {
	return readBookFeedLines(tx.db, org, file, account, days)
}

// BookFeedLines returns the lines of an account in a file as the method of Tx does.
func (s *Snapshot) BookFeedLines(org OrgKey, file, account int64, days bookrules.Span) ([]bookrules.Line, error) {
	return readBookFeedLines(s.db, org, file, account, days)
}

func readBookFeedLines(
	r database.Queryer,
	org OrgKey,
	file, account int64,
	days bookrules.Span,
) ([]bookrules.Line, error) {
	rows, err := r.Query(`SELECT `+packedLine+` FROM book_statements s JOIN book_lines l ON l.statement_id = s.id
		WHERE s.org_id = ? AND s.file_id = ? AND s.account_id = ? AND (l.day BETWEEN ? AND ? OR l.pending = 1)
		ORDER BY l.id`, string(packedSeparator), org, file, account, days.First, days.Last)
	return database.Collect(rows, err, "the lines of an account", func(row database.Row) (bookrules.Line, error) {
		var packed string
		if err := row.Scan(&packed); err != nil {
			return bookrules.Line{}, err
		}
		return unpackLine(packed)
	})
}

// DeleteBookLines deletes lines of statements by their keys.
func (tx *Tx) DeleteBookLines(org OrgKey, keys []int64) error {
	tx.booksChanged(org)
	if tx.db.Dialect == database.SQLite {
		_, err := tx.db.Exec("DELETE FROM book_lines WHERE org_id = ? AND id IN (SELECT value FROM json_each(?))", org,
			jsonList(keys))
		if err != nil {
			return fmt.Errorf("removing lines: %w", err)
		}
		return nil
	}
	for _, key := range keys {
		if err := tx.execOne("DELETE FROM book_lines WHERE org_id = ? AND id = ?", org, key); err != nil {
			return fmt.Errorf("removing a line: %w", err)
		}
	}
	return nil
}

// MoveBookLines moves the lines of a statement to another one, and deletes the statement.
func (tx *Tx) MoveBookLines(org OrgKey, from, to int64) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec("UPDATE book_lines SET statement_id = ? WHERE org_id = ? AND statement_id = ?", to, org, from)
	if err != nil {
		return fmt.Errorf("moving lines to another statement: %w", err)
	}
	return tx.DeleteBookStatement(org, from)
}

// DeleteBookFile deletes a file that has no statements.
func (tx *Tx) DeleteBookFile(org OrgKey, key int64) error {
	tx.booksChanged(org)
	return tx.execOne("DELETE FROM book_files WHERE org_id = ? AND id = ?", org, key)
}

// DeleteBookStatement deletes a statement that has no lines.
func (tx *Tx) DeleteBookStatement(org OrgKey, key int64) error {
	tx.booksChanged(org)
	return tx.execOne("DELETE FROM book_statements WHERE org_id = ? AND id = ?", org, key)
}

// BookFeedBalances returns the balances in the readings of all connections, ordered by file,
// account and day.
func (tx *Tx) BookFeedBalances(org OrgKey) ([]bookrules.FeedBalance, error) {
	return readBookFeedBalances(tx.db, org, tx.view)
}

// BookFeedBalances returns the balances in the readings of all connections, ordered by file,
// account and day.
func (s *Snapshot) BookFeedBalances(org OrgKey) ([]bookrules.FeedBalance, error) {
	return readBookFeedBalances(s.db, org, s.view)
}

func readBookFeedBalances(r database.Queryer, org OrgKey, view bookView) ([]bookrules.FeedBalance, error) {
	rows, err := r.Query(`SELECT b.file_id, b.account_id, b.day, b.minor, b.late
		FROM book_feed_balances b JOIN book_files f ON f.id = b.file_id
		WHERE b.org_id = ?`+view.seen("f")+" ORDER BY b.file_id, b.account_id, b.day", org)
	return database.Collect(rows, err, "the balances that were read",
		func(row database.Row) (b bookrules.FeedBalance, err error) {
			err = row.Scan(&b.File, &b.Account, &b.Day, &b.Minor, &b.Late)
			return b, err
		})
}

// SetBookFeedBalance stores the balance of an account at the end of a day, and replaces the one
// that was read before.
func (tx *Tx) SetBookFeedBalance(org OrgKey, b bookrules.FeedBalance) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec(`INSERT INTO book_feed_balances (org_id, file_id, account_id, day, minor, late)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (file_id, account_id, day) DO UPDATE SET minor = excluded.minor, late = excluded.late`,
		org, b.File, b.Account, b.Day, b.Minor, bit(b.Late))
	if err != nil {
		return fmt.Errorf("storing a balance: %w", err)
	}
	return nil
}

// DeleteBookFeedBalance deletes the balance of an account at the end of a day.
func (tx *Tx) DeleteBookFeedBalance(org OrgKey, b bookrules.FeedBalance) error {
	tx.booksChanged(org)
	return tx.execOne("DELETE FROM book_feed_balances WHERE org_id = ? AND file_id = ? AND account_id = ? AND day = ?",
		org, b.File, b.Account, b.Day)
}

// DeleteBookOpenLists deletes the lists of open invoices in a file.
func (tx *Tx) DeleteBookOpenLists(org OrgKey, file int64) error {
	tx.booksChanged(org)
	for _, statement := range []string{
		`DELETE FROM book_open_items WHERE org_id = ? AND list_id IN (SELECT id FROM book_open_lists WHERE file_id = ?)`,
		"DELETE FROM book_open_lists WHERE org_id = ? AND file_id = ?",
	} {
		if _, err := tx.db.Exec(statement, org, file); err != nil {
			return fmt.Errorf("removing a list of open invoices: %w", err)
		}
	}
	return nil
}

// BookPaidInvoices returns the paid invoices in the readings of all connections, ordered by file
// and id.
func (tx *Tx) BookPaidInvoices(org OrgKey) ([]bookrules.PaidInvoice, error) {
	return readBookPaidInvoices(tx.db, org, tx.view)
}

// BookPaidInvoices returns the paid invoices in the readings of all connections, ordered by file
// and id.
func (s *Snapshot) BookPaidInvoices(org OrgKey) ([]bookrules.PaidInvoice, error) {
	return readBookPaidInvoices(s.db, org, s.view)
}

func readBookPaidInvoices(r database.Queryer, org OrgKey, view bookView) ([]bookrules.PaidInvoice, error) {
	rows, err := r.Query(`SELECT i.file_id, f.connection, i.remote_id, i.number, i.email, i.currency,
			i.total_minor, i.paid_day
		FROM book_paid_invoices i JOIN book_files f ON f.id = i.file_id WHERE i.org_id = ?`+view.seen("f")+`
		ORDER BY i.file_id, i.remote_id`, org)
	return database.Collect(rows, err, "the invoices that were paid",
		func(row database.Row) (i bookrules.PaidInvoice, err error) {
			err = row.Scan(&i.File, &i.Connection, &i.RemoteID, &i.Number, &i.Email, &i.Currency, &i.TotalMinor, &i.Paid)
			return i, err
		})
}

// SetBookPaidInvoice stores a paid invoice of a reading, and replaces an earlier one with its id.
func (tx *Tx) SetBookPaidInvoice(org OrgKey, i bookrules.PaidInvoice) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec(`INSERT INTO book_paid_invoices
			(org_id, file_id, remote_id, number, email, currency, total_minor, paid_day)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (file_id, remote_id) DO UPDATE SET number = excluded.number, email = excluded.email,
			currency = excluded.currency, total_minor = excluded.total_minor, paid_day = excluded.paid_day`,
		org, i.File, i.RemoteID, i.Number, i.Email, i.Currency, i.TotalMinor, i.Paid)
	if err != nil {
		return fmt.Errorf("storing an invoice: %w", err)
	}
	return nil
}
