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

// invoiceMoves are the moves of an invoice that ends in a status.
var invoiceMoves = []struct {
	name string
	to   invoicing.Status
	move func(lifecycle.Moves, store.OrgKey, string) (invoicing.Invoice, error)
	want func(*invoicing.Invoice)
}{
	{"send", invoicing.Sent, lifecycle.Moves.SendInvoice, func(inv *invoicing.Invoice) { inv.SentAt = &moment }},
	{"pay", invoicing.Paid, func(m lifecycle.Moves, org store.OrgKey, id string) (invoicing.Invoice, error) {
		return m.PayInvoice(org, id, 0)
	},
		func(inv *invoicing.Invoice) { inv.PaidAt, inv.PaidCents = &moment, inv.TotalCents }},
	{"void", invoicing.Voided, lifecycle.Moves.VoidInvoice, func(inv *invoicing.Invoice) { inv.VoidedAt = &moment }},
}

func TestEveryMoveOfAnInvoiceFromEveryStatus(t *testing.T) {
	for _, m := range invoiceMoves {
		t.Run(m.name, func(t *testing.T) {
			w := newWorld(t)
			var told []string
			for _, from := range invoicing.Statuses {
				want := w.invoice("inv_"+string(from), from)
				var got invoicing.Invoice
				err := w.move(func(moves lifecycle.Moves) (err error) {
					got, err = m.move(moves, w.org, want.ID)
					return err
				})
				if !from.CanBecome(m.to) {
					var conflict *lifecycle.Conflict
					if !errors.As(err, &conflict) || conflict.Status != string(from) || conflict.Next != string(m.to) ||
						conflict.Record != "the invoice "+want.Number()+" ("+want.ID+")" {
						t.Errorf("%s: the error is %v (%+v)", from, err, conflict)
					}
				} else {
					want.Status, want.UpdatedAt = m.to, moment
					m.want(&want)
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%s: %v\n got %+v\nwant %+v", from, err, got, want)
					}
					told = append(told, invoiceEvent(want))
				}
				w.kept(want)
				w.told("after one that was "+string(from), told...)
			}
		})
	}
}

func invoiceEvent(inv invoicing.Invoice) string {
	return fmt.Sprintf(`"type":"invoice.%s","version":1,"occurred_at":"2026-11-21T12:00:00.123Z",`+
		`"data":{"invoice_id":"%s","number":"%s","status":"%[1]s","total_cents":100000,"currency":"USD"}}`, inv.Status, inv.ID, inv.Number())
}

// kept checks what the store has of an invoice.
func (w world) kept(want invoicing.Invoice) {
	w.Helper()
	w.read(func(snap *store.Snapshot) error {
		got, err := snap.Invoice(w.org, want.ID)
		if err == nil && !reflect.DeepEqual(got, want) {
			w.Errorf("kept\n got %+v\nwant %+v", got, want)
		}
		return err
	})
}

func TestConflictsSayWhatIsPossibleInstead(t *testing.T) {
	w := newWorld(t)
	w.invoice("inv_draft", invoicing.Draft)
	w.invoice("inv_void", invoicing.Voided)
	for id, want := range map[string]string{
		"inv_draft": "the invoice INV-000001 (inv_draft) is draft and cannot become paid; it can become sent or voided",
		"inv_void":  "the invoice INV-000002 (inv_void) is voided and cannot become paid; that is final",
	} {
		err := w.move(func(m lifecycle.Moves) error {
			_, err := m.PayInvoice(w.org, id, 0)
			return err
		})
		if err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
	err := w.move(func(m lifecycle.Moves) error {
		_, err := m.VoidInvoice(w.org, "inv_void")
		return err
	})
	if want := "the invoice INV-000002 (inv_void) is voided already; that is final"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

func TestPartsOfTheMoneyMoveNothingUntilAllIsThere(t *testing.T) {
	w := newWorld(t)
	want := w.invoice("inv_1", invoicing.Sent)
	pay := func(cents int64) (inv invoicing.Invoice, err error) {
		err = w.move(func(m lifecycle.Moves) error {
			inv, err = m.PayInvoice(w.org, "inv_1", cents)
			return err
		})
		return inv, err
	}
	want.PaidCents, want.UpdatedAt = 400_00, moment
	if got, err := pay(400_00); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v", err, got)
	}
	w.kept(want)
	w.told("a part")

	var excess *lifecycle.Excess
	if _, err := pay(600_01); !errors.As(err, &excess) || !strings.Contains(err.Error(), "has 600.00 USD outstanding") {
		t.Errorf("more than all: %v", err)
	}
	var invalid *lifecycle.Invalid
	if _, err := pay(-1); !errors.As(err, &invalid) {
		t.Errorf("less than nothing: %v", err)
	}
	w.kept(want)
	w.told("refused")

	want.Status, want.PaidCents, want.PaidAt = invoicing.Paid, 1000_00, &moment
	if got, err := pay(600_00); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v", err, got)
	}
	w.kept(want)
	w.told("all", invoiceEvent(want))
}

func TestAContentIsWithheldAndReleasedInEveryStatus(t *testing.T) {
	w := newWorld(t)
	for i, status := range invoicing.Statuses {
		want := w.invoice(fmt.Sprintf("inv_%d", i), status)
		for _, withheld := range []bool{false, true, true, false} {
			if want.Withheld != withheld {
				want.Withheld, want.UpdatedAt = withheld, moment
			}
			err := w.move(func(m lifecycle.Moves) error {
				got, err := m.WithholdInvoice(w.org, want.ID, withheld)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %+v", status, got)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			w.kept(want)
		}
	}
	w.told("withheld and released")
}

func TestNoMoveReachesAnotherOrganization(t *testing.T) {
	w := newWorld(t)
	other := w.organization("org_b")
	want := w.invoice("inv_1", invoicing.Sent)
	for _, m := range invoiceMoves {
		err := w.move(func(moves lifecycle.Moves) error {
			_, err := m.move(moves, other, "inv_1")
			return err
		})
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", m.name, err)
		}
	}
	w.kept(want)
}

// A move whose transaction is not kept has told nobody.
func TestAMoveThatIsRolledBackTellsNothing(t *testing.T) {
	w := newWorld(t)
	want := w.invoice("inv_1", invoicing.Draft)
	failure := errors.New("no")
	err := w.move(func(m lifecycle.Moves) error {
		if _, err := m.SendInvoice(w.org, "inv_1"); err != nil {
			return err
		}
		return failure
	})
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	w.kept(want)
	w.told("rolled back")
}

// due adds an invoice of an organization that is due on a day; zero for none.
func (w world) due(org store.OrgKey, id string, status invoicing.Status, day civil.Date) {
	w.Helper()
	w.write(func(tx *store.Tx) error {
		_, err := tx.InsertInvoice(org, invoicing.Invoice{
			ID: id, Status: status, Currency: "USD", TotalCents: 1, SubtotalCents: 1, DueDate: day, CreatedAt: created, UpdatedAt: created,
		})
		return err
	})
}

func TestAnInvoiceIsOverdueFromTheMidnightAfterItsDueDay(t *testing.T) {
	w := newWorld(t)
	day := civil.New(2026, 11, 20)
	w.due(w.org, "inv_due", invoicing.Sent, day)
	w.due(w.org, "inv_later", invoicing.Sent, day.AddDays(1))
	w.due(w.org, "inv_never", invoicing.Sent, civil.Date{})
	w.due(w.org, "inv_draft", invoicing.Draft, day)
	w.due(w.org, "inv_paid", invoicing.Paid, day)
	midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at   time.Time
		want int
	}{
		{midnight.Add(-time.Microsecond), 0},
		{midnight.Add(-time.Nanosecond), 0},
		{midnight.In(time.FixedZone("", -5*3600)), 1}, // still the 20th there
		{midnight, 0}, // once only
		{midnight.AddDate(0, 0, 1), 1},
		{midnight.AddDate(1, 0, 0), 0},
	} {
		err := w.st.Write(t.Context(), func(tx *store.Tx) error {
			n, err := lifecycle.At(tx, w.ids, c.at).SweepOverdue(100)
			if n != c.want {
				t.Errorf("at %s: %d moved, want %d", c.at, n, c.want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.read(func(snap *store.Snapshot) error {
		overdue, err := snap.Invoices(w.org, invoicing.Overdue, 10)
		if err == nil && (len(overdue) != 2 || overdue[1].ID != "inv_due" || !overdue[1].UpdatedAt.Equal(midnight)) {
			t.Errorf("overdue: %+v", overdue)
		}
		return err
	})
	if feed := w.feed(w.org, "wh_org_a"); len(feed) != 2 || !feed[1].OccurredAt.Equal(midnight) {
		t.Errorf("the feed: %+v", feed)
	}
}

// Two processes sweep the same database in small batches; every invoice falls
// overdue once, and is told once in its own organization's feed.
func TestSweepsOfTwoStoresMoveEachInvoiceOnce(t *testing.T) {
	const each, batch = 60, 7
	path := testdb.New(t)
	w := world{TB: t, st: open(t, path), ids: ids.NewSource(seeded(1))}
	orgs := []string{"org_a", "org_b", "org_c"}
	keys := make([]store.OrgKey, len(orgs))
	for i, id := range orgs {
		keys[i] = w.organization(id)
		for n := range each {
			w.due(keys[i], fmt.Sprintf("inv_%s_%d", id, n), invoicing.Sent, civil.New(2026, 11, 1+n%20))
		}
	}
	var wg sync.WaitGroup
	moved := make(chan int, 1000)
	for i := range 4 {
		st, source := open(t, path), ids.NewSource(seeded(byte(2+i)))
		wg.Go(func() {
			for n := batch; n == batch; {
				err := st.Write(t.Context(), func(tx *store.Tx) (err error) {
					n, err = lifecycle.At(tx, source, now).SweepOverdue(batch)
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
		told := map[string]int{}
		for _, e := range w.feed(keys[i], "wh_"+id) {
			_, rest, _ := strings.Cut(string(e.Body), `"invoice_id":"`)
			invoice, _, _ := strings.Cut(rest, `"`)
			told[invoice]++
		}
		for n := range each {
			if count := told[fmt.Sprintf("inv_%s_%d", id, n)]; count != 1 {
				t.Errorf("the invoice %d of %s was told %d times", n, id, count)
			}
		}
		if len(told) != each {
			t.Errorf("%s was told of %d invoices", id, len(told))
		}
	}
}
