package cli_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// figureCommands are the commands that derive figures from all rows.
var figureCommands = []string{"spend", "spend --direction inflow", "spend --bridge 2026-09..2026-10", "recurring"}

func TestLedgersOfNoneOneAndOneMonthHaveFigures(t *testing.T) {
	for name, fill := range map[string]func(*ledgerRows){
		"no rows":   func(*ledgerRows) {},
		"one row":   func(l *ledgerRows) { l.add("2026-10-05", "Lantern", -100) },
		"one month": func(l *ledgerRows) { l.monthly("Lantern", -100, 1); l.monthly("Northwind", 900, 1) },
		"rows in the future": func(l *ledgerRows) {
			l.add("2026-11-30", "Lantern", -100)
			l.add("2027-05-01", "Lantern", -100)
			l.add("9999-12-31", "Lantern", -100)
		},
	} {
		for _, line := range figureCommands {
			l := &ledgerRows{}
			fill(l)
			if r := l.run(t, strings.Fields(line+" --csv")...); r.code != 0 || r.stderr != "" || r.stdout == "" {
				t.Errorf("%s: %s: %+v", name, line, r)
			}
		}
	}
}

func TestNamesThatDifferInInvisibleCharactersAreOneCounterparty(t *testing.T) {
	l := &ledgerRows{}
	for i, name := range []string{
		"Lantern", "Lan\u200btern", "Lantern\u200d", "\u2060Lantern", "Lan\u00adtern", "Lantern\ufeff", "Lantern\u00a0",
		"Lan\ufe0ftern", "Lan\u034ftern", "\u3164Lantern", "Lan\u180etern", "\u2800Lantern", "Lantern\U000e0061",
	} {
		l.monthly(name, -100, i+1)
	}
	rows := sheet(t, l.run(t, "spend", "--months", "12", "--csv").stdout)
	if len(rows) != 1 || rows[0]["total_cents"] != "1200" || rows[0]["before_cents"] != "100" {
		t.Errorf("%q", rows)
	}
	if recurring := sheet(t, l.run(t, "recurring", "--csv").stdout); len(recurring) != 1 ||
		recurring[0]["payment_count"] != "13" {
		t.Errorf("%q", recurring)
	}
}

func TestTenThousandCounterpartiesAddUp(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("calculates only")
	}
	l := &ledgerRows{}
	for i := range 10_000 {
		l.rows = append(l.rows, nil)
		l.rows[i] = map[string]any{
			"id": fmt.Sprint("txn_", i), "date": "2026-10-05", "direction": "outflow", "currency": "USD",
			"amount_cents": int64(i), "amount_known": true, "amount_usd_cents": int64(i), "usd_known": true, "memo": "",
			"counterparty_name": fmt.Sprint("Vendor ", i), "has_receipt": false, "source": "svc", "source_label": "Service",
		}
	}
	r := l.run(t, "spend", "--bridge", "2026-09..2026-10", "--csv")
	rows := sheet(t, r.stdout)
	if r.code != 0 || r.stderr != "" || len(rows) != 10+4 {
		t.Fatalf("exit %d, %d rows, %s", r.code, len(rows), r.stderr)
	}
	if net := rows[len(rows)-1]; net["after_cents"] != "-49995000" || net["change_cents"] != "-49995000" {
		t.Errorf("%v", net)
	}
}

// One row of 9 quintillion cents fits into an amount. Two do not.
func TestAmountsOfQuintillionsAreAddedUpOrSaidToBeTooLarge(t *testing.T) {
	l := &ledgerRows{}
	l.add("2026-10-05", "Lantern", -9e18)
	l.monthly("Rent", -100, 2, 3, 4, 5)
	for _, line := range figureCommands {
		if r := l.run(t, strings.Fields(line)...); r.code != 0 || strings.Contains(r.stderr, "totals of the server") {
			t.Errorf("%s: %+v", line, r)
		}
	}
	l.add("2026-10-06", "Lantern", -9e18)
	for line, want := range map[string]string{
		"spend":                           "2026-10: the amounts are too large to add up",
		"spend --bridge 2026-09..2026-10": "the amounts of 2026-09..2026-10 are too large to add up",
		"recurring":                       "2026-10: the amounts are too large to add up",
	} {
		if r := l.run(t, strings.Fields(line)...); !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %+v", line, r)
		}
	}
	for _, row := range sheet(t, l.run(t, "spend", "--csv").stdout) {
		if row["counterparty_name"] == "Lantern" && (row["total_cents"] != "—" || row["share_percent"] != "") {
			t.Errorf("%v", row)
		}
	}
}

func TestA429ResponseInTheMiddleIsWaitedFor(t *testing.T) {
	t.Parallel()
	l := &ledgerRows{}
	l.monthly("Rent", -100, 1, 2, 3, 4, 5)
	l.before = func(w http.ResponseWriter, _ *http.Request) bool {
		if l.requests != 5 {
			return false
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	r := l.run(t, "spend", "--csv")
	if rows := sheet(t, r.stdout); r.code != 0 || len(rows) != 1 || rows[0]["total_cents"] != "300" {
		t.Errorf("%+v", r)
	}
}

func TestAMonthThatKeepsChangingIsNoted(t *testing.T) {
	l := &ledgerRows{}
	for i := range 300 {
		l.add("2026-10-05", fmt.Sprint("Vendor ", i), int64(-i))
	}
	l.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("cursor") != "" {
			l.rows = l.rows[10:]
		}
		return false
	}
	r := l.run(t, "spend", "--csv")
	if want := "2026-10: rows and totals differ: money out $"; r.code != 0 ||
		!strings.HasPrefix(r.stderr, want) || !strings.Contains(r.stderr, "They may be changing.") {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
}

func TestEqualOppositeAmountsAreNoted(t *testing.T) {
	l := &ledgerRows{}
	l.add("2026-10-05", "Savings", -50_000_00)
	l.add("2026-10-07", "Checking", 50_000_00)
	l.add("2026-10-09", "Rent", -100)
	const note = "1 payment out and one in are equal ($50,000.00) and at most five days apart."
	for _, line := range []string{"spend", "spend --bridge 2026-09..2026-10"} {
		r := l.run(t, strings.Fields(line)...)
		if r.code != 0 || !strings.Contains(r.stderr, note) {
			t.Errorf("%s: %+v", line, r)
		}
	}
	list := decoded(t, l.run(t, "spend", "--json").stdout).([]any)
	savings, rent := list[0].(map[string]any), list[1].(map[string]any)
	if fmt.Sprint(savings["suspected_transfer_ids"]) != "[txn_0]" || fmt.Sprint(rent["suspected_transfer_ids"]) != "[]" ||
		savings["total_cents"] != 50_000_00.0 {
		t.Errorf("%v", list)
	}
}
