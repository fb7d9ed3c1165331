package spending_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// inEuros has a cost of each of the last fifteen months, while the euro rises from $1.00 to $1.14.
func inEuros(euros func(month int) int64) *spending.Ledger {
	var rows []apiclient.Transaction
	for month := range 15 {
		day, cents := civil.New(2025, 9, 8).AddMonths(month), euros(month)
		r := row(day.String(), "Rheinhost", -cents*int64(100+month)/100, "")
		r.Amount = apiclient.NewAmount(cents, "EUR")
		rows = append(rows, r)
	}
	return ledger(rows...)
}

func TestTheChangeIsThatOfThePriceInItsOwnCurrency(t *testing.T) {
	today := civil.New(2026, 11, 22)
	for name, c := range map[string]struct {
		ledger *spending.Ledger
		want   int64
	}{
		"a price that did not move": {inEuros(func(int) int64 { return 500_00 }), 0},
		"a price that rose": {inEuros(func(month int) int64 {
			if month < 6 {
				return 500_00
			}
			return 600_00
		}), 20},
	} {
		all := c.ledger.Recurring(today)
		if len(all) != 1 {
			t.Fatalf("%s: %d series", name, len(all))
		}
		if percent, _, ok := all[0].Change(); percent != c.want || !ok {
			t.Errorf("%s: changed by %d %%, %v, want %d", name, percent, ok, c.want)
		}
	}
}

// Of a vendor that bills in another currency now, only dollars can be compared.
func TestTheChangeOfAPriceInTwoCurrenciesIsInDollars(t *testing.T) {
	l := inEuros(func(int) int64 { return 500_00 })
	for i := range l.Rows[:6] {
		l.Rows[i].Amount = l.Rows[i].Reporting
	}
	all := l.Recurring(civil.New(2026, 11, 22))
	if percent, _, ok := all[0].Change(); len(all) != 1 || percent != 9 || !ok {
		t.Errorf("%d series, changed by %d %%, %v", len(all), percent, ok)
	}
}

// Payments are searched in 25 months, however many have been read.
func TestOlderPaymentsBelongToNoSeries(t *testing.T) {
	var rows []apiclient.Transaction
	for month := range 40 {
		rows = append(rows, row(civil.New(2026, 11, 5).AddMonths(-month).String(), "Rent", -100, ""))
	}
	all := ledger(rows...).Recurring(civil.New(2026, 11, 22))
	if len(all) != 1 || len(all[0].Payments) != spending.RecurringMonths || all[0].First() != civil.New(2024, 11, 5) {
		t.Errorf("%+v", all)
	}
}
