package spending_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// ledger returns a ledger of rows, which it orders newest first.
func ledger(rows ...apiclient.Transaction) *spending.Ledger {
	own, financing := map[string]bool{}, map[string]bool{}
	for i := range rows {
		rows[i].ID = fmt.Sprintf("txn_%d", i)
		own[rows[i].ID] = rows[i].Memo == "own"
		financing[rows[i].ID] = rows[i].Memo == "financing"
	}
	slices.SortStableFunc(rows, func(a, b apiclient.Transaction) int { return b.Date.Compare(a.Date) })
	return spending.NewLedger(rows, own, financing)
}

func row(day, name string, cents int64, memo string) apiclient.Transaction {
	t := apiclient.Transaction{
		Date: civil.MustParse(day), CounterpartyName: name, Memo: memo, Direction: apiclient.Inflow,
		Reporting: apiclient.NewAmount(max(cents, -cents), "USD"),
	}
	if cents < 0 {
		t.Direction = apiclient.Outflow
	}
	if memo == "unknown" {
		t.Reporting = apiclient.UnknownAmount("USD")
	}
	return t
}

func TestCounterpartiesAreRankedAndCompared(t *testing.T) {
	l := ledger(
		row("2026-10-03", "KESTREL CRM INC.", -300_00, ""), row("2026-09-03", "Kestrel CRM", -200_00, ""),
		row("2026-08-03", "Kestrel CRM", -100_00, ""), row("2026-10-09", "Rent", -900_00, ""),
		row("2026-10-10", "Rent", -1, "unknown"), row("2026-10-11", "Savings", -5_000_00, "own"),
		row("2026-10-12", "Fund", 9_000_00, "financing"), row("2026-07-01", "Gone Ltd", -50_00, ""),
		row("2026-11-01", "Too new", -1_00, ""), row("2026-06-30", "Too old", -1_00, ""),
	)
	got := l.Counterparties(apiclient.Outflow, civil.New(2026, 10, 1), 2)
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	if c := got[0]; c.Name != "Rent" || c.Total.String() != "≥$900.00" || c.Share.Tenths != 643 ||
		c.Average().String() != "≥$450.00" {
		t.Errorf("%+v", c)
	}
	if !got[0].Change().Unknown {
		t.Error("the change of an incomplete total is known")
	}
	c := got[1]
	change := c.Change()
	if c.Name != "KESTREL CRM INC." || c.Total.Minor != 500_00 || change.Minor != 400_00 || change.Unknown ||
		c.Months[0].Minor != 300_00 || c.Months[1].Minor != 200_00 || len(c.Rows) != 2 {
		t.Errorf("%+v", c)
	}
	if c := got[2]; c.Name != "Gone Ltd" || c.Total.Minor != 0 || c.Before.Minor != 50_00 || len(c.Rows) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestABridgeNamesWhatChanged(t *testing.T) {
	var rows []apiclient.Transaction
	for _, month := range []string{"2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09"} {
		rows = append(rows, row(month+"-05", "Cancelled", -700_00, ""))
	}
	rows = append(rows,
		row("2026-09-10", "Hotel", -400_00, ""), row("2026-10-02", "Agency", -300_00, ""),
		row("2026-09-02", "Customer", 100_00, ""), row("2026-10-02", "Customer", 350_00, ""),
		row("2026-09-03", "Cloud", -10_00, ""), row("2026-10-03", "Cloud", -60_00, ""),
		row("2026-09-04", "Rent", -900_00, ""), row("2026-10-04", "Rent", -900_00, ""),
		row("2026-10-12", "Fund", 9_000_00, "financing"), row("2026-09-12", "Savings", -40_00, "own"))
	b, ok := ledger(rows...).Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1))
	if !ok {
		t.Fatal("overflow")
	}
	want := []string{
		"Cancelled gone 70000", "Hotel not due 40000", "Agency new -30000", "Customer up 25000", "Cloud down -5000",
	}
	for i, c := range b.Changes {
		if got := fmt.Sprintf("%s %s %d", c.Name, c.Kind, c.Change().Minor); i >= len(want) || got != want[i] {
			t.Errorf("%d: %s", i, got)
		}
	}
	if len(b.Changes) != len(want) || b.RestCount != 1 || b.Rest.Change().Minor != 0 ||
		b.Financing.Change().Minor != 9_000_00 || b.OwnTransfers.Change().Minor != 40_00 {
		t.Errorf("%+v", b)
	}
}

// Cost, own transfers and financing together are the server's totals.
func TestEverythingAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []apiclient.Transaction
		var nets [2]int64
		var out int64
		for range rapid.IntRange(0, 80).Draw(t, "rows") {
			month := rapid.IntRange(0, 1).Draw(t, "month")
			cents := rapid.Int64Range(-1e9, 1e9).Draw(t, "cents")
			memo := rapid.SampledFrom([]string{"", "", "", "own", "financing", "unknown"}).Draw(t, "memo")
			name := rapid.SampledFrom(strings.Split("A a B C D E F G H I J K L", " ")).Draw(t, "name")
			rows = append(rows, row([]string{"2026-09-07", "2026-10-21"}[month], name, cents, memo))
			if memo != "unknown" {
				nets[month] += cents
			}
			if memo == "" && cents < 0 {
				out -= cents
			}
		}
		l := ledger(rows...)
		b, ok := l.Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1))
		if !ok || b.Before.Minor != nets[0] || b.After.Minor != nets[1] {
			t.Fatalf("nets %d and %d, want %v", b.Before.Minor, b.After.Minor, nets)
		}
		sum := b.Rest.Change().Minor + b.OwnTransfers.Change().Minor + b.Financing.Change().Minor
		for _, c := range b.Changes {
			sum += c.Change().Minor
		}
		if sum != nets[1]-nets[0] {
			t.Fatalf("the parts are %d, the difference is %d", sum, nets[1]-nets[0])
		}
		for _, c := range l.Counterparties(apiclient.Outflow, civil.New(2026, 10, 1), 2) {
			out -= c.Total.Minor
		}
		out -= l.Totals(apiclient.Outflow, civil.New(2026, 9, 1), civil.New(2026, 10, 1)).Refunds.Minor
		if out != 0 {
			t.Fatalf("the counterparties leave %d", out)
		}
	})
}

func TestAmountsThatOverflowAreNotAddedUp(t *testing.T) {
	l := ledger(row("2026-10-01", "A", 1<<62, ""), row("2026-10-02", "A", 1<<62, ""), row("2026-10-02", "B", 5, ""))
	if _, ok := l.Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1)); ok {
		t.Error("the bridge is known")
	}
	for _, c := range l.Counterparties(apiclient.Inflow, civil.New(2026, 10, 1), 1) {
		if c.Name == "A" && !c.Total.Unknown {
			t.Errorf("%+v", c)
		}
	}
}
