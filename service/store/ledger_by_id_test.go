package store_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

func TestTransactionsAreReadByTheirIDs(t *testing.T) {
	s, source := open(t), newIDs()
	org, other := organization(t, s, "one"), organization(t, s, "other")
	row := func(category string) ledger.Transaction {
		id, err := source.New(ids.Transaction, created)
		if err != nil {
			t.Fatal(err)
		}
		return ledger.Transaction{
			ID: id, Date: civil.New(2026, 11, 1), Direction: ledger.Inflow, AmountMinor: 7, AmountKnown: true,
			Currency: "USD", Counterparty: "Harbour Office", Category: category,
		}
	}
	listed := func(t ledger.Transaction) ledger.Transaction {
		t.AmountKnown, t.Counterparty = false, ""
		return t
	}
	travel, none, theirs := row("travel"), row(""), row("rent")
	write(t, s, func(tx *store.Tx) error {
		if err := tx.InsertTransactions(other, []ledger.Transaction{theirs}); err != nil {
			return err
		}
		return tx.InsertTransactions(org, []ledger.Transaction{travel, none})
	})
	for _, c := range []struct {
		ids  []string
		want []ledger.Transaction
	}{
		{[]string{travel.ID, none.ID, theirs.ID, "txn_no", "inv_1", ""}, []ledger.Transaction{listed(travel), listed(none)}},
		{nil, nil},
		{[]string{"no id"}, nil},
	} {
		err := s.Read(t.Context(), func(snap *store.Snapshot) error {
			got, err := snap.TransactionsByID(org, c.ids)
			slices.SortFunc(got, func(a, b ledger.Transaction) int { return strings.Compare(a.ID, b.ID) })
			if !slices.Equal(got, c.want) {
				t.Errorf("of %q: %v, want %v", c.ids, got, c.want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
