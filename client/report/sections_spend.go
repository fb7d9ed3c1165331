package report

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// bridgeSection explains why the net of the month differs from that of the month before.
func (r *Report) bridgeSection(f format) section {
	before := r.Month.AddMonths(-1)
	s := section{ID: "bridge", Title: "From " + monthName(before) + " to " + monthName(r.Month)}
	if !r.HasBridge {
		return s.note("There are no transactions before " + monthName(r.Month) + ", or their sums are too large.")
	}
	b := &r.Bridge
	t := table{HasBars: !f.masked, Columns: []column{{Title: "Net"}, {Title: ""},
		{shortMonth(before), true, true}, {shortMonth(r.Month), true, true}, {"Change", true, false}}}
	levels := newLevels(b)
	add := func(label, kind string, c *spending.Change) {
		change := c.Change()
		t.Rows = append(t.Rows, row{
			Cells: []string{name(label), kind, f.total(c.Before), f.total(c.After), f.total(change)},
			Bar:   levels.step(change),
		})
	}
	sum := func(label string, total figures.Total) {
		cells := []string{label, "", "", "", f.total(total)}
		t.Rows = append(t.Rows, row{Cells: cells, Bar: levels.sum(total), Total: true})
	}
	sum(monthName(before), b.Before)
	rows := len(b.Rest.RowsBefore) + len(b.Rest.RowsAfter)
	for i := range b.Changes {
		c := &b.Changes[i]
		add(c.Name, c.Words(), c)
		rows += len(c.RowsBefore) + len(c.RowsAfter)
	}
	if b.RestCount > 0 {
		add(plural.Count(b.RestCount, "other"), "", &b.Rest)
	}
	for _, neither := range [...]struct {
		label  string
		change *spending.Change
	}{{"Own transfers", &b.OwnTransfers}, {"Financing", &b.Financing}} {
		if n := len(neither.change.RowsBefore) + len(neither.change.RowsAfter); n > 0 {
			add(neither.label, "", neither.change)
			rows += n
		}
	}
	sum(monthName(r.Month), b.After)
	s.Tables = []table{t}
	basis := "Derived from " + plural.Count(rows, "transaction") + " of both months. Net is money in less money out"
	if b.AddsUp() {
		basis += "; the changes add up to the cent"
	}
	s.Notes = []string{basis + "."}
	s = s.note(b.Change().Why()).note(r.suspectedText(f, before, r.Month))
	return r.noteDifferences(f, s, before, r.Month)
}

// levels places the bars of a bridge: each change begins where the one before it ends.
type levels struct {
	scale scale
	at    int64
}

func newLevels(b *spending.Bridge) *levels {
	at, all := b.Before.Minor, []int64{b.Before.Minor, b.After.Minor} // what is unknown counts as 0
	step := func(c *spending.Change) {
		if sum, ok := money.Add(at, c.Change().Minor); ok {
			at = sum
		}
		all = append(all, at)
	}
	for i := range b.Changes {
		step(&b.Changes[i])
	}
	step(&b.Rest)
	step(&b.OwnTransfers)
	step(&b.Financing)
	return &levels{scale: newScale(all...)}
}

// sum returns the bar of the net of a month, or nil if it is unknown.
func (l *levels) sum(net figures.Total) *picture {
	l.at = net.Minor
	if net.Unknown {
		return nil
	}
	return l.picture(l.scale.horizontal("net", 0, net.Minor))
}

// step returns the bar of a change, or nil if it is unknown.
func (l *levels) step(change figures.Total) *picture {
	from, class := l.at, "in"
	if change.Minor < 0 {
		class = "out"
	}
	if sum, ok := money.Add(l.at, change.Minor); ok {
		l.at = sum
	}
	if change.Unknown {
		return nil
	}
	return l.picture(l.scale.horizontal(class, from, l.at))
}

func (l *levels) picture(bar shape) *picture {
	return &picture{Shapes: []shape{bar, l.scale.horizontal("zero", 0, 0)}}
}

func (r *Report) spendSection(f format) section {
	s := section{ID: "spend", Half: true, Title: "Money out"}
	return r.counterparties(f, s, "Paid to", &r.Spend)
}

func (r *Report) categoriesSection(f format) section {
	s := section{ID: "categories", Title: "Money out by category"}
	return r.counterparties(f, s, "Category", r.Categories)
}

func (r *Report) incomeSection(f format) section {
	s := section{ID: "income", Half: true, Title: "Money in"}
	return r.counterparties(f, s, "Paid by", &r.Income)
}

// counterparties adds a table of counterparties to a section.
func (r *Report) counterparties(f format, s section, title string, from *Spend) section {
	first := r.Month.AddMonths(-Compared)
	if len(from.Named) == 0 {
		switch all := &from.Total.Month; {
		case all.LeavesOut() > 0:
			s = s.note("No such transaction of " + monthName(r.Month) + " could be read.")
			return r.noteDifferences(f, s, r.Month, r.Month)
		case all.Uncovered:
			return s.note("No such transaction of " + monthName(r.Month) + " is known. " + all.Why())
		}
		return s.note("There are no such transactions in " + monthName(r.Month) + ".")
	}
	average := "Avg " + shortMonth(first) + "–" + shortMonth(r.Month.AddMonths(-1))
	t := table{Columns: []column{{Title: title}, {shortMonth(r.Month), true, false}, {average, true, false},
		{"Share", true, true}}}
	rows := len(from.Rest.Rows)
	for _, c := range from.Named {
		t.Rows = append(t.Rows, row{Cells: []string{name(c.Name), f.total(c.Month), f.total(c.Average), f.share(c.Share)}})
		rows += len(c.Rows)
	}
	if from.Count > 0 {
		cells := []string{plural.Count(from.Count, "other"), f.total(from.Rest.Month), f.total(from.Rest.Average), ""}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	cells := []string{"Total", f.total(from.Total.Month), f.total(from.Total.Average), ""}
	t.Rows = append(t.Rows, row{Cells: cells, Total: true})
	s.Tables = []table{t}
	s.Notes = []string{"Derived from " + plural.Count(rows, "transaction") + " of " + monthName(r.Month) +
		"; averages are of the three months before" + r.beginning(first) + "."}
	missing := r.History.Ledger.Coverage.Missing(first, r.Month.LastOfMonth())
	s = s.note(missing.WhyOf(from.Total.Month, from.Total.Average))
	return r.noteDifferences(f, s, first, r.Month)
}

// beginning returns a clause that says when the ledger begins if that is after the day first.
func (r *Report) beginning(first civil.Date) string {
	if begins := r.History.Ledger.Begins(); begins.After(first.LastOfMonth()) {
		return ", although the first transaction is of " + begins.String()
	}
	return ""
}

// Largest numbers of recurring payments of each kind that a report lists.
const (
	mostNew     = 2
	mostRisen   = 4
	mostStopped = 2
)

func (r *Report) recurringSection(f format) section {
	s := section{ID: "recurring", Title: "Recurring costs"}
	found := &r.Recurring
	basis := "derived from " + plural.Count(found.Rows, "transaction") + " up to " + found.Day.String()
	if found.Count == 0 && len(found.Stopped) == 0 {
		if found.Unsearched != "" {
			return s.note(found.None)
		}
		return s.note("No payment recurs, " + basis + ".")
	}
	t := table{Columns: []column{{Title: "Paid to"}, {Title: "Change"}, {"Rhythm", false, true}, {"Usual", true, false},
		{"Per year", true, true}}}
	add := func(of []spending.Recurring, most int, change func(*spending.Recurring) string) {
		for i := range of[:min(most, len(of))] {
			one := &of[i]
			t.Rows = append(t.Rows, row{Cells: []string{name(one.Name), change(one), one.Rhythm.String(),
				f.total(one.UsualAmount()), f.total(one.Yearly())}})
		}
	}
	add(found.New, mostNew, func(one *spending.Recurring) string { return "new since " + figures.YearMonth(one.First()) })
	add(found.Risen, mostRisen, func(one *spending.Recurring) string {
		percent, since, _ := one.Change()
		return f.percentage(percent) + " since " + figures.YearMonth(since)
	})
	add(found.Stopped, mostStopped, func(one *spending.Recurring) string { return "stopped after " + one.Last().String() })
	if len(t.Rows) > 0 {
		s.Tables = []table{t}
	}
	recur := " recur and cost "
	if found.Count == 1 {
		recur = " recurs and costs "
	}
	s.Notes = []string{plural.Count(found.Count, "payment") + recur +
		found.Yearly.About(f.total(found.Yearly)) +
		" a year (estimate: usual amounts times payments a year, " + basis + ")."}
	s = s.note(found.counts()).note(found.Unsearched)
	return r.noteDifferences(f, s, found.Begins.FirstOfMonth(), r.Month)
}

// counts says how many payments are new, have risen or have stopped.
func (r *Recurring) counts() string {
	var parts []string
	for _, part := range [...]struct {
		n    int
		word string
	}{{len(r.New), "new"}, {len(r.Risen), "risen against a year before"}, {len(r.Stopped), "stopped in three months"}} {
		parts = append(parts, money.Count(int64(part.n))+" "+part.word)
	}
	return "Of all recurring costs, " + strings.Join(parts, ", ") + "; the largest changes are listed."
}
