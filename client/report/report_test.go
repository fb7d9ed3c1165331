package report_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"tarmac/apiclient"
	"tarmac/client/report"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
)

func TestTheBridgeLeadsFromTheMonthBeforeToTheMonth(t *testing.T) {
	r := report.New(company().input())

	sum := r.Bridge.Before.Minor + r.Bridge.Rest.Change().Minor + r.Bridge.OwnTransfers.Change().Minor +
		r.Bridge.Financing.Change().Minor
	for i := range r.Bridge.Changes {
		sum += r.Bridge.Changes[i].Change().Minor
	}
	if !r.HasBridge || sum != r.Bridge.After.Minor || sum != r.This().Net.Minor {
		t.Errorf("the changes lead to %d, October is %d", sum, r.This().Net.Minor)
	}
}

func TestMonthsAreWalkedBackFromTodaysCash(t *testing.T) {
	in := company().input()
	r := report.New(in)

	last := r.This()
	if want := in.Cash.Value.CashCents - in.History.Months[0].Summary.NetMinor; last.End.Minor != want {
		t.Errorf("October ends with %d, want %d", last.End.Minor, want)
	}
	if before := r.Months[len(r.Months)-2]; len(r.Months) != 12 || last.End.Minor-before.End.Minor != last.Net.Minor {
		t.Errorf("%d months, September ends with %d", len(r.Months), before.End.Minor)
	}
	in.Cash.Value.AsOf = in.Cash.Value.AsOf.AddDate(0, 1, 0)
	if end := report.New(in).This().End; !end.Unknown {
		t.Errorf("with the cash of another month, October ends with %s", end)
	}
}

func TestCounterpartiesAddUpToTheMonth(t *testing.T) {
	for name, in := range cases() {
		r := report.New(in)
		parts := []report.Spend{r.Spend, r.Income}
		if r.Categories != nil {
			parts = append(parts, *r.Categories)
		}
		for _, part := range parts {
			sum := part.Rest.Month.Minor
			for _, c := range part.Named {
				sum += c.Month.Minor
			}
			if sum != part.Total.Month.Minor && !part.Total.Month.Unknown {
				t.Errorf("%s: counterparties are %d, their total is %d", name, sum, part.Total.Month.Minor)
			}
		}
	}
}

func TestRecurringCostsAreThoseAtTheEndOfTheMonth(t *testing.T) {
	r := report.New(company().input()).Recurring

	var risen, stopped []string
	for _, one := range r.Risen {
		risen = append(risen, one.Name)
	}
	for _, one := range r.Stopped {
		stopped = append(stopped, one.Name)
	}
	if got := strings.Join(risen, ", "); got != "Ledgerline Payroll, Harbour Lane Properties" {
		t.Errorf("risen: %s", got)
	}
	if got := strings.Join(stopped, ", "); got != "Pagewright Docs" {
		t.Errorf("stopped: %s", got)
	}
	const yearly = 12 * (81_500_00 + 19_400_00)
	if r.Count != 2 || r.Yearly.Minor != yearly || r.Day.String() != "2026-10-31" {
		t.Errorf("%d payments cost %d a year on %s, want %d", r.Count, r.Yearly.Minor, r.Day, int64(yearly))
	}
}

func TestAMonthThatIsNotOverIsSaid(t *testing.T) {
	in := company().input()
	in.Month = civil.MustParse("2026-11-01")
	text := strings.Join(strings.Fields(textOf(t, in, false)), " ")

	for _, want := range []string{
		"The month is not over", "1 to 20 November", "Cash on hand today: $2,439,188.42", "2026-11 so far",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestTheTextFitsIntoMail(t *testing.T) {
	for name, in := range cases() {
		for _, masked := range []bool{false, true} {
			for line := range strings.SplitSeq(textOf(t, in, masked), "\n") {
				if termtext.Width(line) > report.TextWidth || strings.ContainsFunc(line, unicode.IsControl) {
					t.Errorf("%s: %q", name, line)
				}
			}
		}
	}
}

// Two companies that differ only in their amounts have the same masked report.
func TestAMaskedReportDoesNotRevealAmounts(t *testing.T) {
	other := company()
	for i := range other.rows {
		if cents, known := other.rows[i].Reporting.Minor(); known {
			other.rows[i].Reporting = apiclient.NewAmount(cents*3, "USD")
		}
	}
	one, two := company().input(), other.input()
	cash, aging := *one.Cash.Value, *one.Aging.Value
	cash.CashCents *= 3
	runway := apiclient.MonthsOf(31)
	cash.RunwayMonths, cash.MonthlyBurnCents = &runway, 5
	aging.Buckets.CurrentCents *= 7
	two.Cash.Value, two.Aging.Value = &cash, &aging

	if a, b := textOf(t, one, true), textOf(t, two, true); a != b {
		t.Errorf("masked texts differ:\n%s\n%s", a, b)
	}
	if a, b := pageOf(t, one, true), pageOf(t, two, true); a != b {
		t.Errorf("masked pages differ:\n%s\n%s", a, b)
	}
}

func textOf(t testing.TB, in report.Input, masked bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.New(in).WriteText(&b, masked); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func pageOf(t testing.TB, in report.Input, masked bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.New(in).WriteHTML(&b, masked); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func jsonOf(t testing.TB, in report.Input) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.New(in).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCategoriesAreSummedWhereTheMonthHasAny(t *testing.T) {
	in := cases()["with categories"]
	r := report.New(in)
	if r.Categories == nil || r.Categories.Total.Month != r.Spend.Total.Month {
		t.Fatalf("categories are %+v, counterparties %+v", r.Categories, r.Spend.Total)
	}
	text := textOf(t, in, false)
	for _, want := range []string{"Money out by category", "Payroll", "(no category)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	in.Category = func(*apiclient.Transaction) string { return "" }
	if text := textOf(t, in, false); strings.Contains(text, "ategory") {
		t.Errorf("without categories:\n%s", text)
	}
}
