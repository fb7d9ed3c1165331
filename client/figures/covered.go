package figures

import (
	"cmp"
	"errors"
	"slices"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// Coverage says of which days the statements of all accounts are known, and what is not decided of
// their lines. The zero value says that all days are covered and nothing is open, as on servers
// that do not read statements.
type Coverage struct {
	// Unanswered says which questions about the lines nobody has answered, what is left out of
	// costs and income until then, and what net burn is after other answers. It is "" without
	// questions.
	Unanswered string

	gaps  []apiclient.Days // uncovered days, oldest first
	to    civil.Date       // last day that all accounts cover; zero if the server does not say
	today civil.Date
	// begins is the day on which the first account was opened; zero if unknown. Days before it are
	// gaps, but no statement of them is missing.
	begins civil.Date
}

// CoverageOf returns the coverage that comes with a cash position. The position may be nil.
func CoverageOf(c *apiclient.CashPosition) Coverage {
	if c == nil || c.Extension == nil {
		return Coverage{}
	}
	coverage := coverageOf(c.Extension, civil.Of(c.AsOf))
	coverage.Unanswered = c.Extension.Unanswered.Sentence(c.MonthlyBurnCents, c.Currency)
	return coverage
}

// CoverageOfError returns the coverage that comes with the error of a request for the cash
// position, as own books send it where a balance is not known.
func CoverageOfError(err error, today civil.Date) Coverage {
	refusal, ok := errors.AsType[*apiclient.Error](err)
	if !ok || refusal.Extension == nil {
		return Coverage{}
	}
	return coverageOf(refusal.Extension, today)
}

func coverageOf(x *apiclient.Extension, today civil.Date) (c Coverage) {
	if x.Coverage != nil && (len(x.Coverage.Gaps) > 0 || !x.Coverage.KnownTo.IsZero()) {
		c.gaps, c.to, c.today, c.begins = x.Coverage.Gaps, x.Coverage.KnownTo, today, x.Coverage.Begins
	}
	return c
}

// Equal reports whether both say the same.
func (c Coverage) Equal(o Coverage) bool {
	return slices.Equal(c.gaps, o.gaps) && c.to == o.to && c.today == o.today && c.begins == o.begins &&
		c.Unanswered == o.Unanswered
}

// KnownTo returns the last day up to today of which all rows are known, apart from gaps.
func (c Coverage) KnownTo(today civil.Date) civil.Date {
	if c.to.IsZero() || c.to.AddDays(1).Compare(today) >= 0 {
		return today
	}
	return c.to
}

// OpenSince returns the first day of a gap that lasts until the end of what is known: the
// statements of an account ended while those of others went on. It returns the zero date if there
// is none.
func (c Coverage) OpenSince(today civil.Date) (day civil.Date) {
	to := c.KnownTo(today)
	for _, gap := range c.gaps {
		if !gap.First.After(to) && !gap.Last.Before(to.AddDays(-1)) {
			day = gap.First
		}
	}
	return day
}

// LongGapEnd returns the last day of the newest gap of at least four weeks, in which payments of
// most rhythms are missing. It returns the zero date if there is none.
func (c Coverage) LongGapEnd() (day civil.Date) {
	const weeks = 28
	for _, gap := range c.gaps {
		if gap.Last.DaysSince(gap.First) >= weeks-1 {
			day = gap.Last
		}
	}
	return day
}

// Missing returns the uncovered days from first to last. Today and later days are never among them.
func (c Coverage) Missing(first, last civil.Date) Missing {
	m := Missing{first: first, last: last, today: c.today, begins: c.begins}
	for _, gap := range c.gaps {
		m.add(gap.First, gap.Last)
	}
	m.gap = len(m.days) > 0
	if !c.to.IsZero() {
		m.add(c.to.AddDays(1), c.today.AddDays(-1))
	}
	return m
}

// Missing holds the days of a period that the statements of at least one account do not cover.
type Missing struct {
	first, last civil.Date
	today       civil.Date       // no statement can cover it or a later day
	days        []apiclient.Days // oldest first
	begins      civil.Date       // see Coverage
	gap         bool             // true if statements follow some of the days
}

// add adds days, which do not end before those that were added before.
func (m *Missing) add(first, last civil.Date) {
	if first.Before(m.first) {
		first = m.first
	}
	if last.After(m.last) {
		last = m.last
	}
	if first.After(last) {
		return
	}
	for n := len(m.days) - 1; n >= 0 && !first.After(m.days[n].Last.AddDays(1)); n-- {
		if m.days[n].First.Before(first) {
			first = m.days[n].First
		}
		m.days = m.days[:n]
	}
	m.days = append(m.days, apiclient.Days{First: first, Last: last})
}

// Any reports whether days are missing.
func (m Missing) Any() bool { return len(m.days) > 0 }

// mostNamed is the largest number of ranges of days that a sentence names.
const mostNamed = 2

// Why says which days are missing: "Statements do not cover 2026-11-13 to 2026-11-25." It returns
// "" for none.
func (m Missing) Why() string {
	if !m.Any() {
		return ""
	}
	missed := m.days
	for len(missed) > 0 && missed[0].Last.Before(m.begins) {
		missed = missed[1:]
	}
	if len(missed) == 0 {
		return "The accounts begin on " + m.begins.String() + "."
	}
	if missed[0].First.Before(m.begins) {
		missed = slices.Clone(missed)
		missed[0].First = m.begins
	}
	text := "Statements do not cover "
	for i, days := range missed[:min(mostNamed, len(missed))] {
		if i > 0 {
			text += ", "
		}
		text += daysText(days)
	}
	if more := len(missed) - mostNamed; more > 0 {
		text += " and " + plural.Count(more, "more gap")
	}
	return text + "."
}

// daysText names days, such as "2026-04" for a whole month.
func daysText(d apiclient.Days) string {
	first, last := d.First.String(), d.Last.String()
	if d.First == d.First.FirstOfMonth() && d.Last == d.Last.LastOfMonth() {
		first, last = YearMonth(d.First), YearMonth(d.Last)
	}
	if first == last {
		return first
	}
	return first + " to " + last
}

// Days says in a few words which days of the period are covered: "until 12 Nov", "from 5 Nov", or
// "in part". It returns "" if all are, and if none is.
func (m Missing) Days() string {
	const day = "2 Jan"
	if len(m.days) == 0 {
		return ""
	}
	newest := m.days[len(m.days)-1].Last
	begins, ends := m.days[0].First == m.first, newest == m.last || newest == m.today.AddDays(-1)
	switch one := m.days[0]; {
	case len(m.days) == 1 && begins && ends:
		return ""
	case len(m.days) == 1 && begins:
		return "from " + one.Last.AddDays(1).Time().Format(day)
	case len(m.days) == 1 && (ends || !m.gap):
		return "until " + one.First.AddDays(-1).Time().Format(day)
	}
	return "in part"
}

// Of returns a total of rows of the period. If days are missing, it is unknown without rows, and
// otherwise it leaves out what the missing days have.
func (m Missing) Of(t Total, rows int64) Total {
	switch {
	case !m.Any():
		return t
	case rows == 0 && t.LeavesOut() == 0:
		t = UnknownTotal(t.Currency, t.Kind, m.Why())
	default:
		t.Unknown, t.LeftOut = t.Unknown || rows == 0, cmp.Or(t.LeftOut, m.Why())
	}
	t.Uncovered = true
	return t
}

// WhyOf says what totals leave out together, whose months are in the period. It names the missing
// days of the whole period.
func (m Missing) WhyOf(parts ...Total) string {
	all := Combine(Gross, 0, parts...)
	if m.Any() && !all.IsTooLarge() {
		all.Reason, all.LeftOut = "", m.Why()
	}
	return all.Why()
}

// Cover returns months with the days of them that statements do not cover.
func (c Coverage) Cover(months []Month) []Month {
	covered := slices.Clone(months)
	for i := range covered {
		covered[i].Missing = c.Missing(covered[i].First, covered[i].First.LastOfMonth())
	}
	return covered
}

// WhyMissing says which days of months statements do not cover. It returns "" if they cover all.
func WhyMissing(months []Month) string {
	if len(months) == 0 {
		return ""
	}
	months = slices.Clone(months)
	slices.SortFunc(months, func(a, b Month) int { return a.First.Compare(b.First) })
	all := Missing{
		first: months[0].First, last: months[len(months)-1].First.LastOfMonth(), begins: months[0].Missing.begins,
	}
	for _, m := range months {
		for _, days := range m.Missing.days {
			all.add(days.First, days.Last)
		}
	}
	return all.Why()
}
