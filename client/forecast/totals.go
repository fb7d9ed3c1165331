package forecast

import (
	"tarmac/client/figures"
)

// untested is the Reason of the band and of misses if there are too few tests.
const untested = "The history is too short to test this on the past."

// WeekFigures are the figures of a week as people may read them: marked if the averages leave out
// rows, and with the reason if they are unknown.
type WeekFigures struct{ In, Out, Supposed, Net, Cash, Band figures.Total }

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
	return all
}

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
		Unreadable: b.Unreadable,
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
