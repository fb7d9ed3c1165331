package collections_test

import (
	"fmt"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/collections"
)

func TestCustomersWithoutInvoicesComeFromTheAging(t *testing.T) {
	days := int64(40)
	ledger := aging("Imported", 500_00, 3)
	ledger.OldestDaysPastDue = &days
	namesake := aging("Name of a", 7_00, 1)
	paidInPart := aging("Name of a", 60_00, 1)

	var got []string
	for _, c := range collections.WithAging(
		collections.Customers([]apiclient.Invoice{open("a", "2026-11-10"), open("b", "2026-11-10")}, today),
		&apiclient.ReceivablesAging{Currency: "USD",
			TopOverdue: []apiclient.OverdueCustomer{ledger, paidInPart, namesake}}, today,
	) {
		got = append(got, fmt.Sprintf("%s %s %d items %d days late, %d", c.Name, c.OwedText(), c.OverdueCount(), c.DaysLate(),
			c.Priority))
		if c.IsImported && c.Reminder() != "" {
			t.Errorf("a reminder about imported items: %q", c.Reminder())
		}
	}

	// Two rows have the name of one customer, so neither is certainly that customer's.
	want := []string{
		"Imported $500.00 3 items 40 days late, 2000000",
		"Name of a ≤$100.00 1 items 10 days late, 100000",
		"Name of b ≤$100.00 1 items 10 days late, 100000",
		"Name of a $7.00 1 items 0 days late, 0",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("customers:\n%q\nwant:\n%q", got, want)
	}
}

func TestTheTextsOfACustomer(t *testing.T) {
	habit := func(late int) []apiclient.Invoice {
		return []apiclient.Invoice{
			paid("a", "2026-01-01", late), paid("a", "2026-02-01", late), paid("a", "2026-03-01", late),
		}
	}
	euros := open("a", "2026-11-10")
	euros.Total = apiclient.NewAmount(1, "EUR")
	for name, c := range map[string]struct {
		invoices              []apiclient.Invoice
		usual, owed, expected string
	}{
		"late":        {append(habit(12), open("a", "2026-11-19")), "12 days late", "≤$100.00", "2026-12-01"},
		"early":       {append(habit(-1), open("a", "2026-11-30")), "1 day early", "$0.00", "2026-11-29"},
		"on time":     {habit(0), "on time", "$0.00", "—"},
		"no habit":    {[]apiclient.Invoice{open("a", "2026-11-10")}, "—", "≤$100.00", "not expected"},
		"euros":       {[]apiclient.Invoice{euros}, "—", "—", "not expected"},
		"both":        {[]apiclient.Invoice{open("a", "2026-11-10"), euros}, "—", "~$100.00", "not expected"},
		"without due": {[]apiclient.Invoice{{Status: apiclient.InvoiceSent}}, "—", "$0.00", "—"},
	} {
		all := collections.WithAging(collections.Customers(c.invoices, today),
			&apiclient.ReceivablesAging{Currency: "USD"}, today)
		if got := all[0]; got.UsualText() != c.usual || got.OwedText() != c.owed || got.ExpectedText() != c.expected {
			t.Errorf("%s: %q, %q, %q", name, got.UsualText(), got.OwedText(), got.ExpectedText())
		}
	}
}
