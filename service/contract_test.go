package service_test

import (
	"context"
	"database/sql"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/contract"
	"tarmac/internal/testsupport/testdb"
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
	"tarmac/service/webhooks"
)

// Names, methods, paths and scopes are equal, and none is missing on either side.
func TestTheServedOperationsAreThoseOfTheContract(t *testing.T) {
	declared := map[string]contract.Operation{}
	for _, op := range contract.Load(t).Operations() {
		declared[op.ID] = op
	}
	if len(httpapi.Operations()) != len(declared) {
		t.Errorf("%d operations are served, the contract has %d", len(httpapi.Operations()), len(declared))
	}
	for _, op := range httpapi.Operations() {
		want, ok := declared[op.ID]
		if !ok {
			t.Errorf("%s is not in the contract", op.ID)
			continue
		}
		if op.Method != want.Method || op.Path != want.Path || string(op.Scope) != want.Scope {
			t.Errorf(
				"%s is %s %s (%s), in the contract %s %s (%s)", op.ID, op.Method, op.Path, op.Scope, want.Method, want.Path,
				want.Scope,
			)
		}
	}
}

// sample holds the ids of one record of every kind, by the names of path variables.
type sample map[string]string

func (f *fixture) sample(a tenant) sample {
	f.t.Helper()
	s := f.sampleRecords(a)
	f.sampleFigures(a, s)
	return s
}

// sampleRecords stores the records that own books do not make.
func (f *fixture) sampleRecords(a tenant) sample {
	f.t.Helper()
	s := sample{
		"invoiceId": f.id(ids.Invoice), "transactionId": f.id(ids.Transaction), "intentId": f.id(ids.PaymentIntent),
		"eventId":   f.id(ids.Event),
		"webhookId": f.id(ids.Webhook),
	}
	now := f.clock.now()
	today := civil.Of(now)
	inv := invoicing.Invoice{
		ID: s["invoiceId"], Status: invoicing.Overdue, Currency: "USD", Description: "Advice",
		RecipientName:  "Łukasz & <Søren>",
		RecipientEmail: "l@example.com", SubtotalCents: 100_000, TotalCents: 100_000, PaidCents: 25_000,
		DueDate:   today.AddDays(-40),
		CreatedAt: now, UpdatedAt: now, SentAt: &now,
		LineItems: []invoicing.LineItem{{Description: "Hours", Quantity: "10", UnitPriceCents: 10_000, AmountCents: 100_000}},
	}
	intent := payments.Intent{
		ID: s["intentId"], Status: payments.Held, AmountCents: 125_000, Currency: "USD", Direction: "outflow",
		Description:  "Contractor",
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
		endpoint := webhooks.Endpoint{
			ID: s["webhookId"], URL: "https://hooks.example.com/finance",
			EventTypes: []events.Type{events.InvoiceOverdue, events.PaymentHeld},
			Status:     webhooks.Active, CreatedAt: now, UpdatedAt: now,
		}
		for _, step := range []func() error{
			func() error { return tx.InsertEndpoint(a.key, endpoint, []byte("sealed")) },
			func() error { return tx.InsertPaymentIntent(a.key, intent) },
			func() error { return tx.AppendEvents(a.key, []events.Event{event, other}) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	return s
}

// sampleFigures stores transactions and the balances of accounts that no import brought.
func (f *fixture) sampleFigures(a tenant, s sample) {
	f.t.Helper()
	now := f.clock.now()
	today := civil.Of(now)
	f.write(func(tx *store.Tx) error {
		for _, step := range []func() error{
			func() error {
				return tx.InsertTransactions(a.key, []ledger.Transaction{
					{ID: s["transactionId"], Date: today, Direction: ledger.Inflow, AmountMinor: 25_000, AmountKnown: true,
						USDCents: 25_000, USDKnown: true, Currency: "USD", Counterparty: "Łukasz", HasReceipt: true,
						Memo: "\"INV\" <1>", Reference: "INV-000001", Method: "ach", LogoURL: "https://example.com/l.png"},
					{
						ID: f.id(ids.Transaction), Date: today.AddMonths(-5), Source: ledger.LinkedBank, Currency: "JPY",
						Counterparty: ledger.UnknownCounterparty,
					},
				})
			},
			func() error {
				return tx.SetAccount(
					a.key, true,
					accounts.Balance{AvailableCents: 1000, HoldingCents: 200, LockedCents: 30, PendingCents: 4, SyncedAt: now},
				)
			},
			func() error {
				return tx.SetLinkedAccount(
					a.key, accounts.Linked{Name: "Bank", Currency: "USD", BalanceMinor: 50, USDCents: 50, USDKnown: true, ReadAt: now},
				)
			},
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// path returns an operation's path with its variable replaced.
func (s sample) path(op httpapi.Operation) string {
	path := op.Path
	for name, id := range s {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	return path
}

// bodies holds a valid and an invalid body for each operation that has one.
var bodies = map[string][2]string{
	"proposeInvoice": {goodProposal, `{"currency":"USD"}`},
	"createWebhook":  {goodEndpoint, `{"url":"http://hooks.example.com","event_types":["invoice.paid"]}`},
	"updateWebhook":  {`{"status":"paused"}`, `{"status":"auto_disabled"}`},
}

const (
	goodProposal = `{"currency":"USD","description":"Advice","recipient_name":"Łukasz",` +
		`"recipient_email":"l@example.com","notes":"",` +
		`"due_date":"2026-12-31","line_items":[{"description":"Hours","quantity":"1.5","unit_price_cents":160000}]}`
	goodEndpoint = `{"url":"https://hooks.example.com/finance","event_types":["invoice.paid","payment.failed"]}`
)

// absent holds an unknown id of every kind.
var absent = sample{
	"invoiceId": "inv_none", "transactionId": "txn_none", "intentId": "pi_none", "eventId": "evt_none",
	"webhookId": "wh_none",
}

// Each response is checked against the contract.
func TestEveryDocumentedStatusIsProvoked(t *testing.T) {
	if testing.Short() {
		t.Skip("is one client, with one request at a time")
	}
	referee := contract.Load(t)
	f := startWith(t, 0, referee)
	slow := startWith(t, 1, referee)
	all, pinger := f.tenant("all"), slow.tenant("slow")
	records, slowRecords := f.sample(all), slow.sample(pinger)
	weak := f.tenant("weak")
	weak.secret = f.token(weak, access.None)
	broken, unreadable := f.overflowing(), f.faulty()
	for _, op := range httpapi.Operations() {
		path, good, bad := records.path(op), bodies[op.ID][0], bodies[op.ID][1]
		f.clock.advance(time.Minute) // renews the limit of failed authentications
		f.send(all.secret, op.Method, path+"?form=2026-01-01", good)
		f.send("", op.Method, path, good)
		f.send(weak.secret, op.Method, path, good)
		f.send("svc_ops_"+strings.Repeat("a", 36), op.Method, path, good)
		f.send(all.secret, op.Method, absent.path(op), good)
		f.send(unreadable.secret, op.Method, path, good)
		if strings.HasPrefix(op.ID, "getCash") || strings.HasPrefix(op.ID, "getReceivables") {
			f.get(broken.secret, path)
		}
		if good != "" {
			f.send(all.secret, op.Method, path, bad)
			f.send(all.secret, op.Method, path, good, "Content-Type", "text/plain")
			f.send(all.secret, op.Method, path, strings.Repeat(" ", 1<<20)+good)
		}
		slow.send(pinger.secret, op.Method, slowRecords.path(op), good)
		slow.send(pinger.secret, op.Method, slowRecords.path(op), good)
		if op.ID != "deleteWebhook" {
			f.send(all.secret, op.Method, path, good)
		}
	}
	f.provokeRareStatuses(all, records)
	seen := referee.Seen()
	for _, op := range referee.Operations() {
		for _, status := range op.Statuses {
			if seen[op.ID][status] == 0 {
				t.Errorf("%s was never seen to answer %d", op.ID, status)
			}
		}
	}
}

// provokeRareStatuses provokes the statuses that need an unusual state.
func (f *fixture) provokeRareStatuses(all tenant, records sample) {
	f.t.Helper()
	f.send(all.secret, http.MethodDelete, prefix+"/webhooks/"+records["webhookId"], "")
	for range webhooks.MaxEndpoints {
		f.send(all.secret, http.MethodPost, prefix+"/webhooks", goodEndpoint)
	}
	f.refused("one endpoint too many", f.send(all.secret, http.MethodPost, prefix+"/webhooks", goodEndpoint),
		409, "the organization already has 20 webhook endpoints")
	f.refused("euros", f.send(
		all.secret, http.MethodPost, prefix+"/invoices", strings.Replace(goodProposal, "USD", "EUR", 1),
	),
		422, `unsupported currency "EUR"; only USD is supported`)
	f.write(func(tx *store.Tx) error {
		inv, err := tx.Invoice(all.key, records["invoiceId"])
		if err != nil {
			return err
		}
		inv.Withheld = true
		return tx.UpdateInvoice(all.key, inv)
	})
	f.refused("a page that is withheld", f.get(all.secret, prefix+"/invoices/"+records["invoiceId"]+"/pdf"),
		422, "this invoice cannot be rendered as a PDF")
	f.write(func(tx *store.Tx) error { return tx.SetOwner(all.key, "", "") })
	f.refused("no owner", f.send(all.secret, http.MethodPost, prefix+"/invoices", goodProposal),
		409, "the organization has no active owner to attribute the invoice to")
	f.dropTable("imported_receivables")
	f.refused(
		"aging without its records", f.get(all.secret, prefix+"/receivables/aging"), 503,
		"figures are temporarily unavailable; retry later",
	)
}

// token returns another token of a tenant, with one scope or none.
func (f *fixture) token(a tenant, scope access.Scope) string {
	f.t.Helper()
	secret, token, err := f.service.CreateToken(context.Background(), a.id, access.Scopes[:1], 0)
	if err != nil {
		f.t.Fatal(err)
	}
	f.execute("UPDATE tokens SET scopes = ? WHERE public_id = ?", string(scope), token.PublicID)
	return secret
}

// overflowing returns a tenant whose figures exceed 64 bits.
func (f *fixture) overflowing() tenant {
	f.t.Helper()
	a := f.tenant("overflowing")
	f.write(func(tx *store.Tx) error {
		for _, name := range []string{"one", "two"} {
			err := tx.SetLinkedAccount(
				a.key,
				accounts.Linked{Name: name, Currency: "USD", BalanceMinor: math.MaxInt64, USDCents: math.MaxInt64, USDKnown: true},
			)
			if err != nil {
				return err
			}
			err = tx.InsertReceivables(
				a.key,
				receivables.ImportedItem{
					CustomerKey: name, CustomerName: name, Currency: "USD", OpenMinor: math.MaxInt64, USDCents: math.MaxInt64,
					USDKnown: true,
				},
			)
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

// dropTable drops a table while the service runs.
func (f *fixture) dropTable(name string) {
	f.t.Helper()
	f.execute("DROP TABLE " + name)
}

// execute runs a statement on its own connection.
func (f *fixture) execute(statement string, args ...any) {
	f.t.Helper()
	driver, name := "sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(f.database)}).String()
	if testdb.Postgres() {
		driver, name = "pgx", f.database
	}
	for n := 1; testdb.Postgres() && strings.Contains(statement, "?"); n++ {
		statement = strings.Replace(statement, "?", "$"+strconv.Itoa(n), 1)
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(context.Background(), statement, args...); err != nil {
		f.t.Fatal(err)
	}
}

func TestFiguresThatCannotBeReadOrComputedAre503Or500(t *testing.T) {
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
