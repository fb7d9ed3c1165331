package cli_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/client/counterparty"
	"tarmac/client/recurrence"
	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/egress"
	bookedrows "tarmac/service/ledger"
)

// number reads a number of a CSV.
func number(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSpendAddsUpToTheLedger(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	month := civil.Of(time.Now()).FirstOfMonth().AddMonths(-1)
	name := month.String()[:7]
	page := decoded(t, c.must("transactions", "--period", name, "--limit", "1", "--json")).(map[string]any)
	net := page["summary"].(map[string]any)

	bridge := sheet(t, c.must("spend", "--bridge", month.AddMonths(-1).String()[:7]+".."+name, "--csv"))
	var after, change int64
	for _, part := range bridge[:len(bridge)-1] {
		after += number(t, part["after_cents"])
		change += number(t, part["change_cents"])
	}
	total := bridge[len(bridge)-1]
	if want := int64(net["net_usd_cents"].(float64)); after != want || number(t, total["after_cents"]) != want ||
		number(t, total["change_cents"]) != change {
		t.Errorf("the parts are %d, the bridge says %s, the server %d", after, total["after_cents"], want)
	}

	var out int64
	for _, one := range sheet(t, c.must("spend", "--months", "1", "--csv")) {
		out += number(t, one["total_cents"])
	}
	for _, part := range bridge {
		if part["kind"] == "own_transfer" || part["kind"] == "financing" {
			out -= min(0, number(t, part["after_cents"]))
		}
	}
	if want := int64(net["outflow_usd_cents"].(float64)); out != want {
		t.Errorf("the counterparties are %d, the server's outflow is %d", out, want)
	}
	text := c.must("spend")
	if !strings.Contains(text, "Ledgerline Payroll") || !strings.Contains(text, "SHARE %") {
		t.Errorf("%s", text)
	}
}

func TestSpendRefusesWhatItCannotCompare(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	thisMonth := civil.Of(time.Now()).String()[:7]
	for args, want := range map[string]string{
		"--bridge 2026":                        "--bridge needs two months",
		"--bridge 2026-13..2026-14":            "--bridge needs two months",
		"--bridge 1999-01..1999-02":            "--bridge needs full months from",
		"--bridge 2026-02..2026-01":            "the first is before the second",
		"--bridge 2026-01.." + thisMonth:       "--bridge needs full months from",
		"--bridge 2026-01..2026-02 --months 2": "cannot be combined",
		"--months 20":                          "--months must be 1 to 19",
		"--direction sideways":                 "inflow or outflow",
	} {
		refused(t, c.run(append([]string{"spend"}, strings.Fields(args)...)...), 2, want)
	}
}

func TestRecurringListsWhatRecurs(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	rows := sheet(t, c.must("recurring", "--csv"))
	rhythms := map[string]string{}
	for _, row := range rows {
		rhythms[row["counterparty_name"]] = row["rhythm"]
	}
	if rhythms["Ledgerline Payroll"] != "twice a month" || rhythms["Harbour Lane Properties"] != "monthly" {
		t.Errorf("%v", rhythms)
	}
	if text := c.must("recurring", "--direction", "inflow"); !strings.Contains(text, "Service account interest") {
		t.Errorf("%s", text)
	}
}

func TestRecurringCostsOfGeneratedLedgersAreFound(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	found, right, missing := 0, 0, 0
	for seed := int64(1); seed <= 5; seed++ {
		h, err := demodata.NewHistory(demodata.Options{Seed: seed, Today: now, Transactions: 6400})
		if err != nil {
			t.Fatal(err)
		}
		costs := map[string][]recurrence.Payment{}
		for i, r := range h.Rows {
			if r.USDKnown && r.Direction == bookedrows.Outflow && r.Counterparty != counterparty.Unknown &&
				r.Category != bookedrows.CategoryFinancing {
				payment := recurrence.Payment{Date: r.Date, Cents: r.USDCents, Row: i}
				key := counterparty.Key(r.Counterparty)
				costs[key] = append(costs[key], payment)
			}
		}
		expected := map[string]bool{}
		for _, name := range demodata.RecurringPayees() {
			key := counterparty.Key(name)
			expected[key] = len(costs[key]) >= 2
		}
		for key, payments := range costs {
			n := len(recurrence.Find(payments, civil.Of(now)))
			found += n
			if n > 0 && expected[key] {
				right++
			} else if expected[key] {
				missing++
			}
		}
	}
	if right*100 < 95*found || right*100 < 90*(right+missing) {
		t.Errorf("%d series found, %d of them right, %d missing", found, right, missing)
	}
}
