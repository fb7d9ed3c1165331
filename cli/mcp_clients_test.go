//go:build unix

package cli_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/assistant"
	"tarmac/internal/testsupport/assistants"
)

// The official TypeScript clients get the figures of the API from the program, and can propose an
// invoice after the person's yes.
func TestTheOfficialClientsGetTheFiguresOfTheAPI(t *testing.T) {
	database, org, tokenFile := organization(t, "900", allScopes)
	must(t, "admin", "--db", database, "owner", "set", "--org", org, "--name", "Ada", "--email", "ada@example.com")
	address := "http://" + serve(t, database, "127.0.0.1:0").addr
	for _, client := range assistants.Clients() {
		t.Run(client, func(t *testing.T) {
			proposal := mustJSON(t, map[string]any{
				"recipient_name": "Acme LLC", "recipient_email": "pay@acme.example", "description": "Consulting",
				"line_items":      []any{map[string]any{"description": "Hours", "quantity": "1.5", "unit_price_cents": 20000}},
				"idempotency_key": "acme-" + client,
			})
			got := assistants.Run(t, client, "accept", proposal,
				program(t, nil, "mcp", "--base-url", address, "--token-file", tokenFile, "--allow-propose"))

			connection := []string{"--base-url", address, "--token-file", tokenFile}
			checkAssistant(t, got, connection)
			created := got.Tools.Proposed
			if created == nil || created.Outcome != "created" || *created.Invoice.Total.Cents != 30000 || len(got.Asked) != 1 ||
				!strings.Contains(got.Asked[0], "Create a draft invoice over $300.00?") {
				t.Errorf("the proposal: %+v, asked %q, failures %q", created, got.Asked, got.Failures)
			}
			if client == "newest" && got.Protocol < "2026-07-28" {
				t.Errorf("the protocol is %q", got.Protocol)
			}
		})
	}
	for _, reply := range []string{"decline", "cancel", "none"} {
		got := assistants.Run(t, "newest", reply, mustJSON(t, map[string]any{
			"recipient_name": "Acme LLC", "recipient_email": "pay@acme.example", "description": "Consulting",
			"line_items":      []any{map[string]any{"description": "Hours", "quantity": "1", "unit_price_cents": 1}},
			"idempotency_key": "refused-" + reply,
		}), program(t, nil, "mcp", "--base-url", address, "--token-file", tokenFile, "--allow-propose"))
		if got.Tools.Proposed != nil || !strings.Contains(got.Failures["propose_invoice"], "nothing was sent") {
			t.Errorf("%s: %+v, %q", reply, got.Tools.Proposed, got.Failures)
		}
	}
	text := must(t, "invoices", "--status", "draft", "--json", "--base-url", address, "--token-file", tokenFile)
	if n := strings.Count(text, "pay@acme.example"); n != len(assistants.Clients()) {
		t.Errorf("%d drafts for Acme, want one for each client", n)
	}
}

// checkAssistant compares what a client got with what the commands print as JSON.
func checkAssistant(t *testing.T, got assistants.Answers, connection []string) {
	t.Helper()
	read := func(into any, args ...string) {
		t.Helper()
		if err := json.Unmarshal([]byte(must(t, append(args, connection...)...)), into); err != nil {
			t.Fatal(err)
		}
	}
	var position struct {
		Cash   int64   `json:"cash_cents"`
		Burn   int64   `json:"monthly_burn_cents"`
		Runway float64 `json:"runway_months"`
	}
	var listed struct {
		Data    []struct{ ID string }
		Summary struct {
			Count int64
			In    int64 `json:"inflow_usd_cents"`
			Out   int64 `json:"outflow_usd_cents"`
		}
	}
	var aging struct {
		Totals struct {
			Outstanding int64 `json:"outstanding_cents"`
			Overdue     int64 `json:"overdue_cents"`
		}
	}
	read(&position, "cash-position", "--json")
	read(&listed, "transactions", "--period", "last month", "--limit", "5", "--json")
	read(&aging, "aging", "--json")
	equal := func(what string, amount assistant.Amount, want int64) {
		t.Helper()
		if amount.Cents == nil || *amount.Cents != want {
			t.Errorf("%s is %+v, want %d", what, amount, want)
		}
	}
	tools := &got.Tools
	equal("cash", tools.Cash.Position.CashOnHand, position.Cash)
	equal("net burn", tools.Cash.Position.NetBurn, position.Burn)
	equal("money in", tools.Transactions.MoneyIn, listed.Summary.In)
	equal("money out", tools.Transactions.MoneyOut, listed.Summary.Out)
	equal("outstanding", tools.Receivables.Outstanding, aging.Totals.Outstanding)
	equal("overdue", tools.Receivables.Overdue, aging.Totals.Overdue)
	if runway := tools.Cash.Position.RunwayMonths; runway == nil || *runway != position.Runway {
		t.Errorf("the runway is %v, want %v", runway, position.Runway)
	}
	sameID := func(a assistant.Transaction, b struct{ ID string }) bool { return a.ID == b.ID }
	same := slices.EqualFunc(tools.Transactions.Rows, listed.Data, sameID)
	if !same || tools.Transactions.Count != listed.Summary.Count {
		t.Errorf("the transactions are %+v, want %+v", tools.Transactions, listed)
	}
	if len(tools.Events.Events) != 3 || len(tools.Spend.Counterparties) != 3 || len(tools.Forecast.Weeks) != 2 ||
		tools.Invoice.ID == "" || tools.Invoice.Status != string(apiclient.InvoiceSent) {
		t.Errorf("the other tools: %+v", tools)
	}
	if got.Resources != 20 || got.Resource.ID == "" || got.Document != "%PDF-" || got.Cancelled == "answered" ||
		got.Failures["no_such_tool"] == "" || !strings.Contains(got.Instructions, "untrusted_text") {
		t.Errorf("%d resources, %+v, %q, cancelled %q, failures %q", got.Resources, got.Resource, got.Document, got.Cancelled,
			got.Failures)
	}
}
