package forecast

import (
	"fmt"

	"tarmac/client/figures"
	"tarmac/internal/plural"
)

// Sentences says of what the forecast is made, how it fared in the past and what it leaves out.
// Front ends show all of these sentences beside its figures.
func (f *Forecast) Sentences() []string {
	b := &f.Basis
	all := []string{fmt.Sprintf(
		"Estimate from %s of cost and income, %s to %s: money in is their average, and open invoices and recurring "+
			"income say only in which week it comes; money out is what recurs, and the average of the rest.",
		plural.Count(len(b.Rows), "transaction"), b.First, b.Last)}
	all = append(all, f.tested()...)
	if b.Recurring > 0 {
		all = append(all, fmt.Sprintf("%s of customers whose payments recur: expected once, as recurring income.",
			plural.Count(b.Recurring, "open invoice")))
	}
	if total := b.In * Weeks / PastWeeks; b.Expected > total {
		all = append(all, fmt.Sprintf("Open invoices and recurring income of these weeks are %s. Money in is %s in all, "+
			"so each of them counts for less.", b.total(figures.Balance, b.Expected), b.total(figures.Balance, total)))
	}
	if w, out := f.runsOut(); out {
		all = append(all, "The spendable cash would be gone in the week that ends on "+w.Last.String()+".")
	}
	if len(f.Late) > 0 {
		all = append(all, lateSentence(f))
	}
	return append(all, f.LeftOut()...)
}

// tested says how the rules fared in the past, beside the straight line.
func (f *Forecast) tested() []string {
	miss, linear := f.MedianMisses()
	if miss.Unknown {
		first := f.Today.FirstOfMonth().AddMonths(-newestTrial).AddDays(-7 * PastWeeks)
		return []string{"The history is too short to test this on the past: that needs transactions since " +
			first.String() + "."}
	}
	sentence := fmt.Sprintf("In %s on the past, the %dth week was missed by %s (median), and by the straight line of "+
		"three months by %s.", plural.Count(len(f.Trials), "test"), Weeks, miss, linear)
	switch {
	case linear.Cents < miss.Cents:
		sentence += " The straight line was better."
	case linear.Cents == miss.Cents:
		sentence += " Both were equal."
	}
	return []string{
		sentence,
		"The worst miss is the largest of these tests up to each week. It is not a probability. Tests use the " +
			"transactions as they stand today.",
	}
}

func lateSentence(f *Forecast) string {
	var sum figures.Total
	for i := range f.Late {
		if r := (Receipt{Invoice: f.Late[i]}); r.Cents() != 0 {
			sum.Add(r.Cents())
		} else {
			sum.Excluded++
		}
	}
	is, customer := "are", "their customers"
	if len(f.Late) == 1 {
		is, customer = "is", "its customer"
	}
	return fmt.Sprintf("%s of %s before part payments %s not counted on: later than %s ever paid.",
		plural.Count(len(f.Late), "open invoice"), sum, is, customer)
}

// LeftOut says which rows and invoices are missing, and whether the figures are of different days.
func (f *Forecast) LeftOut() (all []string) {
	b := &f.Basis
	if in, _ := b.Totals(); in.Why() != "" {
		all = append(all, in.Why())
	}
	if f.Start.LeftOut != "" {
		all = append(all, "Cash: "+f.Start.LeftOut)
	}
	if b.Foreign > 0 {
		all = append(all, plural.Count(b.Foreign, "open invoice")+" not in USD left out.")
	}
	if b.Future > 0 {
		all = append(all, plural.Count(b.Future, "transaction")+" dated after today left out.")
	}
	if b.MissingInvoices != "" {
		all = append(all, b.MissingInvoices)
	}
	if b.Last != f.Today {
		all = append(all, fmt.Sprintf("The newest transaction is of %s, so the averages end there.", b.Last))
	}
	switch {
	case f.StartDay.IsZero():
		all = append(all, "The cash position has no usable date.")
	case f.StartDay != f.Today:
		all = append(all, fmt.Sprintf("The cash is of %s, the transactions are of %s.", f.StartDay, f.Today))
	}
	return all
}

// NoInvoices is a sentence for front ends whose token may not read invoices.
const NoInvoices = "The token may not read invoices, so the forecast does not know them."

// AliveSentences returns the sentences of a, or one that says why there is no answer.
func AliveSentences(a *Alive, err error) []string {
	if err != nil {
		return []string{"Default alive? Unknown: " + err.Error() + "."}
	}
	return a.Sentences()
}

// Sentences says whether the company is default alive, and from which figures.
func (a *Alive) Sentences() []string {
	last, month := a.First.AddMonths(2*averageMonths-1), a.Figures()
	basis := fmt.Sprintf("Hypothetical: money in of %s a month changes by %s each month, money out stays at %s "+
		"(averages of %s to %s, growth against the three months before).", month.In, month.Growth, month.Out,
		figures.YearMonth(last.AddMonths(1-averageMonths)), figures.YearMonth(last))
	all := []string{"Default alive? " + a.answerSentence(), basis}
	if text := month.In.Why(); text != "" {
		all = append(all, text)
	}
	return all
}

// Answer is the short answer of Alive.
type Answer string

// Values of Answer. The answer is Unknown if the spendable cash is unknown.
const (
	Yes     Answer = "yes"
	No      Answer = "no"
	Unknown Answer = "unknown"
)

// Answer returns the short answer. It is No if the cash is not gone, but money in never exceeds
// money out either.
func (a *Alive) Answer() Answer {
	switch {
	case !a.Exceeds.IsZero():
		return Yes
	case a.Cash.Unknown:
		return Unknown
	}
	return No
}

func (a *Alive) answerSentence() string {
	known := "" // what is left out could change the answer
	if a.Excluded+a.Undirected > 0 {
		known = ", as far as is known"
	}
	needed := fmt.Sprintf(" It would take growth of %s a month.", a.total(figures.Net, a.Needed))
	switch a.Answer() {
	case Yes:
		text := "Yes" + known + ": money in would exceed money out in " + figures.YearMonth(a.Exceeds)
		if a.Exceeds != a.Today.FirstOfMonth() {
			text += ", before the cash is gone"
		}
		if !a.Falls.IsZero() {
			text += ", but no longer in " + figures.YearMonth(a.Falls)
		}
		return text + "."
	case Unknown:
		return "Unknown: the spendable cash is not known."
	}
	switch {
	case a.Cash.Cents <= 0:
		return "No" + known + ": there is no spendable cash." + needed
	case a.Gone.IsZero():
		return "No" + known + ": money in would not exceed money out in 100 years, but the cash would not be gone either." +
			needed
	}
	return "No" + known + ": the cash would be gone in " + figures.YearMonth(a.Gone) + "." + needed
}
