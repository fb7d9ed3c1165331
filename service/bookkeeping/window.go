package bookkeeping

import (
	"fmt"
	"strings"

	"tarmac/service/books"
	"tarmac/service/store"
)

// CoveredAccounts returns the accounts of own books with the days that their statements cover. It
// returns none for an organization without own books.
func CoveredAccounts(snap *store.Snapshot, org store.OrgKey) ([]books.AccountState, error) {
	accounts, err := snap.BookAccounts(org)
	if err != nil || len(accounts) == 0 {
		return nil, err
	}
	statements, err := snap.BookStatements(org)
	if err != nil {
		return nil, err
	}
	states := make([]books.AccountState, len(accounts))
	for n, a := range accounts {
		byFile := map[int64]*books.Content{}
		for _, s := range statements {
			if s.Account != a.Key {
				continue
			}
			if byFile[s.File] == nil {
				byFile[s.File] = &books.Content{}
			}
			addStatement(byFile[s.File], s)
		}
		contents := make([]books.Content, 0, len(byFile))
		for _, c := range byFile {
			c.Covered = books.Join(c.Covered)
			contents = append(contents, *c)
		}
		states[n].OwnAccount = books.OwnAccount{Account: a, Covered: books.Coverage(a.Role, contents)}
	}
	return states, nil
}

// mostNamed is the largest number of payers that FinancingNote names.
const mostNamed = 3

// FinancingNote returns a sentence about inflows that burn leaves out because nobody has said yet
// whether they are financing. It names their payers. It returns "" if there are no such inflows in
// the months of the window.
func FinancingNote(snap *store.Snapshot, org store.OrgKey, w books.BurnWindow) (string, error) {
	questions, err := snap.BookQuestions(org)
	if err != nil || w.Months == 0 {
		return "", err
	}
	months := books.Span{First: books.DayOf(w.First), Last: books.DayOf(w.Last)}
	var named []string
	for _, q := range questions {
		if q.Kind == string(AboutFinancing) && months.Contains(q.Day) {
			named = append(named, q.Text)
		}
	}
	if len(named) == 0 {
		return "", nil
	}
	if more := len(named) - mostNamed; more > 0 {
		named = append(named[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("Left out as possible financing until answered (books questions): %s.",
		strings.Join(named, ", ")), nil
}
