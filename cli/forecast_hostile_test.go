package cli_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// withCash makes the server answer requests for the cash position and for invoices, of which it has
// none.
func (l *ledgerRows) withCash(cents int64) *ledgerRows {
	l.before = func(w http.ResponseWriter, r *http.Request) bool {
		answer := "[]"
		switch {
		case strings.HasSuffix(r.URL.Path, "/insights/cash-position"):
			answer = fmt.Sprintf(`{"org_id":"org_1","status":"active","as_of":"2026-11-22T15:00:00Z","cash_cents":%d,
				"monthly_burn_cents":0,"is_burning":false,"sufficient":true,"runway_cash_cents":%d,"runway_months":null,
				"runway_note":""}`, cents, cents)
		case !strings.HasSuffix(r.URL.Path, "/invoices"):
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, err := w.Write([]byte(answer))
		return err == nil
	}
	return l
}

func TestAForecastOfABadLedgerSaysWhyThereIsNone(t *testing.T) {
	const short = "No forecast: a forecast needs transactions of 26 weeks; "
	const large = "No forecast: the amounts are too large to add up."
	for name, c := range map[string]struct {
		fill func(*ledgerRows)
		want string
	}{
		"no rows":         {func(*ledgerRows) {}, short + "there are none yet."},
		"one row":         {func(l *ledgerRows) { l.add("2026-11-20", "A", -100) }, short + "they begin on 2026-11-20"},
		"one month":       {func(l *ledgerRows) { l.monthly("A", -100, 0, 1) }, short + "they begin on 2026-10-05"},
		"rows to come":    {func(l *ledgerRows) { l.add("2026-11-30", "A", -100) }, short + "there are none yet."},
		"one huge row":    {func(l *ledgerRows) { l.add("2026-10-05", "A", -9e18) }, large},
		"an old huge one": {func(l *ledgerRows) { l.add("2025-01-05", "A", 9e18) }, large},
	} {
		l := &ledgerRows{}
		c.fill(l)
		if r := l.withCash(1).run(t, "forecast"); r.code != 0 || r.stdout != "" || !strings.HasPrefix(r.stderr, c.want) {
			t.Errorf("%s: %+v", name, r)
		}
		if r := l.run(t, "forecast", "--json"); r.code != 0 || !strings.Contains(r.stdout, `"weeks":null`) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestAForecastNotesSuspectedTransfersAndCashThatOverflows(t *testing.T) {
	l := &ledgerRows{}
	l.monthly("Customer", 100, 0, 1, 2, 3, 4, 5, 6, 7)
	l.add("2026-10-05", "Savings", -50_000_00)
	l.add("2026-10-07", "Checking", 50_000_00)

	r := l.withCash(9_223_372_036_854_775_807).run(t, "forecast", "--csv")

	weeks := sheet(t, r.stdout)
	if r.code != 0 || len(weeks) != 13 || weeks[12]["cash_cents"] != "—" || !strings.Contains(r.stderr, "$50,000.00") {
		t.Errorf("%+v", r)
	}
}
