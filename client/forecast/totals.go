package forecast

import (
	"tarmac/client/figures"
)

// untested is the Reason of misses if there are no trials.
const untested = "The history is too short to test this on the past."

// WeekFigures are the figures of a week as people may read them: marked if the averages leave out
// rows, and with the reason if they are unknown.
type WeekFigures struct{ In, Out, Supposed, Net, Cash, WorstMiss figures.Total }

// Figures returns the figures of a week.
func (f *Forecast) Figures(week int) WeekFigures {
	w := &f.Weeks[week]
	start := figures.Total{Reason: f.Start.Reason, LeftOut: f.Start.LeftOut, Names: f.Start.Names}
	start.Excluded, start.Receivables, start.Unknown = w.Cash.Excluded, f.Start.Receivables, w.Cash.Unknown
	basis := f.Basis.total(figures.Balance, 0)
	cash := figures.Combine(figures.Balance, w.Cash.Cents, start, basis)
	if cash.Unknown && cash.Reason == "" {
		cash.Reason = w.Cash.Why()
	}
	all := WeekFigures{
		In: f.Basis.total(figures.Balance, w.In), Out: f.Basis.total(figures.Balance, w.Out),
		Supposed: figures.Total{Cents: w.Supposed, Kind: figures.Net}, Net: f.Basis.total(figures.Net, w.Net()),
		Cash: cash, WorstMiss: figures.UnknownTotal(figures.Balance, untested),
	}
	if len(f.Trials) > 0 {
		all.WorstMiss = f.Basis.total(figures.Balance, w.WorstMiss)
	}
	return all
}

// MedianMisses returns the median misses of the last week in all trials: of the estimates, and of
// the straight line. They are unknown if there are no trials.
func (f *Forecast) MedianMisses() (estimated, linear figures.Total) {
	miss, line, ok := MedianMisses(f.Trials)
	if !ok {
		none := figures.UnknownTotal(figures.Balance, untested)
		return none, none
	}
	return f.Basis.total(figures.Balance, miss), f.Basis.total(figures.Balance, line)
}

// Totals returns the money in and the money out of the rows from which the averages are taken.
func (b *Basis) Totals() (in, out figures.Total) {
	return b.total(figures.Balance, b.In), b.total(figures.Balance, b.Out)
}

// total returns an amount that is derived from the rows of the basis.
func (b *Basis) total(kind figures.Kind, cents int64) figures.Total {
	return figures.Total{Cents: cents, Kind: kind, Excluded: b.Excluded, Undirected: b.Undirected}
}

// TrialFigures are the nets of thirteen weeks and by how much they were missed, as people may read
// them.
type TrialFigures struct{ Actual, Estimated, Linear, Miss, LinearMiss figures.Total }

// Figures returns the figures of the last week of a trial.
func (t *Trial) Figures() TrialFigures {
	const last = Weeks - 1
	total := func(kind figures.Kind, cents int64) figures.Total {
		return figures.Total{Cents: cents, Kind: kind, Excluded: t.Excluded, Undirected: t.Undirected}
	}
	return TrialFigures{
		Actual: total(figures.Net, t.Actual[last]), Estimated: total(figures.Net, t.Estimated[last]),
		Linear: total(figures.Net, t.Linear[last]), Miss: total(figures.Balance, t.Miss(last)),
		LinearMiss: total(figures.Balance, t.LinearMiss(last)),
	}
}

// MonthFigures are the averages of Alive as people may read them.
type MonthFigures struct{ In, Out, Growth figures.Total }

// Figures returns the averages of a month, and the change from each month to the next.
func (a *Alive) Figures() MonthFigures {
	return MonthFigures{
		In: a.total(figures.Balance, a.In), Out: a.total(figures.Balance, a.Out), Growth: a.total(figures.Net, a.Growth),
	}
}

func (a *Alive) total(kind figures.Kind, cents int64) figures.Total {
	return figures.Total{Cents: cents, Kind: kind, Excluded: a.Excluded, Undirected: a.Undirected}
}
