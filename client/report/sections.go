package report

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// document returns the report in words and pictures. If masked is set, it has no amounts,
// percentages, numbers of months or pictures.
func (r *Report) document(masked bool) document {
	f := format{masked, r.History.Ledger.Currency}
	d := document{
		Title:    name(r.Company) + ": " + monthName(r.Month),
		Subtitle: "Finance report of " + monthName(r.Month) + ". Made on " + record.Minute(r.Now) + ".",
		Cards:    r.cards(f),
		Basis:    r.basis(f),
	}
	if r.IsPartial() {
		d.Subtitle += " The month is not over: its figures are those of 1 to " + r.Last.Time().Format("2 January") + "."
	}
	d.Sections = []section{r.cashSection(f), r.bridgeSection(f)}
	d.Sections = append(d.Sections, r.spendSection(f), r.incomeSection(f))
	if r.Categories != nil {
		d.Sections = append(d.Sections, r.categoriesSection(f))
	}
	d.Sections = append(d.Sections, r.recurringSection(f), r.receivablesSection(f), r.remindSection(f))
	if r.hasBills() {
		d.Sections = append(d.Sections, r.billsSection(f))
	}
	d.Sections = append(d.Sections, r.weeksSection(f))
	if r.hasPlan() {
		d.Sections = append(d.Sections, r.planSection(f))
	}
	return d
}

func (r *Report) cards(f format) []card {
	month := r.This()
	cash := card{"Cash on hand at the end of " + shortMonth(r.Month), f.total(month.End), r.cashBasis(f)}
	if r.IsPartial() {
		cash.Label = "Cash on hand " + r.cashDay()
	}
	net := card{"Net in " + shortMonth(r.Month), f.total(month.Net),
		"In " + f.total(month.In) + ", out " + f.total(month.Out)}
	return []card{cash, net, r.runwayCard(f), r.overdueCard(f)}
}

// cashBasis says what the cash at the end of the month is derived from.
func (r *Report) cashBasis(f format) string {
	switch {
	case !r.Cash.Known():
		return r.Cash.Problem
	case r.This().End.Unknown:
		return cmp.Or(strings.TrimSuffix(r.This().End.Reason, "."),
			"Today's cash is of another month, or a sum is too large")
	case r.IsPartial():
		return "All settled cash, " + r.cashAsOf()
	}
	return "Estimated from " + f.total(r.cashFigures().OnHand) + " " + r.cashAsOf() + " and the months since"
}

const today = "today"

// cashDay says for which day the cash is known: today, or the last day of the statements.
func (r *Report) cashDay() string {
	if r.Cash.Known() {
		return cmp.Or(r.cashFigures().At(), today)
	}
	return today
}

// cashAsOf says on which day the cash was computed, or else for which earlier day it is known.
func (r *Report) cashAsOf() string {
	return cmp.Or(r.cashFigures().At(), asOf(r.Cash.Value.AsOf))
}

// otherCash says the figures of the cash position that are on no card.
func (r *Report) otherCash(f format) string {
	if !r.Cash.Known() {
		return ""
	}
	position := record.CashPosition(r.cashFigures())
	var parts []string
	for _, one := range position.Listed() {
		text := f.text(one.TextOrDash())
		if t, ok := one.Total(); ok {
			text = f.total(t)
		}
		parts = append(parts, strings.ToLower(one.Label)+" "+text)
	}
	return "Cash on hand " + r.cashDay() + ": " + strings.Join(parts, ", ") + "."
}

func (r *Report) runwayCard(f format) card {
	c := card{Label: "Runway " + r.cashDay(), Value: money.Dash}
	if !r.Cash.Known() {
		c.Detail = r.Cash.Problem
		return c
	}
	cash := r.cashFigures()
	at := r.cashAsOf()
	switch {
	case cash.Runway != nil:
		c.Value = cash.Mark().Sign() + f.months(cash.Runway.String()+" months")
		zero := record.CashPosition(cash).Get("zero_cash_month")
		c.Detail = "Estimate " + at + ": zero cash in " + f.months(cmp.Or(zero.Text(), money.Dash)) +
			" at a net burn of " + f.total(cash.NetBurn) + " a month" + inMonths(cash)
	case cash.Burning == figures.NotBurning:
		c.Value, c.Detail = cash.Mark().Sign()+"Not burning", "More money in than out, "+at
	default:
		c.Detail = f.sentence(cmp.Or(cash.Note(), cash.Reason))
	}
	if cash.Runway != nil || cash.Burning == figures.NotBurning {
		c.Detail = strings.TrimSuffix(c.Detail+". "+f.sentence(cash.Unanswered()), ". ")
	}
	return c
}

// inMonths names the months of the net burn, such as " (Aug–Oct)".
func inMonths(c figures.Cash) string {
	if months := c.BurnMonths(); months != "" {
		return " (" + months + ")"
	}
	return ""
}

func (r *Report) overdueCard(f format) card {
	c := card{Label: "Overdue receivables today", Value: money.Dash, Detail: r.Aging.Problem}
	if r.Aging.Known() {
		sums := figures.AgingOf(r.Aging.Value)
		c.Value = f.total(sums.Overdue)
		c.Detail = "Of " + f.total(sums.Outstanding) + " outstanding"
		if at := r.Aging.Value.AsOf; at != nil {
			c.Detail += ", " + asOf(*at)
		}
	}
	return c
}

// cashSection shows the months.
func (r *Report) cashSection(f format) section {
	s := section{ID: "months", Title: "Cash and months"}
	if !f.masked {
		for _, draw := range [...]func([]Month, string) (picture, bool){cashPicture, flowPicture} {
			if p, ok := draw(r.Months, f.currency); ok {
				s.Pictures = append(s.Pictures, p)
			}
		}
	}
	s = s.note(r.otherCash(f))
	for _, sentence := range r.why() {
		s = s.note(f.sentence(sentence))
	}
	t := table{Columns: []column{{Title: "Month"}, {"In", true, true}, {"Out", true, true}, {"Net", true, false},
		{"On hand", true, false}}}
	for _, m := range slices.Backward(r.Months) {
		cells := []string{m.Name, f.total(m.In), f.total(m.Out), f.total(m.Net), f.total(m.End)}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	s.Tables = []table{t}
	s.Notes = append(s.Notes, "Cash on hand at the end of a month is an estimate: that of today less the net of all "+
		"months since.")
	if r.Cash.Known() {
		if without := r.cashFigures().OnHand.Names; without != "" {
			s.Notes = append(s.Notes, "Cash is without "+name(without)+", for which there is no exchange rate.")
		}
	}
	var left int64
	for _, m := range r.Months {
		left += max(0, m.In.Excluded)
	}
	first, last := r.Months[0].First, r.This().First.LastOfMonth()
	return s.note(figures.Excluded(left, 0, f.currency)).note(r.History.Ledger.Coverage.Missing(first, last).Why())
}

// why says why the net of the reported month, or else of the month before it, differs from that of
// the months before, and in a report of the current month or the last one why the runway changed.
func (r *Report) why() (texts []string) {
	l := r.History.Ledger
	basis := why.Basis{Ledger: l, Begins: l.Begins()}
	basis.AtEndOf(l.Coverage, civil.Of(r.Now))
	if this := basis.Today.FirstOfMonth(); r.Cash.Known() && !r.Month.Before(this.AddMonths(-1)) {
		cash := r.cashFigures()
		basis.Cash = &cash
		if r.Bills.Value != nil {
			basis.PastDue = &r.Bills.Value.PastDue
		}
	} else if r.Month.Before(this) {
		basis.Today, basis.Over = r.Month.AddMonths(1), false
	}
	for _, sentence := range why.Sentences(basis) {
		if sentence.Subject != why.Lasts {
			texts = append(texts, sentence.Text)
		}
	}
	return texts
}

// note adds a note if it is not "" and not there yet.
func (s section) note(text string) section {
	if text != "" && !slices.Contains(s.Notes, text) {
		s.Notes = append(s.Notes, text)
	}
	return s
}

// noteDifferences adds a note for each month from first to last whose rows do not add up to the
// server's totals.
func (r *Report) noteDifferences(f format, s section, first, last civil.Date) section {
	for i := range r.History.Differences {
		d := &r.History.Differences[i]
		if !d.First.Before(first) && !d.First.After(last) {
			s = s.note(f.text(d.String() + ". They may be changing."))
		}
	}
	return s
}

// suspectedText says which rows of the months from first to last may be transfers between own
// accounts.
func (r *Report) suspectedText(f format, first, last civil.Date) string {
	return f.text(spending.SuspectedText(r.History.Ledger.SuspectedTransfers(func(day civil.Date) bool {
		return !day.Before(first) && !day.After(last.LastOfMonth())
	})))
}

// basis says what the figures of the report are derived from.
func (r *Report) basis(f format) []string {
	rows := r.History.Ledger.Rows
	lines := []string{"Derived from " + plural.Count(len(rows), "transaction") + r.span() +
		", in " + money.Name(f.currency) + ", days in UTC. Money of investors and lenders and transfers between own " +
		"accounts are neither cost nor income. " +
		"Runway, receivables and the coming weeks are those of today."}
	rounded := "Amounts of " + axisText(largest, f.currency) + " and more are rounded."
	if f.masked {
		rounded = "Amounts, percentages, numbers of months and charts are hidden."
	}
	return append(lines, "Marks: "+figures.Legend+", "+figures.AtMost.Sign()+" before part payments, "+
		money.Dash+" unknown. "+rounded)
}

// span returns the months of the rows that were read.
func (r *Report) span() string {
	if len(r.History.Ledger.Rows) == 0 {
		return ""
	}
	newest := r.History.Ledger.Rows[0].Date
	return " from " + figures.YearMonth(r.History.Ledger.Begins()) + " to " + figures.YearMonth(newest)
}
