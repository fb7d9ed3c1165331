package invoicepdf

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tarmac/service/invoicing"
)

func TestRendererWaitsForItsTurn(t *testing.T) {
	d := Document{Invoice: invoicing.Invoice{Sequence: 7, Currency: "USD", Status: invoicing.Sent}}
	r := New(1)
	r.turns <- struct{}{} // another document is being made
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error)
	go func() {
		_, err := r.Render(ctx, d)
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
	<-r.turns
	if pdf, err := r.Render(context.Background(), d); err != nil || len(pdf) == 0 {
		t.Errorf("on its turn: %d bytes and %v", len(pdf), err)
	}
	if _, err := r.Render(ctx, d); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits for it any more: %v", err)
	}
	d.Invoice.Currency = "EUR"
	for range 2 { // a failure gives the turn back
		if _, err := r.Render(context.Background(), d); !errors.Is(err, ErrCurrency) {
			t.Errorf("%v, want %v", err, ErrCurrency)
		}
	}
}

func TestARendererOfNoneRendersOneAtATime(t *testing.T) {
	if r := New(0); cap(r.turns) != 1 {
		t.Errorf("%d at a time", cap(r.turns))
	}
}
