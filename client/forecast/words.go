package forecast

import (
	"fmt"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/plural"
)

// Sentences says of what the forecast is made, how it fared in the past and what it leaves out.
// Front ends show all of these sentences beside its figures.
func (f *Forecast) Sentences() []string {
	b := &f.Basis
	all := []string{fmt.Sprintf(
		"Estimate from %s of cost and income, %s to %s. Costs that recur stand on their days, in full. ",
		plural.Count(len(b.Rows), "transaction"), b.First, b.Last) + f.mixture()}
	if f.IsBehind() {
		days := f.Today.DaysSince(f.Between.First) + 1
		all = append(all, fmt.Sprintf("Statements end on %s; %s %s estimated by the same rules.",
			f.Between.First.AddDays(-1), plural.Count(days, "day"), isOrAre(days != 1)))
	}
	all = append(all, f.tested()...)
	if !f.Start.Unknown && f.Start.Minor <= 0 {
		all = append(all, "The spendable cash is used up already.")
	} else if w, out := f.runsOut(); out {
		all = append(all, "The spendable cash would be gone in the week that ends on "+w.Last.String()+".")
	}
	return slices.Concat(all, f.planSentences(), f.billSentences(), f.invoiceSentences(), f.LeftOut())
}

// mixture says how money in and the other costs are estimated.
func (f *Forecast) mixture() string {
	b := &f.Basis
	const these = "Money in is what recurs of it, and the average of the rest; other costs are their average. "
	switch {
	case !b.KnowsLastYear:
		return these + "Last year is not used: that needs transactions since " + b.Last.AddDays(1-twoYears).String() + "."
	case b.LastYear == 0:
		return these + "Last year is not used: money in did not follow it."
	}
	return fmt.Sprintf("Money in (what recurs, and the average of the rest) and other costs (their average) count for "+
		"%d %%; the other %d %% are the same weeks of last year, times %s for money in and %s for costs, as these 26 weeks "+
		"compare with a year before.", 100-b.LastYear, b.LastYear, times(b.RatioIn), times(b.RatioOut))
}

// times returns a percentage as a factor, such as "1.07".
func times(percent int64) string { return fmt.Sprintf("%d.%02d", percent/100, percent%100) }

// tested says how the rules fared in the past.
func (f *Forecast) tested() []string {
	n := len(f.Trials)
	if !f.HasBand() {
		first := f.Basis.Last.FirstOfMonth().AddMonths(1 - newestTrial - leastTrials).AddDays(-7 * PastWeeks)
		possible := fmt.Sprintf("only %d %s", n, isOrAre(n != 1))
		if n == 0 {
			possible = "none is"
		}
		return []string{fmt.Sprintf("There is no band: it takes %d tests on the past, with transactions since %s, and %s "+
			"possible.", leastTrials, first, possible)}
	}
	inside, without := f.inside()
	sentence := fmt.Sprintf("%d of %d tests on the past stayed inside the band in every week", inside, n)
	if without > 0 {
		sentence += fmt.Sprintf("; %d of them could not use last year", without)
	}
	largest := "largest"
	if n == allTrials {
		largest = "second largest"
	}
	return []string{
		sentence + fmt.Sprintf(". The %dth week was missed by %s (median).", Weeks, f.MedianMiss()),
		"The band is the " + largest + " miss of these tests up to each week. It is not a probability. Tests use the " +
			"transactions as they stand today.",
	}
}

// billSentences says which bills are in the weeks and what they replace.
func (f *Forecast) billSentences() []string {
	if f.owed == nil {
		return nil
	}
	count := len(f.bills(Weeks))
	if count == 0 {
		return []string{"No bill is due in these weeks."}
	}
	text := fmt.Sprintf("%d bills of %s are in the weeks in which they are due, those past due in the first.",
		count, f.Bills())
	replace, whose := "They replace", "their vendors"
	if count == 1 {
		text = fmt.Sprintf("1 bill of %s is in the week in which it is due, or in the first if it is past due.", f.Bills())
		replace, whose = "It replaces", "its vendor"
	}
	if replaced := f.ReplacedByBills(); replaced.Minor > 0 {
		text += fmt.Sprintf(" %s %s that was expected of %s.", replace, replaced, whose)
	}
	return []string{text + " Tests on the past know no bills."}
}

// invoiceSentences says what the open invoices are listed for.
func (f *Forecast) invoiceSentences() (all []string) {
	if len(f.Open) > 0 {
		invoices := make([]apiclient.Invoice, len(f.Open))
		for i := range f.Open {
			invoices[i] = f.Open[i].Invoice
		}
		all = append(all, fmt.Sprintf("%s of %s before part payments: listed in the weeks in which customers usually pay, "+
			"and not added to money in, which is estimated from the past.",
			plural.Count(len(f.Open), "open invoice"), totalOf(invoices)))
	}
	if len(f.Late) > 0 {
		all = append(all, fmt.Sprintf("%s of %s before part payments: later than the customer ever paid, and in no week.",
			plural.Count(len(f.Late), "open invoice"), totalOf(f.Late)))
	}
	return all
}

// totalOf returns the sum of invoices in apiclient.InvoiceCurrency. It leaves out those in other
// currencies.
func totalOf(invoices []apiclient.Invoice) (sum figures.Total) {
	sum.Currency = apiclient.InvoiceCurrency
	for i := range invoices {
		if r := (Receipt{Invoice: invoices[i]}); r.Cents() != 0 {
			sum.Add(r.Cents())
		} else {
			sum.Excluded++
		}
	}
	sum.Unknown = sum.Unknown || sum.Minor == 0
	return sum
}

func isOrAre(many bool) string {
	if many {
		return "are"
	}
	return "is"
}

// LeftOut says which rows and invoices are missing, and whether the figures are of different days.
func (f *Forecast) LeftOut() (all []string) {
	b := &f.Basis
	if f.Unanswered != "" {
		all = append(all, f.Unanswered)
	}
	if in, _ := b.Totals(); in.Why() != "" {
		all = append(all, in.Why())
	}
	if f.owed != nil && f.Bills().Why() != "" {
		all = append(all, f.Bills().Why())
	}
	if f.course != nil && f.course.LeftOut != "" {
		all = append(all, "Plan: "+f.course.LeftOut)
	}
	start := f.Start
	start.Unanswered = ""
	if text := start.Why(); text != "" {
		all = append(all, "Cash: "+text)
	}
	if b.Future > 0 {
		all = append(all, plural.Count(b.Future, "transaction")+" dated after today left out.")
	}
	if b.Last != f.Today && !f.IsBehind() {
		all = append(all, fmt.Sprintf("The newest transaction is of %s, so the averages end there.", b.Last))
	}
	switch {
	case f.StartDay.IsZero():
		all = append(all, "The cash position has no usable date.")
	case f.StartDay != f.Today && !f.IsBehind():
		all = append(all, fmt.Sprintf("The cash is of %s, the transactions are of %s.", f.StartDay, f.Today))
	}
	return all
}

// NoInvoices is a sentence for front ends whose token may not read invoices.
const NoInvoices = "The token may not read invoices, so the forecast does not know them."
