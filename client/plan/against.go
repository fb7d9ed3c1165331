package plan

import (
	"cmp"
	"slices"

	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// Against compares a month with the plan. Money out is negative.
type Against struct {
	Plan     *Plan
	Month    civil.Date // first day
	IsOver   bool       // otherwise the actual amounts are those so far
	Currency string
	Lines    []Compared // lines with amounts in the month or before its end, in the order of the plan
	// Unplanned are the counterparties that no line names, those with most money first.
	Unplanned []Part
	Own       Part // movements between own accounts
	Financing Compared
	Net       figures.Total // of all rows of the month
	Notes     []string
}

// Compared is what was planned and what came, as minor units. Line is nil for financing.
type Compared struct {
	Line     *Line
	Planned  figures.Total
	Actual   figures.Total
	Variance figures.Total // actual less planned
	Rows     []int         // indices in the ledger's Rows
}

// Part is a sum of rows.
type Part struct {
	Name string
	Net  figures.Total
	Rows []int
}

// Compare compares a month, which is given by its first day, with the plan, without its cases. A
// row belongs to the first line that names its counterparty. All actual amounts, the unplanned
// ones, own movements and financing add up to the net of the month.
func Compare(p *Plan, b Basis, month civil.Date) *Against {
	e := newEvaluator(p, b)
	e.matchLines()
	a := &Against{
		Plan: p, Month: month, Currency: b.Currency, IsOver: b.Day.After(month.LastOfMonth()),
		Net: e.zero(),
	}
	a.Own = Part{Name: "Own movements", Net: e.zero()}
	a.Financing = Compared{Planned: e.zero(), Actual: e.zero()}
	of := map[string]int{} // index in Lines of the keys of counterparties
	for _, l := range p.Of("") {
		if !l.IsCash() || l.From.After(month) {
			continue
		}
		planned := e.planned(l, month)
		if l.Kind == Raise {
			a.Financing.Planned.AddPart(planned)
			continue
		}
		if keys := l.Keys(); len(keys) > 0 {
			for _, key := range keys {
				if _, taken := of[key]; !taken {
					of[key] = len(a.Lines)
				}
			}
		} else if planned.IsNothing() {
			continue
		}
		a.Lines = append(a.Lines, Compared{Line: l, Planned: planned, Actual: e.zero()})
	}
	a.addRows(e.Basis.Ledger, of)
	for i := range a.Lines {
		a.Lines[i].compare()
	}
	a.Financing.compare()
	a.Notes = e.Notes
	if month.Before(p.First) {
		a.Notes = append(a.Notes, "The plan begins in "+figures.YearMonth(p.First)+": nothing is planned for this month.")
	}
	if !a.IsOver {
		a.Notes = append(a.Notes, "The month is not over: what came so far stands against the whole month.")
	}
	return a
}

func (e *evaluator) zero() figures.Total {
	return figures.Total{Currency: e.Basis.Currency, Kind: figures.Net}
}

func (c *Compared) compare() { c.Variance = figures.Difference(c.Actual, c.Planned) }

// planned returns what a line plans for a month. It is unknown without an exchange rate.
func (e *evaluator) planned(l *Line, month civil.Date) figures.Total {
	sum := e.zero()
	minor, known := e.convert(Amount{l.Amount.Minor * max(1, l.Count), l.Amount.Currency})
	if !known {
		return figures.UnknownTotal(e.Basis.Currency, figures.Net, "There is no "+figures.Rate(e.Basis.Currency)+".")
	}
	if l.IsOut() {
		minor = -minor
	}
	if m := e.matches[l]; m != nil && m.confirmed && !month.Before(m.from) {
		minor += m.before
	}
	days := make([]int64, civil.DaysIn(month.Year(), month.Month()))
	l.addTo(days, newCalendar(month, len(days)), minor)
	for _, part := range days {
		sum.Add(part)
	}
	return sum
}

// addRows adds the rows of the month to the lines that name their counterparties, and the others to
// the rest. Rows without an exchange rate are counted.
func (a *Against) addRows(l *spending.Ledger, of map[string]int) {
	rest := map[string]*Part{}
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Date.FirstOfMonth() != a.Month {
			continue
		}
		add(&a.Net, r)
		at, named := of[r.Key]
		if !named {
			at, named = of[keyOf(r)]
		}
		switch {
		case r.Purpose == spending.OwnTransfer:
			add(&a.Own.Net, r)
			a.Own.Rows = append(a.Own.Rows, i)
		case r.Purpose == spending.Financing:
			add(&a.Financing.Actual, r)
			a.Financing.Rows = append(a.Financing.Rows, i)
		case named:
			add(&a.Lines[at].Actual, r)
			a.Lines[at].Rows = append(a.Lines[at].Rows, i)
		default:
			if rest[r.Key] == nil {
				rest[r.Key] = &Part{Name: r.Name(), Net: figures.Total{Currency: a.Currency, Kind: figures.Net}}
			}
			add(&rest[r.Key].Net, r)
			rest[r.Key].Rows = append(rest[r.Key].Rows, i)
		}
	}
	for _, part := range rest {
		part.Net = part.Net.NothingKnown(len(part.Rows))
		a.Unplanned = append(a.Unplanned, *part)
	}
	for i := range a.Lines {
		if c := &a.Lines[i]; len(c.Rows) > 0 {
			c.Actual = c.Actual.NothingKnown(len(c.Rows))
		}
	}
	slices.SortFunc(a.Unplanned, func(one, other Part) int {
		return cmp.Or(cmp.Compare(size(other.Net.Minor), size(one.Net.Minor)), cmp.Compare(one.Name, other.Name))
	})
}

// Shortened returns the comparison with at most some unplanned counterparties by name, and the
// smaller ones as one.
func (a *Against) Shortened(most int) *Against {
	short := *a
	if len(a.Unplanned) <= most+1 {
		return &short
	}
	rest := Against{Currency: a.Currency, Unplanned: a.Unplanned[most:]}
	others := Part{Name: plural.Count(len(rest.Unplanned), "other"), Net: rest.UnplannedTotal()}
	for i := range rest.Unplanned {
		others.Rows = append(others.Rows, rest.Unplanned[i].Rows...)
	}
	short.Unplanned = append(slices.Clone(a.Unplanned[:most]), others)
	return &short
}

func size(minor int64) int64 { return max(minor, -minor) }

// add adds a row to a total.
func add(sum *figures.Total, r *spending.Row) {
	cents, known := r.Signed()
	switch {
	case known:
		sum.Add(cents)
	case r.Reporting.Known():
		sum.Undirected++
	default:
		sum.Excluded++
	}
}

// UnplannedTotal returns the sum of the unplanned counterparties.
func (a *Against) UnplannedTotal() figures.Total {
	sum := figures.Total{Currency: a.Currency, Kind: figures.Net}
	for i := range a.Unplanned {
		sum.AddPart(a.Unplanned[i].Net)
	}
	return sum
}

// Overlap is a counterparty that two lines name. It belongs to the first one.
type Overlap struct {
	Name          string
	First, Second *Line
}

// Overlaps returns the counterparties that several lines of the plan or of one of its cases name.
func (p *Plan) Overlaps() (all []Overlap) {
	seen := map[*Line]bool{}
	for _, name := range append([]string{""}, p.Cases...) {
		first := map[string]*Line{}
		for _, l := range p.Of(name) {
			for i, key := range l.Keys() {
				switch other := first[key]; {
				case other == nil:
					first[key] = l
				case other != l && !seen[l]:
					as := l.As
					if i < len(l.Names) {
						as = l.Names[i]
					}
					seen[l] = true
					all = append(all, Overlap{as, other, l})
				}
			}
		}
	}
	return all
}
