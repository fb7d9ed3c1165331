package forecast

import (
	"cmp"

	"tarmac/client/figures"
	"tarmac/client/payables"
)

// untested is the Reason of the band and of misses if there are too few tests.
const untested = "The history is too short to test this on the past."

// noBills is the Reason of sums of bills without them.
const noBills = "No bills are known."

// WeekFigures are the figures of a week as people may read them: marked if the averages leave out
// rows or bills, and with the reason if they are unknown. Bills is a part of Out.
type WeekFigures struct{ In, Out, Bills, Supposed, Net, Cash, Band figures.Total }

// Figures returns the figures of a week.
func (f *Forecast) Figures(week int) WeekFigures {
	w := &f.Weeks[week]
	basis := f.Basis.total(figures.Balance, 0)
	cash := figures.Combine(figures.Balance, w.Cash.Minor, w.Cash, basis)
	cash.Unreadable -= f.inBoth
	if cash.Unknown && cash.Reason == "" {
		cash.Reason = w.Cash.Why()
	}
	all := WeekFigures{
		In: f.Basis.total(figures.Balance, w.In), Out: f.Basis.total(figures.Balance, w.Out),
		Supposed: figures.Total{Minor: w.Supposed, Currency: f.Basis.Currency, Kind: figures.Net},
		Net:      f.Basis.total(figures.Net, w.Net()),
		Cash:     cash, Band: figures.UnknownTotal(f.Basis.Currency, figures.Balance, untested),
	}
	if f.HasBand() {
		all.Band = f.Basis.total(figures.Balance, w.Band)
	}
	if f.course != nil {
		all.Supposed.LeftOut, all.Net.LeftOut = f.course.LeftOut, cmp.Or(all.Net.LeftOut, f.course.LeftOut)
		all.Cash.LeftOut = cmp.Or(all.Cash.LeftOut, f.course.LeftOut)
	}
	f.addBills(&all, week)
	return all
}

// addBills sets the bills of a week, and marks the figures that depend on bills which may be paid
// already, or have no exchange rate.
func (f *Forecast) addBills(of *WeekFigures, week int) {
	if f.owed == nil {
		of.Bills = figures.UnknownTotal(f.Basis.Currency, figures.Gross, noBills)
		return
	}
	of.Bills = f.owed.Sum(f.Weeks[week].Bills)
	if w := &f.Weeks[week]; len(w.Planned) > 0 {
		of.Supposed.MayBeLess = f.mayBePaid(w.First, w.Last)
	}
	of.Out.MayBeLess, of.Out.LeftOut = of.Bills.MayBeLess, cmp.Or(of.Out.LeftOut, of.Bills.LeftOut)
	of.Net.MayBeLess = cmp.Or(of.Bills.MayBeLess, of.Supposed.MayBeLess)
	of.Net.LeftOut = cmp.Or(of.Net.LeftOut, of.Bills.LeftOut)
	upTo := f.owed.Sum(f.bills(week + 1))
	of.Cash.MayBeLess = cmp.Or(of.Cash.MayBeLess, upTo.MayBeLess)
	of.Cash.LeftOut = cmp.Or(of.Cash.LeftOut, upTo.LeftOut)
}

// bills returns the bills of the first weeks.
func (f *Forecast) bills(weeks int) (all []payables.Bill) {
	for i := range f.Weeks[:weeks] {
		all = append(all, f.Weeks[i].Bills...)
	}
	return all
}

// KnowsBills reports whether the weeks have the bills that are due in them.
func (f *Forecast) KnowsBills() bool { return f.owed != nil }

// Bills returns the sum of the bills of all weeks.
func (f *Forecast) Bills() figures.Total { return f.owed.Sum(f.bills(Weeks)) }

// MedianMiss returns the median miss of the last week in all tests. It is unknown if there are
// none.
func (f *Forecast) MedianMiss() figures.Total {
	if len(f.Trials) == 0 {
		return figures.UnknownTotal(f.Basis.Currency, figures.Balance, untested)
	}
	return f.Basis.total(figures.Balance, medianMiss(f.Trials))
}

// Totals returns the money in and the money out of the rows from which the averages are taken.
func (b *Basis) Totals() (in, out figures.Total) {
	return b.total(figures.Balance, b.In), b.total(figures.Balance, b.Out)
}

// total returns an amount that is derived from the rows of the basis.
func (b *Basis) total(kind figures.Kind, cents int64) figures.Total {
	return figures.Total{
		Minor: cents, Currency: b.Currency, Kind: kind, Excluded: b.Excluded, Undirected: b.Undirected,
		Unreadable: b.Unreadable, LeftOut: b.Uncovered,
	}
}

// TrialFigures are the nets of thirteen weeks and by how much they were missed, as people may read
// them.
type TrialFigures struct{ Actual, Estimated, Linear, Miss, LinearMiss figures.Total }

// Figures returns the figures of the last week of a trial.
func (t *Trial) Figures() TrialFigures {
	const last = Weeks - 1
	total := func(kind figures.Kind, cents int64) figures.Total {
		return figures.Total{
			Minor: cents, Currency: t.Currency, Kind: kind, Excluded: t.Excluded, Undirected: t.Undirected,
			Unreadable: t.Unreadable,
		}
	}
	return TrialFigures{
		Actual: total(figures.Net, t.Actual[last]), Estimated: total(figures.Net, t.Estimated[last]),
		Linear: total(figures.Net, t.Linear[last]), Miss: total(figures.Balance, t.Miss(last)),
		LinearMiss: total(figures.Balance, t.LinearMiss(last)),
	}
}

// ReplacedByBills returns what the bills replace of what was expected of their vendors. It is
// unknown without bills.
func (f *Forecast) ReplacedByBills() figures.Total {
	if f.owed == nil {
		return figures.UnknownTotal(f.Basis.Currency, figures.Gross, noBills)
	}
	sum := figures.Total{Currency: f.Basis.Currency, Minor: f.Replaced.Payments}
	sum.Add(f.Replaced.Shares)
	return sum
}
