package bookrules

import (
	"cmp"
	"slices"

	"tarmac/internal/money"
)

// AccountMonth has what an account's booked lines of a month come to, in minor units.
type AccountMonth struct {
	First, Last Day // days of the month up to the newest covered one of the account
	Covered     int // number of these days that statements cover
	Lines       int
	In, Out     int64 // not negative; 0 if Overflows
	Overflows   bool  // the sums do not fit
	Closing     int64 // balance at the end of Last; 0 unless ClosingKnown
	// ClosingKnown is true if a statement says the balance, or if it follows from the next balance
	// of a statement: statements cover all days in between, and their lines add up.
	ClosingKnown bool
}

// AccountMonths returns the months of an account from the first covered day to the last, the newest
// first. merged must be ordered by day.
func AccountMonths(merged []Merged, contents []Content) []AccountMonth {
	covered := Covered(contents)
	if len(covered) == 0 {
		return nil
	}
	running := RunningBalance(merged, contents)
	begins, newest := covered[0].First.Date().FirstOfMonth(), covered[len(covered)-1].Last.Date()
	all := make([]AccountMonth, newest.MonthsSince(begins)+1)
	for i := range all {
		first := newest.FirstOfMonth().AddMonths(-i)
		all[i] = AccountMonth{First: DayOf(first), Last: min(DayOf(first.LastOfMonth()), DayOf(newest))}
		for _, span := range covered {
			all[i].Covered += max(0, int(min(span.Last, all[i].Last)-max(span.First, all[i].First))+1)
		}
		all[i].Closing, all[i].ClosingKnown = running.Closing(merged, covered, all[i].Last)
	}
	for _, m := range merged {
		if at := newest.MonthsSince(m.Day.Date()); at >= 0 && at < len(all) {
			all[at].add(m.Minor)
		}
	}
	return all
}

func (m *AccountMonth) add(minor int64) {
	m.Lines++
	sum, ok := &m.In, true
	if minor < 0 {
		sum, minor = &m.Out, -minor
	}
	if *sum, ok = money.Add(*sum, minor); !ok || minor < 0 || m.Overflows {
		m.In, m.Out, m.Overflows = 0, 0, true
	}
}

// linesUpTo returns the number of lines up to and including a day.
func linesUpTo(merged []Merged, day Day) int {
	n, _ := slices.BinarySearchFunc(merged, day+1, func(m Merged, day Day) int { return cmp.Compare(m.Day, day) })
	return n
}

// Closing returns the balance at the end of a covered day. It returns false if no balance proves
// it.
func (r *Running) Closing(merged []Merged, covered []Span, day Day) (minor int64, known bool) {
	if !r.Known {
		return 0, false
	}
	first, _ := slices.BinarySearchFunc(r.Checkpoints, day, func(c Checkpoint, day Day) int {
		return cmp.Compare(c.Day, day)
	})
	if first == len(r.Checkpoints) {
		return 0, false
	}
	c := &r.Checkpoints[first]
	switch {
	case c.Day == day:
		return c.Minor, true
	case first > 0 && c.Missing != 0:
		return 0, false
	}
	if span, in := spanOf(covered, c.Day); !in || span.First > day+1 {
		return 0, false
	}
	minor, known = c.Minor, true
	for at := linesUpTo(merged, day); at < len(merged) && merged[at].Day <= c.Day && known; at++ {
		minor, known = money.Add(minor, -merged[at].Minor)
	}
	return minor, known
}
