package service_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service"
	"tarmac/service/accounts"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// proposed proposes an invoice of 1,000.00 USD and returns its id.
func (f *fixture) proposed(of tenant) string {
	f.t.Helper()
	id := f.id(ids.Invoice)
	f.write(func(tx *store.Tx) error {
		_, err := tx.InsertInvoice(of.key, invoicing.Invoice{
			ID: id, Status: invoicing.Draft, Currency: "USD", Description: "d", RecipientName: "n",
			RecipientEmail: "n@example.com",
			SubtotalCents:  1000_00, TotalCents: 1000_00, CreatedAt: f.clock.now(), UpdatedAt: f.clock.now(),
		})
		return err
	})
	return id
}

// They are the status, its time and one event.
func TestTheAPIShowsTheOperatorsChanges(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	id := f.proposed(a)
	f.clock.advance(time.Hour)
	for _, do := range []func() (invoicing.Invoice, error){
		func() (invoicing.Invoice, error) { return f.service.SendInvoice(t.Context(), id) },
		func() (invoicing.Invoice, error) { return f.service.PayInvoice(t.Context(), id, 400_00) },
		func() (invoicing.Invoice, error) { return f.service.WithholdInvoice(t.Context(), id, true) },
		func() (invoicing.Invoice, error) { return f.service.PayInvoice(t.Context(), id, 0) },
	} {
		inv, err := do()
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := f.service.Invoice(t.Context(), id); err != nil || !reflect.DeepEqual(kept, inv) {
			t.Errorf("returned %+v; kept %+v, %v", inv, kept, err)
		}
	}
	var shown struct {
		Status string
		SentAt time.Time `json:"sent_at"`
		PaidAt time.Time `json:"paid_at"`
	}
	f.decode(f.get(a.secret, prefix+"/invoices/"+id), &shown)
	if shown.Status != "paid" || !shown.SentAt.Equal(noon.Add(time.Hour)) || !shown.PaidAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("the API shows %+v", shown)
	}

	p, err := f.service.CreatePayment(t.Context(), a.id, lifecycle.Payment{
		AmountCents: 5_00, Currency: "USD", Direction: ledger.Outflow, Description: "d", Counterparty: "c",
		HeldFor: payments.StepUpRequired,
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range []func(context.Context, string) (payments.Intent, error){
		f.service.ApprovePayment,
		func(ctx context.Context, id string) (payments.Intent, error) {
			return f.service.HoldPayment(ctx, id, payments.AwaitingApproval)
		},
		f.service.ApprovePayment,
		func(ctx context.Context, id string) (payments.Intent, error) {
			return f.service.FailPayment(ctx, id, "refused")
		},
	} {
		if _, err := do(t.Context(), p.ID); err != nil {
			t.Fatal(err)
		}
	}
	var intent struct {
		Status string
		Reason string `json:"status_reason"`
	}
	f.decode(f.get(a.secret, prefix+"/payment-intents/"+p.ID), &intent)
	if intent.Status != "failed" || intent.Reason != "refused" {
		t.Errorf("the API shows %+v", intent)
	}

	var feed struct{ Data []struct{ Type events.Type } }
	f.decode(f.get(a.secret, prefix+"/events"), &feed)
	var told []events.Type
	for _, e := range feed.Data {
		told = append(told, e.Type)
	}
	if want := []events.Type{
		events.PaymentFailed, events.PaymentHeld, events.PaymentHeld, events.InvoicePaid, events.InvoiceSent,
	}; !reflect.DeepEqual(told, want) {
		t.Errorf("the feed has %v, want %v", told, want)
	}
}

func TestAConflictOfTheOperatorChangesNothing(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	id := f.proposed(a)
	var conflict *lifecycle.Conflict
	if _, err := f.service.PayInvoice(t.Context(), id, 0); !errors.As(err, &conflict) ||
		errors.Is(err, store.ErrNotFound) {
		t.Errorf("paying a draft: %v", err)
	}
	if _, err := f.service.VoidInvoice(t.Context(), id); err != nil {
		t.Error(err)
	}
	if _, err := f.service.SendInvoice(t.Context(), id); !errors.As(err, &conflict) {
		t.Errorf("sending what is void: %v", err)
	}
	all, err := f.service.Invoices(t.Context(), a.id, invoicing.Voided, 10)
	if err != nil || len(all) != 1 || all[0].SentAt != nil || all[0].PaidCents != 0 {
		t.Errorf("invoices: %+v, %v", all, err)
	}
}

func TestAnUnknownIDIsNamedInTheErrorUnlessItMayBeASecret(t *testing.T) {
	f := start(t, 0)
	ctx := t.Context()
	for name, do := range map[string]func(id string) error{
		"inv_": func(id string) error {
			_, err := f.service.Invoice(ctx, id)
			_, send := f.service.SendInvoice(ctx, id)
			_, pay := f.service.PayInvoice(ctx, id, 0)
			_, void := f.service.VoidInvoice(ctx, id)
			_, withhold := f.service.WithholdInvoice(ctx, id, true)
			return all(err, send, pay, void, withhold)
		},
		"pi_": func(id string) error {
			_, hold := f.service.HoldPayment(ctx, id, payments.AwaitingApproval)
			_, approve := f.service.ApprovePayment(ctx, id)
			_, complete := f.service.CompletePayment(ctx, id)
			_, fail := f.service.FailPayment(ctx, id, "")
			_, cancel := f.service.CancelPayment(ctx, id)
			return all(hold, approve, complete, fail, cancel)
		},
		"org_": func(id string) error {
			_, invoices := f.service.Invoices(ctx, id, "", 10)
			_, intents := f.service.Payments(ctx, id, 10)
			_, create := f.service.CreatePayment(ctx, id, lifecycle.Payment{}, "")
			_, account := f.service.Account(ctx, id)
			_, endpoints := f.service.Endpoints(ctx, id)
			_, set := f.service.SetOwner(ctx, id, "n", "n@example.com")
			_, clear := f.service.ClearOwner(ctx, id)
			return all(invoices, intents, create, account, endpoints, set, clear,
				f.service.OpenAccount(ctx, id, accounts.Balance{}),
				f.service.CloseAccount(ctx, id), f.service.SetAccountFault(ctx, id, true))
		},
		"tok_": func(id string) error { return all(f.service.RevokeToken(ctx, id)) },
	} {
		if err := do(name + "none"); !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), name+"none") {
			t.Errorf("%snone: %v", name, err)
		}
		for _, id := range []string{"svc_org_abc", name + "svc_org_abc", "abc"} {
			if err := do(id); !errors.Is(err, store.ErrNotFound) || strings.Contains(err.Error(), "abc") ||
				!strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
}

// all joins the errors, or returns nil if any of them is nil.
func all(errs ...error) error {
	for i, err := range errs {
		if !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("the call %d returned %v", i, err)
		}
	}
	return errors.Join(errs...)
}

func TestAnOwnerCanBeSetAndCleared(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for _, bad := range [][2]string{
		{"", "a@example.com"}, {" ", "a@example.com"}, {strings.Repeat("ł", 201), "a@example.com"},
		{"a\nb", "a@example.com"}, {"\xff", "a@example.com"},
		{"a", ""}, {"a", "a"}, {"a", "A <a@example.com>"}, {"a", "a@b c"}, {"a", "a@example.com, b@example.com"},
		{"a", strings.Repeat("a", 251) + "@b.c"},
	} {
		var invalid *lifecycle.Invalid
		if _, err := f.service.SetOwner(t.Context(), a.id, bad[0], bad[1]); !errors.As(err, &invalid) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, want := range [][2]string{{"Ada Palmer", "ada@example.com"}, {"", ""}} {
		set := func() (store.Organization, error) {
			return f.service.SetOwner(t.Context(), a.id, " Ada Palmer ", "ada@example.com")
		}
		if want[0] == "" {
			set = func() (store.Organization, error) { return f.service.ClearOwner(t.Context(), a.id) }
		}
		returned, err := set()
		if err != nil {
			t.Fatal(err)
		}
		kept, _, err := f.service.Organization(t.Context(), a.id)
		if err != nil || kept != returned || kept.OwnerName != want[0] || kept.OwnerEmail != want[1] {
			t.Errorf("returned %+v, kept %+v, %v; want %v", returned, kept, err, want)
		}
	}
}

func TestTheAPIShowsTheAccountThatTheOperatorSets(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	if err := f.service.SetAccountFault(t.Context(), a.id, true); !errors.Is(err, store.ErrNotFound) ||
		!strings.Contains(err.Error(), "open one first") {
		t.Errorf("a fault of no account: %v", err)
	}
	if err := f.service.OpenAccount(t.Context(), a.id, accounts.Balance{AvailableCents: 7, PendingCents: 1}); err != nil {
		t.Fatal(err)
	}
	is := func(want string) {
		t.Helper()
		if got := f.get(a.secret, prefix+"/account"); strings.TrimSpace(string(got.body)) != want {
			t.Errorf("the API shows %s; want %s", got.body, want)
		}
	}
	is(`{"org_id":"` + a.id + `","status":"open",` +
		`"balance":{"available_cents":7,"holding_cents":0,"locked_cents":0,"pending_cents":1},` +
		`"synced_at":"2026-11-21T12:00:00Z"}`)
	if err := f.service.SetAccountFault(t.Context(), a.id, true); err != nil {
		t.Fatal(err)
	}
	if got := f.get(a.secret, prefix+"/account"); got.status != http.StatusServiceUnavailable {
		t.Errorf("status %d with a fault", got.status)
	}
	if err := f.service.SetAccountFault(t.Context(), a.id, false); err != nil {
		t.Fatal(err)
	}
	if err := f.service.CloseAccount(t.Context(), a.id); err != nil {
		t.Fatal(err)
	}
	is(`{"org_id":"` + a.id + `","status":"not_open","balance":null,"synced_at":null}`)
	if account, err := f.service.Account(t.Context(), a.id); err != nil || account != (store.Account{Exists: true}) {
		t.Errorf("recorded: %+v, %v", account, err)
	}
}

func TestEndpointsAreListedWithTheirBacklog(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	f.write(func(tx *store.Tx) error {
		for _, id := range []string{"wh_1", "wh_2"} {
			err := tx.InsertEndpoint(a.key, webhooks.Endpoint{
				ID: id, URL: "https://hooks.example.com/" + id, EventTypes: []events.Type{events.InvoiceSent},
				Status: webhooks.Active, CreatedAt: noon, UpdatedAt: noon,
			}, []byte("sealed"))
			if err != nil {
				return err
			}
		}
		return nil
	})
	for range 3 {
		if _, err := f.service.SendInvoice(t.Context(), f.proposed(a)); err != nil {
			t.Fatal(err)
		}
	}
	f.write(func(tx *store.Tx) error { return tx.HoldDeliveries(a.key, "wh_1") })
	got, err := f.service.Endpoints(t.Context(), a.id)
	if err != nil || len(got) != 2 || got[0].ID != "wh_2" || got[0].Backlog != (store.Backlog{Pending: 3}) ||
		got[1].Backlog != (store.Backlog{Held: 3}) {
		t.Errorf("endpoints: %+v, %v", got, err)
	}
	if got, err := f.service.Endpoints(t.Context(), b.id); err != nil || got == nil || len(got) != 0 {
		t.Errorf("another organization's: %#v, %v", got, err)
	}
}

// The copy is a snapshot: it has as many payments as events of payments.
func TestABackupDuringWritesIsConsistentAndCanBeServed(t *testing.T) {
	testdb.SQLiteOnly(t)
	f := start(t, 0)
	a := f.tenant("a")
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	begun := make(chan struct{})
	wg.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			_, err := f.service.CreatePayment(context.Background(), a.id, lifecycle.Payment{
				AmountCents: 5_00, Currency: "USD", Description: "d", Counterparty: "c", HeldFor: payments.AwaitingApproval,
			}, "")
			if err != nil {
				t.Error(err)
			}
			if n == 20 {
				close(begun)
			}
		}
	})
	<-begun
	var copies []string
	for n := range 3 {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("copy%d.db", n))
		if _, err := f.service.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		copies = append(copies, path)
	}
	cancel()
	wg.Wait()
	before := 21
	for _, path := range copies {
		restored, err := service.Open(t.Context(), service.Config{
			Database: path, KeyFile: f.keyFile, Ephemeral: true, Logger: slog.New(slog.DiscardHandler), Now: f.clock.now,
			Entropy: rand.Reader,
		})
		if err != nil {
			t.Fatal(err)
		}
		intents, err := restored.Payments(t.Context(), a.id, 1_000_000)
		if err != nil {
			t.Error(err)
		}
		told := 0
		err = restored.Store().Read(t.Context(), func(snap *store.Snapshot) error {
			feed, err := snap.Feed(a.key, store.FeedQuery{Limit: 1_000_000})
			told = len(feed)
			return err
		})
		if err != nil || len(intents) != told || told < before {
			t.Errorf("%d payments and %d events (%v); at least %d were there", len(intents), told, err, before)
		}
		before = told
		if err := restored.Close(); err != nil {
			t.Error(err)
		}
	}
}
