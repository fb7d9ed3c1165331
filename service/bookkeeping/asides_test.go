package bookkeeping_test

import (
	"testing"

	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Two accounts have the same line, and the second of them has it twice.
func TestATransactionIsOfTheAccountThatItsLineIsOf(t *testing.T) {
	b := newBooks(t)
	rent := line{"2026-09-02", "-500.00", "1", "Landlord"}
	again := rent
	again.id = "2"
	first := statement{account: "00123456789", first: "2026-09-01", last: "2026-09-30", lines: []line{rent}}
	second := statement{account: "00987654321", first: "2026-09-01", last: "2026-09-30", lines: []line{rent, again}}
	take(t, b, source("a.qfx", first.ofx()), source("b.qfx", second.ofx()))
	var listed []string
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		page, err := snap.Transactions(b.Org, ledger.Filter{}, nil, 100)
		for _, row := range page.Rows {
			listed = append(listed, row.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	asides, err := b.Asides(t.Context(), append(listed, "txn_no"))

	count := map[string]int{}
	for _, aside := range asides {
		count[aside.Account]++
	}
	if err != nil || len(asides) != 3 || count["121000358 …6789"] != 1 || count["121000358 …4321"] != 2 {
		t.Errorf("%v, %v", asides, err)
	}
}
