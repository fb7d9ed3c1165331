package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"tarmac/service/store"
)

func answer(text string, after time.Duration) store.StoredResponse {
	return store.StoredResponse{Fingerprint: []byte("of " + text), InvoiceID: "inv_" + text,
		Body: []byte("{" + text + "}\n"), CreatedAt: created.Add(after)}
}

func TestAnswersAreKeptForTheirTime(t *testing.T) {
	s := openChecked(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	first := answer("1", 0)
	write(t, s, func(tx *store.Tx) error { return tx.StoreResponse(org, "k", first) })
	for name, c := range map[string]struct {
		org   store.OrgKey
		key   string
		since time.Time
		want  bool
	}{
		"within its time":                {org, "k", created.Add(-time.Microsecond), true},
		"just when its time is over":     {org, "k", created, false},
		"later":                          {org, "k", created.Add(time.Hour), false},
		"another key":                    {org, "K", created.Add(-time.Hour), false},
		"another organization's request": {other, "k", created.Add(-time.Hour), false},
	} {
		write(t, s, func(tx *store.Tx) error {
			got, err := tx.StoredResponse(c.org, c.key, c.since)
			if !c.want {
				if !errors.Is(err, store.ErrNotFound) {
					t.Errorf("%s: %+v, %v", name, got, err)
				}
				return nil
			}
			if err == nil && !reflect.DeepEqual(got, first) {
				t.Errorf("%s: %+v", name, got)
			}
			return err
		})
	}
}

func TestAnAnswerTakesThePlaceOfAnOlderOne(t *testing.T) {
	s := openChecked(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	write(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.StoreResponse(org, "k", answer("1", 0)), tx.StoreResponse(other, "k", answer("2", 0)),
			tx.StoreResponse(org, "k", answer("3", 25*time.Hour)))
	})
	write(t, s, func(tx *store.Tx) error {
		for of, want := range map[store.OrgKey]store.StoredResponse{org: answer("3", 25*time.Hour), other: answer("2", 0)} {
			got, err := tx.StoredResponse(of, "k", created.Add(-time.Second))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("StoredResponse = %+v, %v; want %+v", got, err, want)
			}
		}
		return nil
	})
}

// Concurrent requests with one Idempotency-Key make one invoice, whichever process gets them.
// Each request without a key makes one. All invoice numbers differ.
func TestProposalsAtOnceOverTwoProcesses(t *testing.T) {
	stores, path := openShared(t, 2)
	org := organization(t, stores[0], "a")
	propose := func(n int, key string) error {
		return stores[n%2].Write(context.Background(), func(tx *store.Tx) error {
			if key != "" {
				if _, err := tx.StoredResponse(org, key, created.Add(-time.Hour)); !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
			inv, err := tx.InsertInvoice(org, draft(fmt.Sprintf("inv_%03d", n)))
			if err != nil || key == "" {
				return err
			}
			return tx.StoreResponse(org, key,
				store.StoredResponse{Fingerprint: []byte("f"), InvoiceID: inv.ID, Body: []byte("{}"), CreatedAt: created})
		})
	}
	const single, repeated = 100, 20
	var wg sync.WaitGroup
	for n := range single + repeated {
		wg.Go(func() {
			key := ""
			if n >= single {
				key = "k"
			}
			if err := propose(n, key); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	const numbers = "SELECT count(*) || ' invoices, ' || count(DISTINCT sequence) || ' numbers, ' || min(sequence) || ' " +
		"to ' || max(sequence) FROM invoices"
	if got, want := ask[string](t, path, numbers), fmt.Sprintf("%d invoices, %[1]d numbers, 1 to %[1]d",
		single+1); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}
