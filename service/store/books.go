package store

import (
	"fmt"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// BookAccounts returns the accounts in the organization's books, in the order in which imports
// added them. Roles and names that the user gave replace those in the files.
func (tx *Tx) BookAccounts(org OrgKey) ([]bookrules.Account, error) {
	return readBookAccounts(tx.db, org, tx.view)
}

// BookAccounts returns the accounts in the organization's books, in the order in which imports
// added them.
func (s *Snapshot) BookAccounts(org OrgKey) ([]bookrules.Account, error) {
	return readBookAccounts(s.db, org, s.view)
}

func readBookAccounts(r database.Queryer, org OrgKey, view bookView) ([]bookrules.Account, error) {
	rows, err := r.Query(`SELECT o.public_id, a.id, a.number, a.currency, a.bank, a.name, a.role
		FROM book_accounts a JOIN organizations o ON o.id = a.org_id
		WHERE a.org_id = ?`+view.seen("a")+" ORDER BY a.id", org)
	accounts, err := database.Collect(rows, err, "the accounts of the books",
		func(row database.Row) (a bookrules.Account, err error) {
			err = row.Scan(&a.Organization, &a.Key, &a.Number, &a.Currency, &a.Bank, &a.Name, &a.Role)
			return a, err
		})
	if err != nil || len(accounts) == 0 {
		return nil, err
	}
	facts := map[int64][]bookrules.AccountFacts{}
	rows, err = r.Query(`SELECT DISTINCT s.file_id, s.account_id, s.number, s.bank, s.name, s.role, f.own_feed
		FROM book_statements s JOIN book_files f ON f.id = s.file_id WHERE s.org_id = ?`+view.seen("f"), org)
	_, err = database.Collect(rows, err, "what statements say about accounts",
		func(row database.Row) (none struct{}, err error) {
			var file, account int64
			var f bookrules.AccountFacts
			err = row.Scan(&file, &account, &f.Number, &f.Bank, &f.Name, &f.Role, &f.OwnFeed)
			view.addFacts(facts, file, account, f)
			return none, err
		})
	if view.feed != nil {
		for account, f := range view.feed.Facts {
			view.addFacts(facts, view.feed.File, account, f)
		}
	}
	if err != nil {
		return nil, err
	}
	rows, err = r.Query("SELECT identity, currency, name, role FROM book_account_choices WHERE org_id = ?", org)
	choices, err := database.Collect(rows, err, "what was decided about accounts",
		func(row database.Row) (c bookrules.AccountChoice, err error) {
			err = row.Scan(&c.Identity, &c.Currency, &c.Name, &c.Role)
			return c, err
		})
	bookrules.DescribeAccounts(accounts, facts, view.choices(choices))
	return accounts, err
}

// InsertBookAccount adds an account to the organization's books and returns its key.
func (tx *Tx) InsertBookAccount(org OrgKey, a bookrules.Account) (key int64, err error) {
	tx.booksChanged(org)
	err = tx.db.QueryRow(`INSERT INTO book_accounts (org_id, number, currency, bank, name, role, staged)
		VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`, org, a.Number, a.Currency, a.Bank, a.Name, string(a.Role),
		tx.view.stage).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("adding the account %s: %w", a.Number, err)
	}
	return key, nil
}

// DeleteUnusedBookAccounts deletes the accounts in the organization's books that have no statement.
func (tx *Tx) DeleteUnusedBookAccounts(org OrgKey) error {
	tx.booksChanged(org)
	const unused = `org_id = ? AND NOT EXISTS (SELECT 1 FROM book_statements s WHERE s.account_id = `
	for _, statement := range []string{
		"DELETE FROM book_balances WHERE " + unused + "book_balances.account_id)",
		"DELETE FROM book_feed_balances WHERE " + unused + "book_feed_balances.account_id)",
		"DELETE FROM book_accounts WHERE " + unused + "book_accounts.id)",
	} {
		if _, err := tx.db.Exec(statement, org); err != nil {
			return fmt.Errorf("removing accounts without statements: %w", err)
		}
	}
	return nil
}

// BookAnswers returns the user's answers to questions that the imported files leave open, keyed by
// question.
func (tx *Tx) BookAnswers(org OrgKey) (map[string]string, error) { return readBookAnswers(tx.db, org) }

// BookAnswers returns the user's answers to questions that the imported files leave open, keyed by
// question.
func (s *Snapshot) BookAnswers(org OrgKey) (map[string]string, error) {
	return readBookAnswers(s.db, org)
}

func readBookAnswers(r database.Queryer, org OrgKey) (map[string]string, error) {
	answers := map[string]string{}
	rows, err := r.Query("SELECT question, answer FROM book_answers WHERE org_id = ?", org)
	_, err = database.Collect(rows, err, "the answers in the books", func(row database.Row) (none struct{}, err error) {
		var question, answer string
		err = row.Scan(&question, &answer)
		answers[question] = answer
		return none, err
	})
	return answers, err
}

// SetBookAnswer stores the user's answer to a question and replaces an earlier answer. An empty
// answer deletes the earlier one.
func (tx *Tx) SetBookAnswer(org OrgKey, question, answer string) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec("DELETE FROM book_answers WHERE org_id = ? AND question = ?", org, question)
	if err == nil && answer != "" {
		_, err = tx.db.Exec("INSERT INTO book_answers (org_id, question, answer) VALUES (?, ?, ?)", org, question, answer)
	}
	if err != nil {
		return fmt.Errorf("storing an answer: %w", err)
	}
	return nil
}

// HasForeignTransactions reports whether the organization has transactions although no file was
// imported into its books. Such transactions have another source, and books would replace them.
func (tx *Tx) HasForeignTransactions(org OrgKey) (foreign bool, err error) {
	if err := tx.lock(org); err != nil {
		return false, err
	}
	l, err := tx.ledger(org)
	if err != nil {
		return false, err
	}
	err = tx.db.QueryRow(`SELECT EXISTS (SELECT 1 FROM ledger_daily WHERE org_id = ?)
		AND NOT EXISTS (SELECT 1 FROM book_files WHERE org_id = ?)`, l, org).Scan(&foreign)
	if err != nil {
		return false, fmt.Errorf("reading the books: %w", err)
	}
	return foreign, nil
}

// Digest is a digest of data about one day of the books.
type Digest [16]byte

// DayDigest tells whether the transactions of a day must be derived again.
type DayDigest struct {
	Rows   Digest // digest of the derived transactions
	Inputs Digest // digest of all input that the transactions depend on
}

// BookDays returns the digests of the days for which transactions were derived.
func (tx *Tx) BookDays(org OrgKey) (map[bookrules.Day]DayDigest, error) {
	return readBookDays(tx.db, org)
}

// BookDays returns the digests of the days for which transactions were derived.
func (s *Snapshot) BookDays(org OrgKey) (map[bookrules.Day]DayDigest, error) {
	return readBookDays(s.db, org)
}

func readBookDays(r database.Queryer, org OrgKey) (map[bookrules.Day]DayDigest, error) {
	digests := map[bookrules.Day]DayDigest{}
	rows, err := r.Query("SELECT day, digest FROM book_days WHERE org_id = ?", org)
	err = database.Each(rows, err, "the days of the books", func(row database.Row) error {
		var day bookrules.Day
		var stored []byte
		var d DayDigest
		err := row.Scan(&day, &stored)
		// Older versions stored no digest of the inputs.
		n := copy(d.Rows[:], stored)
		copy(d.Inputs[:], stored[n:])
		digests[day] = d
		return err
	})
	return digests, err
}

// SetBookDays stores the digests of many days on SQLite. The zero DayDigest removes that of a day.
func (tx *Tx) SetBookDays(org OrgKey, digests map[bookrules.Day]DayDigest) error {
	keys := make([]int64, 0, len(digests))
	batch := tx.db.NewBatch("book_days", "org_id", "day", "digest")
	for day := range digests {
		keys = append(keys, int64(day))
	}
	slices.Sort(keys)
	_, err := tx.db.Exec("DELETE FROM book_days WHERE org_id = ? AND day IN (SELECT value FROM json_each(?))", org,
		jsonList(keys))
	for _, day := range keys {
		if d := digests[bookrules.Day(day)]; err == nil && d != (DayDigest{}) {
			err = batch.Add(int64(org), day, slices.Concat(d.Rows[:], d.Inputs[:]))
		}
	}
	if err == nil {
		err = batch.Flush()
	}
	if err != nil {
		return fmt.Errorf("storing what was derived for days: %w", err)
	}
	return nil
}

// SetBookDay stores the digest of a day. The zero DayDigest removes it.
func (tx *Tx) SetBookDay(org OrgKey, day bookrules.Day, d DayDigest) error {
	_, err := tx.db.Exec("DELETE FROM book_days WHERE org_id = ? AND day = ?", org, day)
	if err == nil && d != (DayDigest{}) {
		_, err = tx.db.Exec("INSERT INTO book_days (org_id, day, digest) VALUES (?, ?, ?)", org, day,
			slices.Concat(d.Rows[:], d.Inputs[:]))
	}
	if err != nil {
		return fmt.Errorf("storing what was derived for %s: %w", day.Date(), err)
	}
	return nil
}
