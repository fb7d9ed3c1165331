package syncing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// picture describes books: accounts, cash and transactions. addsUp is false if the lines of an
// account do not add up to its balances.
func picture(t rapid.TB, b *bookkeeping.Books) (text string, addsUp bool) {
	accounts, err := b.Accounts(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	addsUp = true
	for _, a := range accounts {
		addsUp = addsUp && !a.Contradiction
		line, err := json.Marshal(ownbooks.Account{
			Number: a.Number, Bank: a.Bank, Name: a.Name, Currency: a.Currency, Role: a.Role,
			Balance: a.Balance, AsOf: a.AsOf, Lines: a.Lines, PendingMinor: a.PendingMinor,
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	page, summary, err := b.Store.Listing(context.Background(), b.Org, ledger.Filter{}, nil, 1000)
	if err != nil || summary.Count != int64(len(page.Rows)) {
		t.Fatalf("%d transactions, kept totals of %+v, %v", len(page.Rows), summary, err)
	}
	for _, row := range page.Rows {
		row.ID = "" // of the organization
		lines = append(lines, fmt.Sprintf("%+v", row))
	}
	err = b.Store.Read(context.Background(), func(snap *store.Snapshot) error {
		account, err := snap.ManagedAccount(b.Org)
		account.Balance.SyncedAt = time.Time{}
		lines = append(lines, fmt.Sprintf("%+v", account.Balance))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), addsUp
}
