package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/plan"
	"tarmac/internal/civil"
)

const month = "plan from 2026-09 in USD\n" + `budget "Payroll" 1000/month on 15 and last: Gusto
budget "Software" 300/month: Cloudhost, Trackly
hire "Engineer" 500/month from 2026-10 in "Payroll"
cost "Move" 700 on 2026-10-12
income "Acme" 900/month: Acme Corp
raise "Seed" 5k on 2026-10-20
budget "Gusto again" 1/month: GUSTO INC.
`

func TestAMonthIsComparedWithThePlan(t *testing.T) {
	invested := row("2026-10-21", "Fund I", 4000_00)
	invested.Memo = "financing"
	moved := row("2026-10-22", "Savings", -250_00)
	moved.Memo = "own"
	unrated := row("2026-10-23", "Trackly", 0)
	unrated.Reporting = apiclient.UnknownAmount("EUR")
	b := basis(10_000_00, 1000_00, row("2026-10-15", "Gusto, Inc.", -800_00), row("2026-10-30", "GUSTO", -790_00),
		row("2026-10-02", "Cloudhost", -100_00), row("2026-10-31", "ACME CORP", 850_00), row("2026-10-09", "Cafe", -30_00),
		row("2026-10-19", "Cafe", 5_00), row("2026-10-20", "Printer", -90_00), row("2026-11-01", "Gusto", -1_00),
		row("2026-09-30", "Gusto", -1_00), invested, moved, unrated)
	p := parse(t, month)

	a := plan.Compare(p, b, civil.MustParse("2026-10-01"))
	var got []string
	for _, l := range a.Lines {
		got = append(got, fmt.Sprint(l.Line.Name, " ", l.Planned, " ", l.Actual, " ", l.Variance, " ", len(l.Rows)))
	}
	for _, part := range append(a.Unplanned, a.Own) {
		got = append(got, fmt.Sprint(part.Name, " ", part.Net, " ", len(part.Rows)))
	}
	got = append(got, fmt.Sprint("Financing ", a.Financing.Planned, " ", a.Financing.Actual, " ", a.Financing.Variance),
		fmt.Sprint("Net ", a.Net))
	want := []string{
		"Payroll -$1,000.00 -$1,590.00 -$590.00 2", "Software -$300.00 ~-$100.00 ~+$200.00 2",
		"Engineer -$500.00 $0.00 +$500.00 0", "Move -$700.00 $0.00 +$700.00 0", "Acme +$900.00 +$850.00 -$50.00 1",
		"Gusto again -$1.00 $0.00 +$1.00 0", "Printer -$90.00 1", "Cafe -$25.00 2", "Own movements -$250.00 1",
		"Financing +$5,000.00 +$4,000.00 -$1,000.00", "Net ~+$2,795.00",
	}
	if !slices.Equal(got, want) || !a.IsOver {
		t.Errorf("compared\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if o := p.Overlaps(); len(o) != 1 || o[0].Name != "GUSTO INC." || o[0].First.Name != "Payroll" {
		t.Errorf("overlaps %+v", o)
	}
	if now := plan.Compare(p, b, civil.MustParse("2026-11-01")); now.IsOver || len(now.Notes) != 1 {
		t.Errorf("the current month: %+v", now)
	}
}

// Planned + variance + unplanned + own movements + financing are the net of the month, to the cent,
// and each line's rows are those that a second implementation finds.
func TestPlanAgainstActualAddsUp(t *testing.T) {
	names := []string{"Gusto", "GUSTO Inc.", "Cloudhost", "Trackly", "Acme Corp", "Cafe", "(unknown)", "Fund I"}
	rapid.Check(t, func(t *rapid.T) {
		var rows []apiclient.Transaction
		for range rapid.IntRange(0, 60).Draw(t, "rows") {
			day := civil.New(2026, 8, 20).AddDays(rapid.IntRange(0, 90).Draw(t, "day"))
			r := row(day.String(), rapid.SampledFrom(names).Draw(t, "name"), rapid.Int64Range(-1e8, 1e8).Draw(t, "cents"))
			r.Memo = rapid.SampledFrom([]string{"", "", "", "own", "financing"}).Draw(t, "memo")
			if rapid.IntRange(0, 9).Draw(t, "rate") == 0 {
				r.Reporting = apiclient.UnknownAmount("USD")
			}
			rows = append(rows, r)
		}
		lines := rapid.Permutation(strings.Split(strings.TrimSpace(month), "\n")[1:]).Draw(t, "lines")
		p := parsed(t, "plan from 2026-09 in USD\n"+strings.Join(lines, "\n")+"\n")
		b := basis(1, 1, rows...)
		a := plan.Compare(p, b, civil.MustParse("2026-10-01"))

		want, unknown := int64(0), int64(0)
		perLine := map[string]int64{}
		for _, r := range b.Ledger.Rows {
			cents, known := r.Signed()
			if r.Date.Month() != 10 {
				continue
			}
			if !known {
				unknown++
			}
			want += cents
			if r.Memo == "" {
				perLine[firstNaming(p, r.CounterpartyName)] += cents
			}
		}
		sum := a.UnplannedTotal().Minor + a.Own.Net.Minor + a.Financing.Planned.Minor + a.Financing.Variance.Minor
		for _, l := range a.Lines {
			sum += l.Planned.Minor + l.Variance.Minor
			if l.Actual.Minor != perLine[l.Line.Name] {
				t.Fatalf("%s: %s, want %d", l.Line.Name, l.Actual, perLine[l.Line.Name])
			}
		}
		if sum != want || a.Net.Minor != want || a.Net.Excluded != unknown || a.UnplannedTotal().Minor != perLine[""] {
			t.Fatalf("the parts are %d, the net %s, want %d without %d rows", sum, a.Net, want, unknown)
		}
	})
}

// firstNaming returns the name of the first line that names a counterparty, or "".
func firstNaming(p *plan.Plan, name string) string {
	for _, l := range p.Lines {
		for _, one := range l.Names {
			if counterparty.Key(one) == counterparty.Key(name) {
				return l.Name
			}
		}
	}
	return ""
}

func TestWhatMayBeALineIsAsked(t *testing.T) {
	fund := row("2026-10-25", "Fund I", 4_800_00)
	fund.Memo = "financing"
	var rows []apiclient.Transaction
	for _, m := range []string{"2026-06", "2026-07", "2026-08", "2026-09", "2026-10"} {
		paid := int64(-2000_00)
		if m >= "2026-09" {
			paid = -2900_00
		}
		rows = append(rows, row(m+"-15", "Gusto", paid), row(m+"-16", "Rent", -1000_00))
	}
	rows = append(rows, fund, row("2026-10-12", "Quay Movers", -690_00))
	b := basis(1, 1, rows...)
	p := parse(t, `plan from 2026-08 in USD
hire "Engineer" 1k/month from 2026-09
cost "Move" 700 on 2026-10-12
raise "Seed" 5k on 2026-10-20
hire "Later" 1k/month from 2027-01
`)
	var got []string
	for _, c := range plan.ConfirmCandidates(p, b) {
		got = append(got, fmt.Sprint(c.Name, " ", c.Rise, " ", c.Confirmed(p)))
	}
	want := []string{
		`Gusto -$900.00 hire "Engineer" 1,000/month from 2026-09, since 2026-09-15 as "Gusto"`,
		`Quay Movers -$690.00 cost "Move" 700 on 2026-10-12, since 2026-10-12 as "Quay Movers"`,
		`Gusto -$600.00 cost "Move" 700 on 2026-10-12, since 2026-10-15 as "Gusto"`,
		`Fund I +$4,800.00 raise "Seed" 5,000 on 2026-10-20, since 2026-10-25 as "Fund I"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Confirmed, Gusto costs what it did before, and the line.
	confirmed := parse(t, "plan from 2026-08 in USD\n"+strings.TrimPrefix(want[0], `Gusto -$900.00 `)+"\n")
	with := plan.Compare(confirmed, b, civil.MustParse("2026-10-01"))
	if l := with.Lines[0]; l.Planned.String() != "-$3,000.00" || l.Actual.String() != "-$2,900.00" {
		t.Errorf("a confirmed line plans %s, and %s came", l.Planned, l.Actual)
	}
}
