//go:build long && unix

package e2e_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// books records, independently of the service, what proposers and operators did.
type books struct {
	mu       sync.Mutex
	invoices []*invoiceOnBooks
	payments []*paymentOnBooks
	// events counts the events that the feed must contain, by eventKey.
	events map[string]int
	tests  [2]int // confirmed and requested test events
}

// invoiceOnBooks is a proposal and its outcome.
type invoiceOnBooks struct {
	name  string // the recipient's unique name
	cents int64
	past  bool // due in the past, so it becomes overdue once sent
	id    string
	// status is "" until a response confirms the invoice. Overdue invoices count as sent.
	status apiclient.InvoiceStatus
	paid   int64
	busy   bool
}

type paymentOnBooks struct {
	name   string // the unique description
	cents  int64
	id     string
	status apiclient.PaymentStatus
	busy   bool
}

func eventKey(kind, id string, cents int64) string { return fmt.Sprintf("%s %s %d", kind, id, cents) }

// happened records an event.
func (b *books) happened(kind, id string, cents int64) {
	b.events[eventKey(kind, id, cents)]++
}

// propose generates and records a proposal. It computes the total itself, in quarters of a
// cent, independently of the program.
func (b *books) propose(rng *rand.Rand, past bool) (*invoiceOnBooks, apiclient.InvoiceProposal) {
	b.mu.Lock()
	defer b.mu.Unlock()
	inv := &invoiceOnBooks{name: fmt.Sprintf("Soak %d", len(b.invoices)), past: past}
	p := apiclient.InvoiceProposal{Description: "Soaking", RecipientName: inv.name, RecipientEmail: "soak@example.com"}
	if past {
		p.DueDate = civil.Of(time.Now().UTC()).AddDays(-1 - rng.IntN(100))
	}
	for range 1 + rng.IntN(4) {
		quarters, cents := int64(1+rng.IntN(400)), int64(1+rng.IntN(500_000))
		quantity := apiclient.MustQuantity(fmt.Sprintf("%d.%02d", quarters/4, quarters%4*25))
		if quarters*cents < 4 { // less than one cent is rejected
			cents += 4
		}
		p.LineItems = append(p.LineItems, apiclient.LineItem{Description: "Hours", Quantity: quantity, UnitPriceCents: cents})
		inv.cents += (quarters*cents + 2) / 4
	}
	b.invoices = append(b.invoices, inv)
	return inv, p
}

// there records that an invoice is known to exist.
func (b *books) there(inv *invoiceOnBooks, id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	inv.id, inv.status = id, apiclient.InvoiceDraft
}

// settle waits until all outstanding deliveries have arrived. In a long soak, an attempt that fails
// because the machine is busy may be the second failure of its delivery.
func (s *soak) settle() {
	s.t.Helper()
	owed := strings.Join(s.receivers.owed(), "','")
	look := &crashTest{t: s.t, database: s.database}
	wait := deliveredWithin
	if s.long() {
		wait += secondRetry
	}
	for deadline := time.Now().Add(wait); ; <-time.After(200 * time.Millisecond) {
		var pending int
		look.query(s.t, `SELECT count(*) FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
			WHERE d.status = 'pending' AND e.public_id IN ('`+owed+`')`, &pending)
		if pending == 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Errorf("%d deliveries are still pending", pending)
			return
		}
	}
}

// feed returns all events created during the soak, newest first.
func (s *soak) feed() (all []apiclient.Event) {
	s.t.Helper()
	return insist(s, func(ctx context.Context) ([]apiclient.Event, error) {
		all = nil
		for e, err := range s.witness.Events(ctx, apiclient.EventQuery{Limit: 100}) {
			if err != nil {
				return nil, err
			}
			if _, before := s.base[e.ID]; !before {
				all = append(all, e)
			}
		}
		return all, nil
	})
}

// checkEvents compares the feed with the books.
func (s *soak) checkEvents(feed []apiclient.Event) {
	s.t.Helper()
	ours := map[string]*invoiceOnBooks{}
	for _, inv := range s.books.invoices {
		ours[inv.id] = inv
	}
	got, tests, overdue := map[string]int{}, 0, map[string]int{}
	for _, e := range feed {
		kind := string(e.Type)
		if d, ok := e.InvoiceData(); ok {
			cents, _ := d.Total.Minor()
			if e.Type == apiclient.EventInvoiceOverdue {
				overdue[d.InvoiceID]++
				continue
			}
			got[eventKey(kind, d.InvoiceID, cents)]++
		} else if d, ok := e.PaymentData(); ok {
			cents, _ := d.Amount.Minor()
			got[eventKey(kind, d.PaymentIntentID, cents)]++
		} else {
			tests++
		}
	}
	for key, n := range s.books.events {
		if got[key] != n {
			s.t.Errorf("%d events %s, and %d on the books", got[key], key, n)
		}
		kind, _, _ := strings.Cut(key, " ")
		s.tally.addN("events of operators", kind+" exactly once", got[key])
	}
	for key, n := range got {
		if s.books.events[key] != n {
			s.t.Errorf("%d events %s that are not on the books", n, key)
		}
	}
	for id, n := range overdue {
		if inv := ours[id]; n != 1 || inv != nil && !inv.past {
			s.t.Errorf("%s fell overdue %d times: %+v", id, n, inv)
		}
	}
	s.tally.addN("events of the service's own clock", "invoice.overdue exactly once", len(overdue))
	if tests < s.books.tests[0] || tests > s.books.tests[1] {
		s.t.Errorf("%d test events; %d were promised and %d asked for", tests, s.books.tests[0], s.books.tests[1])
	}
	s.tally.addN("test events", "in the feed", tests)
	s.tally.addN("test events", "asked for without an answer, and not there", s.books.tests[1]-tests)
}

// row is an invoice or a payment in the database.
type row struct {
	id, status  string
	cents, paid int64
}

func (s *soak) rows(query string) map[string][]row {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+s.database+"?_pragma=busy_timeout(5000)")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query(query)
	if err != nil {
		s.t.Fatal(err)
	}
	defer found.Close()
	all := map[string][]row{}
	for found.Next() {
		var name string
		var r row
		if err := found.Scan(&name, &r.id, &r.status, &r.cents, &r.paid); err != nil {
			s.t.Fatal(err)
		}
		all[name] = append(all[name], r)
	}
	if err := found.Err(); err != nil {
		s.t.Fatal(err)
	}
	return all
}

// sum holds amounts by status.
type sum map[string]struct {
	n     int
	cents int64
}

func (m sum) add(status string, cents int64) {
	one := m[status]
	one.n, one.cents = one.n+1, one.cents+cents
	m[status] = one
}

func (s *soak) sameSum(what string, want, got sum) {
	s.t.Helper()
	for status := range want {
		if want[status] != got[status] {
			s.t.Errorf("%s %s: %d of %d cents, and on the books %d of %d", what, status, got[status].n, got[status].cents,
				want[status].n, want[status].cents)
		}
		s.tally.addN(what+" as on the books", fmt.Sprintf("%s of %s", status, money.Text(got[status].cents, "USD")),
			got[status].n)
	}
	for status := range got {
		if _, ok := want[status]; !ok {
			s.t.Errorf("%s %s are not on the books", what, status)
		}
	}
}

// checkInvoices compares the database and the API with the books.
func (s *soak) checkInvoices() {
	s.t.Helper()
	found := s.rows("SELECT recipient_name, public_id, status, total_cents, paid_cents FROM invoices WHERE " +
		"recipient_name LIKE 'Soak %'")
	want, got := sum{}, sum{}
	var owed, paid int64
	for _, inv := range s.books.invoices {
		there := found[inv.name]
		delete(found, inv.name)
		if inv.status == "" {
			// Without a confirmation the invoice exists at most once, and its status is unchanged.
			if len(there) > 1 || len(there) == 1 && (there[0].status != "draft" || there[0].cents != inv.cents) {
				s.t.Errorf("%s: %+v", inv.name, there)
			}
			s.tally.add("proposals", "without an answer to the end, there or not")
			continue
		}
		if len(there) != 1 || there[0].id != inv.id || there[0].paid != inv.paid || there[0].cents != inv.cents {
			s.t.Errorf("%+v on the books is %+v", *inv, there)
			continue
		}
		status := there[0].status
		if status == "overdue" && inv.past {
			status = "sent"
		}
		want.add(string(inv.status), inv.cents)
		got.add(status, there[0].cents)
		owed, paid = owed+inv.paid, paid+there[0].paid
	}
	for name, there := range found {
		s.t.Errorf("%s is not on the books: %+v", name, there)
	}
	s.sameSum("invoices", want, got)
	if owed != paid {
		s.t.Errorf("%s were paid, and %s on the books", money.Text(paid, "USD"), money.Text(owed, "USD"))
	}
	s.tally.add("money paid on invoices, as on the books", money.Text(paid, "USD"))
	var integrity, orphan string
	look := &crashTest{t: s.t, database: s.database}
	look.query(s.t, "PRAGMA integrity_check", &integrity)
	look.query(s.t, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`, &orphan)
	var numbers int
	look.query(s.t, "SELECT count(*) - count(DISTINCT sequence) FROM invoices", &numbers)
	if integrity != "ok" || orphan != "" || numbers != 0 {
		s.t.Errorf("integrity %s, orphans in %q, %d numbers given twice", integrity, orphan, numbers)
	}
	s.checkListed()
}

// checkListed compares the API's lists, at most 200 records per status, with the books.
func (s *soak) checkListed() {
	s.t.Helper()
	byID := map[string]*invoiceOnBooks{}
	for _, inv := range s.books.invoices {
		byID[inv.id] = inv
	}
	for _, status := range []apiclient.InvoiceStatus{apiclient.InvoiceDraft, apiclient.InvoiceSent,
		apiclient.InvoiceOverdue, apiclient.InvoicePaid, apiclient.InvoiceVoided} {
		for _, shown := range insist(s, func(ctx context.Context) ([]apiclient.Invoice, error) {
			return s.witness.Invoices(ctx, apiclient.InvoiceFilter{Status: status, Limit: 200})
		}) {
			inv := byID[shown.ID]
			if inv == nil || inv.status == "" {
				continue
			}
			cents, known := shown.Total.Minor()
			if is := shown.Status; !known || cents != inv.cents || is != inv.status &&
				!(is == apiclient.InvoiceOverdue && inv.past && inv.status == apiclient.InvoiceSent) {
				s.t.Errorf("the API says %+v of %+v", shown, *inv)
			}
			s.tally.add("invoices in the API", "as on the books")
		}
	}
}

func (s *soak) checkPayments() {
	s.t.Helper()
	found := s.rows("SELECT description, public_id, status, amount_cents, 0 FROM payment_intents WHERE description LIKE " +
		"'soak %'")
	want, got := sum{}, sum{}
	for _, p := range s.books.payments {
		there := found[p.name]
		delete(found, p.name)
		if p.status == "" && len(there) == 0 {
			continue
		}
		if len(there) != 1 || there[0].id != p.id {
			s.t.Errorf("%+v on the books is %+v", *p, there)
			continue
		}
		want.add(string(p.status), p.cents)
		got.add(there[0].status, there[0].cents)
	}
	for name, there := range found {
		s.t.Errorf("%s is not on the books: %+v", name, there)
	}
	s.sameSum("payments", want, got)
}

// checkLedger adds up the pages of all transactions again, without faults.
func (s *soak) checkLedger() {
	s.t.Helper()
	if problem := insist(s, func(ctx context.Context) (string, error) {
		return sumPages(ctx, s.witness, apiclient.TransactionQuery{Limit: 200})
	}); problem != "" {
		s.t.Error(problem)
	}
}
