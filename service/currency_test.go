package service_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/httpapi"
)

// reported reads a figure in the organization's reporting currency.
func (f *fixture) reported(a tenant, path string) answer {
	f.t.Helper()
	return f.send(a.secret, http.MethodGet, prefix+path, "", "Prefer", "respond-async, Reporting-Currency")
}

// companyIn returns the bank files of a company that burns 18,000.00 a month, in a currency.
func companyIn(currency string) []bookkeeping.Source {
	var lines []string
	for month := 1; month <= 10; month++ {
		lines = append(lines, monthly(month, month, "-30000.00", "Salaries")...)
		lines = append(lines, monthly(month, month, "12000.00", "Customer")...)
	}
	bank := bankFile{account: "DE0031", currency: currency, first: "2026-01-01", last: "2026-11-20", balance: "250000.00",
		lines: append(lines, "pending 2026-11-20 -12.50 Coffee")}
	list := "number,customer,issued,due,currency,amount due\nA-1,Acme,2026-10-01,2026-11-01," + currency + ",100.00\n"
	open := textFile("open.csv", list)
	open.Options.AsOf = civil.New(2026, 11, 20)
	return []bookkeeping.Source{bank.source(), open}
}

var figures = []string{
	"/account", "/insights/cash-position", "/receivables/aging", "/transactions?limit=3",
	"/transactions?keyword=salaries", "/transactions?keyword=sal&direction=outflow&from=2026-03-01",
	"/transactions?keyword=sa&limit=1", "/transactions?direction=inflow&limit=1",
}

// inCurrency returns the bodies of all figures, with the names of members and currencies as they
// are where the company reports in US dollars.
func (f *fixture) inCurrency(a tenant, currency string) (bodies []string) {
	f.t.Helper()
	for _, path := range figures {
		got := f.reported(a, path)
		applied := got.header.Get("Preference-Applied")
		if got.status != http.StatusOK || (applied == "reporting-currency") != (currency != "USD") {
			f.t.Fatalf("%s: %d, applied %q: %s", path, got.status, applied, got.body)
		}
		bodies = append(bodies, twinBody(f.t, got.body, currency))
	}
	return bodies
}

// twinBody returns a body without what differs between twins in two currencies: ids, and the
// members of the extension.
func twinBody(t testing.TB, body []byte, currency string) string {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	delete(value, "org_id")
	delete(value, "next_cursor")
	if value["totals"] == nil {
		delete(value, "currency")
	}
	rows, _ := value["data"].([]any)
	for _, one := range rows {
		row := one.(map[string]any)
		delete(row, "id")
		if cents, reported := row["reporting_cents"]; reported {
			row["amount_usd_cents"], row["usd_known"] = cents, row["reporting_known"]
			delete(row, "reporting_cents")
			delete(row, "reporting_known")
		}
	}
	if imported, there := value["imported"].(map[string]any); there {
		for _, one := range imported["invoices"].([]any) {
			invoice := one.(map[string]any)
			if cents, reported := invoice["reporting_cents"]; reported {
				invoice["usd_cents"] = cents
				delete(invoice, "reporting_cents")
			}
		}
	}
	if summary, listed := value["summary"].(map[string]any); listed && summary["currency"] != nil {
		for _, name := range []string{"inflow", "outflow", "net"} {
			summary[name+"_usd_cents"] = summary[name+"_cents"]
			delete(summary, name+"_cents")
		}
		delete(summary, "currency")
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), `"currency":"`+currency+`"`, `"currency":"USD"`)
}

// A company in euros without any exchange rate has the figures of its twin in dollars.
func TestACompanyInEurosHasTheFiguresOfItsTwinInDollars(t *testing.T) {
	f := start(t, 0)
	euro, dollar := f.tenant("euro"), f.tenant("dollar")
	f.importFiles(euro, companyIn("EUR")...)
	f.importFiles(dollar, companyIn("USD")...)

	want := f.inCurrency(dollar, "USD")
	for n, got := range f.inCurrency(euro, "EUR") {
		if got != want[n] {
			t.Errorf("%s:\n%s, want\n%s", figures[n], got, want[n])
		}
	}
	if !strings.Contains(want[1], "13.8") {
		t.Errorf("the cash position is %s", want[1])
	}
	if got := f.reported(euro, "/ping"); !strings.Contains(string(got.body), `"reporting_currency":"EUR"`) {
		t.Errorf("ping answers %s", got.body)
	}
}

// Without the preference, amounts are in dollars, and unknown without rates.
func TestWithoutThePreferenceFiguresAreInDollars(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.importFiles(a, companyIn("EUR")...)

	for path, want := range map[string]string{
		"/account":                `503 {"error":"cash is not known: there is no exchange rate for …0031 in EUR`,
		"/insights/cash-position": `503 {"error":"cash is not known`,
		"/transactions?limit=1&keyword=salaries": `"count":10,"inflow_usd_cents":0,"outflow_usd_cents":0,"net_usd_cents":0,` +
			`"unconverted_count":10}`,
		"/receivables/aging": `"unconverted_count":1}`,
	} {
		got := f.get(a.secret, prefix+path)
		text := http.StatusText(got.status)
		if got.status == http.StatusServiceUnavailable {
			text = "503 "
		}
		if text += string(got.body); !strings.Contains(text, want) || got.header.Get("Preference-Applied") != "" {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// A currency that is changed and changed back leaves every answer as it was, byte for byte.
func TestACurrencyThatIsTakenBackLeavesEveryAnswer(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	rates := textFile("rates.csv", "date,currency,usd\n2026-01-14,EUR,1.10\n2026-06-12,EUR,1.20\n2026-11-19,EUR,1.25\n")
	dollars := bankFile{account: "1234", first: "2026-01-01", last: "2026-11-20", balance: "1400.00",
		lines: monthly(1, 10, "-70.00", "Hosting")}
	f.importFiles(a, append(companyIn("EUR"), dollars.source(), rates)...)
	read := func() (all string) {
		for _, path := range append(figures, "/ping", "/transactions?limit=200") {
			for _, got := range []answer{f.get(a.secret, prefix+path), f.reported(a, path)} {
				all += got.header.Get("Preference-Applied") + " " + string(got.body) + "\n"
			}
		}
		return all
	}
	before := read()
	books := f.books(a)

	for _, currency := range []string{"USD", "GBP", "auto"} {
		change, err := books.SetCurrency(t.Context(), currency)
		if err != nil {
			t.Fatal(err)
		}
		if after := read(); (after == before) != (currency == "auto") {
			t.Errorf("%s, which is %+v: the answers are equal: %v", currency, change, after == before)
		}
	}
}

// Each answer is checked against the contract. Only the operations with figures apply the
// preference; the others answer as they do without it.
func TestEveryOperationConformsWithAndWithoutThePreference(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	records := f.sampleRecords(a)
	f.importFiles(a, append(companyIn("EUR"), textFile("rates.csv", "date,currency,usd\n2026-11-19,EUR,1.25\n"))...)
	var listed struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(f.get(a.secret, prefix+"/transactions").body, &listed); err != nil {
		t.Fatal(err)
	}
	records["transactionId"] = listed.Data[0].ID
	applied := map[string]bool{"ping": true, "getAccount": true, "getCashPosition": true, "getReceivablesAging": true,
		"listTransactions": true, "getTransaction": true}

	for _, op := range httpapi.Operations() {
		if op.ID == "deleteWebhook" {
			continue // an answer without a body, and the others need the endpoint
		}
		path, body := records.path(op), bodies[op.ID][0]
		plain := f.send(a.secret, op.Method, path, body)
		preferring := f.send(a.secret, op.Method, path, body, "Prefer", "reporting-currency, imported-invoices")

		if plain.status >= 300 || preferring.status >= 300 {
			t.Errorf("%s: %d %s, %d %s", op.ID, plain.status, plain.body, preferring.status, preferring.body)
		}
		if got := plain.header.Get("Preference-Applied"); got != "" {
			t.Errorf("%s without the preference applies %q", op.ID, got)
		}
		got := strings.Contains(preferring.header.Get("Preference-Applied"), "reporting-currency")
		if got != applied[op.ID] {
			t.Errorf("%s applies %q", op.ID, preferring.header["Preference-Applied"])
		}
		if names := strings.Contains(string(preferring.body), `"EUR"`); applied[op.ID] && !names {
			t.Errorf("%s does not name the currency: %s", op.ID, preferring.body)
		}
	}
	if got := f.reported(a, "/transactions/"+records["transactionId"]); !strings.HasSuffix(string(got.body),
		`,"reporting_currency":"EUR"}`+"\n") {
		t.Errorf("a transaction alone: %s", got.body)
	}
}
