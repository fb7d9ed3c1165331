package cli_test

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/contract"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/internal/testsupport/testdns"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/demodata"
	"tarmac/service/egress"
	"tarmac/service/store"
)

// both connects a client to the service and checks every response against the contract.
type both struct {
	t        *testing.T
	service  *service.Service
	org      store.OrgKey
	orgID    string
	client   *apiclient.Client
	address  string
	stop     func()
	referee  *contract.Contract
	life     *demodata.Simulator
	lifetime time.Time
}

func newBoth(t *testing.T) *both { return newBothWith(t, egress.Config{}) }

func newBothWith(t *testing.T, webhooks egress.Config) *both {
	t.Helper()
	webhooks.Resolver = testdns.EmptyResolver()
	svc, err := service.Open(t.Context(), service.Config{
		Database: migrated.File(t), Ephemeral: true,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now:    time.Now, Entropy: rand.Reader, Webhooks: webhooks,
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &both{t: t, service: svc, referee: contract.Load(t), lifetime: time.Now().UTC()}
	t.Cleanup(func() {
		b.stop()
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
	})
	org, err := svc.CreateOrganization(t.Context(), "Northlight Labs")
	if err != nil {
		t.Fatal(err)
	}
	b.orgID = org.PublicID
	if _, b.org, err = svc.Store().Organization(t.Context(), org.PublicID); err != nil {
		t.Fatal(err)
	}
	if _, err := demodata.Generate(t.Context(), svc.Store(), b.org,
		demodata.Options{Seed: 5, Transactions: 2500, Today: b.lifetime}, nil); err != nil {
		t.Fatal(err)
	}
	b.life = demodata.NewSimulator(svc.Store(), b.org, 5, func() time.Time { return b.lifetime })
	secret, _, err := svc.CreateToken(t.Context(), org.PublicID, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	b.listen("127.0.0.1:0")
	b.client, err = apiclient.New("http://"+b.address, apiclient.Token(secret), apiclient.WithRetry(apiclient.NoRetry),
		apiclient.WithHTTPClient(&http.Client{Transport: b.referee.Transport(t, &http.Transport{DisableKeepAlives: true})}))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// listen serves the API until stop is called.
func (b *both) listen(address string) {
	b.t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		b.t.Fatal(err)
	}
	b.address = listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.service.Serve(ctx, listener, nil) }()
	b.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			b.t.Error(err)
		}
		b.stop = func() {}
	}
}

// happen simulates n changes, a few seconds apart.
func (b *both) happen(n int) {
	b.t.Helper()
	for range n {
		b.lifetime = b.lifetime.Add(3 * time.Second)
		if err := b.life.Step(b.t.Context(), b.lifetime); err != nil {
			b.t.Fatal(err)
		}
	}
}

func TestTheClientReadsAllThatTheServiceServes(t *testing.T) {
	t.Parallel()
	b := newBoth(t)
	ctx := t.Context()
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	ping, err := b.client.Ping(ctx)
	check("ping", err)
	if ping.OrgID != b.orgID || len(ping.Scopes) != len(access.Scopes) {
		t.Errorf("ping %+v", ping)
	}
	account, err := b.client.Account(ctx)
	check("account", err)
	cash, err := b.client.CashPosition(ctx)
	check("cash position", err)
	if cash.RunwayMonths == nil || account.Balance == nil || cash.RunwayCashCents == nil {
		t.Fatalf("no runway in %+v", cash)
	}

	// All pages of the ledger add up to its summary and to the cash balance.
	head, err := b.client.TransactionPage(ctx, apiclient.TransactionQuery{Limit: 1})
	check("transactions", err)
	var n, net int64
	var last apiclient.Transaction
	for row, err := range b.client.Transactions(ctx, apiclient.TransactionQuery{Limit: 200}) {
		check("transactions", err)
		n++
		if cents, known := row.Reporting.Minor(); known && row.Direction == apiclient.Inflow {
			net += cents
		} else if known {
			net -= cents
		}
		last = row
	}
	if n != head.Summary.Count || net != head.Summary.NetMinor || net != cash.CashCents {
		t.Errorf("%d rows with net %d; the summary says %d and %d, the cash is %d", n, net, head.Summary.Count,
			head.Summary.NetMinor, cash.CashCents)
	}
	one, err := b.client.Transaction(ctx, last.ID)
	check("transaction", err)
	if *one != last {
		t.Errorf("%+v in the list, %+v by itself", last, *one)
	}

	// Aging matches the invoices behind it, if none is partly paid.
	aging, err := b.client.ReceivablesAging(ctx)
	check("aging", err)
	if sum, ok := aging.Buckets.Outstanding(); !ok || aging.Totals.OutstandingCents == nil ||
		sum != *aging.Totals.OutstandingCents {
		t.Errorf("aging %+v", aging)
	}
	b.invoicesAndEvents(ctx, check)
}

func (b *both) invoicesAndEvents(ctx context.Context, check func(string, error)) {
	b.t.Helper()
	invoices, err := b.client.Invoices(ctx, apiclient.InvoiceFilter{Status: apiclient.InvoicePaid, Limit: 5})
	check("invoices", err)
	if len(invoices) != 5 {
		b.t.Fatalf("%d paid invoices", len(invoices))
	}
	invoice, err := b.client.Invoice(ctx, invoices[0].ID)
	check("invoice", err)
	if invoice.Status != apiclient.InvoicePaid || invoice.PaidAt == nil {
		b.t.Errorf("invoice %+v", invoice)
	}

	kinds := map[apiclient.EventType]int{}
	for event, err := range b.client.Events(ctx, apiclient.EventQuery{Limit: 100}) {
		check("events", err)
		kinds[event.Type]++
		if data, ok := event.PaymentData(); ok && kinds[event.Type] == 1 {
			intent, err := b.client.PaymentIntent(ctx, data.PaymentIntentID)
			check("payment intent", err)
			if intent.ID != data.PaymentIntentID {
				b.t.Errorf("event %s leads to intent %s", event.ID, intent.ID)
			}
		}
		if data, ok := event.InvoiceData(); ok && kinds[event.Type] == 1 {
			invoice, err := b.client.Invoice(ctx, data.InvoiceID)
			check("invoice of an event", err)
			if invoice.Number != data.Number {
				b.t.Errorf("event %s is about %s, the invoice is %s", event.ID, data.Number, invoice.Number)
			}
		}
	}
	for _, kind := range []apiclient.EventType{apiclient.EventInvoiceSent, apiclient.EventInvoiceOverdue,
		apiclient.EventInvoicePaid,
		apiclient.EventInvoiceVoided, apiclient.EventPaymentHeld, apiclient.EventPaymentCompleted,
		apiclient.EventPaymentFailed, apiclient.EventPaymentCanceled} {
		if kinds[kind] == 0 {
			b.t.Errorf("no event of type %s in ninety days", kind)
		}
	}
}

// The dashboard's feed misses nothing when events arrive while it polls, while the server is
// down, and more than a page at a time.
func TestNoEventIsMissedAcrossAnOutage(t *testing.T) {
	t.Parallel()
	b := newBoth(t)
	data := snapshot.New(t.Context(), b.client, snapshot.Options{Now: time.Now, Timeout: patience})
	poll := func(want bool) {
		t.Helper()
		answer := data.Load(snapshot.Events)()
		if !data.Update(answer) {
			t.Fatal("the answer did not count")
		}
		if got := data.Feed.State().Err == nil; got != want {
			t.Fatalf("poll succeeded: %v (%v)", got, data.Feed.State().Err)
		}
	}
	poll(true)
	oldest := data.Feed.Events()[0].ID
	b.happen(3)
	poll(true)
	address := b.address
	b.stop()
	b.happen(250)
	poll(false)
	poll(false)
	before := data.Feed.TotalReceived()
	b.listen(address)
	poll(true)
	if n := data.Feed.TotalReceived() - before; n <= pageOfEvents {
		t.Errorf("the gap of %d events was no longer than a page", n)
	}
	b.happen(5)
	poll(true)

	var want []string // newest first
	for event, err := range b.client.Events(t.Context(), apiclient.EventQuery{Limit: 100}) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, event.ID)
		if event.ID == oldest {
			break
		}
	}
	got := data.Feed.Events()
	if len(got) != len(want) {
		t.Fatalf("%d events on the dashboard, %d in the feed", len(got), len(want))
	}
	for i, event := range got {
		if event.ID != want[len(want)-1-i] {
			t.Fatalf("event %d is %s, want %s", i, event.ID, want[len(want)-1-i])
		}
	}
}

// pageOfEvents is the service's default page size for events.
const pageOfEvents = 50
