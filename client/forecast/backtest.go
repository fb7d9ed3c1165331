package forecast

import (
	"runtime"
	"slices"
	"sync"

	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Trial is a test of the rules on the past. It holds, in minor units, the net from Begins to the
// end of each week: as the rules would have estimated it on the day before Begins, as the straight
// line of the three full months before Begins estimates it, and as the rows of the ledger have it.
type Trial struct {
	Currency                  string
	Begins                    civil.Date // first day of a month
	Estimated, Linear, Actual [Weeks]int64
	KnowsLastYear             bool // the ledger has rows of the 728 days before Begins
	// Numbers of rows that are left out, in the weeks and those before; Unreadable is that of their
	// months.
	Excluded, Undirected, Unreadable int64
}

// Miss returns by how much the estimate was missed at the end of a week, in minor units.
func (t *Trial) Miss(week int) int64 { return size(t.Estimated[week] - t.Actual[week]) }

// LinearMiss returns by how much the straight line was missed at the end of a week, in minor units.
func (t *Trial) LinearMiss(week int) int64 { return size(t.Linear[week] - t.Actual[week]) }

func size(cents int64) int64 { return max(cents, -cents) }

// Trials begin with the third month before the current one, and go back to the fifteenth, so that
// every season is in. The largest miss of a full set is an exception; fewer than leastTrials say
// nothing.
const (
	newestTrial = 3
	oldestTrial = 15
	leastTrials = 6
	allTrials   = oldestTrial - newestTrial + 1
)

// backtest tests the rules at the beginnings of the months before last, the last day of which the
// ledger has all rows. It leaves out months before which the history is too short, and those whose
// thirteen weeks were not over.
func backtest(l *spending.Ledger, payments *spending.Payments, last civil.Date) (trials []Trial) {
	const most = 4 // each worker needs memory for the payments of a whole history
	var all [allTrials]*Trial
	var workers sync.WaitGroup
	count := min(runtime.GOMAXPROCS(0), most)
	for worker := range count {
		workers.Go(func() {
			for i := worker; i < allTrials; i += count {
				all[i] = try(l, payments, last.FirstOfMonth().AddMonths(-newestTrial-i), last)
			}
		})
	}
	workers.Wait()
	for _, t := range all {
		if t != nil {
			trials = append(trials, *t)
		}
	}
	return trials
}

// try tests the rules on the thirteen weeks from a day on. It returns nil if that is not possible.
func try(l *spending.Ledger, payments *spending.Payments, begins, last civil.Date) *Trial {
	if begins.AddDays(7*Weeks - 1).After(last) {
		return nil
	}
	cut := begins.AddDays(-1)
	f, err := estimate(l, payments, nil, nil, cut, cut, cut)
	if err != nil || len(f.Basis.Rows) == 0 {
		return nil
	}
	t := &Trial{
		Currency: l.Currency, Begins: begins, KnowsLastYear: f.Basis.KnowsLastYear, Excluded: f.Basis.Excluded,
		Undirected: f.Basis.Undirected,
	}
	t.Unreadable, _ = l.UnreadableIn(begins, begins.AddDays(7*Weeks-1))
	t.Unreadable += f.Basis.Unreadable
	begin := firstUpTo(l.Rows, cut)
	if counted := t.setActual(l.Rows[:begin]); counted == 0 && t.Figures().Actual.LeavesOut() > 0 {
		return nil
	}
	monthly := threeMonths(l.Rows[begin:], begins)
	net := int64(0)
	for i := range f.Weeks {
		net += f.Weeks[i].Net()
		t.Estimated[i] = net
		t.Linear[i] = monthly * 12 * int64(7*(i+1)) / (3 * 365)
	}
	return t
}

// firstUpTo returns the index of the first row that is dated up to the day. Rows are ordered newest
// first.
func firstUpTo(rows []spending.Row, day civil.Date) int {
	index, _ := slices.BinarySearchFunc(rows, day, func(r spending.Row, day civil.Date) int {
		return day.Compare(r.Date)
	})
	return index
}

// threeMonths returns the net of the three months before the day begins. Rows are all before that
// day.
func threeMonths(rows []spending.Row, begins civil.Date) (net int64) {
	for i := range rows {
		if rows[i].Date.Before(begins.AddMonths(-3)) {
			break
		}
		in, out, _ := operating(&rows[i])
		net += in - out
	}
	return net
}

// setActual sets the net of the weeks from Begins on, each with the weeks before it. Rows are all
// from that day on. It returns the number of rows that it counted.
func (t *Trial) setActual(rows []spending.Row) (counted int) {
	for i := range rows {
		week := rows[i].Date.DaysSince(t.Begins) / 7
		if week >= Weeks || rows[i].Purpose != spending.Operating {
			continue
		}
		in, out, known := operating(&rows[i])
		t.Actual[week] += in - out
		switch {
		case known:
			counted++
		case rows[i].Reporting.Known():
			t.Undirected++
		default:
			t.Excluded++
		}
	}
	for i := 1; i < Weeks; i++ {
		t.Actual[i] += t.Actual[i-1]
	}
	return counted
}

// bands returns by how far the cash at the end of each week may be off: the second largest miss of
// all tests up to that week, or the largest if there are fewer than thirteen tests. It returns
// zeros if there are too few.
func bands(trials []Trial) (band [Weeks]int64) {
	if len(trials) < leastTrials {
		return band
	}
	misses, widest := make([]int64, len(trials)), int64(0)
	for week := range band {
		for i := range trials {
			misses[i] = trials[i].Miss(week)
		}
		slices.Sort(misses)
		most := len(misses) - 1
		if len(trials) == allTrials {
			most--
		}
		widest = max(widest, misses[most])
		band[week] = widest
	}
	return band
}

// HasBand reports whether there are enough tests for a band.
func (f *Forecast) HasBand() bool { return len(f.Trials) >= leastTrials }

// inside returns the number of tests that stayed inside the band in every week, and the number of
// tests that could not use last year.
func (f *Forecast) inside() (inside, withoutLastYear int) {
	for i := range f.Trials {
		t := &f.Trials[i]
		stayed := true
		for week := range f.Weeks {
			stayed = stayed && t.Miss(week) <= f.Weeks[week].Band
		}
		if stayed {
			inside++
		}
		if !t.KnowsLastYear {
			withoutLastYear++
		}
	}
	return inside, withoutLastYear
}

// medianMiss returns the median miss of the last week in minor units.
func medianMiss(trials []Trial) int64 {
	misses := make([]int64, len(trials))
	for i := range trials {
		misses[i] = trials[i].Miss(Weeks - 1)
	}
	return median(misses)
}

func median(cents []int64) int64 {
	if len(cents) == 0 {
		return 0
	}
	slices.Sort(cents)
	half := len(cents) / 2
	if len(cents)%2 == 1 {
		return cents[half]
	}
	return (cents[half-1] + cents[half]) / 2
}
