package store

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// bookView says which rows of own books a transaction sees. A change that is derived from a
// snapshot lets the snapshot see the books as they will be.
type bookView struct {
	// stage is 0 for a transaction that sees the rows that count. With 1, it is of a change in
	// short transactions: its rows do not count before BookStage.Publish, and it also sees the rows
	// that it has written.
	stage   int64
	leftOut removal
	choose  func(*bookrules.AccountChoice) // edits the choice about an account; nil if there is nothing to edit
	chosen  bookrules.Account
	feed    *FeedFacts // nil if the facts are those of the stored statements
}

// FeedFacts holds what a reading says about accounts, before the reading is stored.
type FeedFacts struct {
	File    int64 // that holds the readings of the connection
	Aside   int64 // file whose statements do not count; 0 if there is none
	OwnFeed bool
	Facts   map[int64]bookrules.AccountFacts // by account
}

// removal is what undoing an import removes: lists of the ids of rows, separated by commas.
type removal struct{ imports, files, accounts string }

// seen returns an SQL condition for the rows of a table that a transaction sees, to be appended to
// other conditions. The table is book_imports as i, book_files as f or book_accounts as a.
func (v bookView) seen(table string) string {
	condition := " AND " + table + ".staged = 0"
	if v.stage != 0 {
		condition = " AND " + table + ".staged < 2"
	}
	ids := map[string]string{"i": v.leftOut.imports, "f": v.leftOut.files, "a": v.leftOut.accounts}[table]
	if ids != "" {
		condition += " AND " + table + ".id NOT IN (" + ids + ")"
	}
	return condition
}

// choices returns what was decided about accounts, with the edit of the view.
func (v bookView) choices(stored []bookrules.AccountChoice) []bookrules.AccountChoice {
	if v.choose == nil {
		return stored
	}
	for n := range stored {
		if stored[n].Identity == v.chosen.Identity && stored[n].Currency == v.chosen.Currency {
			v.choose(&stored[n])
			return stored
		}
	}
	added := bookrules.AccountChoice{Identity: v.chosen.Identity, Currency: v.chosen.Currency}
	v.choose(&added)
	return append(stored, added)
}

// addFacts adds what a statement says about its account, if it counts.
func (v bookView) addFacts(facts map[int64][]bookrules.AccountFacts, file, account int64, f bookrules.AccountFacts) {
	if v.feed != nil && file == v.feed.Aside {
		return
	}
	if v.feed != nil && file == v.feed.File {
		if replaced, ok := v.feed.Facts[account]; ok {
			f = replaced
		}
		f.OwnFeed = v.feed.OwnFeed
	}
	if !slices.Contains(facts[account], f) {
		facts[account] = append(facts[account], f)
	}
}

// SupposeFeed lets the snapshot see accounts as if a reading were stored.
func (s *Snapshot) SupposeFeed(f FeedFacts) { s.view.feed = &f }

// SupposeChoice lets the transaction see the books as if a choice about an account were edited.
func (tx *Tx) SupposeChoice(a bookrules.Account, edit func(*bookrules.AccountChoice)) {
	tx.view.chosen, tx.view.choose = a, edit
}

// SupposeChoice lets the snapshot see the books as if a choice about an account were edited.
func (s *Snapshot) SupposeChoice(a bookrules.Account, edit func(*bookrules.AccountChoice)) {
	s.view.chosen, s.view.choose = a, edit
}

// LeaveOutImport lets the transaction see the books as if an import had never been made.
func (tx *Tx) LeaveOutImport(org OrgKey, importKey int64) (err error) {
	tx.view.leftOut, err = removedWith(tx.db, org, importKey)
	return err
}

// LeaveOutImport lets the snapshot see the books as if an import had never been made.
func (s *Snapshot) LeaveOutImport(org OrgKey, importKey int64) (err error) {
	s.view.leftOut, err = removedWith(s.db, org, importKey)
	return err
}

// removedWith returns what undoing an import removes: the files that no other import contains, and
// the accounts that no other file has.
func removedWith(r database.Queryer, org OrgKey, importKey int64) (gone removal, err error) {
	gone.imports = strconv.FormatInt(importKey, 10)
	gone.files, err = idList(r, `SELECT l.file_id FROM book_import_files l WHERE l.org_id = ? AND l.import_id = ?
		AND NOT EXISTS (SELECT 1 FROM book_import_files o WHERE o.file_id = l.file_id AND o.import_id <> l.import_id)`,
		org, importKey)
	if err != nil {
		return gone, err
	}
	gone.accounts, err = idList(r, `SELECT a.id FROM book_accounts a WHERE a.org_id = ? AND a.staged = 0
		AND NOT EXISTS (SELECT 1 FROM book_statements s WHERE s.account_id = a.id
			AND s.file_id NOT IN (`+cmp.Or(gone.files, "0")+"))", org)
	return gone, err
}

func idList(r database.Queryer, query string, args ...any) (string, error) {
	rows, err := r.Query(query, args...)
	ids, err := database.Collect(rows, err, "what an import has brought", func(row database.Row) (string, error) {
		var id int64
		err := row.Scan(&id)
		return strconv.FormatInt(id, 10), err
	})
	return strings.Join(ids, ","), err
}

// RetireBookImport makes an import not count any more, with the files that no other import contains
// and the accounts that no other file has. It must be called in BookStage.Publish. The rows are
// deleted when the stage ends.
func (tx *Tx) RetireBookImport(org OrgKey, importKey int64) error {
	gone, err := removedWith(tx.db, org, importKey)
	if err != nil {
		return err
	}
	tx.booksChanged(org)
	tx.retired = true
	for table, ids := range map[string]string{
		"book_imports": gone.imports, "book_files": gone.files, "book_accounts": gone.accounts,
	} {
		if ids == "" {
			continue
		}
		if _, err := tx.db.Exec("UPDATE "+table+" SET staged = 2 WHERE org_id = ? AND id IN ("+ids+")", org); err != nil {
			return fmt.Errorf("removing an import: %w", err)
		}
	}
	return nil
}
