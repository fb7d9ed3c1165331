package bookkeeping

import (
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Annotation is what a transaction has no specified field for. Unknown texts are "".
type Annotation struct {
	Category string // as people read it
	// Kind is ledger.CategoryInternalTransfer, ledger.CategoryFinancing or, for all others, "".
	Kind    string
	Account string // as the page Books names it
	// Evidence says why the transaction has its Kind. It is empty for others, and if it isn't
	// known.
	Evidence ownbooks.Evidence
}

// Annotations returns the annotations of an organization's transactions, in their order. Accounts
// are known only in own books.
func Annotations(snap *store.Snapshot, org store.OrgKey, rows []ledger.Transaction) ([]Annotation, error) {
	accounts, err := snap.BookAccounts(org)
	if err != nil {
		return nil, err
	}
	var w *whose
	all := make([]Annotation, len(rows))
	for i := range rows {
		all[i].Category, all[i].Kind = categoryOf(rows[i].Category, len(accounts) > 0)
		if a, found := bookrules.AccountOf(accounts, &rows[i]); found {
			named := described(a)
			all[i].Account = named.Label()
			if all[i].Kind == "" {
				continue
			}
			if w == nil {
				if w, err = newWhose(snap, org, accounts); err != nil {
					return nil, err
				}
			}
			if all[i].Evidence, err = w.evidence(a, &rows[i], len(rows) == 1); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// categoryOf returns the name of a category and, for the two that burn leaves out, its kind.
// Categories of own books are the user's own words; those of feeds are codes.
func categoryOf(category string, ownBooks bool) (name, kind string) {
	switch {
	case category == ledger.CategoryInternalTransfer:
		return "Own transfer", category
	case category == ledger.CategoryFinancing:
		return "Financing", category
	case ownBooks:
		return category, ""
	}
	return ledger.CategoryName(category), ""
}
