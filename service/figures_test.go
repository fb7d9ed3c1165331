package service_test

import (
	"encoding/json"
	"math"
	"net/http"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/accounts"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/receivables"
	"tarmac/service/store"
)

// same compares JSON texts by value.
func (f *fixture) same(what string, a answer, want string) {
	f.t.Helper()
	if a.status != 200 {
		f.t.Fatalf("%s: %d %s", what, a.status, a.body)
	}
	var got, wanted any
	if err := json.Unmarshal(a.body, &got); err != nil {
		f.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		f.t.Fatal(err)
	}
	gotText, _ := json.Marshal(got)
	wantText, _ := json.Marshal(wanted)
	if string(gotText) != string(wantText) {
		f.t.Errorf("%s:\n got %s\nwant %s", what, gotText, wantText)
	}
}

func TestAccountAndPingDescribeTheTokensOrganization(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", "payments:read", "account:read")
	f.same(
		"ping", f.get(a.secret, prefix+"/ping"),
		`{"org_id":"`+a.id+`","scopes":["account:read","payments:read"],"token_expires_at":null}`,
	)
	f.same(
		"no account", f.get(a.secret, prefix+"/account"),
		`{"org_id":"`+a.id+`","status":"not_open","balance":null,"synced_at":null}`,
	)
	f.same("no account", f.get(a.secret, prefix+"/insights/cash-position"), `{"org_id":"`+a.id+`","status":"not_open",
		"as_of":"2026-11-21T12:00:00Z",
		"cash_cents":0,"monthly_burn_cents":0,"is_burning":false,"sufficient":false,"runway_cash_cents":null,
		"runway_months":null,"runway_note":"No account is open yet."}`)
	balance := accounts.Balance{AvailableCents: 1000, HoldingCents: 200, LockedCents: 30, PendingCents: 4, SyncedAt: noon}
	f.write(func(tx *store.Tx) error { return tx.SetAccount(a.key, true, balance) })
	f.same("open", f.get(a.secret, prefix+"/account"), `{"org_id":"`+a.id+`","status":"open",
		"balance":{"available_cents":1000,"holding_cents":200,"locked_cents":30,"pending_cents":4},
		"synced_at":"2026-11-21T12:00:00Z"}`)
	f.write(func(tx *store.Tx) error { return tx.SetAccount(a.key, false, balance) })
	f.same(
		"closed again", f.get(a.secret, prefix+"/account"),
		`{"org_id":"`+a.id+`","status":"not_open","balance":null,"synced_at":null}`,
	)
}

// Balances of linked banks do not matter without an account.
func TestTheCashPositionIsNotOpenWithoutAnAccount(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.write(func(tx *store.Tx) error {
		return tx.SetLinkedAccount(
			a.key,
			accounts.Linked{Name: "One", Currency: "USD", BalanceMinor: 1000, USDCents: 1000, USDKnown: true, ReadAt: noon},
		)
	})
	f.same("only a bank", f.get(a.secret, prefix+"/insights/cash-position"), `{"org_id":"`+a.id+`","status":"not_open",
		"as_of":"2026-11-21T12:00:00Z",
		"cash_cents":0,"monthly_burn_cents":0,"is_burning":false,"sufficient":false,"runway_cash_cents":null,
		"runway_months":null,"runway_note":"No account is open yet."}`)
}

// A sum that exceeds 64 bits must not wrap around.
func TestACashPositionThatOverflowsIsAnError(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for _, b := range []accounts.Balance{
		{AvailableCents: math.MaxInt64, HoldingCents: 1, SyncedAt: noon},
		{HoldingCents: math.MaxInt64, LockedCents: 1, SyncedAt: noon},
	} {
		f.write(func(tx *store.Tx) error { return tx.SetAccount(a.key, true, b) })
		f.refused(
			"too much", f.get(a.secret, prefix+"/insights/cash-position"), http.StatusInternalServerError,
			"figures could not be computed; retry later",
		)
	}
}

// Only feeds with both a history and a balance count.
func TestTheCashPositionCountsOperatingRowsOfCompleteMonths(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	row := func(date string, d ledger.Direction, source ledger.Source, cents int64, category string) ledger.Transaction {
		return ledger.Transaction{
			ID: f.id(ids.Transaction), Date: civil.MustParse(date), Direction: d, Source: source, AmountMinor: cents,
			AmountKnown: true,
			USDCents:    cents, USDKnown: true, Currency: "USD", Counterparty: "A", Category: category,
		}
	}
	// More rows than nine for the one without a rate, which could not be left out otherwise.
	salaries := make([]ledger.Transaction, 7)
	for i := range salaries {
		salaries[i] = row("2026-10-30", ledger.Outflow, ledger.ServiceAccount, 100, "payroll")
	}
	unconverted := row("2026-09-09", ledger.Outflow, ledger.ServiceAccount, 0, "")
	unconverted.USDKnown, unconverted.Currency = false, "JPY"
	f.write(func(tx *store.Tx) error {
		if err := tx.SetAccount(a.key, true, accounts.Balance{
			AvailableCents: 7000, HoldingCents: 200, LockedCents: 30, PendingCents: 900000, SyncedAt: noon,
		}); err != nil {
			return err
		}
		if err := tx.SetLinkedAccount(a.key, accounts.Linked{
			Name: "One", Currency: "EUR", BalanceMinor: 900, USDCents: 1000, USDKnown: true, ReadAt: noon,
		}); err != nil {
			return err
		}
		if err := tx.SetLinkedAccount(a.key, accounts.Linked{
			Name: "Two", Currency: "JPY", BalanceMinor: 5, ReadAt: noon,
		}); err != nil {
			return err
		}
		return tx.InsertTransactions(a.key, append(salaries,
			row("2026-08-01", ledger.Inflow, ledger.ServiceAccount, 100, "sales"),
			row("2026-08-01", ledger.Outflow, ledger.ServiceAccount, 1000, "payroll"),
			row("2026-10-31", ledger.Outflow, ledger.ServiceAccount, 1, "payroll"),
			row("2026-07-31", ledger.Outflow, ledger.ServiceAccount, 50_000, "payroll"),         // before the window
			row("2026-11-01", ledger.Outflow, ledger.ServiceAccount, 50_000, "payroll"),         // after it
			row("2026-09-01", ledger.Inflow, ledger.ServiceAccount, 1_000_000, "financing"),     // not operating
			row("2026-09-01", ledger.Outflow, ledger.ServiceAccount, 5000, "internal_transfer"), // not operating
			row("2026-09-01", ledger.Outflow, ledger.LinkedBank, 50_000, "payroll"),             // a feed without a full history
			unconverted,
		))
	})
	// Net burn is 1,601 / 3 = 533.67, rounded up to 534. Runway is 7,000 / 534 = 13.1.
	f.same("position", f.get(a.secret, prefix+"/insights/cash-position"), `{"org_id":"`+a.id+`","status":"open",
		"as_of":"2026-11-21T12:00:00Z",
		"cash_cents":8230,"monthly_burn_cents":534,"is_burning":true,"sufficient":true,"runway_cash_cents":7000,
		"runway_months":13.1,
		"runway_note":"About 13.1 months at the average net burn of the last 3 full months. `+
		`1 transaction has no USD rate and is excluded. `+
		`1 linked balance has no USD rate and is excluded."}`)
}

// Paid, voided and draft invoices are excluded.
func TestAgingCountsWhatIsOutstandingOnInvoicesAndImportedItems(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	today := civil.Of(noon)
	invoice := func(status invoicing.Status, email string, total, paid int64, due civil.Date) invoicing.Invoice {
		return invoicing.Invoice{
			ID: f.id(ids.Invoice), Status: status, Currency: "USD", RecipientName: "Acme LLC", RecipientEmail: email,
			SubtotalCents: total,
			TotalCents:    total, PaidCents: paid, DueDate: due, CreatedAt: noon, UpdatedAt: noon,
		}
	}
	f.write(func(tx *store.Tx) error {
		for _, inv := range []invoicing.Invoice{
			invoice(invoicing.Sent, "a@x.example", 1000, 0, today),
			invoice(invoicing.Sent, "a@x.example", 10, 0, civil.Date{}),
			invoice(invoicing.Overdue, "a@x.example", 500, 200, today.AddDays(-47)),
			invoice(invoicing.Overdue, "A@X.example", 50, 0, today.AddDays(-3)),
			invoice(invoicing.Draft, "b@x.example", 7000, 0, today.AddDays(-50)),
			invoice(invoicing.Paid, "b@x.example", 7000, 7000, today.AddDays(-50)),
			invoice(invoicing.Voided, "b@x.example", 7000, 0, today.AddDays(-50)),
			invoice(invoicing.Overdue, "c@x.example", 80, 80, today.AddDays(-50)), // paid, and not cleared yet
			invoice(invoicing.Sent, "c@x.example", 80, 90, today.AddDays(-50)),    // paid too much
		} {
			if _, err := tx.InsertInvoice(a.key, inv); err != nil {
				return err
			}
		}
		for _, r := range []receivables.ImportedItem{
			{
				CustomerKey: "9", CustomerName: "Søren", Currency: "EUR", OpenMinor: 90, USDCents: 100, USDKnown: true,
				Due: today.AddDays(-91),
			},
			{CustomerKey: "8", CustomerName: "株式会社", Currency: "JPY", OpenMinor: 90, Due: today.AddDays(-91)},
			{CustomerKey: "7", CustomerName: "Settled", Currency: "JPY", Due: today.AddDays(-91)},
			{CustomerKey: "6", CustomerName: "Settled", Currency: "USD", USDKnown: true, Due: today.AddDays(-91)},
		} {
			if err := tx.InsertReceivables(a.key, r); err != nil {
				return err
			}
		}
		return nil
	})
	f.same("aging", f.get(a.secret, prefix+"/receivables/aging"), `{"org_id":"`+a.id+`","as_of":"2026-11-21T12:00:00Z",
		"currency":"USD",
		"totals":{"outstanding_cents":1460,"overdue_cents":450,"invoice_count":6,"overdue_count":4,"unconverted_count":1},
		"buckets":{"current_cents":1010,"days_1_30_cents":50,"days_31_60_cents":300,"days_61_90_cents":0,
		"days_90_plus_cents":100},
		"top_overdue_customers":[
			{"customer_name":"Acme LLC","overdue_cents":350,"overdue_count":2,"oldest_days_past_due":47},
			{"customer_name":"Søren","overdue_cents":100,"overdue_count":1,"oldest_days_past_due":91}]}`)
}
