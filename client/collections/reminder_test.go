package collections_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/collections"
)

// aging returns an aging with a customer's overdue amount and number of invoices.
func aging(name string, cents, count int64) apiclient.OverdueCustomer {
	return apiclient.OverdueCustomer{Name: name, OverdueCents: &cents, OverdueCount: &count}
}

func TestAReminderNamesAmountsOnlyIfTheAgingAgrees(t *testing.T) {
	euros := open("a", "2026-11-02")
	euros.Total = apiclient.NewAmount(100_00, "EUR")
	first, second := open("a", "2026-11-01"), open("a", "2026-11-02")
	type rows = []apiclient.OverdueCustomer
	type list = []apiclient.Invoice
	two, equal := list{first, second}, aging("Name of a", 200_00, 2)
	unnumbered := equal
	unnumbered.OverdueCount = nil
	days, older := int64(100), equal
	older.OldestDaysPastDue = &days
	var namesakes list
	for _, i := range two {
		i.RecipientEmail = "b"
		namesakes = append(namesakes, i)
	}
	for name, c := range map[string]struct {
		rows     rows
		invoices list
		want     bool
	}{
		"equal":               {rows{equal}, two, true},
		"paid in part":        {rows{aging("Name of a", 150_00, 2)}, two, false},
		"another number":      {rows{aging("Name of a", 200_00, 3)}, two, false},
		"without a number":    {rows{unnumbered}, two, true},
		"without an amount":   {rows{{Name: "Name of a"}}, two, false},
		"older":               {rows{older}, two, false},
		"not listed":          {nil, two, false},
		"two rows":            {rows{equal, aging("Name of a", 5, 2)}, two, false},
		"two debtors":         {rows{equal}, append(namesakes, two...), false},
		"partly in euros":     {rows{aging("Name of a", 100_00, 1)}, list{first, euros}, false},
		"another one's row":   {rows{aging("Name of b", 200_00, 2)}, two, false},
		"nothing overdue yet": {rows{aging("Name of a", 0, 0)}, list{open("a", "2026-12-01")}, false},
	} {
		customers := collections.WithAging(collections.Customers(c.invoices, today),
			&apiclient.ReceivablesAging{Currency: "USD", TopOverdue: c.rows}, today)
		for _, customer := range customers {
			if customer.Email == "a" && customer.IsConfirmed != c.want {
				t.Errorf("%s: confirmed %v, want %v", name, customer.IsConfirmed, c.want)
			}
			if named := strings.Contains(customer.Reminder(), "$"); named != customer.IsConfirmed {
				t.Errorf("%s: the reminder names amounts: %v\n%s", name, named, customer.Reminder())
			}
		}
	}
}

func TestTheTextOfAReminder(t *testing.T) {
	customers := collections.Customers([]apiclient.Invoice{
		open("a", "2026-11-02"), open("a", "2026-10-02"), open("a", "2026-12-02"),
	}, today)
	customers = collections.WithAging(customers, &apiclient.ReceivablesAging{Currency: "USD",
		TopOverdue: []apiclient.OverdueCustomer{aging("Name of a", 200_00, 2)},
	}, today)

	want := `Hello,

these invoices are past due:

- INV-2026-10-02, due 2026-10-02, $100.00
- INV-2026-11-02, due 2026-11-02, $100.00

The total is $200.00.

Please let us know when we can expect the payment. If you have paid in the meantime, please ignore this message.
`
	if got := customers[0].Reminder(); got != want {
		t.Errorf("reminder:\n%s", got)
	}
}

func TestAReminderHasNoLinesOfAServer(t *testing.T) {
	evil := open("a@x.example\r\nBcc: all@x.example", "2026-11-02")
	evil.Number, evil.RecipientName = "INV-1\r\nBcc: all@x.example\x1b[2J\u202e", "Acme\nSubject: hi"

	c := one(t, evil)

	if text := c.Reminder(); strings.Contains(text, "\nBcc") || strings.ContainsAny(text, "\r\x1b\u202e") ||
		strings.Count(text, "\n") != 7 {
		t.Errorf("reminder: %q", text)
	}
}

// lists is a server with its newest invoices and those of each status.
type lists map[apiclient.InvoiceStatus][]apiclient.Invoice

func (l lists) Invoices(_ context.Context, f apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	if l[f.Status] == nil {
		return nil, errors.New("no " + string(f.Status) + " list")
	}
	return l[f.Status], nil
}

func TestAFullListSaysWhatItLacks(t *testing.T) {
	full := func(status apiclient.InvoiceStatus, due string) (all []apiclient.Invoice) {
		for i := range collections.ListLimit {
			one := invoice("a", due, status)
			one.ID = fmt.Sprint(status, i)
			all = append(all, one)
		}
		return all
	}
	old := open("a", "2024-01-01")
	server := lists{
		"": full("paid", "2026-03-31")[:199], apiclient.InvoiceOverdue: {old}, apiclient.InvoiceSent: {},
	}

	list, err := collections.Read(t.Context(), server)
	if err != nil || list.Missing() != "" || len(list.Invoices) != 199 {
		t.Errorf("%d invoices, %q, %v", len(list.Invoices), list.Missing(), err)
	}

	server[""] = full("paid", "2026-03-31")
	list, err = collections.Read(t.Context(), server)
	if err != nil || len(list.Invoices) != 201 || !strings.Contains(list.Missing(), "before 2026-03-01") ||
		strings.Contains(list.Missing(), "open") {
		t.Errorf("%d invoices, %q, %v", len(list.Invoices), list.Missing(), err)
	}

	server[apiclient.InvoiceOverdue] = full("overdue", "2025-03-31")
	if list, _ = collections.Read(t.Context(), server); !list.IsOpenMissing ||
		!strings.Contains(list.Missing(), "open invoices") {
		t.Errorf("%q", list.Missing())
	}

	delete(server, apiclient.InvoiceSent)
	if _, err = collections.Read(t.Context(), server); err == nil {
		t.Error("a list that could not be read is not reported")
	}
}

func TestAnInvoiceIsReadOnceThoughItsStatusChanges(t *testing.T) {
	newest := make([]apiclient.Invoice, collections.ListLimit)
	for i := range newest {
		newest[i] = paid("a", "2026-01-01", 1)
		newest[i].ID = fmt.Sprint(i)
	}
	sent, overdue := invoice("b", "2026-11-19", apiclient.InvoiceSent), open("b", "2026-11-19")
	newest[0] = sent

	list, err := collections.Read(t.Context(), lists{
		"": newest, apiclient.InvoiceSent: {sent}, apiclient.InvoiceOverdue: {overdue},
	})

	customers := collections.Customers(list.Invoices, today)
	if err != nil || customers[0].Email != "b" || len(customers[0].Open) != 1 {
		t.Errorf("%+v, %v", customers[0], err)
	}
}
