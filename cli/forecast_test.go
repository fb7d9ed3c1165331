package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/service/access"
	"tarmac/service/egress"
)

func TestForecastShowsThirteenWeeks(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	whole := decoded(t, c.must("forecast", "--json")).(map[string]any)
	weeks := sheet(t, c.must("forecast", "--csv"))
	position := decoded(t, c.must("cash-position", "--json")).(map[string]any)

	if len(weeks) != 13 || len(whole["weeks"].([]any)) != 13 {
		t.Fatalf("%d weeks, in JSON %d", len(weeks), len(whole["weeks"].([]any)))
	}
	cash := int64(position["runway_cash_cents"].(float64))
	miss := int64(0)
	for _, week := range weeks {
		cash += number(t, week["in_cents"]) - number(t, week["out_cents"])
		if number(t, week["cash_cents"]) != cash {
			t.Errorf("week %s ends with %s, want %d", week["week"], week["cash_cents"], cash)
		}
		if worst := number(t, week["worst_miss_cents"]); worst < miss {
			t.Errorf("in week %s the worst miss narrows to %d", week["week"], worst)
		} else {
			miss = worst
		}
	}
	text := c.must("forecast")
	for _, part := range []string{"SPENDABLE (EST.)", "stayed inside the band", "Tests on the past",
		"than their customer ever paid",
		"Default alive?", "Hypothetical: "} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

func TestAForecastWithAScenarioIsHypothetical(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	plain := sheet(t, c.must("forecast", "--csv"))
	file := filepath.Join(t.TempDir(), "a.plan")
	if err := os.WriteFile(file, []byte("plan from 2020-01 in USD\nhire \"A\" 700/week on monday\ncase \"B\": overdue\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for i, week := range sheet(t, c.must("forecast", "--with", "plan", "--plan", file, "--csv")) {
		if number(t, week["what_if_cents"]) != -700_00 ||
			number(t, plain[i]["cash_cents"])-number(t, week["cash_cents"]) != int64(700_00*(i+1)) {
			t.Errorf("week %d with the plan: %v", i+1, week)
		}
	}
	whole := c.must("forecast", "--with", "B", "--plan", file, "--what-if", "burn -10", "--json")
	for _, want := range []string{`"hypothetical":true`, `"with":"B"`, `"what_if":"burn -10%"`, `"planned":[{"name":"A"`} {
		if !strings.Contains(whole, want) {
			t.Errorf("%s is missing in %s", want, whole)
		}
	}
	hire := sheet(t, c.must("forecast", "--what-if", "once -1k", "--csv"))
	for i := range plain {
		if number(t, plain[i]["cash_cents"])-number(t, hire[i]["cash_cents"]) != 1_000_00 {
			t.Errorf("week %d: %s and %s", i+1, plain[i]["cash_cents"], hire[i]["cash_cents"])
		}
	}
	if text := c.must("forecast", "--what-if", "overdue"); !strings.Contains(text, "Hypothetical: overdue.") {
		t.Errorf("%s", text)
	}
	refused(t, c.run("forecast", "--what-if", "a hire"), 2, "--what-if: expected budget, hire")
	refused(t, c.run("forecast", "--what-if", "burn 2000"), 2, "--what-if: ")
	refused(t, c.run("forecast", "--what-if="), 2, "--what-if needs changes such as")
}

func TestAForecastWithoutInvoicesSaysSo(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	c.env["TARMAC_TOKEN"] = c.token(access.PaymentsRead, access.AccountRead)
	r := c.run("forecast", "--json")
	if r.code != 0 || !strings.Contains(r.stderr, "may not read invoices") {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
}

func TestAForecastWithoutHistorySaysHowMuchItNeeds(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	org, err := c.service.CreateOrganization(t.Context(), "Empty")
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := c.service.CreateToken(t.Context(), org.PublicID, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	c.env["TARMAC_TOKEN"] = token

	r := c.run("forecast")

	if r.code != 0 || r.stdout != "" || !strings.Contains(r.stderr, "needs transactions of 26 weeks; there are none yet") {
		t.Errorf("exit %d, %q, %q", r.code, r.stdout, r.stderr)
	}
	whole := decoded(t, c.must("forecast", "--json")).(map[string]any)
	if whole["weeks"] != nil || !strings.Contains(whole["notes"].([]any)[0].(string), "26 weeks") {
		t.Errorf("%v", whole)
	}
	if rows := sheet(t, c.must("forecast", "--csv")); len(rows) != 0 {
		t.Errorf("%v", rows)
	}
}
