// Package why says in a sentence why a figure changed. The parts of a sentence add up to the
// change, and each names the rows that it comes from. Where a part is unknown, there is no
// sentence.
package why

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// Month says why the net of a month (money in less money out) differs from that of the month before
// it.
type Month struct {
	Currency   string
	First      civil.Date // first day of the month
	Difference int64      // net less the net of the month before, in minor units; negative if the month was worse
	Before     int64      // net of the month before, in minor units
	// Parts add up to Difference, to the cent: the counterparties that changed most, the largest
	// first; own transfers and financing, if there are any; and the income and the costs of all
	// others.
	Parts []Part
	// LeavesOut is true if rows of these months have no exchange rate and are in no part.
	LeavesOut bool
}

const (
	// mostNamed is the largest number of counterparties that a sentence names.
	mostNamed = 5
	// leastShare is the divisor of the change that a counterparty must exceed to be named.
	leastShare = 10
	// sameShare is the divisor of the month before. A smaller difference is about the same.
	sameShare = 20
)

// MonthOf explains the month that begins on first. today is the last day of which the ledger has
// all rows, and begins the first. MonthOf returns false if the ledger does not have all rows of the
// months, if one has no direction, if no row of a month has an exchange rate, if there are no rows,
// or if unanswered questions may change its own transfers or financing.
func MonthOf(l *spending.Ledger, first, begins, today civil.Date) (m Month, ok bool) {
	if len(l.Rows) == 0 || begins.After(first.AddMonths(-1)) || !first.LastOfMonth().Before(today) {
		return m, false
	}
	sums, leavesOut, ok := sumsOf(l, first)
	if !ok {
		return m, false
	}
	var all sum
	for _, s := range sums {
		open := l.Coverage.Unanswered != "" && s.purpose != spending.Operating && s.difference() != 0
		if open || !all.add(s.after, s.before) {
			return m, false
		}
	}
	m = Month{
		Currency: l.Currency, First: first, Difference: all.difference(), Before: all.before, LeavesOut: leavesOut,
	}
	reasons := newRhythms(l, first, begins)
	named, rest := largest(sums, m.Difference)
	prefix := ""
	for _, s := range named {
		p := Part{Name: s.name, Cents: s.difference(), Reason: reasons.of(s), Rows: s.rows}
		p.nameFlow(s.before, s.after, s.purpose)
		m.Parts = append(m.Parts, p)
		if s.purpose == spending.Operating {
			prefix = "other "
		}
	}
	others, ok := othersOf(rest, prefix)
	m.Parts = slices.DeleteFunc(append(m.Parts, others...), func(p Part) bool { return p.Cents == 0 })
	return m, ok
}

// Same reports whether the month differs by less than a twentieth from the month before.
func (m *Month) Same() bool {
	return size(m.Difference) < size(m.Before)/sameShare || m.Difference == 0
}

// String returns the sentence: "October burned $14,300.00 more than September: Anchor Insurance
// cost $9,100.00 more (yearly), payroll cost $8,200.00 more (3 payments, not 2), other costs fell
// $2,900.00."
func (m *Month) String() string { return m.Text(money.Text) }

// Text returns the sentence of String with amounts that the function write has written.
func (m *Month) Text(write func(minor int64, currency string) string) string {
	if m.Same() {
		return m.difference(write) + "."
	}
	return m.difference(write) + ": " + strings.Join(textsOf(m.Parts, m.Currency, write), ", ") + "."
}

// Brief returns the sentence in fewer words: "October burned $14,300.00 more than September. Worse:
// Anchor Insurance $9,100.00, payroll $8,200.00. Better: other costs $2,900.00."
func (m *Month) Brief(write func(minor int64, currency string) string) string {
	if m.Same() {
		return m.Text(write)
	}
	return m.difference(write) + ". " + groupsOf(m.Parts, m.Currency, write)
}

// short returns the sentence in full, in brief and its parts, with three digits of the difference.
// The rounded parts add up to the rounded difference; parts that round to zero are dropped.
func (m *Month) short() (text, brief string, each []string) {
	scale, difference := money.ScaleOfShort(m.Difference, m.Currency), figures.Total{Minor: m.Difference}
	parts, terms := make([]figures.Total, len(m.Parts)), make([]figures.Term, len(m.Parts))
	for i := range m.Parts {
		parts[i].Minor, terms[i].Total = m.Parts[i].Cents, &parts[i]
	}
	if !figures.RoundToAddUp(scale, &difference, terms...) {
		return m.Text(money.Short), m.Brief(money.Short), textsOf(m.Parts, m.Currency, money.Short)
	}
	shown := *m
	shown.Difference, shown.Parts = difference.Minor, nil
	for i, p := range m.Parts {
		if p.Cents = parts[i].Minor; p.Cents != 0 {
			shown.Parts = append(shown.Parts, p)
		}
	}
	write := func(minor int64, _ string) string { return scale.With(minor) }
	return shown.Text(write), shown.Brief(write), textsOf(shown.Parts, m.Currency, write)
}

// difference begins the sentence: "October burned $14,300.00 more than September". Where one of the
// two months doesn't burn, it names the nets: "October's net was $14,300.00 below September's".
func (m *Month) difference(write func(minor int64, currency string) string) string {
	month, before := m.First.Month().String(), m.First.AddMonths(-1).Month().String()
	amount := about(m.LeavesOut) + write(size(m.Difference), m.Currency)
	more := " more than "
	if m.Difference > 0 {
		more = " less than "
	}
	switch burns := m.Before < 0 && m.Before+m.Difference < 0; {
	case burns && m.Same():
		return month + " burned about as much as " + before
	case burns:
		return month + " burned " + amount + more + before
	case m.Same():
		return month + "'s net was about " + before + "'s"
	case m.Difference < 0:
		return month + "'s net was " + amount + " below " + before + "'s"
	}
	return month + "'s net was " + amount + " above " + before + "'s"
}

// figures returns the difference and its parts.
func (m *Month) figures(l *spending.Ledger) []Figure {
	in := amountsOf(l, m.First.AddMonths(-1), m.First.LastOfMonth())
	return append([]Figure{in.of("difference", m.Difference)}, in.ofParts(m.Parts)...)
}

// sum is the net of a counterparty, or of a group of rows, in a month and in the month before.
type sum struct {
	name, key     string
	purpose       spending.Purpose
	after, before int64  // net of the month, and of the month before
	rows          []int  // rows of both months
	counts        [2]int // number of rows of the month, and of the month before
}

// add adds amounts. It returns false if a sum is too large for the average to be computed.
func (s *sum) add(after, before int64) bool {
	const most = math.MaxInt64 / 4
	a, fits := money.Add(s.after, after)
	b, fits2 := money.Add(s.before, before)
	s.after, s.before = a, b
	return fits && fits2 && size(a) < most && size(b) < most
}

// difference returns the net of the month less that of the month before.
func (s *sum) difference() int64 { return s.after - s.before }

// sumsOf adds up the rows of a month and of the month before it: by counterparty, and own
// transfers and financing apart. leavesOut reports whether rows without an exchange rate are left
// out. sumsOf returns false if rows are missing, if one has no direction, if no row of a month has
// an amount, if there are no rows, or if a sum is too large.
func sumsOf(l *spending.Ledger, first civil.Date) (all []*sum, leavesOut, ok bool) {
	if !whole(l, first.AddMonths(-1), first.LastOfMonth()) {
		return nil, false, false
	}
	byName := map[string]*sum{}
	var rows, counted [2]int
	for i := range l.Rows {
		r := &l.Rows[i]
		back := first.MonthsSince(r.Date.FirstOfMonth())
		if back < 0 || back > 1 {
			continue
		}
		rows[back]++
		cents, known := r.Signed()
		switch {
		case !r.Direction.Known():
			return nil, false, false
		case !known:
			leavesOut = true
			continue
		}
		counted[back]++
		name, key := counterparty.Display(r.Name()), "key "+r.Key
		switch r.Purpose {
		case spending.OwnTransfer:
			name, key = "own transfers", "own"
		case spending.Financing:
			name, key = "financing", "financing"
		}
		s := byName[key]
		if s == nil {
			s = &sum{name: name, key: r.Key, purpose: r.Purpose}
			byName[key] = s
			all = append(all, s)
		}
		after, before := int64(0), cents
		if back == 0 {
			after, before = cents, 0
		}
		if !s.add(after, before) {
			return nil, false, false
		}
		s.rows = append(s.rows, i)
		s.counts[back]++
	}
	for back, n := range rows {
		if n > 0 && counted[back] == 0 {
			return nil, false, false
		}
	}
	return all, leavesOut, len(all) > 0
}

// largest returns the sums that a sentence names: own transfers and financing, and the
// counterparties with the largest differences. rest are the others.
func largest(sums []*sum, difference int64) (named, rest []*sum) {
	slices.SortStableFunc(sums, func(a, b *sum) int {
		return cmp.Or(cmp.Compare(size(b.difference()), size(a.difference())), cmp.Compare(a.key, b.key))
	})
	counterparties := 0
	for _, s := range sums {
		switch {
		case s.difference() == 0:
			rest = append(rest, s)
		case s.purpose != spending.Operating:
			named = append(named, s)
		case counterparties < mostNamed && size(s.difference()) > size(difference)/leastShare:
			counterparties++
			named = append(named, s)
		default:
			rest = append(rest, s)
		}
	}
	return named, rest
}

// whole reports whether the ledger has all rows from the day first to the day last: statements
// cover them, and each row could be read.
func whole(l *spending.Ledger, first, last civil.Date) bool {
	_, unreadable := l.UnreadableIn(first, last)
	return unreadable == 0 && !l.Coverage.Missing(first, last).Any()
}

// about returns the word before an amount that leaves rows out.
func about(leavesOut bool) string {
	if leavesOut {
		return "about "
	}
	return ""
}

func size(cents int64) int64 { return max(cents, -cents) }

// longestName is the number of cells after which a sentence shortens a name.
const longestName = 40

func shortened(name string) string { return strings.TrimSpace(termtext.Fit(name, longestName)) }

// monthName returns the name of a date's month, with the year if it is not that of the day today.
func monthName(d, today civil.Date) string {
	if d.Year() == today.Year() {
		return d.Month().String()
	}
	return d.Month().String() + " " + figures.YearMonth(d)[:4]
}
