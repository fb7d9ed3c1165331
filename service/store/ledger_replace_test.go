package store_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// replaceDays replaces the transactions of some days by others, which may be equal ones.
func (m model) replaceDays(t *rapid.T, s *store.Store, org store.OrgKey, source *ids.Source) model {
	days := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) civil.Date {
		return civil.New(2026, 3, rapid.IntRange(1, 6).Draw(t, "replaced day"))
	}), 1, 3).Draw(t, "days")
	var kept, rows model
	for _, row := range m {
		switch {
		case !slices.Contains(days, row.Date):
			kept = append(kept, row)
		case rapid.Bool().Draw(t, "stays"):
			rows = append(rows, row)
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "new rows") {
		if row := drawRow(t, source, drawText(8)); slices.Contains(days, row.Date) {
			rows = append(rows, row)
		}
	}
	err := s.Write(context.Background(), func(tx *store.Tx) error { return tx.ReplaceDays(org, days, rows) })
	if err != nil {
		t.Fatal(err)
	}
	return append(kept, rows...)
}

func TestADayIsReplacedByItsOwnTransactionsOnly(t *testing.T) {
	s, source := open(t), newIDs()
	org := organization(t, s, "a")
	date := civil.New(2026, 3, 2)
	id, err := source.New(ids.Transaction, date.Time())
	if err != nil {
		t.Fatal(err)
	}
	row := ledger.Transaction{ID: id, Date: date, Currency: "USD", Counterparty: "a"}

	err = s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.ReplaceDays(org, []civil.Date{date.AddDays(1)}, []ledger.Transaction{row})
	})

	if err == nil || !strings.Contains(err.Error(), "is of 2026-03-02, which is not replaced") {
		t.Errorf("error is %v", err)
	}
}
