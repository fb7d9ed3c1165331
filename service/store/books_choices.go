package store

import (
	"fmt"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// BookRules returns the text of the rules in force. It returns "" if there are none.
func (tx *Tx) BookRules(org OrgKey) (string, error) { return readBookRules(tx.db, org) }

// BookRules returns the text of the rules in force. It returns "" if there are none.
func (s *Snapshot) BookRules(org OrgKey) (string, error) { return readBookRules(s.db, org) }

func readBookRules(r database.Queryer, org OrgKey) (text string, err error) {
	err = r.QueryRow("SELECT text FROM book_rules WHERE org_id = ?", org).Scan(&text)
	if err != nil && !database.IsNotFound(err) {
		return "", fmt.Errorf("reading the rules of the books: %w", err)
	}
	return text, nil
}

// SetBookRules replaces the text of the rules in force.
func (tx *Tx) SetBookRules(org OrgKey, text string) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec(`INSERT INTO book_rules (org_id, text) VALUES (?, ?)
		ON CONFLICT (org_id) DO UPDATE SET text = excluded.text`, org, text)
	if err != nil {
		return fmt.Errorf("storing the rules of the books: %w", err)
	}
	return nil
}

// SetBookAccountName stores the name that the user gave an account. With an empty name, the account
// has the name in its files again.
func (tx *Tx) SetBookAccountName(org OrgKey, a bookrules.Account, name string) error {
	return tx.setBookAccountChoice(org, a, "name", name)
}

// SetBookAccountRole stores the role that the user gave an account.
func (tx *Tx) SetBookAccountRole(org OrgKey, a bookrules.Account, role bookrules.Role) error {
	return tx.setBookAccountChoice(org, a, "role", string(role))
}

// setBookAccountChoice stores what the user decided about an account in the given column.
func (tx *Tx) setBookAccountChoice(org OrgKey, a bookrules.Account, column, value string) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec(`INSERT INTO book_account_choices (org_id, identity, currency, name, role)
		VALUES (?, ?, ?, '', '') ON CONFLICT (org_id, identity, currency) DO NOTHING`, org, a.Identity, a.Currency)
	if err != nil {
		return fmt.Errorf("storing the %s of an account: %w", column, err)
	}
	return tx.execOne("UPDATE book_account_choices SET "+column+` = ?
		WHERE org_id = ? AND identity = ? AND currency = ?`, value, org, a.Identity, a.Currency)
}

// InsertBookBalance adds a balance that the user stated at an import.
func (tx *Tx) InsertBookBalance(org OrgKey, importKey int64, b bookrules.StatedBalance) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec("INSERT INTO book_balances (org_id, import_id, account_id, day, minor) VALUES (?, ?, ?, ?, ?)",
		org, importKey, b.Account, b.Day, b.Minor)
	if err != nil {
		return fmt.Errorf("adding a balance: %w", err)
	}
	return nil
}

// BookBalances returns the balances that the user stated at imports, in the order in which they
// were stated.
func (tx *Tx) BookBalances(org OrgKey) ([]bookrules.StatedBalance, error) {
	return readBookBalances(tx.db, org, tx.view)
}

// BookBalances returns the balances that the user stated at imports, in the order in which they
// were stated.
func (s *Snapshot) BookBalances(org OrgKey) ([]bookrules.StatedBalance, error) {
	return readBookBalances(s.db, org, s.view)
}

func readBookBalances(r database.Queryer, org OrgKey, view bookView) ([]bookrules.StatedBalance, error) {
	rows, err := r.Query(`SELECT b.account_id, b.day, b.minor
		FROM book_balances b JOIN book_imports i ON i.id = b.import_id
		WHERE b.org_id = ?`+view.seen("i")+" ORDER BY b.id", org)
	return database.Collect(rows, err, "the balances that were stated",
		func(row database.Row) (b bookrules.StatedBalance, err error) {
			err = row.Scan(&b.Account, &b.Day, &b.Minor)
			return b, err
		})
}
