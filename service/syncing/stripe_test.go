package syncing_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/stripe"
	"tarmac/service/bookkeeping"
	"tarmac/service/invoicing"
	"tarmac/service/providers/stripe"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// connectStripe returns an organization that reads Stripe, after its first reading.
func connectStripe(t *testing.T) (*fixture, *fake.Server) {
	t.Helper()
	f := newFixture(t)
	server := fake.New(f.clock.now)
	web, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = web.Close() })
	web.Handle(fake.Host, server)
	f.Syncer = f.open(t, stripe.Kind())
	if f.Client, err = wire.New(wire.Config{Proxy: web.Proxy, RootCAs: web.RootCAs()}); err != nil {
		t.Fatal(err)
	}
	connectKey(t, f, server)
	if _, err := f.Take(t.Context(), f.org, "stripe", nil); err != nil {
		t.Fatal(err)
	}
	return f, server
}

// connectKey connects the organization with a new key.
func connectKey(t *testing.T, f *fixture, server *fake.Server) {
	t.Helper()
	_, _, err := f.Connect(t.Context(), f.org, syncing.ConnectRequest{
		Provider: "stripe", Token: wire.NewSecret(server.Key()),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// syncNow reads Stripe an hour later.
func syncNow(t *testing.T, f *fixture) syncing.Outcome {
	t.Helper()
	f.clock.advance(time.Hour)
	outcomes, err := f.Sync(t.Context(), f.org, "stripe", syncing.SyncOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return outcomes[0]
}

// sendOwn adds an invoice of 1,250.00 USD that the organization sent itself, and returns it as it
// is at Stripe.
func sendOwn(t *testing.T, f *fixture) fake.Invoice {
	t.Helper()
	sent := f.clock.now()
	own := invoicing.Invoice{
		ID: "inv_1", Status: invoicing.Sent, Currency: "USD", Description: "Work", RecipientName: "Harbor Bakery",
		RecipientEmail: "pay@harbor.example", SubtotalCents: 125000, TotalCents: 125000, CreatedAt: sent, UpdatedAt: sent,
		SentAt: &sent,
	}
	err := f.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
		own, err = tx.InsertInvoice(f.org, own)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fake.Invoice{
		Number: own.Number(), Customer: "Harbor Bakery", Email: "pay@harbor.example", Currency: "usd", Total: 125000,
	}
}

// statusOfOwn returns the status of the organization's own invoice.
func statusOfOwn(t *testing.T, f *fixture) (status invoicing.Status) {
	t.Helper()
	err := f.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		own, err := snap.Invoice(f.org, "inv_1")
		status = own.Status
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func TestAnOwnInvoiceIsPaidOnceItIsPaidAtStripe(t *testing.T) {
	f, server := connectStripe(t)
	invoice := server.Send(sendOwn(t, f))

	open := syncNow(t, f)
	server.Pay(invoice, 125000)
	paid := syncNow(t, f)
	again := syncNow(t, f)

	if open.Invoices != 1 || open.Problem != "" || len(open.Paid) != 0 {
		t.Errorf("while it is open: %+v", open)
	}
	if !slices.Equal(paid.Paid, []string{invoice.Number}) || paid.Invoices != 0 || statusOfOwn(t, f) != invoicing.Paid {
		t.Errorf("paid are %q of %d, and the own invoice is %s", paid.Paid, paid.Invoices, statusOfOwn(t, f))
	}
	if len(again.Paid) != 0 {
		t.Errorf("paid again: %q", again.Paid)
	}
}

func TestAnInvoiceThatWasPaidInPartWithCreditIsAsked(t *testing.T) {
	f, server := connectStripe(t)
	invoice := sendOwn(t, f)
	invoice.Credit = 25000
	sent := server.Send(invoice)
	syncNow(t, f)
	server.Pay(sent, 100000)

	outcome := syncNow(t, f)

	questions, err := f.Books(f.org).Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(outcome.Paid) != 0 || statusOfOwn(t, f) != invoicing.Sent || len(questions) != 1 ||
		questions[0].Kind != bookkeeping.AboutSettlement || !strings.Contains(questions[0].Text, "the total differs") {
		t.Errorf("paid are %q, questions are %+v", outcome.Paid, questions)
	}
}

func TestWhatWasPaidWhileTheKeyWasDeletedIsReadWithANewOne(t *testing.T) {
	f, server := connectStripe(t)
	invoice := server.Send(sendOwn(t, f))
	syncNow(t, f)
	server.Revoke()
	server.Pay(invoice, 125000)

	denied := syncNow(t, f)
	connectKey(t, f, server)
	paid := syncNow(t, f)

	if denied.Connection.State != store.ConnectionDenied || !strings.Contains(denied.Problem, "connect Stripe again") {
		t.Errorf("with the deleted key: %s, %q", denied.Connection.State, denied.Problem)
	}
	all, err := f.List(t.Context(), f.org)
	if err != nil || len(all) != 1 {
		t.Fatalf("connections are %+v, %v", all, err)
	}
	if !slices.Equal(paid.Paid, []string{invoice.Number}) {
		t.Errorf("paid are %q, %q", paid.Paid, paid.Problem)
	}
}
