package spending_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// changesByName returns what the parts of a bridge say: before, after and change.
func changesByName(b *spending.Bridge) map[string]string {
	said := map[string]string{}
	for _, c := range b.Parts() {
		said[c.Name] = c.Before.String() + " " + c.After.String() + " " + c.Change().String()
	}
	return said
}

func TestEachPartOfABridgeIsMarked(t *testing.T) {
	l := ledger(
		row("2026-09-02", "Half", -100_00, ""), row("2026-09-03", "Half", -1, "unknown"),
		row("2026-10-02", "Half", -300_00, ""),
		row("2026-09-04", "Lost", -1, "unknown"), row("2026-10-04", "Lost", -50_00, ""),
		row("2026-10-05", "Whole", -7_00, ""),
	)

	b, ok := l.Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1))

	said := changesByName(&b)
	for name, want := range map[string]string{
		"Half": "~-$100.00 -$300.00 ~-$200.00", "Lost": "— -$50.00 —", "Whole": "$0.00 -$7.00 -$7.00",
		"Net": "~-$100.00 -$357.00 ~-$257.00", "Financing": "$0.00 $0.00 $0.00",
	} {
		if said[name] != want {
			t.Errorf("%s is %q, want %q", name, said[name], want)
		}
	}
	if !ok || b.AddsUp() || b.AddUpText() != "" {
		t.Errorf("a part is unknown, but it says %q of %+v", b.AddUpText(), said)
	}
	for _, c := range b.Changes {
		if c.Name == "Lost" && c.Kind != spending.Unclear {
			t.Errorf("Lost is %q, although its change is unknown", c.Kind)
		}
	}
}

func TestMarkedPartsOfABridgeAddUp(t *testing.T) {
	l := ledger(
		row("2026-09-02", "Half", -100_00, ""), row("2026-09-03", "Half", -1, "unknown"),
		row("2026-10-02", "Half", -300_00, ""), row("2026-10-05", "Whole", -7_00, ""),
	)

	b, ok := l.Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1))

	if !ok || !b.AddsUp() || !strings.Contains(b.AddUpText(), "to the cent") {
		t.Errorf("it says %q of %+v", b.AddUpText(), changesByName(&b))
	}
}

// Each row that could not be read may belong to every counterparty, so that no figure of its months
// is complete, and a counterparty without other rows in a month has no known total there.
func TestRowsThatCouldNotBeReadAreMissingInAllFigures(t *testing.T) {
	l := ledger(row("2026-09-02", "Shop", -100_00, ""), row("2026-10-02", "Shop", -300_00, ""),
		row("2026-10-03", "New Co", -50_00, ""), row("2026-10-04", "Hooli", 900_00, ""))
	l.Unreadable = []spending.UnreadableRow{
		{Month: civil.New(2026, 10, 1)}, {Month: civil.New(2026, 9, 1)},
		{Month: civil.New(2026, 9, 1), Purpose: spending.Financing}, {Month: civil.New(2026, 8, 1)},
	}
	september, october := civil.New(2026, 9, 1), civil.New(2026, 10, 1)

	totals := l.Totals(apiclient.Outflow, september, october)
	all := l.Counterparties(apiclient.Outflow, october, 1)
	b, _ := l.Bridge(september, october)

	if got := totals.Operating.String() + " " + totals.Financing.String() + " " + totals.OwnTransfers.String() + " " +
		totals.All.Why(); got != "≥$450.00 — $0.00 3 transactions could not be read and are excluded." {
		t.Errorf("the totals are %s", got)
	}
	for i, want := range [...]string{"≥$300.00 ≥$100.00 — ~85.7%", "≥$50.00 — — ~14.3%"} {
		c := &all[i]
		got := c.Total.String() + " " + c.Before.String() + " " + c.Change().String() + " " + c.Share.String()
		if got != want {
			t.Errorf("%s is %s, want %s", c.Name, got, want)
		}
	}
	said := changesByName(&b)
	for name, want := range map[string]string{
		"Shop": "~-$100.00 ~-$300.00 ~-$200.00", "New Co": "— ~-$50.00 —", "Financing": "— $0.00 —",
		"Own transfers": "$0.00 $0.00 $0.00", "Net": "~-$100.00 ~+$550.00 ~+$650.00",
	} {
		if said[name] != want {
			t.Errorf("%s is %q, want %q", name, said[name], want)
		}
	}
	if b.AddUpText() != "" || b.Changes[0].Kind != spending.Unclear {
		t.Errorf("it says %q, %s is %s", b.AddUpText(), b.Changes[0].Name, b.Changes[0].Kind)
	}
}

func TestWhatRecursIsNotDeniedInRowsThatWereNotSearched(t *testing.T) {
	sideways := row("2026-10-02", "Odd", 900_00, "")
	sideways.Direction = "sideways"
	l := ledger(row("2026-10-01", "Shop", -100_00, ""), sideways, row("2026-10-03", "Lost", -1, "unknown"))
	l.Unreadable = []spending.UnreadableRow{{Month: civil.New(2026, 10, 1)}}

	const left = "3 of 4 transactions were not looked at: 1 without USD rate, 1 without direction, 1 unreadable."
	if got := l.NoneText("money out", apiclient.Outflow); got != "No money out recurs among 1 transaction. "+left {
		t.Errorf("money out: %q", got)
	}
	if got := l.NoneText("money in", apiclient.Inflow); got !=
		"Whether money in recurs is not known: 2 of 2 transactions were not looked at: 1 without direction, 1 unreadable." {
		t.Errorf("money in: %q", got)
	}
	if got := l.YearlyTotal(nil, apiclient.Outflow); got.Mark() != figures.AtLeast {
		t.Errorf("a year is %s", got)
	}
}

func TestRowsOfUnknownDirectionBelongToTheirCounterpartyInBothDirections(t *testing.T) {
	sideways := row("2026-10-02", "Payroll", 900_00, "")
	sideways.Direction = "sideways"
	l := ledger(row("2026-09-01", "Payroll", -100_00, ""), row("2026-10-01", "Payroll", -100_00, ""), sideways)
	october := civil.New(2026, 10, 1)

	out := l.Counterparties(apiclient.Outflow, october, 1)
	in := l.Counterparties(apiclient.Inflow, october, 1)
	total := l.Totals(apiclient.Outflow, october, october).Operating

	if got := out[0].Total.String() + " " + out[0].Before.String() + " " +
		out[0].Change().String(); got != "≥$100.00 $100.00 —" {
		t.Errorf("money out is %s", got)
	}
	if len(in) != 1 || in[0].Total.String() != "—" {
		t.Errorf("money in is %+v", in)
	}
	if total.String() != "≥$100.00" || total.Why() != "1 transaction has an unknown direction and is excluded." {
		t.Errorf("the total is %s: %s", total, total.Why())
	}
}

func TestABridgeWithoutAnyAmountIsUnknown(t *testing.T) {
	l := ledger(row("2026-09-02", "A", -1, "unknown"), row("2026-10-02", "A", -1, "unknown"))

	b, _ := l.Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1))

	said := changesByName(&b)
	if said["Net"] != "— — —" || said["1 other"] != "— — —" || b.AddsUp() {
		t.Errorf("it says %q, adds up: %v", said, b.AddsUp())
	}
}

// A row whose direction is unknown is neither income nor cost.
func TestRowsOfUnknownDirectionAreLeftOut(t *testing.T) {
	sideways := row("2026-10-02", "Odd", 900_00, "")
	sideways.Direction = "sideways"
	l := ledger(row("2026-10-01", "Shop", -100_00, ""), sideways)

	b, _ := l.Bridge(civil.New(2026, 9, 1), civil.New(2026, 10, 1))

	flows := l.Flows([]int{0, 1})
	const why = "1 transaction has an unknown direction and is excluded."
	if said := changesByName(&b); said["Net"] != "$0.00 ~-$100.00 ~-$100.00" || said["1 other"] != "$0.00 — —" {
		t.Errorf("the bridge says %q", said)
	}
	if flows.In.String() != "≥$0.00" || flows.Out.String() != "≥$100.00" || flows.Net.String() != "~-$100.00" ||
		flows.Net.Why() != why {
		t.Errorf("in %s, out %s, net %s: %q", flows.In, flows.Out, flows.Net, flows.Net.Why())
	}
}

func TestMonthsOfWhichNoRowHasARateAreUnknown(t *testing.T) {
	l := ledger(
		row("2026-09-02", "A", -1, "unknown"), row("2026-10-02", "A", -5_00, ""), row("2026-10-03", "A", -1, "unknown"),
	)

	all := l.Counterparties(apiclient.Outflow, civil.New(2026, 10, 1), 3)

	if got := fmt.Sprint(all[0].Months); got != "[≥$5.00 — $0.00]" {
		t.Errorf("A month by month: %s", got)
	}
}

func TestTheMonthsBeforeAreUnknownIfNoRowHasARate(t *testing.T) {
	l := ledger(
		row("2026-09-02", "A", -1, "unknown"), row("2026-10-02", "A", -5_00, ""), row("2026-10-03", "B", -1, "unknown"),
	)

	all := l.Counterparties(apiclient.Outflow, civil.New(2026, 10, 1), 1)

	a, b := &all[0], &all[1]
	if a.Before.String() != "—" || a.Average().String() != "$5.00" || a.Share.String() != "~100.0%" ||
		b.Share.String() != "—" {
		t.Errorf("A %s, share %q, B share %q", a.Before, a.Share, b.Share)
	}
}
