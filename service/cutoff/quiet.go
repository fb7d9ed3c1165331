package cutoff

// Line is a booked line of an account, as far as it matters for silence.
type Line struct {
	Day   Day
	Minor int64
	// Payee groups lines: those of one payee may recur.
	Payee string
	// Routine is true for interest, a fee of the bank, and a transfer between own accounts.
	Routine bool
}

// mostQuietDays is the largest number of days that an account is assumed to be unchanged: a
// quarter with some days, because many savings accounts have a line a quarter.
const mostQuietDays = 100

// QuietYear is the number of days before the last covered one that say whether an account is quiet.
const QuietYear = 365

// QuietDays returns the days after the last covered one when an account is assumed to be unchanged,
// because it's quiet: all lines of the last twelve months are routine, and it has had no
// lines for that long before. The days end before a recurring line is due. lines must be ordered by
// day. QuietDays returns false for other accounts.
func QuietDays(covered []Span, lines []Line) (Span, bool) {
	if len(covered) == 0 {
		return Span{}, false
	}
	last := covered[len(covered)-1]
	first := max(last.First, last.Last-QuietYear)
	before, longest, due := first-1, Day(0), Day(0)
	recurring := map[string][]Day{}
	for _, l := range lines {
		if l.Day < first || l.Day > last.Last {
			continue
		}
		if !l.Routine {
			return Span{}, false
		}
		longest, before = max(longest, l.Day-before), l.Day
		payee := l.Payee + map[bool]string{true: " in", false: " out"}[l.Minor > 0]
		recurring[payee] = append(recurring[payee], l.Day)
	}
	if len(recurring) == 0 && first > last.Last-QuietYear {
		return Span{}, false // without any line, only a whole year of silence says something
	}
	until := before + longest - 1
	if silent := last.Last - before; silent >= longest {
		until = last.Last + silent
	}
	for _, days := range recurring {
		if due = nextDue(days); due+evenDays > last.Last {
			until = min(until, due-1)
		}
	}
	quiet := Span{First: last.Last + 1, Last: min(until, last.Last+mostQuietDays)}
	return quiet, quiet.First <= quiet.Last
}

// evenDays is the largest difference between the intervals of recurring lines.
const evenDays = 7

// nextDue returns the day on which a line after days in ascending order is due, if they recur: at
// least three, at intervals that differ by at most a week. It returns 0 if they don't.
func nextDue(days []Day) Day {
	const fewest = 3
	if len(days) < fewest {
		return 0
	}
	shortest, longest := Day(QuietYear), Day(0)
	for n := 1; n < len(days); n++ {
		interval := days[n] - days[n-1]
		shortest, longest = min(shortest, interval), max(longest, interval)
	}
	if longest-shortest > evenDays {
		return 0
	}
	return days[len(days)-1] + longest
}
