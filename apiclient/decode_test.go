package apiclient_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
)

const (
	accountJSON = `{"org_id":"org_1","status":"open","balance":{"available_cents":1,"holding_cents":2,"locked_cents":3,` +
		`"pending_cents":-4},"synced_at":"2026-11-21T11:59:00Z","new":1}`
	cashJSON = `{"org_id":"org_1","status":"open","as_of":"2026-11-21T12:00:00+01:00","cash_cents":100,` +
		`"monthly_burn_cents":7,"is_burning":true,"sufficient":true,"runway_cash_cents":99,"runway_months":14.2,` +
		`"runway_note":"About 14.2 months."}`
	agingJSON = `{"org_id":"org_1","as_of":"2026-11-20T12:00:00Z","currency":"USD",
		"totals":{"outstanding_cents":15,"overdue_cents":14,"invoice_count":23,"overdue_count":7,"unconverted_count":1},
		"buckets":{"current_cents":1,"days_1_30_cents":2,"days_31_60_cents":3,"days_61_90_cents":4,"days_90_plus_cents":5},
		"top_overdue_customers":[{"customer_name":"Acme ` +
		`LLC","overdue_cents":14,"overdue_count":2,"oldest_days_past_due":47}]}`
	invoiceJSON = `{"id":"inv_1","number":"INV-000001","status":"sent","currency":"EUR","description":"Work",` +
		`"recipient_name":"Acme","recipient_email":"a@b.c","subtotal_cents":100,"tax_cents":20,"total_cents":120,` +
		`"created_at":"2026-11-01T00:00:00Z","updated_at":"2026-11-02T00:00:00Z","due_date":"2026-12-31T00:00:00Z",` +
		`"sent_at":"2026-11-02T00:00:00Z","paid_at":null,"voided_at":null}`
	transactionJSON = `{"id":"txn_1","amount_cents":1500,"amount_known":true,"amount_usd_cents":1000,"usd_known":true,` +
		`"currency":"JPY","direction":"outflow","date":"2026-11-20","counterparty_name":"Evil\u001b]0;x\u0007 ` +
		`Inc","has_receipt":false,"source":"linked_bank","source_label":"Linked bank","memo":"a\tb"}`
	pageJSON = `{"data":[` + transactionJSON +
		`],"next_cursor":"c1","summary":{"count":9,"inflow_usd_cents":5,"outflow_usd_cents":7,"net_usd_cents":-2,` +
		`"unconverted_count":1}}`
	eventJSON = `{"id":"evt_1","type":"invoice.paid","version":1,"occurred_at":"2026-11-20T12:00:00Z",` +
		`"data":{"invoice_id":"inv_1","number":"INV-1","status":"paid","total_cents":120,"currency":"USD"}}`
)

func ptr[T any](v T) *T { return &v }

// fixed returns a client of a server that always responds with body.
func fixed(t testing.TB, body string) *apiclient.Client {
	client, _ := serve(t, answering(body))
	return client
}

func check[T any](t *testing.T, name string, got T, err error, want T) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
	}
}

func TestPing(t *testing.T) {
	got, err := fixed(t, `{"org_id":"org_1","scopes":["account:read","a\u202eb"],"token_expires_at":null}`).Ping(
		t.Context())
	check(t, "ping", got, err,
		&apiclient.Ping{OrgID: "org_1", Scopes: []string{"account:read", "ab"}, ReportingCurrency: "USD"})
	got, err = fixed(t, `{"organization_id":"org_1","token_expires_at":"2026-12-01T00:00:00Z"}`).Ping(t.Context())
	check(t, "another ping", got, err,
		&apiclient.Ping{OrgID: "org_1", TokenExpiresAt: ptr(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)),
			ReportingCurrency: "USD"})
	// A value that is not a list is never returned in part, since it was not cleaned.
	got, err = fixed(t, `{"org_id":"org_1","scopes":["a\u001b[2Jb",5]}`).Ping(t.Context())
	check(t, "scopes of another type", got, err, &apiclient.Ping{OrgID: "org_1", ReportingCurrency: "USD"})
}

func TestAccount(t *testing.T) {
	got, err := fixed(t, accountJSON).Account(t.Context())
	check(t, "open", got, err, &apiclient.Account{
		Currency: "USD",
		OrgID:    "org_1", Status: apiclient.AccountOpen, SyncedAt: ptr(time.Date(2026, 11, 21, 11, 59, 0, 0, time.UTC)),
		Balance: &apiclient.Balance{AvailableCents: 1, HoldingCents: 2, LockedCents: 3, PendingCents: -4},
	})
	got, err = fixed(t, `{"org_id":"org_1","status":"not_open","balance":null,"synced_at":null}`).Account(t.Context())
	check(t, "not open", got, err, &apiclient.Account{Currency: "USD", OrgID: "org_1", Status: apiclient.AccountNotOpen})
}

func TestCashPosition(t *testing.T) {
	got, err := fixed(t, cashJSON).CashPosition(t.Context())
	check(t, "burning", got, err, &apiclient.CashPosition{
		Currency: "USD",
		OrgID:    "org_1", Status: apiclient.AccountOpen, AsOf: time.Date(2026, 11, 21, 11, 0, 0, 0, time.UTC),
		CashCents:        100,
		MonthlyBurnCents: 7,
		IsBurning:        true, Sufficient: true, RunwayCashCents: ptr(int64(99)), RunwayMonths: ptr(apiclient.MonthsOf(142)),
		RunwayNote: "About 14.2 months.",
	})
	// Without enough history there is no runway, even if one is sent.
	got, err = fixed(t, strings.Replace(cashJSON, `"sufficient":true`, `"sufficient":false`, 1)).CashPosition(t.Context())
	if err != nil || got.RunwayMonths != nil {
		t.Errorf("insufficient: %+v, %v", got, err)
	}
}

func TestMonthsAreReadWithoutFloats(t *testing.T) {
	for number, want := range map[string]string{
		"14.2": "14.2", "0": "0.0", "14": "14.0", "0.05": "0.0", "14.29": "14.2", "0.3": "0.3", "1e2": "100.0",
		"1.25E1": "12.5", "120e-1": "12.0",
		"-1": "", "1e21": "", "1e999999999": "", "1e-999999999": "", "100000000.1": "", `"14.2"`: "14.2", `"soon"`: "",
		"99999999999999999999999999999999999999999": "",
	} {
		got, err := fixed(t, strings.Replace(cashJSON, `14.2,`, number+",", 1)).CashPosition(t.Context())
		switch {
		case want == "" && err == nil:
			t.Errorf("%s was read as %v", number, got.RunwayMonths)
		case want != "" && (err != nil || got.RunwayMonths.String() != want):
			t.Errorf("%s: %+v, %v, want %s", number, got, err, want)
		}
	}
}

func TestReceivablesAging(t *testing.T) {
	buckets := apiclient.AgingBuckets{
		CurrentCents:    1,
		Days1To30Cents:  2,
		Days31To60Cents: 3,
		Days61To90Cents: 4,
		Days90PlusCents: 5,
	}
	got, err := fixed(t, agingJSON).ReceivablesAging(t.Context())
	check(t, "aging", got, err, &apiclient.ReceivablesAging{
		Currency: "USD", OrgID: "org_1", AsOf: ptr(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)), Buckets: buckets,
		Totals: apiclient.AgingTotals{
			OutstandingCents: ptr(int64(15)),
			OverdueCents:     ptr(int64(14)),
			InvoiceCount:     ptr(int64(23)),
			OverdueCount:     ptr(int64(7)),
			UnconvertedCount: ptr(int64(1)),
		},
		TopOverdue: []apiclient.OverdueCustomer{
			{Name: "Acme LLC", OverdueCents: ptr(int64(14)), OverdueCount: ptr(int64(2)), OldestDaysPastDue: ptr(int64(47))},
		},
	})
	if total, ok := buckets.Outstanding(); total != 15 || !ok {
		t.Errorf("outstanding %d, %v", total, ok)
	}
	if overdue, ok := buckets.Overdue(); overdue != 14 || !ok {
		t.Errorf("overdue %d, %v", overdue, ok)
	}
	// Another server sends the buckets at the top level, no totals, and little about
	// customers.
	got, err = fixed(
		t,
		`{"current_cents":1,"days_1_30_cents":2,"days_31_60_cents":3,"days_61_90_cents":4,"days_90_plus_cents":5,`+
			`"total_cents":15,"top_overdue":[{"name":"Acme"}]}`,
	).ReceivablesAging(t.Context())
	check(t, "flat", got, err, &apiclient.ReceivablesAging{
		Currency: "USD", Buckets: buckets, Totals: apiclient.AgingTotals{OutstandingCents: ptr(int64(15))},
		TopOverdue: []apiclient.OverdueCustomer{{Name: "Acme"}},
	})
	if got.Empty() || !(&apiclient.ReceivablesAging{Currency: "USD"}).Empty() {
		t.Error("Nothing is wrong")
	}
}

func TestInvoices(t *testing.T) {
	var query string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		answer(w, 200, `[`+invoiceJSON+`]`)
	})
	want := apiclient.Invoice{
		ID: "inv_1", Number: "INV-000001", Status: apiclient.InvoiceSent, Description: "Work", RecipientName: "Acme",
		RecipientEmail: "a@b.c",
		Subtotal:       apiclient.NewAmount(100, "EUR"), Tax: apiclient.NewAmount(20, "EUR"),
		Total:     apiclient.NewAmount(120, "EUR"),
		CreatedAt: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), UpdatedAt: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC),
		DueDate: ptr(
			time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
		), SentAt: ptr(time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)),
	}
	got, err := client.Invoices(t.Context(), apiclient.InvoiceFilter{Status: apiclient.InvoiceSent, Limit: 200})
	check(t, "invoices", got, err, []apiclient.Invoice{want})
	if query != "limit=200&status=sent" {
		t.Errorf("asked %q", query)
	}
	one, err := fixed(t, invoiceJSON).Invoice(t.Context(), "inv_1")
	check(t, "invoice", one, err, &want)
	none, err := fixed(t, `[]`).Invoices(t.Context(), apiclient.InvoiceFilter{})
	check(t, "no invoices", none, err, []apiclient.Invoice{})
}

func TestTransactions(t *testing.T) {
	row := apiclient.Transaction{
		ID: "txn_1", Date: apiclient.NewDate(2026, 11, 20), Direction: apiclient.Outflow,
		Amount: apiclient.NewAmount(1500, "JPY"), Reporting: apiclient.NewAmount(1000, "USD"),
		USD:              apiclient.NewAmount(1000, "USD"),
		CounterpartyName: "Evil Inc", Source: apiclient.SourceLinkedBank, SourceLabel: "Linked bank", Memo: "a b",
	}
	var query string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		answer(w, 200, pageJSON)
	})
	page, err := client.TransactionPage(t.Context(), apiclient.TransactionQuery{
		Direction: apiclient.Outflow, From: apiclient.NewDate(2026, 11, 1), To: apiclient.NewDate(2026, 11, 30),
		Keyword: " a&b ", Limit: 10, Cursor: "c0",
	})
	check(t, "page", page, err, &apiclient.TransactionPage{
		Data: []apiclient.Transaction{row}, NextCursor: "c1",
		Summary: apiclient.Summary{Currency: "USD",
			Count: 9, InflowMinor: 5, OutflowMinor: 7, NetMinor: -2, UnconvertedCount: 1},
	})
	if want := "cursor=c0&direction=outflow&from=2026-11-01&keyword=a%26b&limit=10&to=2026-11-30"; query != want {
		t.Errorf("asked %q, want %q", query, want)
	}
	one, err := fixed(t, transactionJSON).Transaction(t.Context(), "txn_1")
	check(t, "one", one, err, &row)
}

// Placeholders are never returned as money.
func TestUnknownAmountsAreNoMoney(t *testing.T) {
	body := strings.NewReplacer(`"amount_known":true`, `"amount_known":false`, `"usd_known":true`, `"usd_known":false`,
		`"amount_cents":1500`, `"amount_cents":0`).
		Replace(transactionJSON)
	got, err := fixed(t, body).Transaction(t.Context(), "txn_1")
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]apiclient.Amount{"amount": got.Amount, "usd": got.Reporting, "zero value": {}} {
		if minor, known := a.Minor(); minor != 0 || known || a.Known() || a.String() != "—" || fmt.Sprint(a) != "—" {
			t.Errorf("%s: %d, %v, %s", name, minor, known, a)
		}
	}
	for want, a := range map[string]apiclient.Amount{"$1,234.56": apiclient.NewAmount(123456, "USD"),
		"¥1,500": apiclient.NewAmount(1500, "JPY"), "-€0.05": apiclient.NewAmount(-5, "EUR"),
		"1.00": apiclient.NewAmount(100, "")} {
		if a.String() != want {
			t.Errorf("%s, want %s", a, want)
		}
	}
}

func TestTransactionsFollowsCursors(t *testing.T) {
	pages := map[string]string{"": "c1", "c1": "c2", "c2": ""}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		answer(w, 200, strings.Replace(strings.Replace(pageJSON, `"c1"`, `"`+pages[r.URL.Query().Get("cursor")]+`"`, 1),
			"txn_1", "txn_"+r.URL.Query().Get("cursor"), 1))
	})
	var ids []string
	for transaction, err := range client.Transactions(t.Context(), apiclient.TransactionQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, transaction.ID)
	}
	if got := strings.Join(ids, " "); got != "txn_ txn_c1 txn_c2" {
		t.Error(got)
	}
	// A cursor that leads in a circle is reported instead of followed.
	n := 0
	for _, err := range fixed(t, pageJSON).Transactions(t.Context(), apiclient.TransactionQuery{}) {
		if n++; n == 3 && err == nil || n > 3 {
			t.Fatal("followed the same cursor twice")
		}
	}
}

func TestPaymentIntent(t *testing.T) {
	got, err := fixed(
		t,
		`{"id":"pi_1","status":"held","amount_cents":125000,"currency":"USD","zeta":"\u001b[1mbold","status_reason":null,`+
			`"held_at":"2026-11-20T12:00:00Z","alpha":{"b":[1, 2]},"nothing":null,"created_at":"yesterday"}`,
	).PaymentIntent(t.Context(), "pi_1")
	check(t, "intent", got, err, &apiclient.PaymentIntent{
		ID: "pi_1", Status: apiclient.PaymentHeld, Amount: apiclient.NewAmount(125000, "USD"),
		HeldAt: ptr(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)),
		Extra: []apiclient.Field{
			{Name: "zeta", Value: "bold"},
			{Name: "alpha", Value: `{"b":[1,2]}`},
			{Name: "created_at", Value: "yesterday"},
		},
	})
	got, err = fixed(t, `{"status":"sleeping"}`).PaymentIntent(t.Context(), "pi_1")
	if err != nil || got.Amount.Known() || got.Status.Known() || got.Status != "sleeping" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Every required field is reported when it is missing, in each place, and every wrong type
// with its field.
func TestMissingFieldsAreNamed(t *testing.T) {
	ctx := context.Background()
	for operation, c := range map[string]struct {
		body   string
		fields []string
		prefix string
		call   func(*apiclient.Client) error
	}{
		"account": {accountJSON, []string{"org_id", "status", "balance.available_cents", "balance.holding_cents",
			"balance.locked_cents", "balance.pending_cents", "balance"}, "",
			func(c *apiclient.Client) error { _, err := c.Account(ctx); return err }},
		"cash": {cashJSON, []string{"org_id", "status", "as_of", "cash_cents", "monthly_burn_cents", "is_burning",
			"sufficient"}, "",
			func(c *apiclient.Client) error { _, err := c.CashPosition(ctx); return err }},
		"aging": {agingJSON, []string{"buckets.current_cents", "buckets.days_1_30_cents", "buckets.days_31_60_cents",
			"buckets.days_61_90_cents", "buckets.days_90_plus_cents"}, "",
			func(c *apiclient.Client) error { _, err := c.ReceivablesAging(ctx); return err }},
		"invoice": {invoiceJSON, []string{"id", "number", "status", "currency", "description", "recipient_name",
			"recipient_email", "subtotal_cents", "tax_cents", "total_cents", "created_at", "updated_at"}, "",
			func(c *apiclient.Client) error { _, err := c.Invoice(ctx, "inv_1"); return err }},
		"page": {pageJSON, []string{"id", "amount_cents", "amount_known", "amount_usd_cents", "usd_known", "currency",
			"direction", "date", "counterparty_name", "has_receipt", "source", "source_label"}, "data[0].",
			func(c *apiclient.Client) error {
				_, err := c.TransactionPage(ctx, apiclient.TransactionQuery{})
				return err
			}},
		"summary": {pageJSON, []string{"data", "summary", "summary.count", "summary.inflow_usd_cents",
			"summary.outflow_usd_cents", "summary.net_usd_cents", "summary.unconverted_count"}, "",
			func(c *apiclient.Client) error {
				_, err := c.TransactionPage(ctx, apiclient.TransactionQuery{})
				return err
			}},
		"event": {eventJSON, []string{"id", "type", "version", "occurred_at", "data"}, "",
			func(c *apiclient.Client) error { _, err := c.Event(ctx, "evt_1"); return err }},
		"events": {`{"data":[` + eventJSON + `]}`, []string{"id", "type", "version", "occurred_at"}, "data[0].",
			func(c *apiclient.Client) error { _, err := c.EventPage(ctx, apiclient.EventQuery{}); return err }},
		"intent": {`{"status":"held"}`, []string{"status"}, "",
			func(c *apiclient.Client) error { _, err := c.PaymentIntent(ctx, "pi_1"); return err }},
		"ping": {pong, []string{"org_id"}, "", func(c *apiclient.Client) error { _, err := c.Ping(ctx); return err }},
	} {
		if err := c.call(fixed(t, c.body)); err != nil {
			t.Errorf("%s: %v", operation, err)
		}
		for _, field := range c.fields {
			name := field[strings.LastIndex(field, ".")+1:]
			for what, replacement := range map[string]string{"absent": `"gone":`, "of another type": `"` + name +
				`":[{}],"gone":`} {
				body := strings.Replace(c.body, `"`+name+`":`, replacement, 1)
				if what == "of another type" && field == "data" && operation == "summary" {
					continue // case "page" covers the fields of empty rows
				}
				err := c.call(fixed(t, body))
				var contract *apiclient.ContractError
				switch {
				case !errors.As(err, &contract):
					t.Errorf("%s: %s %s: %v", operation, field, what, err)
				case what == "absent" && contract.Field != c.prefix+field:
					t.Errorf("%s: %s is absent, but %s is told: %v", operation, field, contract.Field, err)
				}
			}
		}
	}
}

func TestWrongValuesAreToldApart(t *testing.T) {
	for old, replacement := range map[string]string{
		`"amount_cents":1500`: `"amount_cents":15.5`, `"amount_usd_cents":1000`: `"amount_usd_cents":"1000"`,
		`"date":"2026-11-20"`: `"date":"2026-02-30"`,
		`"amount_known":true`: `"amount_known":1`, `"currency":"JPY"`: `"currency":null`, `"id":"txn_1"`: `"id":7`,
	} {
		for _, r := range []string{replacement, strings.Replace(replacement, "15.5", "-1500", 1),
			strings.Replace(replacement, "15.5", "99999999999999999999", 1)} {
			got, err := fixed(t, strings.Replace(transactionJSON, old, r, 1)).Transaction(t.Context(), "txn_1")
			var contract *apiclient.ContractError
			if !errors.As(err, &contract) {
				t.Errorf("%s was taken: %+v, %v", r, got, err)
			}
		}
	}
}

func TestUnknownWordsAreKept(t *testing.T) {
	got, err := fixed(t, strings.Replace(transactionJSON, "linked_bank", "card", 1)).Transaction(t.Context(), "txn_1")
	if err != nil || got.Source != "card" || got.Source.Known() || !got.Direction.Known() {
		t.Errorf("%+v, %v", got, err)
	}
}
