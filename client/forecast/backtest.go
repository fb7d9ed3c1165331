package forecast

import (
	"slices"

	"tarmac/client/collections"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Trial is a test of the rules on the past. It holds, in USD cents, the net from Begins to the end
// of each week: as the rules would have estimated it on the day before Begins, as the straight line
// of the three full months before Begins estimates it, and as the rows of the ledger have it.
type Trial struct {
	Begins                    civil.Date // first day of a month
	Estimated, Linear, Actual [Weeks]int64
	Excluded, Undirected      int64 // numbers of rows that are left out, in the weeks and those before
}

// Miss returns by how much the estimate was missed at the end of a week, in USD cents.
func (t *Trial) Miss(week int) int64 { return size(t.Estimated[week] - t.Actual[week]) }

// LinearMiss returns by how much the straight line was missed at the end of a week, in USD cents.
func (t *Trial) LinearMiss(week int) int64 { return size(t.Linear[week] - t.Actual[week]) }

func size(cents int64) int64 { return max(cents, -cents) }

// Trials begin with the third month before the current one, and go back to the eighth.
const (
	newestTrial = 3
	oldestTrial = 8
)

// backtest tests the rules at the beginnings of past months. It leaves out months before which the
// history is too short, and those whose thirteen weeks were not over on the day last.
func backtest(l *spending.Ledger, invoices collections.List, last, today civil.Date) (trials []Trial) {
	for back := newestTrial; back <= oldestTrial; back++ {
		begins := today.FirstOfMonth().AddMonths(-back)
		if begins.AddDays(7*Weeks - 1).After(last) {
			continue
		}
		cut := begins.AddDays(-1)
		begin := firstUpTo(l.Rows, cut)
		f, err := estimate(l, begin, asOf(invoices, cut), cut, cut)
		if err != nil || len(f.Basis.Rows) == 0 {
			continue
		}
		t := Trial{Begins: begins, Excluded: f.Basis.Excluded, Undirected: f.Basis.Undirected}
		if counted := t.setActual(l.Rows[:begin]); counted == 0 && t.Excluded+t.Undirected > 0 {
			continue
		}
		monthly := threeMonths(l.Rows[begin:], begins)
		net := int64(0)
		for i := range f.Weeks {
			net += f.Weeks[i].Net()
			t.Estimated[i] = net
			t.Linear[i] = monthly * 12 * int64(7*(i+1)) / (3 * 365)
		}
		trials = append(trials, t)
	}
	return trials
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
		cents, _ := operating(&rows[i])
		net += cents
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
		cents, known := operating(&rows[i])
		t.Actual[week] += cents
		switch {
		case known:
			counted++
		case rows[i].USD.Known():
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

// worstMisses returns the largest miss of all trials up to each week.
func worstMisses(trials []Trial) (worst [Weeks]int64) {
	for i := range worst {
		if i > 0 {
			worst[i] = worst[i-1]
		}
		for _, t := range trials {
			worst[i] = max(worst[i], t.Miss(i))
		}
	}
	return worst
}

// MedianMisses returns the median misses of the last week, of the estimates and of the straight
// line, in USD cents. It returns false if there are no trials.
func MedianMisses(trials []Trial) (estimated, linear int64, ok bool) {
	var misses, lines []int64
	for i := range trials {
		misses = append(misses, trials[i].Miss(Weeks-1))
		lines = append(lines, trials[i].LinearMiss(Weeks-1))
	}
	return median(misses), median(lines), len(trials) > 0
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
