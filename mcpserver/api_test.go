package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarmac/service/access"
)

// object is a decoded JSON object, whose numbers are kept as text.
type object = map[string]any

func decoded(t *testing.T, text string) (value any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return value
}

// api sends requests and decodes the responses itself, so that the test shares no code with the
// program.
type api struct {
	t          *testing.T
	url, token string
}

func newAPI(t *testing.T, c *company) *api {
	t.Helper()
	server := httptest.NewServer(c.service.Handler())
	t.Cleanup(server.Close)
	secret, _, err := c.service.CreateToken(t.Context(), c.org, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	return &api{t, server.URL + "/api/ext/v1", secret}
}

func (a *api) get(path string) any {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodGet, a.url+path, http.NoBody)
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	var value any
	decoder := json.NewDecoder(res.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil || res.StatusCode != http.StatusOK {
		a.t.Fatalf("GET %s: %s, %v", path, res.Status, err)
	}
	return value
}

// flatten adds the values in a JSON value by their places, such as "rows.3.amount.cents".
func flatten(into map[string]any, place string, value any) {
	switch v := value.(type) {
	case object:
		for name, inner := range v {
			flatten(into, strings.TrimPrefix(place+"."+name, "."), inner)
		}
	case []any:
		into[place+".length"] = len(v)
		for i, inner := range v {
			flatten(into, fmt.Sprintf("%s.%d", place, i), inner)
		}
	default:
		into[place] = v
	}
}

// copied adds fields of an object of the API to the wanted values. The names are in pairs: the
// place in the tool's result, and the field. Fields that the object lacks are not wanted.
func copied(into map[string]any, place string, from any, names ...string) {
	for pair := range slices.Chunk(names, 2) {
		if value, ok := from.(object)[pair[1]]; ok {
			into[place+pair[0]] = value
		}
	}
}

// wantedRow adds the wanted values of a transaction.
func wantedRow(into map[string]any, place string, row any) {
	copied(into, place, row, "id", "id", "date", "date", "direction", "direction", "amount.currency", "currency",
		"amount.cents", "amount_cents", "counterparty.untrusted_text", "counterparty_name", "memo.untrusted_text", "memo",
		"reference.untrusted_text", "reference", "source", "source", "has_receipt", "has_receipt")
	fields := row.(object)
	if fields["amount_known"] == false {
		into[place+"amount.cents"] = nil
	}
	if fields["currency"] == "USD" {
		return
	}
	into[place+"usd.currency"], into[place+"usd.cents"] = "USD", fields["amount_usd_cents"]
	if fields["usd_known"] == false {
		into[place+"usd.cents"] = nil
	}
}

// wantedInvoice adds the wanted values of an invoice.
func wantedInvoice(into map[string]any, place string, invoice any) {
	copied(into, place, invoice, "id", "id", "number.untrusted_text", "number", "status", "status",
		"customer.untrusted_text", "recipient_name", "email.untrusted_text", "recipient_email",
		"description.untrusted_text", "description", "subtotal.cents", "subtotal_cents", "tax.cents", "tax_cents",
		"total.cents", "total_cents", "subtotal.currency", "currency", "tax.currency", "currency", "total.currency",
		"currency", "created_at", "created_at", "sent_at", "sent_at", "paid_at", "paid_at", "voided_at", "voided_at")
	into[place+"due_date"] = nil
	if due, ok := invoice.(object)["due_date"].(string); ok {
		into[place+"due_date"], _, _ = strings.Cut(due, "T")
	}
}

func wantedCash(a *api) map[string]any {
	account, position := a.get("/account"), a.get("/insights/cash-position")
	want := map[string]any{"position.zero_cash_month": "2027-11", "account.age_seconds": json.Number("0")}
	copied(want, "account.", account, "status", "status", "synced_at", "synced_at")
	copied(want, "account.", account.(object)["balance"], "available.cents", "available_cents", "holding.cents",
		"holding_cents", "locked.cents", "locked_cents", "pending.cents", "pending_cents")
	copied(want, "position.", position, "as_of", "as_of", "cash_on_hand.cents", "cash_cents", "spendable.cents",
		"runway_cash_cents", "net_burn_per_month.cents", "monthly_burn_cents", "is_burning", "is_burning",
		"runway_months", "runway_months", "note.untrusted_text", "runway_note")
	want["position.others.length"], want["position.others.0.label"] = 1, "Held or locked"
	cash, spendable := cents(a.t, position, "cash_cents"), cents(a.t, position, "runway_cash_cents")
	want["position.others.0.amount.cents"] = json.Number(strconv.FormatInt(cash-spendable, 10))
	return want
}

func cents(t *testing.T, value any, name string) int64 {
	t.Helper()
	n, err := value.(object)[name].(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func wantedReceivables(a *api) map[string]any {
	aging := a.get("/receivables/aging").(object)
	customers := aging["top_overdue_customers"].([]any)
	want := map[string]any{"buckets.length": 5, "most_overdue.length": len(customers)}
	copied(want, "", aging, "as_of", "as_of")
	copied(want, "", aging["totals"], "outstanding.cents", "outstanding_cents", "overdue.cents", "overdue_cents",
		"count", "invoice_count", "overdue_count", "overdue_count")
	for i, field := range []string{
		"current_cents", "days_1_30_cents", "days_31_60_cents", "days_61_90_cents", "days_90_plus_cents",
	} {
		copied(want, fmt.Sprintf("buckets.%d.", i), aging["buckets"], "amount.cents", field)
	}
	for i, customer := range customers {
		copied(want, fmt.Sprintf("most_overdue.%d.", i), customer, "customer.untrusted_text", "customer_name",
			"overdue.cents", "overdue_cents", "count", "overdue_count", "oldest_days_past_due", "oldest_days_past_due")
	}
	return want
}

func wantedTransactions(a *api) map[string]any {
	page := a.get("/transactions?from=2026-06-01&limit=100").(object)
	want := map[string]any{"first_day": "2026-06-01", "last_day": nil, "next_cursor": page["next_cursor"]}
	copied(want, "", page["summary"], "count", "count", "money_in.cents", "inflow_usd_cents", "money_out.cents",
		"outflow_usd_cents", "net.cents", "net_usd_cents")
	rows := page["data"].([]any)
	want["rows.length"] = len(rows)
	unknown, foreign := 0, 0
	for i, row := range rows {
		wantedRow(want, fmt.Sprintf("rows.%d.", i), row)
		if row.(object)["amount_known"] == false {
			unknown++
		}
		if row.(object)["currency"] != "USD" {
			foreign++
		}
	}
	if unknown == 0 || foreign == 0 {
		a.t.Fatalf("%d of the rows have unknown amounts, %d other currencies", unknown, foreign)
	}
	return want
}

func wantedEvents(a *api) map[string]any {
	page := a.get("/events?limit=40").(object)
	events := page["data"].([]any)
	want := map[string]any{"events.length": len(events), "next_cursor": page["next_cursor"]}
	for i, event := range events {
		copied(want, fmt.Sprintf("events.%d.", i), event, "id", "id", "type", "type", "occurred_at", "occurred_at")
	}
	return want
}

// inWords says whether a value of a result is a text for people about another value of it, or one
// that every result has.
func inWords(place string, value any) bool {
	end := place[strings.LastIndex(place, ".")+1:]
	return slices.Contains([]string{"text", "left_out", "reason", "note", "name", "days_past_due"}, end) ||
		end == "currency" && value == "USD" || strings.HasSuffix(place, ".about.untrusted_text")
}

// Every value of a result is that of the API, read over HTTP, and no other value is in it.
func TestEveryValueIsThatOfTheAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("is one client, with one request at a time")
	}
	c := generated(t)
	a, session := newAPI(t, c), connect(t, options(c.honest(t)), nil)
	invoices := a.get("/invoices?limit=90").([]any)
	listed := map[string]any{"invoices.length": len(invoices)}
	one := map[string]any{}
	for i, invoice := range invoices {
		wantedInvoice(listed, fmt.Sprintf("invoices.%d.", i), invoice)
	}
	wantedInvoice(one, "", invoices[7])
	for tool, c := range map[string]struct {
		with arguments
		want map[string]any
	}{
		"cash":         {nil, wantedCash(a)},
		"receivables":  {nil, wantedReceivables(a)},
		"transactions": {arguments{"period": "since 2026-06", "limit": 100}, wantedTransactions(a)},
		"events":       {arguments{"limit": 40}, wantedEvents(a)},
		"invoices":     {arguments{"limit": 90}, listed},
		"invoice":      {arguments{"id": one["id"]}, one},
	} {
		got := map[string]any{}
		flatten(got, "", decoded(t, textOf(call(t, session, tool, c.with))))
		for place, want := range c.want {
			if value, ok := got[place]; !ok || value != want {
				t.Errorf("%s: %s is %v, want %v", tool, place, value, want)
			}
		}
		for place, value := range got {
			if strings.HasSuffix(place, "category.untrusted_text") {
				continue // of the extension, for which the comparison doesn't ask
			}
			if _, known := c.want[place]; !known && !inWords(place, value) {
				t.Errorf("%s: %s is %v, which is not compared with the API", tool, place, value)
			}
			if base, ok := strings.CutSuffix(place, ".cents"); ok {
				checkText(t, tool+" "+base, value, got[base+".text"], got[base+".reason"])
			}
		}
	}
}

// checkText fails the test unless the text of an amount has the digits of its cents, and is a dash
// with a reason if they are unknown.
func checkText(t *testing.T, what string, cents, text, reason any) {
	t.Helper()
	if cents == nil {
		if text != "—" || reason == nil {
			t.Errorf("%s is unknown, but has the text %q and the reason %v", what, text, reason)
		}
		return
	}
	digits := strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text.(string)), "0")
	if digits != strings.Trim(cents.(json.Number).String(), "-") && cents.(json.Number) != "0" || reason != nil {
		t.Errorf("%s is %v, but has the text %q and the reason %v", what, cents, text, reason)
	}
}

func TestInputSchemasSayWhatIsUsedIfAnArgumentIsMissing(t *testing.T) {
	tools, err := connect(t, options(nil), nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	limits := 0
	for _, tool := range tools.Tools {
		text, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		fields, _ := decoded(t, string(text)).(object)["properties"].(object)
		for name, field := range fields {
			schema := field.(object)
			if schema["type"] != "integer" {
				continue
			}
			limits++
			if !strings.HasSuffix(schema["description"].(string), " if missing") || schema["maximum"] == nil ||
				schema["minimum"] != json.Number("1") {
				t.Errorf("%s of %s is %v", name, tool.Name, schema)
			}
		}
	}
	if limits != 8 {
		t.Errorf("%d integers, want 8", limits)
	}
}
