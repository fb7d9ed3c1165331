package cutoff

import (
	"fmt"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/service/bookrules"
)

// BurnWindow holds the months over which burn is averaged: the newest three consecutive calendar
// months that the statements of all accounts cover, except excluded accounts. Without three
// such months, it holds the newest two.
type BurnWindow struct {
	First, Last civil.Date // zero if there are no such months
	Months      int        // number of months, 3 or 2; 0 if there are no such months
	// Sufficient is true if the window ends with the last full month or the month before it.
	Sufficient bool
	// Missing holds the days of the last 25 full months that no statement covers. Of the months
	// before the first statement of an account, it has only those among the last three.
	Missing []MissingDays
	// Moved holds the missing days that keep the window from being the last three full months.
	Moved []MissingDays
	// DownloadDays is the number of days before today that a download of statements must reach back
	// to close all gaps. It is 0 without gaps.
	DownloadDays int
}

// MissingDays holds the days of an account that no statement covers.
type MissingDays struct {
	Account string // Account.Label of the account
	Days    []Span
}

// The number of months in a burn window, and the largest number of months before today that are
// considered for it.
const (
	burnMonths      = 3
	fewestMonths    = 2
	mostMonthsSince = 600
)

// shownMonths is the number of full months whose sums clients show.
const shownMonths = 25

// Window returns the burn window.
func (b *Books) Window() BurnWindow {
	var w BurnWindow
	month := b.today.FirstOfMonth()
	run, newestTwo := 0, 0 // number of consecutive covered months; months between the newest two and today
	for back := 1; back <= mostMonthsSince && w.Months == 0; back++ {
		if !b.allKnow(month.AddMonths(-back)) {
			run = 0
			continue
		}
		run++
		switch {
		case run == fewestMonths && newestTwo == 0:
			newestTwo = back
		case run == burnMonths:
			w.set(month, back, burnMonths)
		}
	}
	if w.Months == 0 && newestTwo > 0 {
		w.set(month, newestTwo, fewestMonths)
	}
	w.findMissing(b)
	w.findMoved(month)
	return w
}

// findMoved sets Moved. month is the current month.
func (w *BurnWindow) findMoved(month civil.Date) {
	skipped := Span{First: bookrules.DayOf(month.AddMonths(-burnMonths)), Last: bookrules.DayOf(month) - 1}
	if w.Months > 0 {
		skipped.First = min(skipped.First, bookrules.DayOf(w.Last)+1)
	}
	if w.Months == burnMonths && bookrules.DayOf(w.Last) == skipped.Last {
		return
	}
	for _, m := range w.Missing {
		if days := bookrules.Intersect(m.Days, []Span{skipped}); len(days) > 0 {
			w.Moved = append(w.Moved, MissingDays{m.Account, days})
		}
	}
}

// set sets the window to a number of consecutive months. month is the current month, and the window
// begins monthsBack months before it.
func (w *BurnWindow) set(month civil.Date, monthsBack, months int) {
	const lastButOne = 2
	w.First, w.Months = month.AddMonths(-monthsBack), months
	w.Last = w.First.AddMonths(months - 1).LastOfMonth()
	w.Sufficient = month.MonthsSince(w.Last) <= lastButOne
}

// allKnow reports whether all accounts are known in a month, including closed ones. It is false if
// there are no accounts.
func (b *Books) allKnow(month civil.Date) bool {
	days := Span{First: bookrules.DayOf(month), Last: bookrules.DayOf(month.LastOfMonth())}
	for i := range b.Accounts {
		if len(bookrules.Uncovered(b.Accounts[i].Days, days)) > 0 {
			return false
		}
	}
	return len(b.Accounts) > 0
}

// findMissing sets Missing and DownloadDays.
func (w *BurnWindow) findMissing(b *Books) {
	month := b.today.FirstOfMonth()
	for i := range b.Accounts {
		c := &b.Accounts[i]
		wanted := Span{First: bookrules.DayOf(month.AddMonths(-burnMonths)), Last: bookrules.DayOf(month) - 1}
		if len(c.Days) > 0 {
			wanted.First = min(wanted.First, max(c.Days[0].First, bookrules.DayOf(month.AddMonths(-shownMonths))))
		}
		wanted.First = max(wanted.First, c.Opened)
		if days := bookrules.Uncovered(c.Days, wanted); len(days) > 0 {
			w.Missing = append(w.Missing, MissingDays{c.Label(), days})
			w.DownloadDays = max(w.DownloadDays, int(bookrules.DayOf(b.today)-days[0].First))
		}
	}
}

// Period returns the first and the last month of the window, such as "2026-08 to 2026-10". It
// returns "" if the window has no months.
func (w BurnWindow) Period() string {
	if w.Months == 0 {
		return ""
	}
	const month = len("2026-08")
	return w.First.String()[:month] + " to " + w.Last.String()[:month]
}

// mostNamedSpans is the largest number of spans of days that MissingNote names for an account.
const mostNamedSpans = 3

// MissingNote returns sentences that say which statements are missing and what to download. It
// returns "" if no statement is missing.
func (w BurnWindow) MissingNote() string {
	var sentences []string
	for _, m := range w.Missing {
		var days []string
		for _, s := range m.Days[:min(len(m.Days), mostNamedSpans)] {
			days = append(days, s.String())
		}
		if more := len(m.Days) - mostNamedSpans; more > 0 {
			days = append(days, plural.Count(more, "more gap"))
		}
		sentences = append(sentences, fmt.Sprintf("No statement of %s covers %s.", m.Account, strings.Join(days, ", ")))
	}
	if w.DownloadDays > 0 {
		sentences = append(sentences, fmt.Sprintf("A download of the last %s would do.", plural.Count(w.DownloadDays, "day")))
	}
	return strings.Join(sentences, " ")
}
