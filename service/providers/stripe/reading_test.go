package stripe_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	fake "tarmac/internal/testsupport/providers/stripe"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

// harbor returns an invoice of 1250.00 USD.
func harbor(number string) fake.Invoice {
	return fake.Invoice{
		Number: number, Customer: "Harbor Bakery", Email: "pay@harbor.example", Currency: "usd", Total: 125000,
		Due: now.AddDate(0, 0, 30),
	}
}

func ids(invoices []providers.Invoice) (all []string) {
	for _, i := range invoices {
		all = append(all, i.ID)
	}
	return all
}

func TestOpenInvoicesAreReadWithWhatIsStillUnpaid(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	open := s.Send(harbor("A-1"))
	s.Pay(open, 25000)
	s.Pay(s.Send(harbor("A-2")), 125000)
	s.Void(s.Send(harbor("A-3")))

	reading := read(t, p)

	want := []providers.Invoice{{
		ID: open.ID, Email: "pay@harbor.example", TotalMinor: 125000,
		OpenItem: bank.OpenItem{
			Number: "A-1", Party: "Harbor Bakery", Issued: civil.Of(now), Due: civil.Of(now).AddDays(30), Currency: "USD",
			Minor: 100000,
		},
	}}
	if !reflect.DeepEqual(reading.Invoices, &providers.Invoices{Open: want}) || len(reading.Notices) > 0 {
		t.Errorf("read %+v, %q", reading.Invoices, reading.Notices)
	}
}

func TestAnInvoiceWithoutNumberNameEmailAndDueDateIsRead(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	i := s.Send(fake.Invoice{Currency: "usd", Total: 100})

	got := read(t, p).Invoices.Open

	if len(got) != 1 || got[0].Number != i.ID || !strings.HasPrefix(got[0].Party, "cus_") || got[0].Email != "" ||
		!got[0].Due.IsZero() {
		t.Errorf("read %+v", got)
	}
}

func TestAllPagesAreReadAlthoughInvoicesArePaidMeanwhile(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	var sent []*fake.Invoice
	var known []string
	for n := range 250 {
		sent = append(sent, s.Send(harbor(fmt.Sprint("A-", n))))
		known = append(known, sent[n].ID)
	}
	// The last invoice of the first page, after which the next page begins, is paid between them.
	// So is one that comes later.
	s.BetweenPages(func() {
		s.BetweenPages(nil)
		s.Pay(sent[150], 125000)
		s.Pay(sent[20], 125000)
		s.Send(harbor("A-new"))
	})

	got := read(t, p, known...).Invoices

	if len(got.Open) != 249 || !slices.Equal(ids(got.Paid), []string{sent[20].ID}) || len(got.Gone) > 0 {
		t.Errorf("%d are open, %v paid, %v gone", len(got.Open), ids(got.Paid), got.Gone)
	}
}

func TestInvoicesThatAreNoLongerOpenAreLookedUp(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	var sent []*fake.Invoice
	var known []string
	for n := range 5 {
		sent = append(sent, s.Send(harbor(fmt.Sprint("A-", n))))
		known = append(known, sent[n].ID)
	}
	s.Pay(sent[0], 125000)
	s.Void(sent[1])
	s.WriteOff(sent[2])
	s.Remove(sent[3])

	reading := read(t, p, known...)

	got := reading.Invoices
	if !slices.Equal(ids(got.Open), known[4:]) || !slices.Equal(got.Gone, known[1:4]) {
		t.Errorf("open are %v, gone %v", ids(got.Open), got.Gone)
	}
	if len(got.Paid) != 1 || got.Paid[0].ID != known[0] || got.Paid[0].Minor != 0 || got.Paid[0].TotalMinor != 125000 ||
		got.Paid[0].PaidOn != civil.Of(now) {
		t.Errorf("paid are %+v", got.Paid)
	}
	if len(reading.Notices) != 1 || !strings.Contains(reading.Notices[0], "A-2 is marked as uncollectible") {
		t.Errorf("notices are %q", reading.Notices)
	}
}

func TestAnInvoiceThatCreditPaysInPartIsPaidWithTheMoneyAlone(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	invoice := harbor("A-1")
	invoice.Credit = 45000
	sent := s.Send(invoice)
	s.Pay(sent, 80000)

	paid := read(t, p, sent.ID).Invoices.Paid

	if len(paid) != 1 || paid[0].TotalMinor != 80000 {
		t.Errorf("paid are %+v", paid)
	}
}

func TestManyInvoicesAreLookedUpInSeveralReadings(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	var known []string
	for n := range 250 {
		sent := s.Send(harbor(fmt.Sprint("A-", n)))
		s.Pay(sent, 125000)
		known = append(known, sent.ID)
	}

	first := read(t, p, known...).Invoices
	second := read(t, p, first.Later...).Invoices

	if len(first.Paid) != 200 || len(second.Paid) != 50 || len(second.Later) > 0 {
		t.Errorf("%d and %d were paid, %d are left", len(first.Paid), len(second.Paid), len(second.Later))
	}
}

func TestInvoicesInUnitsThatAreNotCertainAreLeftOutAndNamed(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	for number, total := range map[string]int64{"ugx": 500000, "isk": 150, "usdc": 100, "mga": 1 << 62} {
		s.Send(fake.Invoice{Number: "A-" + number, Currency: number, Total: total})
	}
	s.Send(harbor("A-1"))

	reading := read(t, p)

	if len(reading.Invoices.Open) != 1 || len(reading.Notices) != 4 {
		t.Errorf("%d are open; notices are %q", len(reading.Invoices.Open), reading.Notices)
	}
}

func TestTheInvoicesOfATestKeyAreNotRealAndPayNothing(t *testing.T) {
	s := newServer(t)
	s.SetTest()
	p := s.connect(t)
	open, paid := s.Send(harbor("A-1")), s.Send(harbor("A-2"))
	s.Pay(paid, 125000)

	listing, err := p.Accounts(t.Context())
	reading := read(t, p, open.ID, paid.ID)

	if err != nil || len(listing.Notices) != 1 || !slices.Equal(reading.Notices, listing.Notices) {
		t.Errorf("notices are %q and %q, %v", listing.Notices, reading.Notices, err)
	}
	if len(reading.Invoices.Open) != 1 || len(reading.Invoices.Paid) > 0 {
		t.Errorf("read %+v", reading.Invoices)
	}
}

func TestTheDaysOfInvoicesAreThoseInUTC(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	late := harbor("A-1")
	late.Due = time.Date(2026, time.December, 20, 23, 30, 0, 0, time.FixedZone("", -8*3600))
	s.Send(late)

	open := read(t, p).Invoices.Open

	if len(open) != 1 || open[0].Due != civil.New(2026, time.December, 21) {
		t.Errorf("read %+v", open)
	}
}

func TestAReadingOnlyReads(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.ContentLength > 0 {
			t.Errorf("%s with %d bytes", r.Method, r.ContentLength)
		}
		s.ServeHTTP(w, r)
	}
	sent := s.Send(harbor("A-1"))
	s.Pay(sent, 125000)

	read(t, p, sent.ID)

	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests were sent", n)
	}
}
