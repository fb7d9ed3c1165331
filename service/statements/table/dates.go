package table

import (
	"slices"
	"strings"
)

// chooseDates orders the columns of dates by preference: booking dates, dates of an unknown kind,
// dates of the transaction, value dates. Columns without any date come last.
func (l *layout) chooseDates(c chooser) {
	for _, weak := range []bool{false, true} {
		for _, r := range []role{roleBooked, roleDate, roleTraded, roleValueDate} {
			for _, column := range c.localFirst(c.all(r)) {
				if c.columns[column].weak == weak {
					l.dates = append(l.dates, column)
				}
			}
		}
	}
	slices.SortStableFunc(l.dates, func(a, b int) int {
		return boolean(c.filled(b)) - boolean(c.filled(a))
	})
	if booked := c.bookedDate(l.dates); booked != none {
		at := slices.Index(l.dates, booked)
		l.dates = slices.Insert(slices.Delete(l.dates, at, at+1), 0, booked)
	}
	if len(l.dates) > 1 {
		first := &c.columns[l.dates[0]]
		l.bookedEmpty = first.role == roleBooked && !first.weak && first.filled < first.rows && first.filled*2 >= first.rows
	}
	l.value = c.first(roleValueDate)
	if len(l.dates) > 1 && l.value == l.dates[0] {
		l.value = none
	}
	if len(l.dates) > 3 {
		l.dates = l.dates[:3]
	}
}

// localFirst orders columns of dates so that those in local time come first and those in universal
// time last. A payment has its local day.
func (c chooser) localFirst(columns []int) []int {
	zone := func(column int) int {
		switch name := c.columns[column].name; {
		case strings.HasSuffix(name, " local"):
			return 0
		case strings.HasSuffix(name, " utc"), strings.HasSuffix(name, " gmt"):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(columns, func(a, b int) int { return zone(a) - zone(b) })
	return columns
}

// bookedDate returns the column of dates that is empty in all rows with a pending status and filled
// in all others, whatever its name is. It returns none if there is no pending row or no such
// column.
func (c chooser) bookedDate(dates []int) int {
	column := c.first(roleStatus)
	if column == none {
		return none
	}
	states := c.columns[column].cells
	for _, date := range dates {
		pending, fits := 0, true
		for i, state := range states {
			state, empty := fold(state), c.columns[date].cells[i] == ""
			switch {
			case voidWords[state]:
			case pendingWords[state]:
				pending++
				fits = fits && empty
			default:
				fits = fits && !empty
			}
		}
		if pending > 0 && fits {
			return date
		}
	}
	return none
}

func boolean(statement bool) int {
	if statement {
		return 1
	}
	return 0
}
