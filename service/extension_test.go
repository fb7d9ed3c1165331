package service_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/access"
	"tarmac/service/accounts"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

const cashPosition = "/insights/cash-position"

// extended reads a path with the extension.
func (f *fixture) extended(a tenant, path string) answer {
	f.t.Helper()
	return f.send(a.secret, http.MethodGet, prefix+path, "", "Prefer", "reporting-currency, tarmac-extension")
}

// member returns the member of a JSON object that a path with dots names, as JSON.
func member(t testing.TB, body []byte, path string) string {
	t.Helper()
	for name := range strings.SplitSeq(path, ".") {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(body, &object); err != nil {
			t.Fatalf("%s: %v in %s", path, err, body)
		}
		body = object[name]
	}
	return string(body)
}

// askedYear is a year of a company that burns 20,000.00 a month, with a payment in September of
// which the books ask whether it is financing.
func askedYear() bankFile {
	b := year
	b.lines = append(monthly(1, 11, "-41500.00", "Gusto"), monthly(1, 11, "21500.00", "Acme")...)
	b.lines = append(b.lines, "2026-09-03 25000.00 Ada Ventures")
	b.balance = "900000.00"
	return b
}

func TestTheExtensionSaysWhatTheStatementsCover(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	forgotten := bankFile{account: "00555555555", first: "2026-01-01", last: "2026-08-31", balance: "700.00"}
	zloty := bankFile{account: "PL6666", currency: "PLN", first: "2026-01-01", last: "2026-11-19", balance: "500.00"}
	f.importFiles(a, askedYear().source(), forgotten.source(), zloty.source())

	body := f.extended(a, cashPosition).body

	before := `{"first":"2024-10-01","last":"2025-12-31"}`
	for path, want := range map[string]string{
		"reporting_currency": `"USD"`,
		"no_estimate":        `{"code":"window_too_old","data":{}}`,
		"burn_window": `{"first_month":"2026-06","last_month":"2026-08","months":3,"moved":{"code":"statements_missing",` +
			`"data":{"accounts":[{"account":"…5555","gaps":[{"first":"2026-09-01","last":"2026-10-31"}]}]}}}`,
		"coverage": `{"known_to":"2026-11-19","begins":null,` +
			`"gaps":[` + before + `,{"first":"2026-09-01","last":"2026-11-20"}],` +
			`"accounts":[{"account":"…6789","currency":"USD","role":"operating","state":"current",` +
			`"proven_to":{"day":"2026-11-20","source":"statement"},"assumed_to":null,"gaps":[` + before + `],` +
			`"balance":{"minor":90000000,"day":"2026-11-20"},"counted_cents":90000000,"unrated":false},` +
			`{"account":"…5555","currency":"USD","role":"operating","state":"forgotten",` +
			`"proven_to":{"day":"2026-08-31","source":"statement"},"assumed_to":null,"gaps":[` + before +
			`,{"first":"2026-09-01","last":"2026-11-20"}],` +
			`"balance":{"minor":70000,"day":"2026-08-31"},"counted_cents":70000,"unrated":false},` +
			`{"account":"…6666","currency":"PLN","role":"operating","state":"current",` +
			`"proven_to":{"day":"2026-11-19","source":"statement"},"assumed_to":null,"gaps":[` + before + `],` +
			`"balance":{"minor":50000,"day":"2026-11-19"},"counted_cents":null,"unrated":true}]}`,
	} {
		if got := member(t, body, "extension."+path); got != want {
			t.Errorf("%s is\n%s, want\n%s", path, got, want)
		}
	}
}

func TestTheExtensionHasBothReadingsOfUnansweredQuestions(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.importFiles(a, askedYear().source())

	plain, body := f.get(a.secret, prefix+cashPosition).body, f.extended(a, cashPosition).body

	want := `{"questions":1,"inflow_cents":2500000,"outflow_cents":0,"transfers":0,` +
		`"low":{"monthly_burn_cents":1166667,"runway_months":77.1},"high":{"monthly_burn_cents":2000000,"runway_months":45}}`
	if got := member(t, body, "extension.readings"); got != want {
		t.Errorf("the readings are %s, want %s", got, want)
	}
	const sentence, facts = "1 unanswered question: $25,000.00", "[left out: questions=1 in=2500000 low=1166667/771"
	if note := member(t, plain, "runway_note"); !strings.Contains(note, sentence) || !strings.Contains(note, facts) {
		t.Errorf("without the preference the note is %s", note)
	}
	if note := member(t, body, "runway_note"); strings.Contains(note, sentence) || strings.Contains(note, "[") {
		t.Errorf("the note repeats the facts: %s", note)
	}
}

// feedRow returns a transaction of September that is not from own books.
func (f *fixture) feedRow(category string) ledger.Transaction {
	return ledger.Transaction{
		ID: f.id(ids.Transaction), Date: civil.MustParse("2026-09-20"), Direction: ledger.Outflow,
		Source: ledger.ServiceAccount, AmountMinor: 1, AmountKnown: true, USDCents: 1, USDKnown: true, Currency: "USD",
		Counterparty: "A", Category: category,
	}
}

func TestAReasonForNoEstimateIsACodeWithItsFigures(t *testing.T) {
	f := start(t, 0)
	short, rates := f.tenant("short"), f.tenant("rates")
	f.write(func(tx *store.Tx) error {
		return errors.Join(tx.SetAccount(short.key, true, accounts.Balance{SyncedAt: noon}),
			tx.InsertTransactions(short.key, []ledger.Transaction{f.feedRow("")}))
	})
	f.importFiles(rates, year.source(), bankFile{account: "PL6666", currency: "PLN", first: "2026-01-01",
		last: "2026-11-20", lines: monthly(1, 11, "-5.00", "Kiosk"), balance: "500.00"}.source())

	for a, want := range map[string]string{
		f.tenant("none").secret: `{"code":"account_not_open","data":{}}`,
		short.secret:            `{"code":"short_history","data":{"full_months":1,"needed_months":3}}`,
		rates.secret:            `{"code":"unrated_transactions","data":{"transactions":6,"unconverted_count":3}}`,
	} {
		body := f.extended(tenant{secret: a}, cashPosition).body
		if got := member(t, body, "extension.no_estimate"); got != want {
			t.Errorf("the reason is %s, want %s", got, want)
		}
	}
}

func TestTheErrorOfAnUnknownBalanceHasTheCoverage(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	unknown := year
	unknown.balance = ""
	f.importFiles(a, unknown.source())

	plain, got := f.get(a.secret, prefix+cashPosition), f.extended(a, cashPosition)

	if !strings.Contains(string(plain.body), " [left out: ") || strings.Contains(string(plain.body), "extension") {
		t.Errorf("without the preference: %s", plain.body)
	}
	if text := member(t, got.body, "error"); got.status != http.StatusServiceUnavailable || strings.Contains(text, "[") {
		t.Errorf("the error is %d %s", got.status, text)
	}
	if day := member(t, got.body, "extension.coverage.known_to"); day != `"2026-11-20"` {
		t.Errorf("known to %s", day)
	}
	if applied := got.header.Get("Preference-Applied"); applied != "tarmac-extension" {
		t.Errorf("it applies %q", applied)
	}
}

func TestTransactionsHaveCategoryKindAndAccountIfAsked(t *testing.T) {
	f := start(t, 0)
	own, feed := f.tenant("own"), f.tenant("feed")
	f.importFiles(own, bankFile{account: "00123456789", first: "2026-09-01", last: "2026-10-31",
		lines: []string{"2026-09-03 25000.00 Ada Ventures", "2026-10-05 -5.00 Travel desk"}}.source())
	if _, err := f.books(own).EditRules(t.Context(), func(string) string {
		return "[[rule]]\nmatch = 'travel'\ncategory = 'trips_abroad'\n\n[[rule]]\nmatch = 'ada'\ncategory = 'financing'\n"
	}); err != nil {
		t.Fatal(err)
	}
	f.write(func(tx *store.Tx) error {
		return tx.InsertTransactions(feed.key, []ledger.Transaction{f.feedRow("payroll_taxes")})
	})

	for a, want := range map[string][]string{
		own.secret: {`{"category":"trips_abroad","account":"1 …6789"}`,
			`{"category":"Financing","kind":"financing","account":"1 …6789","evidence":[{"code":"rule","data":{}}]}`},
		feed.secret: {`{"category":"Payroll taxes"}`},
	} {
		var page struct {
			Data []struct {
				ID        string
				Extension json.RawMessage
			}
		}
		got := f.extended(tenant{secret: a}, "/transactions")
		if err := json.Unmarshal(got.body, &page); err != nil || len(page.Data) != len(want) {
			t.Fatalf("%v: %s", err, got.body)
		}
		for n, row := range page.Data {
			alone := f.extended(tenant{secret: a}, "/transactions/"+row.ID)
			if text := member(t, alone.body, "extension"); string(row.Extension) != want[n] || text != want[n] {
				t.Errorf("in the list %s, alone %s, want %s", row.Extension, text, want[n])
			}
		}
		if plain := f.get(a, prefix+"/transactions").body; strings.Contains(string(plain), "extension") {
			t.Errorf("without the preference: %s", plain)
		}
	}
}

func TestACachedPageHasTheAccountsOfTheBooksAsTheyAre(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.importFiles(a, year.source())
	first := f.extended(a, "/transactions")

	if _, err := f.books(a).Rename(t.Context(), "00123456789", "Main"); err != nil {
		t.Fatal(err)
	}

	if before := string(first.body); !strings.Contains(before, "…6789") || strings.Contains(before, "Main") {
		t.Fatalf("before: %s", before)
	}
	if after := string(f.extended(a, "/transactions").body); !strings.Contains(after, `"account":"Main …6789"`) {
		t.Errorf("after the account was renamed: %s", after)
	}
}

func TestTheExtensionObeysScopes(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", access.AccountRead)
	f.importFiles(a, year.source())
	payments := tenant{secret: f.token(a, access.PaymentsRead)}

	for _, c := range []struct {
		who      tenant
		path     string
		facts    string // must be there
		withheld string
	}{
		{a, cashPosition, `"coverage"`, "Landlord"},
		{a, "/transactions", `"error"`, "extension"},
		{payments, "/transactions", `"account":"1 …6789"`, "coverage"},
		{payments, cashPosition, `"error"`, "extension"},
	} {
		got := f.extended(c.who, c.path)
		if text := string(got.body); !strings.Contains(text, c.facts) || strings.Contains(text, c.withheld) {
			t.Errorf("%s is %d %s", c.path, got.status, text)
		}
	}
}

// A dashboard gets the same facts from a server, from the service in its own program, which serves
// it over the loopback address, and in a session over SSH.
func TestTheExtensionIsTheSameOverEveryTransport(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.importFiles(a, askedYear().source())
	_, key := f.sshKey(a, nil, access.Scopes[:]...)
	server := httptest.NewServer(f.service.Handler())
	defer server.Close()

	for _, path := range []string{cashPosition, "/transactions?limit=3"} {
		want := string(f.extended(a, path).body)
		for name, through := range map[string]struct {
			client *http.Client
			url    string
		}{
			"HTTP":        {&http.Client{Transport: f.referee.Transport(t, http.DefaultTransport)}, server.URL},
			"SSH session": {f.inSession(key, "s"), "http://localhost"},
		} {
			request, err := http.NewRequest(http.MethodGet, through.url+prefix+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Prefer", "tarmac-extension")
			request.Header.Set("Authorization", "Bearer "+a.secret)
			response, err := through.client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if got := string(body); err != nil || got != want || !strings.Contains(got, `"extension":{"`) {
				t.Errorf("%s over %s is\n%s, want\n%s", path, name, got, want)
			}
		}
	}
}
