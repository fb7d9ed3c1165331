package bookrules

import (
	"cmp"
	"slices"

	"tarmac/service/statements/bank"
)

// DayLines holds lines of one account in a reading of a connection, by their day. The lines of each
// day are in the order of the reading.
type DayLines map[Day][]Line

// LinesByDay sorts lines by their day. It numbers the lines of each day (bank.Line.Place), because
// the numbers that lines have in a reading change with the days that the reading covers.
func LinesByDay(lines []bank.Line) DayLines {
	days := DayLines{}
	for _, l := range lines {
		day := DayOf(l.Booked)
		l.Place = len(days[day]) + 1
		days[day] = append(days[day], Line{Line: l})
	}
	return days
}

// equalLines reports whether two lists of lines are the same in all that the books keep of them,
// except the texts as the provider sent them (bank.Line.Raw).
func equalLines(a, b []Line) bool {
	return slices.EqualFunc(a, b, func(x, y Line) bool { return fieldsOf(x.Line) == fieldsOf(y.Line) })
}

// SameTexts reports whether two lines differ at most in their place and in the provider's id.
func SameTexts(a, b bank.Line) bool {
	a.Place, b.Place, a.ID, b.ID = 0, 0, "", ""
	return fieldsOf(a) == fieldsOf(b)
}

// lineFields holds the fields of a line, so that the operator == compares them.
type lineFields struct {
	bank.Line
	original bank.Original
}

func fieldsOf(l bank.Line) lineFields {
	c := lineFields{Line: l}
	if l.Original != nil {
		c.original = *l.Original
	}
	c.Original, c.Running, c.Raw = nil, nil, ""
	return c
}

// ChangedDays returns the days on which the lines of two readings differ, in order.
func ChangedDays(before, after DayLines) (days []Day) {
	for day, lines := range before {
		if !equalLines(lines, after[day]) {
			days = append(days, day)
		}
	}
	for day := range after {
		if _, had := before[day]; !had {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days
}

// Booked returns the booked lines of all days, ordered by day.
func (d DayLines) Booked() (booked []Line) {
	for _, lines := range d {
		for _, l := range lines {
			if !l.Pending {
				booked = append(booked, l)
			}
		}
	}
	slices.SortStableFunc(booked, func(a, b Line) int {
		return cmp.Or(a.Booked.Compare(b.Booked), cmp.Compare(a.Place, b.Place))
	})
	return booked
}

// fewRemoved is the number of lines that may be missing in a reading in any case.
const fewRemoved = 10

// ManyRemoved reports whether so many of the booked lines of an account are missing in a reading
// that the user must accept it: more than ten, and more than a tenth.
func ManyRemoved(removed, booked int) bool { return removed > fewRemoved && removed > booked/10 }

// Removed returns how many booked lines of an earlier reading are missing in a later one. A line is
// not missing if the later reading has a line of that amount on the same day or at most MaxShift
// days before or after it, or a line with its id.
func Removed(before, after []Line) int {
	left := unpaired(before, after, func(l Line) pairKey { return pairKey{day: DayOf(l.Booked), minor: l.Minor} })
	left.unpair(func(l Line) pairKey { return pairKey{id: l.ID} })
	byDay := func(a, b Line) int { return a.Booked.Compare(b.Booked) }
	slices.SortStableFunc(left.before, byDay)
	slices.SortStableFunc(left.after, byDay)
	byAmount := map[int64][]Day{}
	for _, l := range left.after {
		byAmount[l.Minor] = append(byAmount[l.Minor], DayOf(l.Booked))
	}
	removed := 0
	for _, l := range left.before {
		days, day := byAmount[l.Minor], DayOf(l.Booked)
		for len(days) > 0 && days[0] < day-MaxShift {
			days = days[1:]
		}
		if len(days) > 0 && days[0] <= day+MaxShift {
			days = days[1:]
		} else {
			removed++
		}
		byAmount[l.Minor] = days
	}
	return removed
}

// pairKey is what two lines of two readings have in common. Lines with the zero pairKey are not
// paired.
type pairKey struct {
	day   Day
	minor int64
	id    string
}

// unpairedLines are lines of two readings without a counterpart in the other.
type unpairedLines struct{ before, after []Line }

func unpaired(before, after []Line, key func(Line) pairKey) unpairedLines {
	left := unpairedLines{before, after}
	left.unpair(key)
	return left
}

// unpair removes pairs of lines with the same key.
func (u *unpairedLines) unpair(key func(Line) pairKey) {
	count := map[pairKey]int{}
	for _, l := range u.after {
		count[key(l)]++
	}
	paired := map[pairKey]int{}
	take := func(lines []Line, from, into map[pairKey]int) (rest []Line) {
		for _, l := range lines {
			k := key(l)
			if k == (pairKey{}) || from[k] == 0 {
				rest = append(rest, l)
				continue
			}
			from[k]--
			if into != nil {
				into[k]++
			}
		}
		return rest
	}
	u.before = take(u.before, count, paired)
	u.after = take(u.after, paired, nil)
}

// ExtendHistory returns the days that a reading of the history covers. Such a reading is of the
// days before those that earlier readings were asked for, so no lines are missing between it and
// the next of the spans later, which earlier readings cover. Both are as Join returns them.
func ExtendHistory(covered, later []Span) []Span {
	last := &covered[len(covered)-1]
	for _, s := range later {
		if s.Contains(last.Last) {
			return covered
		}
		if s.First > last.Last {
			last.Last = s.First - 1
			return covered
		}
	}
	return covered
}
