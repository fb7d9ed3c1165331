package store_test

import (
	"errors"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// A version that does not know the reporting currency may still write. What it adds is unconverted,
// never zero.
func TestWhatAnEarlierVersionAddsIsUnconverted(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	row := ledger.Transaction{
		ID: "txn_01M7YZMHG0188B8CA2SANVW38S", Date: civil.New(2026, 11, 21), AmountKnown: true, AmountMinor: 5,
		ReportingMinor: 5, ReportingKnown: true, Currency: "EUR", Counterparty: "Acme",
	}
	write(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.SetReportingCurrency(org, store.ReportingCurrency{Code: "EUR"}),
			tx.InsertTransactions(org, []ledger.Transaction{row}))
	})
	row.ID, row.ReportingKnown, row.ReportingMinor = "txn_01M7YZMHG0188B8CA2SANVW38T", false, 0
	write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, []ledger.Transaction{row}) })

	for _, keyword := range []string{"", "acme", "ac"} {
		f := ledger.Filter{Keyword: keyword, Currency: "EUR"}
		_, got, err := s.Listing(t.Context(), org, f, nil, 1)
		if want := (ledger.Summary{Count: 2, Outflow: 5, Unconverted: 1}); err != nil || got != want {
			t.Errorf("%q sums to %+v, %v; want %+v", keyword, got, err, want)
		}
	}
}

func TestAnotherCurrencyIsRefused(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	write(t, s, func(tx *store.Tx) error {
		return tx.SetReportingCurrency(org, store.ReportingCurrency{Code: "EUR", Chosen: "EUR"})
	})

	for currency, want := range map[string]error{"EUR": nil, "": nil, "GBP": store.ErrOtherCurrency} {
		_, _, err := s.Listing(t.Context(), org, ledger.Filter{Currency: currency}, nil, 1)
		if !errors.Is(err, want) {
			t.Errorf("in %q the error is %v, want %v", currency, err, want)
		}
	}
}
