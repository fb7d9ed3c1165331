package lifecycle_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// Whatever is tried in whatever order: an invoice is told of once for each status
// that it came to, its times are those of its past, and what was paid is never
// more than its total.
func TestEveryHistoryOfAnInvoiceHoldsTogether(t *testing.T) {
	w := newWorld(t)
	n, before := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		id := fmt.Sprintf("inv_%d", n)
		w.invoice(id, invoicing.Draft)
		visited := []invoicing.Status{invoicing.Draft}
		for range rapid.IntRange(1, 8).Draw(t, "moves") {
			move := rapid.SampledFrom([]string{"send", "pay all", "pay", "void", "withhold"}).Draw(t, "move")
			cents := rapid.Int64Range(-1, 1200_00).Draw(t, "cents")
			var inv invoicing.Invoice
			err := w.move(func(m lifecycle.Moves) (err error) {
				switch move {
				case "send":
					inv, err = m.SendInvoice(w.org, id)
				case "pay all":
					inv, err = m.PayInvoice(w.org, id, 0)
				case "pay":
					inv, err = m.PayInvoice(w.org, id, cents)
				case "void":
					inv, err = m.VoidInvoice(w.org, id)
				case "withhold":
					inv, err = m.WithholdInvoice(w.org, id, cents%2 == 0)
				}
				return err
			})
			if err != nil {
				if !errors.As(err, new(*lifecycle.Conflict)) && !errors.As(err, new(*lifecycle.Excess)) && !errors.As(err, new(*lifecycle.Invalid)) {
					t.Fatalf("%s: %v", move, err)
				}
				continue
			}
			if inv.Status != visited[len(visited)-1] {
				visited = append(visited, inv.Status)
			}
		}
		before += len(visited) - 1
		w.history(t, id, visited, before)
	})
}

// history checks an invoice that came through the given statuses, in a feed of so
// many events.
func (w world) history(t *rapid.T, id string, visited []invoicing.Status, told int) {
	err := w.st.Read(t.Context(), func(snap *store.Snapshot) error {
		inv, err := snap.Invoice(w.org, id)
		if err != nil {
			return err
		}
		feed, err := snap.Feed(w.org, store.FeedQuery{Limit: 100_000})
		if err != nil {
			return err
		}
		was := map[invoicing.Status]bool{}
		for _, s := range visited {
			was[s] = true
		}
		if len(feed) != told {
			t.Fatalf("%d events, want %d", len(feed), told)
		}
		if inv.Status != visited[len(visited)-1] || (inv.SentAt != nil) != was[invoicing.Sent] ||
			(inv.PaidAt != nil) != was[invoicing.Paid] || (inv.VoidedAt != nil) != was[invoicing.Voided] {
			t.Fatalf("came through %v to %+v", visited, inv)
		}
		if inv.PaidCents < 0 || inv.PaidCents > inv.TotalCents || (inv.Status == invoicing.Paid) != (inv.PaidCents == inv.TotalCents) {
			t.Fatalf("%s with %d of %d cents paid", inv.Status, inv.PaidCents, inv.TotalCents)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
