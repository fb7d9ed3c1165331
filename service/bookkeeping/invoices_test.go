package bookkeeping_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// bill sends an invoice of the organization to Customer, of 1,200.00 USD on 1 September, and
// returns its id.
func bill(t *testing.T, b *bookkeeping.Books) string {
	t.Helper()
	sent := time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC)
	id, err := b.IDs.New(ids.Invoice, sent)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.InsertInvoice(b.Org, invoicing.Invoice{
			ID: id, Status: invoicing.Sent, Currency: "USD", Description: "Work", RecipientName: "Customer",
			RecipientEmail: "pay@customer.example", SubtotalCents: 120000, TotalCents: 120000,
			DueDate: civil.MustParse("2026-09-30"), CreatedAt: sent, UpdatedAt: sent, SentAt: &sent,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// checkInvoice checks the status of an invoice, the amount paid, and the number of its events.
func checkInvoice(t *testing.T, b *bookkeeping.Books, id string, status invoicing.Status, paid int64, events int) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		inv, err := snap.Invoice(b.Org, id)
		if err != nil {
			return err
		}
		feed, err := snap.Feed(b.Org, store.FeedQuery{Limit: 10})
		if inv.Status != status || inv.PaidCents != paid || len(feed) != events {
			t.Errorf("the invoice is %s with %d paid and %d events; want %s, %d and %d", inv.Status, inv.PaidCents,
				len(feed), status, paid, events)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// paying returns a statement of September with a payment.
func paying(amount, name string) statement {
	s := september
	s.lines = []line{{"2026-09-15", amount, "2", name}}
	return s
}

func TestAnImportedPaymentPaysAnOwnInvoiceOnce(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)

	report := take(t, b, source("a.qfx", paying("1200.00", "Customer INV-000001").ofx()))

	if !slices.Equal(report.PaidInvoices, []string{"INV-000001"}) {
		t.Errorf("the report says %q are paid", report.PaidInvoices)
	}
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
	if got := receiptsOf(t, b); len(got) != 1 {
		t.Errorf("receipts are of %q", got)
	}
	checkReceivables(t, b)

	again := take(t, b, source("b.csv", csvHead+"09/02/2026,LANDLORD,-500.00\n09/15/2026,CUSTOMER INV-000001,1200.00\n"))

	if len(again.PaidInvoices) > 0 {
		t.Errorf("%q are paid again", again.PaidInvoices)
	}
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
}

func TestAPaidInvoiceStaysPaidWhenItsImportIsUndone(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)
	file := paying("1200.00", "Customer INV-000001").ofx()
	first := take(t, b, source("a.qfx", file))

	undone, err := b.Undo(t.Context(), string(first.Import))

	if err != nil || !slices.Equal(undone.PaidInvoices, []string{"INV-000001"}) {
		t.Errorf("undone is %+v, %v", undone, err)
	}
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
	second := take(t, b, source("a.qfx", file))
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
	if got := receiptsOf(t, b); len(got) != 1 {
		t.Errorf("receipts are of %q", got)
	}
	if undone, err = b.Undo(t.Context(), string(second.Import)); err != nil || len(undone.PaidInvoices) != 1 {
		t.Errorf("undone again is %+v, %v", undone, err)
	}
}

func TestAPartialPaymentGoesWithItsImport(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)
	first := take(t, b, source("a.qfx", paying("400.00", "Customer INV-000001").ofx()))
	checkInvoice(t, b, id, invoicing.Sent, 40000, 0)
	checkReceivables(t, b, "Customer 80000")

	if _, err := b.Undo(t.Context(), string(first.Import)); err != nil {
		t.Fatal(err)
	}

	checkInvoice(t, b, id, invoicing.Sent, 0, 0)
	take(t, b, source("a.qfx", paying("400.00", "Customer INV-000001").ofx()))
	rest := october(func(s *statement) { s.lines = []line{{"2026-10-02", "800.00", "9", "Customer INV-000001"}} })
	take(t, b, source("b.qfx", rest.ofx()))
	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
}

func TestAnOwnInvoiceAndItsImportedItemCountOnce(t *testing.T) {
	b := newBooks(t)
	id := bill(t, b)
	take(t, b, source("open.csv", openHead+"INV-000001,Customer Inc.,2026-09-01,2026-09-30,USD,1200.00\n"))
	checkReceivables(t, b, "Customer 120000")

	take(t, b, source("a.qfx", paying("1200.00", "Customer INV-000001").ofx()))

	checkInvoice(t, b, id, invoicing.Paid, 120000, 1)
	checkReceivables(t, b)
}

func TestPaymentsThatDoNotPayAnInvoice(t *testing.T) {
	for name, payment := range map[string]line{
		"part of a longer number":     {"2026-09-15", "1200.00", "2", "Customer INV-0000012"},
		"another payer and amount":    {"2026-09-15", "700.00", "2", "Somebody INV-000001"},
		"before the invoice was sent": {"2026-08-31", "1200.00", "2", "Customer INV-000001"},
		"money out":                   {"2026-09-15", "-1200.00", "2", "Customer INV-000001"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBooks(t)
			id := bill(t, b)
			s := september
			s.first, s.lines = "2026-08-01", []line{payment}

			take(t, b, source("a.qfx", s.ofx()))

			checkInvoice(t, b, id, invoicing.Sent, 0, 0)
		})
	}
}

// addEndpoint adds a webhook endpoint for paid invoices and returns its id.
func addEndpoint(t *testing.T, b *bookkeeping.Books) string {
	t.Helper()
	e := webhooks.Endpoint{
		ID: "wh_1", URL: "https://hooks.example/", EventTypes: []events.Type{"invoice.paid"}, Status: webhooks.Active,
		CreatedAt: now, UpdatedAt: now,
	}
	err := b.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertEndpoint(b.Org, e, []byte("sealed")) })
	if err != nil {
		t.Fatal(err)
	}
	return e.ID
}

func TestAPaidInvoiceIsDeliveredToWebhooks(t *testing.T) {
	b := newBooks(t)
	bill(t, b)
	endpoint := addEndpoint(t, b)

	take(t, b, source("a.qfx", paying("1200.00", "Customer INV-000001").ofx()))

	var told []string
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		all, err := snap.Deliveries(b.Org, endpoint, 10)
		for _, d := range all {
			told = append(told, fmt.Sprint(d.EventType))
		}
		return err
	})
	if err != nil || strings.Join(told, " ") != "invoice.paid" {
		t.Errorf("deliveries are of %q, %v", told, err)
	}
}

func TestTheListsOfAFileAreStoredInItsOrder(t *testing.T) {
	b := newBooks(t)
	var text strings.Builder
	var want []string
	for n := range 12 {
		want = append(want, fmt.Sprintf("ledger %d", n))
		fmt.Fprintf(&text, `{"source":%q,"as_of":"2026-11-22"}`+"\n"+
			`{"invoice":"A-%d","customer":"Other","currency":"USD","amount":"50.00"}`+"\n", want[n], n)
	}

	take(t, b, source("lists.jsonl", text.String()))

	var got []string
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		lists, err := snap.BookOpenLists(b.Org)
		for _, l := range lists {
			got = append(got, l.Source)
		}
		return err
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
