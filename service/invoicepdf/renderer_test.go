package invoicepdf

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tarmac/service/invoicing"
)

func TestARendererWaitsForAFreeSlot(t *testing.T) {
	d := Document{Invoice: invoicing.Invoice{Sequence: 7, Currency: "USD", Status: invoicing.Sent}}
	r := New(1)
	r.slots <- struct{}{} // another document is being made
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error)
	go func() {
		_, err := r.Render(ctx, "org_a", d)
		failed <- err
	}()
	select {
	case err := <-failed:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "INV-000007") {
		t.Errorf("the wait ended with %v", err)
	}
	<-r.slots
	if pdf, err := r.Render(context.Background(), "org_a", d); err != nil || len(pdf) == 0 {
		t.Errorf("on its turn: %d bytes and %v", len(pdf), err)
	}
	if _, err := r.Render(ctx, "org_a", d); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits for it any more: %v", err)
	}
	d.Invoice.Currency = "EUR"
	for range 2 { // a failure gives the turn back
		if _, err := r.Render(context.Background(), "org_a", d); !errors.Is(err, ErrCurrency) {
			t.Errorf("%v, want %v", err, ErrCurrency)
		}
	}
}

func TestAnOrganizationWithManyRequestsDoesNotBlockOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 40
		d := Document{Invoice: invoicing.Invoice{Currency: "EUR"}} // refused at once
		r := New(1)
		r.slots <- struct{}{}
		order := make(chan string, many+1)
		ask := func(org string) {
			go func() {
				_, _ = r.Render(t.Context(), org, d)
				order <- org
			}()
			synctest.Wait()
		}
		for range many {
			ask("org_a")
		}
		ask("org_b")
		<-r.slots
		r.slots <- struct{}{} // channels serve in turn, so this is after those that wait already
		synctest.Wait()
		var made []string
		for len(order) > 0 {
			made = append(made, <-order)
		}
		if !slices.Contains(made, "org_b") || len(made) > many/4 {
			t.Errorf("made before the next that asks: %v", made)
		}
		<-r.slots
		synctest.Wait()
		if len(order) != many+1-len(made) || len(r.rendering) != 0 {
			t.Errorf("%d more were made, after %d; kept: %v", len(order), len(made), r.rendering)
		}
	})
}

func TestARendererOfZeroSlotsRendersOneAtATime(t *testing.T) {
	if r := New(0); cap(r.slots) != 1 {
		t.Errorf("%d at a time", cap(r.slots))
	}
}
