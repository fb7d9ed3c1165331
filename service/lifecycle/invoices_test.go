package lifecycle_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// invoiceMoves lists the transitions of an invoice, with their target status.
var invoiceMoves = []struct {
	name string
	to   invoicing.Status
	move func(lifecycle.Transitions, store.OrgKey, string) (invoicing.Invoice, error)
	want func(*invoicing.Invoice)
}{
	{"send", invoicing.Sent, lifecycle.Transitions.SendInvoice, func(inv *invoicing.Invoice) { inv.SentAt = &storedNow }},
	{"pay", invoicing.Paid, func(m lifecycle.Transitions, org store.OrgKey, id string) (invoicing.Invoice, error) {
		return m.PayInvoice(org, id, 0)
	},
		func(inv *invoicing.Invoice) { inv.PaidAt, inv.PaidCents = &storedNow, inv.TotalCents }},
	{"void", invoicing.Voided, lifecycle.Transitions.VoidInvoice,
		func(inv *invoicing.Invoice) { inv.VoidedAt = &storedNow }},
}

func TestEveryMoveOfAnInvoiceFromEveryStatus(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one change after the other")
	}
	for _, m := range invoiceMoves {
		t.Run(m.name, func(t *testing.T) {
			f := newFixture(t)
			var wantEvents []string
			for _, from := range invoicing.Statuses {
				want := f.invoice("inv_"+string(from), from)
				var got invoicing.Invoice
				err := f.move(func(moves lifecycle.Transitions) (err error) {
					got, err = m.move(moves, f.org, want.ID)
					return err
				})
				if !from.CanBecome(m.to) {
					var conflict *lifecycle.Conflict
					if !errors.As(err, &conflict) || conflict.Status != string(from) || conflict.Next != string(m.to) ||
						conflict.Record != "the invoice "+want.Number()+" ("+want.ID+")" {
						t.Errorf("%s: the error is %v (%+v)", from, err, conflict)
					}
				} else {
					want.Status, want.UpdatedAt = m.to, storedNow
					m.want(&want)
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%s: %v\n got %+v\nwant %+v", from, err, got, want)
					}
					wantEvents = append(wantEvents, invoiceEvent(want))
				}
				f.checkInvoice(want)
				f.checkEvents("after one that was "+string(from), wantEvents...)
			}
		})
	}
}

func invoiceEvent(inv invoicing.Invoice) string {
	return fmt.Sprintf(`"type":"invoice.%s","version":1,"occurred_at":"2026-11-21T12:00:00.123Z",`+
		`"data":{"invoice_id":"%s","number":"%s","status":"%[1]s","total_cents":100000,"currency":"USD"}}`,
		inv.Status, inv.ID, inv.Number())
}

// checkInvoice checks the stored invoice.
func (f fixture) checkInvoice(want invoicing.Invoice) {
	f.Helper()
	f.read(func(snap *store.Snapshot) error {
		got, err := snap.Invoice(f.org, want.ID)
		if err == nil && !reflect.DeepEqual(got, want) {
			f.Errorf("kept\n got %+v\nwant %+v", got, want)
		}
		return err
	})
}

func TestAConflictNamesThePossibleStatuses(t *testing.T) {
	f := newFixture(t)
	f.invoice("inv_draft", invoicing.Draft)
	f.invoice("inv_void", invoicing.Voided)
	for id, want := range map[string]string{
		"inv_draft": "the invoice INV-000001 (inv_draft) is draft and cannot become paid; it can become sent or voided",
		"inv_void":  "the invoice INV-000002 (inv_void) is voided and cannot become paid; that is final",
	} {
		err := f.move(func(m lifecycle.Transitions) error {
			_, err := m.PayInvoice(f.org, id, 0)
			return err
		})
		if err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
	several := &lifecycle.Conflict{Record: "the payment", Status: "processing", Next: "processing",
		Others: []string{"held", "completed", "failed"}}
	if want := "the payment is processing already; it can become held, completed or failed"; several.Error() != want {
		t.Errorf("%v; want %s", several, want)
	}
	err := f.move(func(m lifecycle.Transitions) error {
		_, err := m.VoidInvoice(f.org, "inv_void")
		return err
	})
	if want := "the invoice INV-000002 (inv_void) is voided already; that is final"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

func TestPartialPaymentsKeepTheStatusUntilNothingIsOutstanding(t *testing.T) {
	f := newFixture(t)
	want := f.invoice("inv_1", invoicing.Sent)
	pay := func(cents int64) (inv invoicing.Invoice, err error) {
		err = f.move(func(m lifecycle.Transitions) error {
			inv, err = m.PayInvoice(f.org, "inv_1", cents)
			return err
		})
		return inv, err
	}
	want.PaidCents, want.UpdatedAt = 400_00, storedNow
	if got, err := pay(400_00); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v", err, got)
	}
	f.checkInvoice(want)
	f.checkEvents("a part")

	var excess *lifecycle.Overpayment
	if _, err := pay(600_01); !errors.As(err, &excess) || !strings.Contains(err.Error(), "has 600.00 USD outstanding") {
		t.Errorf("more than all: %v", err)
	}
	var invalid *lifecycle.Invalid
	if _, err := pay(-1); !errors.As(err, &invalid) {
		t.Errorf("less than nothing: %v", err)
	}
	f.checkInvoice(want)
	f.checkEvents("refused")

	want.Status, want.PaidCents, want.PaidAt = invoicing.Paid, 1000_00, &storedNow
	if got, err := pay(600_00); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v", err, got)
	}
	f.checkInvoice(want)
	f.checkEvents("all", invoiceEvent(want))
}

func TestAnInvoiceCanBeWithheldAndReleasedInEveryStatus(t *testing.T) {
	f := newFixture(t)
	for i, status := range invoicing.Statuses {
		want := f.invoice(fmt.Sprintf("inv_%d", i), status)
		for _, withheld := range []bool{false, true, true, false} {
			if want.Withheld != withheld {
				want.Withheld, want.UpdatedAt = withheld, storedNow
			}
			err := f.move(func(m lifecycle.Transitions) error {
				got, err := m.WithholdInvoice(f.org, want.ID, withheld)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %+v", status, got)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			f.checkInvoice(want)
		}
	}
	f.checkEvents("withheld and released")
}

func TestNoTransitionReachesAnotherOrganization(t *testing.T) {
	f := newFixture(t)
	other := f.organization("org_b")
	want := f.invoice("inv_1", invoicing.Sent)
	for _, m := range invoiceMoves {
		err := f.move(func(moves lifecycle.Transitions) error {
			_, err := m.move(moves, other, "inv_1")
			return err
		})
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", m.name, err)
		}
	}
	f.checkInvoice(want)
}

func TestARolledBackTransitionHasNoEvent(t *testing.T) {
	f := newFixture(t)
	want := f.invoice("inv_1", invoicing.Draft)
	failure := errors.New("no")
	err := f.move(func(m lifecycle.Transitions) error {
		if _, err := m.SendInvoice(f.org, "inv_1"); err != nil {
			return err
		}
		return failure
	})
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	f.checkInvoice(want)
	f.checkEvents("rolled back")
}

// due stores an invoice with a due date, or without one if day is zero.
func (f fixture) due(org store.OrgKey, id string, status invoicing.Status, day civil.Date) {
	f.Helper()
	f.write(func(tx *store.Tx) error {
		_, err := tx.InsertInvoice(org, invoicing.Invoice{
			ID: id, Status: status, Currency: "USD", TotalCents: 1, SubtotalCents: 1, DueDate: day, CreatedAt: created,
			UpdatedAt: created,
		})
		return err
	})
}

func TestAnInvoiceIsOverdueFromTheMidnightAfterItsDueDay(t *testing.T) {
	f := newFixture(t)
	day := civil.New(2026, 11, 20)
	f.due(f.org, "inv_due", invoicing.Sent, day)
	f.due(f.org, "inv_later", invoicing.Sent, day.AddDays(1))
	f.due(f.org, "inv_never", invoicing.Sent, civil.Date{})
	f.due(f.org, "inv_draft", invoicing.Draft, day)
	f.due(f.org, "inv_paid", invoicing.Paid, day)
	midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at   time.Time
		want int
	}{
		{midnight.Add(-time.Microsecond), 0},
		{midnight.Add(-time.Nanosecond), 0},
		{midnight.In(time.FixedZone("", -5*3600)), 1}, // still the 20th there
		{midnight, 0}, // already overdue
		{midnight.AddDate(0, 0, 1), 1},
		{midnight.AddDate(1, 0, 0), 0},
	} {
		err := f.st.Write(t.Context(), func(tx *store.Tx) error {
			n, err := lifecycle.New(tx, f.ids, c.at).MarkOverdue(100)
			if n != c.want {
				t.Errorf("at %s: %d moved, want %d", c.at, n, c.want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	f.read(func(snap *store.Snapshot) error {
		overdue, err := snap.Invoices(f.org, invoicing.Overdue, 10)
		if err == nil && (len(overdue) != 2 || overdue[1].ID != "inv_due" || !overdue[1].UpdatedAt.Equal(midnight)) {
			t.Errorf("overdue: %+v", overdue)
		}
		return err
	})
	if feed := f.feed(f.org, "wh_org_a"); len(feed) != 2 || !feed[1].OccurredAt.Equal(midnight) {
		t.Errorf("the feed: %+v", feed)
	}
}

// Several processes mark invoices in small batches. Each invoice becomes overdue once, with
// one event in its own organization's feed.
func TestConcurrentProcessesMarkEachInvoiceOverdueOnce(t *testing.T) {
	const each, batch = 60, 7
	path := testdb.New(t)
	f := fixture{TB: t, st: open(t, path), ids: ids.NewSource(seeded(1))}
	orgs := []string{"org_a", "org_b", "org_c"}
	keys := make([]store.OrgKey, len(orgs))
	for i, id := range orgs {
		keys[i] = f.organization(id)
		for n := range each {
			f.due(keys[i], fmt.Sprintf("inv_%s_%d", id, n), invoicing.Sent, civil.New(2026, 11, 1+n%20))
		}
	}
	var wg sync.WaitGroup
	moved := make(chan int, 1000)
	for i := range 4 {
		st, source := open(t, path), ids.NewSource(seeded(byte(2+i)))
		wg.Go(func() {
			for n := batch; n == batch; {
				err := st.Write(t.Context(), func(tx *store.Tx) (err error) {
					n, err = lifecycle.New(tx, source, now).MarkOverdue(batch)
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
				moved <- n
			}
		})
	}
	wg.Wait()
	close(moved)
	total := 0
	for n := range moved {
		if total += n; n > batch {
			t.Errorf("%d in one batch", n)
		}
	}
	if total != each*len(orgs) {
		t.Errorf("%d moves of %d invoices", total, each*len(orgs))
	}
	for i, id := range orgs {
		eventCounts := map[string]int{}
		for _, e := range f.feed(keys[i], "wh_"+id) {
			_, rest, _ := strings.Cut(string(e.Body), `"invoice_id":"`)
			invoice, _, _ := strings.Cut(rest, `"`)
			eventCounts[invoice]++
		}
		for n := range each {
			if count := eventCounts[fmt.Sprintf("inv_%s_%d", id, n)]; count != 1 {
				t.Errorf("the invoice %d of %s has %d events", n, id, count)
			}
		}
		if len(eventCounts) != each {
			t.Errorf("%s has events of %d invoices", id, len(eventCounts))
		}
	}
}
