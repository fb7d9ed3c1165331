package service_test

import (
	"context"
	"database/sql"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/contract"
	"tarmac/service/access"
	"tarmac/service/accounts"
	"tarmac/service/events"
	"tarmac/service/httpapi"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/receivables"
	"tarmac/service/store"
)

// What is served is in the contract, under the same name, with the same scope.
func TestOperationsAreTheContracts(t *testing.T) {
	declared := map[string]contract.Operation{}
	for _, op := range contract.Load(t).Operations() {
		declared[op.ID] = op
	}
	for _, op := range httpapi.Operations() {
		want, ok := declared[op.ID]
		if !ok {
			t.Errorf("%s is not in the contract", op.ID)
			continue
		}
		if op.Method != want.Method || op.Path != want.Path || string(op.Scope) != want.Scope {
			t.Errorf("%s is %s %s (%s), in the contract %s %s (%s)", op.ID, op.Method, op.Path, op.Scope, want.Method, want.Path, want.Scope)
		}
	}
}

// sample is one record of every kind, and their ids by the contract's names.
type sample map[string]string

func (f *fixture) sample(a tenant) sample {
	f.t.Helper()
	s := sample{
		"invoiceId": f.id(ids.Invoice), "transactionId": f.id(ids.Transaction), "intentId": f.id(ids.PaymentIntent), "eventId": f.id(ids.Event),
	}
	now := f.clock.now()
	today := civil.Of(now)
	inv := invoicing.Invoice{
		ID: s["invoiceId"], Status: invoicing.Overdue, Currency: "USD", Description: "Advice", RecipientName: "Łukasz & <Søren>",
		RecipientEmail: "l@example.com", SubtotalCents: 100_000, TotalCents: 100_000, PaidCents: 25_000, DueDate: today.AddDays(-40),
		CreatedAt: now, UpdatedAt: now, SentAt: &now, LineItems: []invoicing.LineItem{{Description: "Hours", Quantity: "10", UnitPriceCents: 10_000, AmountCents: 100_000}},
	}
	intent := payments.Intent{
		ID: s["intentId"], Status: payments.Held, AmountCents: 125_000, Currency: "USD", Direction: "outflow", Description: "Contractor",
		Counterparty: "Acme LLC", StatusReason: payments.AwaitingApproval, CreatedAt: now, UpdatedAt: now, HeldAt: &now,
	}
	f.write(func(tx *store.Tx) (err error) {
		if inv, err = tx.InsertInvoice(a.key, inv); err != nil {
			return err
		}
		event, err := events.ForInvoice(s["eventId"], now, inv)
		if err != nil {
			return err
		}
		other, err := events.ForPayment(f.id(ids.Event), now, intent)
		if err != nil {
			return err
		}
		for _, step := range []func() error{
			func() error { return tx.InsertPaymentIntent(a.key, intent) },
			func() error { return tx.AppendEvents(a.key, []events.Event{event, other}) },
			func() error {
				return tx.InsertTransactions(a.key, []ledger.Transaction{
					{ID: s["transactionId"], Date: today, Direction: ledger.Inflow, AmountMinor: 25_000, AmountKnown: true, USDCents: 25_000, USDKnown: true,
						Currency: "USD", Counterparty: "Łukasz", HasReceipt: true, Memo: "\"INV\" <1>", Reference: "INV-000001", Method: "ach", LogoURL: "https://example.com/l.png"},
					{ID: f.id(ids.Transaction), Date: today.AddMonths(-5), Source: ledger.LinkedBank, Currency: "JPY", Counterparty: ledger.UnknownCounterparty},
				})
			},
			func() error {
				return tx.SetAccount(a.key, true, accounts.Balance{AvailableCents: 1000, HoldingCents: 200, LockedCents: 30, PendingCents: 4, SyncedAt: now})
			},
			func() error {
				return tx.SetLinkedAccount(a.key, accounts.Linked{Name: "Bank", Currency: "USD", BalanceMinor: 50, USDCents: 50, USDKnown: true, ReadAt: now})
			},
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	return s
}

// path returns an operation's path with its variable filled in.
func (s sample) path(op httpapi.Operation) string {
	path := op.Path
	for name, id := range s {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	return path
}

// Every status that the contract declares for an operation that is served can
// be had, and looks as declared.
func TestEveryDocumentedStatusIsProvoked(t *testing.T) {
	referee := contract.Load(t)
	f := startWith(t, 0, referee)
	slow := startWith(t, 1, referee)
	all, pinger := f.tenant("all"), slow.tenant("slow")
	records, slowRecords := f.sample(all), slow.sample(pinger)
	weak := f.tenant("weak", access.WebhookEndpointsManage)
	broken, unreadable := f.overflowing(), f.faulty()
	for _, op := range httpapi.Operations() {
		path := records.path(op)
		f.get(all.secret, path)
		f.get(all.secret, path+"?form=2026-01-01")
		f.get("", path)
		f.get(weak.secret, path)
		f.get("svc_ops_"+strings.Repeat("a", 36), path)
		f.get(all.secret, sample{"invoiceId": "inv_none", "transactionId": "txn_none", "intentId": "pi_none", "eventId": "evt_none"}.path(op))
		f.get(unreadable.secret, path)
		if strings.HasPrefix(op.ID, "getCash") || strings.HasPrefix(op.ID, "getReceivables") {
			f.get(broken.secret, path)
		}
		slow.get(pinger.secret, slowRecords.path(op))
		slow.get(pinger.secret, slowRecords.path(op))
	}
	f.dropTable("imported_receivables")
	f.refused("aging without its records", f.get(all.secret, prefix+"/receivables/aging"), 503, "figures are temporarily unavailable; retry later")
	seen := referee.Seen()
	declared := map[string][]int{}
	for _, op := range referee.Operations() {
		declared[op.ID] = op.Statuses
	}
	for _, op := range httpapi.Operations() {
		for _, status := range declared[op.ID] {
			if seen[op.ID][status] == 0 {
				t.Errorf("%s was never seen to answer %d", op.ID, status)
			}
		}
	}
}

// overflowing returns a tenant whose figures do not fit in 64 bits.
func (f *fixture) overflowing() tenant {
	f.t.Helper()
	a := f.tenant("overflowing")
	f.write(func(tx *store.Tx) error {
		for _, name := range []string{"one", "two"} {
			err := tx.SetLinkedAccount(a.key, accounts.Linked{Name: name, Currency: "USD", BalanceMinor: math.MaxInt64, USDCents: math.MaxInt64, USDKnown: true})
			if err != nil {
				return err
			}
			err = tx.InsertReceivable(a.key, receivables.Imported{CustomerKey: name, CustomerName: name, Currency: "USD", OpenMinor: math.MaxInt64, USDCents: math.MaxInt64, USDKnown: true})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return a
}

// faulty returns a tenant whose balance cannot be read.
func (f *fixture) faulty() tenant {
	f.t.Helper()
	a := f.tenant("faulty")
	f.write(func(tx *store.Tx) error {
		if err := tx.SetAccount(a.key, true, accounts.Balance{AvailableCents: 1}); err != nil {
			return err
		}
		return tx.SetAccountFault(a.key, true)
	})
	return a
}

// dropTable takes a table away behind the service's back.
func (f *fixture) dropTable(name string) {
	f.t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(f.database)}).String())
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(context.Background(), "DROP TABLE "+name); err != nil {
		f.t.Fatal(err)
	}
}

func TestFiguresThatCannotBeHad(t *testing.T) {
	f := start(t, 0)
	broken, unreadable := f.overflowing(), f.faulty()
	for _, c := range []struct {
		who  tenant
		path string
		code int
		text string
	}{
		{broken, "/insights/cash-position", 500, "figures could not be computed; retry later"},
		{broken, "/receivables/aging", 500, "figures could not be computed; retry later"},
		{unreadable, "/insights/cash-position", 503, "figures are temporarily unavailable; retry later"},
		{unreadable, "/account", 503, "the account balance could not be read; retry later"},
	} {
		a := f.get(c.who.secret, prefix+c.path)
		f.refused(c.path, a, c.code, c.text)
		if got := a.header.Get("Retry-After"); got != "30" {
			t.Errorf("%s: Retry-After %q", c.path, got)
		}
	}
	f.write(func(tx *store.Tx) error { return tx.SetAccountFault(unreadable.key, false) })
	if a := f.get(unreadable.secret, prefix+"/account"); a.status != http.StatusOK {
		t.Errorf("after the fault: %d %s", a.status, a.body)
	}
}
