package store

import (
	"database/sql"
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

const bookStatementColumns = `id, file_id, account_id, number, bank, name, role, period, first_day, last_day,
	opening_minor, opening_day, closing_minor, closing_day, lines, inflow_minor, outflow_minor,
	pending_lines, pending_minor`

// BookStatements returns the statements in the organization's imported files, in the order in which
// they were read.
func (tx *Tx) BookStatements(org OrgKey) ([]bookrules.Statement, error) {
	return readBookStatements(tx.db, org, tx.view)
}

// BookStatements returns the statements in the organization's imported files, in the order in which
// they were read.
func (s *Snapshot) BookStatements(org OrgKey) ([]bookrules.Statement, error) {
	return readBookStatements(s.db, org, s.view)
}

func readBookStatements(r database.Queryer, org OrgKey, view bookView) ([]bookrules.Statement, error) {
	rows, err := r.Query("SELECT "+qualified("s", bookStatementColumns)+` FROM book_statements s
		JOIN book_files f ON f.id = s.file_id WHERE s.org_id = ?`+view.seen("f")+" ORDER BY s.id", org)
	return database.Collect(rows, err, "the statements", scanBookStatement)
}

func scanBookStatement(row database.Row) (s bookrules.Statement, err error) {
	var opening, closing sql.NullInt64
	var openingDay, closingDay bookrules.Day
	err = row.Scan(&s.Key, &s.File, &s.Account, &s.Facts.Number, &s.Facts.Bank, &s.Facts.Name, &s.Facts.Role,
		&s.Period, &s.Covered.First, &s.Covered.Last, &opening, &openingDay,
		&closing, &closingDay, &s.Lines, &s.InflowMinor, &s.OutflowMinor, &s.PendingLines, &s.PendingMinor)
	if opening.Valid {
		s.Opening = &bookrules.Balance{Day: openingDay, Minor: opening.Int64, Opening: true}
	}
	if closing.Valid {
		s.Closing = &bookrules.Balance{Day: closingDay, Minor: closing.Int64}
	}
	return s, err
}

// InsertBookStatement adds a statement from an imported file and returns its key.
// UpdateBookStatement may set its balances and totals later.
func (tx *Tx) InsertBookStatement(org OrgKey, s bookrules.Statement) (inserted int64, err error) {
	tx.booksChanged(org)
	opening, closing := balanceColumns(s.Opening), balanceColumns(s.Closing)
	account, key := "?", s.Account
	if tx.view.stage != 0 && key == 0 {
		account, key = openAccount, int64(org)
	}
	err = tx.db.QueryRow(`INSERT INTO book_statements (org_id, file_id, account_id, number, bank, name, role,
			period, first_day, last_day, opening_minor, opening_day, closing_minor, closing_day, lines,
			inflow_minor, outflow_minor, pending_lines, pending_minor)
		VALUES (?, ?, `+account+`, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		org, s.File, key, s.Facts.Number, s.Facts.Bank, s.Facts.Name, string(s.Facts.Role),
		string(s.Period), s.Covered.First, s.Covered.Last, opening.minor, opening.day, closing.minor, closing.day,
		s.Lines, s.InflowMinor, s.OutflowMinor, s.PendingLines, s.PendingMinor).Scan(&inserted)
	if err != nil {
		return 0, fmt.Errorf("adding a statement: %w", err)
	}
	return inserted, nil
}

// UpdateBookStatement sets the file, account, days, balances and totals of a statement.
func (tx *Tx) UpdateBookStatement(org OrgKey, s bookrules.Statement) error {
	tx.booksChanged(org)
	opening, closing := balanceColumns(s.Opening), balanceColumns(s.Closing)
	return tx.execOne(`UPDATE book_statements SET file_id = ?, account_id = ?, number = ?, bank = ?, name = ?, role = ?,
			period = ?, first_day = ?, last_day = ?, opening_minor = ?, opening_day = ?, closing_minor = ?, closing_day = ?,
			lines = ?, inflow_minor = ?, outflow_minor = ?, pending_lines = ?, pending_minor = ?
		WHERE org_id = ? AND id = ?`,
		s.File, s.Account, s.Facts.Number, s.Facts.Bank, s.Facts.Name, string(s.Facts.Role),
		string(s.Period), s.Covered.First, s.Covered.Last, opening.minor, opening.day, closing.minor, closing.day,
		s.Lines, s.InflowMinor, s.OutflowMinor, s.PendingLines, s.PendingMinor, org, s.Key)
}

// storedBalance is a balance as the two columns that store it.
type storedBalance struct {
	minor sql.NullInt64
	day   bookrules.Day
}

func balanceColumns(b *bookrules.Balance) storedBalance {
	if b == nil {
		return storedBalance{}
	}
	return storedBalance{sql.NullInt64{Int64: b.Minor, Valid: true}, b.Day}
}
