package books

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/views/parts/table"
)

// mostMonths is the maximum number of months in the column of coverage.
const mostMonths = 24

// wideHeader is the minimum page width for a header with the number of months.
const wideHeader = 140

// Cells of a month: statements cover all, some or none of its days.
const (
	allDays  = "█"
	someDays = "▒"
	noDays   = "·"
)

// months returns the first days of the first and the last month in the column of coverage, which
// begins with the first covered day of any account.
func (s *Screen) months() (first, last civil.Date) {
	last = civil.Of(s.env.Now()).FirstOfMonth()
	first = last
	value, _ := s.contents.Value()
	for i := range value.Accounts {
		if covered := value.Accounts[i].Covered; len(covered) > 0 && covered[0].First.Before(first) {
			first = covered[0].First.FirstOfMonth()
		}
	}
	if oldest := last.AddMonths(1 - mostMonths); first.Before(oldest) {
		first = oldest
	}
	return first, last
}

// nameMonths writes the months of the coverage into the table's header.
func (s *Screen) nameMonths() {
	first, last := s.months()
	title := "to " + last.Time().Format("Jan 2006")
	if s.width >= wideHeader {
		title = plural.Count(last.MonthsSince(first)+1, "month") + " " + title
	}
	s.accounts.Rename(coverageColumn, "", title)
}

// coverage returns a cell for each month. The current month counts up to the newest covered day.
func (s *Screen) coverage(a *ownbooks.Account) (cells string, ink table.Ink) {
	var b strings.Builder
	first, last := s.months()
	ink = s.inks.good
	for month := first; !month.After(last); month = month.AddMonths(1) {
		end := month.LastOfMonth()
		if newest := a.Newest(); month == last && !newest.Before(month) && newest.Before(end) {
			end = newest
		}
		switch days := coveredDays(a.Covered, ownbooks.Period{First: month, Last: end}); {
		case days == 0:
			b.WriteString(noDays)
		case days < end.DaysSince(month)+1:
			b.WriteString(someDays)
			ink = s.inks.caution
		default:
			b.WriteString(allDays)
		}
	}
	return b.String(), ink
}

// coveredDays returns how many days of a period are covered. The covered periods don't overlap.
func coveredDays(covered []ownbooks.Period, of ownbooks.Period) (days int) {
	for _, p := range covered {
		if p.First.Before(of.First) {
			p.First = of.First
		}
		if p.Last.After(of.Last) {
			p.Last = of.Last
		}
		days += max(0, p.Days())
	}
	return days
}
