package bookkeeping

import (
	"context"

	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// Aside holds what the API does not say about a transaction. Texts that are not known are "".
type Aside struct {
	Category string
	Account  string // as the page Books names the account
}

// Asides returns what the API does not say about the transactions with the given ids, by id. The
// organization need not have books: without them, no account is known.
func (b *Books) Asides(ctx context.Context, ids []string) (map[string]Aside, error) {
	asides := make(map[string]Aside, len(ids))
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		rows, err := snap.TransactionsByID(b.Org, ids)
		if err != nil {
			return err
		}
		accounts, err := snap.BookAccounts(b.Org)
		for i := range rows {
			aside := Aside{Category: rows[i].Category}
			if a, known := bookrules.AccountOf(accounts, &rows[i]); known {
				named := described(a)
				aside.Account = named.Label()
			}
			asides[rows[i].ID] = aside
		}
		return err
	})
	return asides, err
}
