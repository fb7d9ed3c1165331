package spending_test

import (
	"fmt"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// A customer that writes more behind its name some of the time is one counterparty, under the
// shorter name.
func TestLongerNamesOfACounterpartyAreCountedWithIt(t *testing.T) {
	newest := civil.MustParse("2026-10-01")
	var rows []apiclient.Transaction
	add := func(name string, direction apiclient.Direction) {
		rows = append(rows, apiclient.Transaction{
			ID: fmt.Sprint(len(rows)), Date: newest, CounterpartyName: name, Direction: direction,
			Reporting: apiclient.NewAmount(100, "USD"),
		})
	}
	add("SEABROOK HOTELS retainer", apiclient.Inflow)
	add("SEABROOK HOTELS retainer", apiclient.Outflow)
	for range 3 {
		add("Seabrook Hotels", apiclient.Inflow)
	}
	add("SEABROOK HOUSE", apiclient.Inflow)

	ledger := spending.Join("USD", [][]spending.Row{
		spending.NewLedger(rows[:2], nil, nil).Rows, spending.NewLedger(rows[2:], nil, nil).Rows,
	})

	got := ""
	for _, direction := range []apiclient.Direction{apiclient.Inflow, apiclient.Outflow} {
		for _, c := range ledger.Counterparties(direction, newest, 1) {
			got += fmt.Sprintf("%s %d, ", c.Name, len(c.Rows))
		}
	}
	if want := "Seabrook Hotels 4, SEABROOK HOUSE 1, SEABROOK HOTELS retainer 1, "; got != want {
		t.Errorf("counterparties are %q, want %q", got, want)
	}
	again := spending.Join("USD", [][]spending.Row{ledger.Rows[:2]})
	if name := again.Rows[0].Name(); name != "SEABROOK HOTELS retainer" || ledger.Rows[0].Name() != "Seabrook Hotels" {
		t.Errorf("without the shorter name it is %q", name)
	}
}
