package books_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/books"
	"tarmac/service/ledger"
)

// earned returns a row of money in, and spent one of money out, in US dollars.
func earned(date, payer string, dollars int64) ledger.Transaction {
	return ledger.Transaction{
		ID: fmt.Sprint("txn_", date, payer), Date: civil.MustParse(date), Direction: ledger.Inflow, AmountKnown: true,
		AmountMinor: dollars * 100, USDCents: dollars * 100, USDKnown: true, Currency: "USD", Counterparty: payer,
	}
}

func spent(date string, dollars int64) ledger.Transaction {
	row := earned(date, "Gusto", dollars)
	row.Direction = ledger.Outflow
	return row
}

func questionsAbout(t *testing.T, rows ...ledger.Transaction) []books.FinancingQuestion {
	t.Helper()
	questions, err := books.FindFinancing(slices.Values(rows))
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

// burn returns the net burn of three months in dollars.
func burn(rows []ledger.Transaction) int64 {
	var net int64
	for _, row := range rows {
		switch {
		case !row.Operating():
		case row.Direction == ledger.Inflow:
			net += row.USDCents
		default:
			net -= row.USDCents
		}
	}
	return -net / 300
}

// If four SAFEs of 25,000 counted as income, burn would seem to be a fifth of its real amount.
func TestInvestmentsDoNotHideBurn(t *testing.T) {
	rows := []ledger.Transaction{
		spent("2026-08-31", 41_500), spent("2026-09-30", 41_500), spent("2026-10-31", 41_500),
		earned("2026-09-03", "Ada Ventures", 25_000), earned("2026-09-04", "Blue Capital", 25_000),
		earned("2026-09-10", "Jo Angel", 25_000), earned("2026-10-02", "Max Angel", 25_000),
	}
	if apparent := burn(rows); apparent != 8166 {
		t.Errorf("burn looks like %d", apparent)
	}

	for _, q := range questionsAbout(t, rows...) {
		for i := range rows {
			if slices.Contains(q.Rows, rows[i].ID) {
				rows[i].Category = ledger.CategoryFinancing
			}
		}
	}

	if got := burn(rows); got != 41_500 {
		t.Errorf("burn is %d", got)
	}
}

func TestWhatIsAskedAbout(t *testing.T) {
	costs := []ledger.Transaction{spent("2026-08-31", 10_000), spent("2026-09-30", 10_000), spent("2026-10-31", 10_000)}
	row := earned("2026-10-05", "Jo", 5000)
	invoiced, ruled, unrated, foreign := row, row, row, row
	invoiced.HasReceipt = true
	ruled.Category = "sales"
	unrated.USDKnown, unrated.USDCents = false, 0
	foreign.Category = ledger.CategoryInternalTransfer
	tranche := earned("2026-09-05", "Jo", 5000)
	tranche.Category = ledger.CategoryFinancing
	for name, test := range map[string]struct {
		rows []ledger.Transaction
		want []string
	}{
		"one payment":              {[]ledger.Transaction{row}, []string{"Jo 5000"}},
		"above a tenth":            {[]ledger.Transaction{earned("2026-10-05", "Jo", 1001)}, []string{"Jo 1001"}},
		"a tenth":                  {[]ledger.Transaction{earned("2026-10-05", "Jo", 1000)}, nil},
		"a customer of two months": {[]ledger.Transaction{row, earned("2026-09-05", "JO", 1)}, nil},
		"two payments of a month":  {[]ledger.Transaction{row, earned("2026-10-06", "jo.", 6000)}, []string{"jo. 11000"}},
		"one of two is small":      {[]ledger.Transaction{row, earned("2026-10-06", "Jo", 10)}, []string{"Jo 5000"}},
		"paid an invoice":          {[]ledger.Transaction{invoiced}, nil},
		"a rule explains it":       {[]ledger.Transaction{ruled}, nil},
		"no rate":                  {[]ledger.Transaction{unrated}, nil},
		"a second tranche":         {[]ledger.Transaction{tranche, row}, []string{"Jo 5000"}},
		"a transfer":               {[]ledger.Transaction{foreign}, nil},
		"unknown payers are different ones": {
			[]ledger.Transaction{
				earned("2026-09-05", ledger.UnknownCounterparty, 5000), earned("2026-10-05", ledger.UnknownCounterparty, 6000),
			}, []string{"(unknown) 5000", "(unknown) 6000"},
		},
		"before there are costs": {[]ledger.Transaction{earned("2026-05-05", "Jo", 1)}, []string{"Jo 1"}},
	} {
		var got []string
		for _, q := range questionsAbout(t, slices.Concat(costs, test.rows)...) {
			got = append(got, fmt.Sprint(q.Payer, " ", q.USDCents/100))
		}

		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestSumsOfFinancingThatOverflowAreAnError(t *testing.T) {
	huge := earned("2026-10-05", "Jo", 1)
	huge.USDCents = math.MaxInt64

	_, err := books.FindFinancing(slices.Values([]ledger.Transaction{huge, huge}))

	if !errors.Is(err, books.ErrOverflow) {
		t.Errorf("error is %v", err)
	}
}
