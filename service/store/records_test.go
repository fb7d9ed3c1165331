package store_test

import (
	"context"
	"crypto/rand"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/access"
	"tarmac/service/accounts"
	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/receivables"
	"tarmac/service/store"
)

func at(d time.Duration) *time.Time {
	t := created.Add(d)
	return &t
}

func draft(id string) invoicing.Invoice {
	return invoicing.Invoice{
		ID: id, Status: invoicing.Draft, Currency: "USD", Description: "d", RecipientName: "Søren",
		RecipientEmail: "s@x.example",
		SubtotalCents:  90, TaxCents: 10, TotalCents: 100, DueDate: civil.New(2026, 12, 31), CreatedAt: created,
		UpdatedAt: created, Notes: "n",
		LineItems: []invoicing.LineItem{{Description: "a", Quantity: "0.5", UnitPriceCents: 180, AmountCents: 90}},
	}
}

func TestInvoicesKeepWhatTheyWereAndMoveOn(t *testing.T) {
	s := open(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	inv := draft("inv_1")
	write(t, s, func(tx *store.Tx) (err error) {
		inv, err = tx.InsertInvoice(org, inv)
		return err
	})
	inv.Status, inv.SentAt, inv.UpdatedAt, inv.PaidCents = invoicing.Sent, at(time.Hour), *at(time.Hour), 40
	write(t, s, func(tx *store.Tx) error { return tx.UpdateInvoice(org, inv) })
	readInvoice(t, s, org, inv)
	for name, change := range map[string]func(*invoicing.Invoice){
		"back to draft":       func(i *invoicing.Invoice) { i.Status = invoicing.Draft },
		"to no known status":  func(i *invoicing.Invoice) { i.Status = "lost" },
		"paid out of nowhere": func(i *invoicing.Invoice) { i.ID = "inv_none" },
	} {
		bad := inv
		change(&bad)
		if err := s.Write(context.Background(), func(tx *store.Tx) error { return tx.UpdateInvoice(org, bad) }); err == nil {
			t.Errorf("%s was let through", name)
		}
	}
	if err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.UpdateInvoice(other, inv)
	}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another organization's update: %v", err)
	}
	readInvoice(t, s, org, inv)
	write(t, s, func(tx *store.Tx) error {
		opened, err := tx.OpenInvoices(org)
		if err != nil || len(opened) != 1 || !reflect.DeepEqual(opened[0], inv) {
			t.Errorf("OpenInvoices = %+v, %v", opened, err)
		}
		inv.Status, inv.PaidAt, inv.PaidCents = invoicing.Paid, at(2*time.Hour), 100
		return tx.UpdateInvoice(org, inv)
	})
	write(t, s, func(tx *store.Tx) error {
		opened, err := tx.OpenInvoices(org)
		if err == nil && len(opened) != 0 {
			t.Errorf("a paid invoice is still open: %+v", opened)
		}
		return err
	})
}

func readInvoice(t *testing.T, s *store.Store, org store.OrgKey, want invoicing.Invoice) {
	t.Helper()
	err := s.Read(context.Background(), func(snap *store.Snapshot) error {
		got, err := snap.Invoice(org, want.ID)
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("\n got %+v\nwant %+v", got, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Numbers follow the order of commits, and the number of a rolled back invoice is used again.
func TestInvoiceNumbers(t *testing.T) {
	s := open(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	insert := func(org store.OrgKey, id string, failure error) (inv invoicing.Invoice) {
		err := s.Write(context.Background(), func(tx *store.Tx) (err error) {
			if inv, err = tx.InsertInvoice(org, draft(id)); err != nil {
				return err
			}
			return failure
		})
		if !errors.Is(err, failure) {
			t.Error(err)
		}
		return inv
	}
	insert(org, "inv_lost", errors.New("rolled back"))
	var wg sync.WaitGroup
	numbers := make(chan string, 20)
	for n := range 20 {
		wg.Go(func() { numbers <- insert(org, "inv_"+string(rune('a'+n)), nil).Number() })
	}
	wg.Wait()
	close(numbers)
	seen := map[string]bool{}
	for number := range numbers {
		seen[number] = true
	}
	if len(seen) != 20 || !seen["INV-000001"] || !seen["INV-000020"] {
		t.Errorf("numbers: %v", seen)
	}
	if got := insert(other, "inv_other", nil).Number(); got != "INV-000001" {
		t.Errorf("another organization begins with %s", got)
	}
}

func TestPaymentIntents(t *testing.T) {
	s := open(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	p := payments.Intent{
		ID: "pi_1", Status: payments.Held, AmountCents: 5, Currency: "USD", Direction: "outflow", Description: "d",
		Counterparty: "c",
		StatusReason: payments.StepUpRequired, CreatedAt: created, UpdatedAt: created, HeldAt: at(0),
	}
	write(t, s, func(tx *store.Tx) error { return tx.InsertPaymentIntent(org, p) })
	bad := p
	bad.Status = payments.Completed
	if err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.UpdatePaymentIntent(org, bad)
	}); err == nil {
		t.Error("a held payment completed without being approved")
	}
	if err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.UpdatePaymentIntent(other, p)
	}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another organization's update: %v", err)
	}
	p.Status, p.StatusReason, p.UpdatedAt = payments.Processing, "", *at(time.Minute)
	write(t, s, func(tx *store.Tx) error { return tx.UpdatePaymentIntent(org, p) })
	write(t, s, func(tx *store.Tx) error {
		got, err := tx.PaymentIntentsByStatus(org, payments.Processing)
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], p) {
			t.Errorf("PaymentIntentsByStatus = %+v, %v; want %+v", got, err, p)
		}
		held, err := tx.PaymentIntentsByStatus(org, payments.Held)
		if err == nil && (held == nil || len(held) != 0) {
			t.Errorf("held: %#v", held)
		}
		return err
	})
}

func TestAccounts(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	balance := accounts.Balance{AvailableCents: 1, HoldingCents: 2, LockedCents: 3, PendingCents: 4, SyncedAt: created}
	linked := accounts.Linked{Name: "Bank", Currency: "EUR", BalanceMinor: -5, USDCents: -6, USDKnown: true,
		ReadAt: created}
	write(t, s, func(tx *store.Tx) error {
		if _, _, ok, err := tx.ManagedAccount(org); ok || err != nil {
			t.Errorf("an account before there is one: %v, %v", ok, err)
		}
		if err := tx.SetAccountFault(org, true); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a fault without an account: %v", err)
		}
		if err := tx.SetAccount(org, true, accounts.Balance{}); err != nil {
			return err
		}
		if err := tx.SetAccount(org, true, balance); err != nil {
			return err
		}
		if err := tx.SetLinkedAccount(org, accounts.Linked{Name: "Bank", Currency: "USD"}); err != nil {
			return err
		}
		return tx.SetLinkedAccount(org, linked)
	})
	write(t, s, func(tx *store.Tx) error {
		if open, got, ok, err := tx.ManagedAccount(org); !open || !ok || err != nil || got != balance {
			t.Errorf("ManagedAccount = %v, %+v, %v, %v", open, got, ok, err)
		}
		got, err := tx.LinkedAccounts(org)
		if err == nil && (len(got) != 1 || got[0] != linked) {
			t.Errorf("LinkedAccounts = %+v", got)
		}
		return err
	})
}

// A snapshot does not change while others write.
func TestSnapshotIsOfOneMoment(t *testing.T) {
	s, source := open(t), newIDs()
	org := organization(t, s, "a")
	err := s.Read(context.Background(), func(snap *store.Snapshot) error {
		if _, err := snap.ManagedAccount(org); err != nil { // the snapshot is taken by the first read
			return err
		}
		row := hugeRow(t, source, civil.New(2026, 1, 1))
		write(t, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, []ledger.Transaction{row}) })
		summary, err := snap.Summary(org, ledger.Filter{})
		if err == nil && summary.Count != 0 {
			t.Errorf("a later row is counted: %+v", summary)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Read(context.Background(), func(snap *store.Snapshot) error {
		summary, err := snap.Summary(org, ledger.Filter{})
		if err == nil && summary.Count != 1 {
			t.Errorf("afterwards: %+v", summary)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEventsOfNobody(t *testing.T) {
	s := open(t)
	err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.AppendEvents(77, []events.Event{{ID: "evt_1", Type: events.TestEvent, OccurredAt: created,
			Body: []byte("{}")}})
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("AppendEvents = %v", err)
	}
}

func TestReceivablesMustObeyTheRulesOfAmounts(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	for _, bad := range []receivables.ImportedItem{{OpenMinor: -1}, {USDCents: -1, USDKnown: true}, {USDCents: 1}} {
		if err := s.Write(context.Background(), func(tx *store.Tx) error {
			return tx.InsertReceivables(org, bad)
		}); err == nil {
			t.Errorf("%+v was let in", bad)
		}
	}
}

func TestTokensAreFoundByTheirHash(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	token := access.Token{
		PublicID: "tok_1", OrgPublicID: "org_a", LastFour: "wxyz",
		Scopes:    []access.Scope{access.AccountRead, access.EventFeedRead},
		CreatedAt: created, ExpiresAt: at(time.Hour),
	}
	write(t, s, func(tx *store.Tx) error { return tx.InsertToken(org, token, access.Hash("s")) })
	got, err := s.TokenByHash(context.Background(), access.Hash("s"))
	if err != nil || !reflect.DeepEqual(got.Token, token) || got.Org != org {
		t.Errorf("TokenByHash = %+v, %v", got, err)
	}
	if _, err := s.TokenByHash(context.Background(), access.Hash("S")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another hash: %v", err)
	}
	write(t, s, func(tx *store.Tx) error {
		if err := tx.TouchToken(got.Key, *at(2 * time.Minute)); err != nil {
			return err
		}
		return tx.TouchToken(got.Key, *at(time.Minute)) // a late record of an earlier use
	})
	if got, err = s.TokenByHash(context.Background(), access.Hash("s")); err != nil ||
		!got.LastUsedAt.Equal(*at(2 * time.Minute)) {
		t.Errorf("last used %v, %v", got.LastUsedAt, err)
	}
}

func TestServerKeyStays(t *testing.T) {
	s := open(t)
	first, err := s.ServerKey(context.Background(), "a", rand.Reader)
	if err != nil || len(first) != 32 {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	again, err := s.ServerKey(context.Background(), "a", rand.Reader)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("the key changed, %v", err)
	}
	other, err := s.ServerKey(context.Background(), "b", rand.Reader)
	if err != nil || reflect.DeepEqual(first, other) {
		t.Errorf("two names have one key, %v", err)
	}
}
