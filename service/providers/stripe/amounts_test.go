package stripe_test

import (
	"fmt"
	"testing"

	fake "tarmac/internal/testsupport/providers/stripe"
)

func TestAmountsAreConvertedToTheUnitsOfISO4217(t *testing.T) {
	for _, test := range []struct {
		currency string
		stripe   int64
		minor    int64
	}{
		{"usd", 1050, 1050}, {"eur", 1, 1}, {"jpy", 1500, 1500}, {"huf", 10000, 10000}, {"twd", 10000, 10000},
		{"kwd", 5120, 5120}, // three decimals in both
		{"isk", 150000, 1500},
		{"mga", 1500, 150000},
		{"clp", 990, 990},
	} {
		s := newServer(t)
		p := s.connect(t)
		s.Send(fake.Invoice{Number: "A-1", Currency: test.currency, Total: test.stripe})

		open := read(t, p).Invoices.Open

		if len(open) != 1 || open[0].Minor != test.minor || open[0].TotalMinor != test.minor {
			t.Errorf("%d %s: %s", test.stripe, test.currency, fmt.Sprintf("%+v", open))
		}
	}
}
