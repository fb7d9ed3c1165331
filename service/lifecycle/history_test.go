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

// After any sequence of transitions an invoice has one event for each status that it
// reached, the matching timestamps, and no more paid than its total.
func TestEveryHistoryOfAnInvoiceIsConsistent(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one change after the other")
	}
	f := newFixture(t)
	n, before := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		id := fmt.Sprintf("inv_%d", n)
		f.invoice(id, invoicing.Draft)
		visited := []invoicing.Status{invoicing.Draft}
		for range rapid.IntRange(1, 8).Draw(t, "moves") {
			move := rapid.SampledFrom([]string{"send", "pay all", "pay", "void", "withhold"}).Draw(t, "move")
			cents := rapid.Int64Range(-1, 1200_00).Draw(t, "cents")
			var inv invoicing.Invoice
			err := f.move(func(m lifecycle.Transitions) (err error) {
				switch move {
				case "send":
					inv, err = m.SendInvoice(f.org, id)
				case "pay all":
					inv, err = m.PayInvoice(f.org, id, 0)
				case "pay":
					inv, err = m.PayInvoice(f.org, id, cents)
				case "void":
					inv, err = m.VoidInvoice(f.org, id)
				case "withhold":
					inv, err = m.WithholdInvoice(f.org, id, cents%2 == 0)
				}
				return err
			})
			if err != nil {
				if !errors.As(err, new(*lifecycle.Conflict)) && !errors.As(err, new(*lifecycle.Overpayment)) &&
					!errors.As(err, new(*lifecycle.Invalid)) {
					t.Fatalf("%s: %v", move, err)
				}
				continue
			}
			if inv.Status != visited[len(visited)-1] {
				visited = append(visited, inv.Status)
			}
		}
		before += len(visited) - 1
		f.checkHistory(t, id, visited, before)
	})
}

// checkHistory checks an invoice that went through the visited statuses, and the number of
// events in the feed.
func (f fixture) checkHistory(t *rapid.T, id string, visited []invoicing.Status, eventCount int) {
	err := f.st.Read(t.Context(), func(snap *store.Snapshot) error {
		inv, err := snap.Invoice(f.org, id)
		if err != nil {
			return err
		}
		feed, err := snap.Feed(f.org, store.FeedQuery{Limit: 100_000})
		if err != nil {
			return err
		}
		was := map[invoicing.Status]bool{}
		for _, s := range visited {
			was[s] = true
		}
		if len(feed) != eventCount {
			t.Fatalf("%d events, want %d", len(feed), eventCount)
		}
		if inv.Status != visited[len(visited)-1] || (inv.SentAt != nil) != was[invoicing.Sent] ||
			(inv.PaidAt != nil) != was[invoicing.Paid] || (inv.VoidedAt != nil) != was[invoicing.Voided] {
			t.Fatalf("came through %v to %+v", visited, inv)
		}
		if inv.PaidCents < 0 || inv.PaidCents > inv.TotalCents ||
			(inv.Status == invoicing.Paid) != (inv.PaidCents == inv.TotalCents) {
			t.Fatalf("%s with %d of %d cents paid", inv.Status, inv.PaidCents, inv.TotalCents)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
