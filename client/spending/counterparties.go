package spending

import (
	"cmp"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/fold"
)

// Counterparty holds the sums of the rows of one counterparty or of one category, in a direction.
type Counterparty struct {
	IsCategory bool
	Name       string // in its newest spelling
	Key        string
	Months     []figures.Total // totals of the months, newest first
	Total      figures.Total   // sum of Months
	Before     figures.Total   // sum of the same number of months before Months
	Share      figures.Share   // share of all counterparties' total
	Rows       []int           // indices in Ledger.Rows of the rows of Months, newest first

	RowsBefore []int      // indices of the rows of Before, newest first
	Last       civil.Date // day of the newest of all these rows
}

// Change returns the difference between the total and the total of the months before. It is unknown
// if a total is unknown or incomplete.
func (c *Counterparty) Change() figures.Total {
	change := figures.Difference(c.Total, c.Before)
	if change.Mark() != figures.NoMark {
		change.Unknown = true
	}
	return change
}

// Average returns the total divided by the number of months. It is unknown if statements do not
// cover all days of the months.
func (c *Counterparty) Average() figures.Total {
	t := c.Total
	t.Unknown = t.Unknown || t.Uncovered
	t.Minor /= int64(max(1, len(c.Months)))
	return t
}

// Counterparties returns the counterparties of the operating rows in one direction, ordered by
// their totals. The totals cover the given number of months, of which the last begins on newest.
// Counterparties with rows only in the months of Before are included. Rows of unknown direction
// belong to their counterparty in both directions, and rows that could not be read to all
// counterparties; the totals leave them out. Refunds reduce the money out to their vendor, and may
// make it negative.
func (l *Ledger) Counterparties(direction apiclient.Direction, newest civil.Date, months int) []Counterparty {
	return l.grouped(direction, newest, months, func(r *Row) (key, name string) { return r.Key, r.Name() })
}

// NoCategory is the name of the rows that have no category.
const NoCategory = "(no category)"

// Categories returns the sums by category, as Counterparties returns them by counterparty. of
// returns the category of a transaction, or "". Categories that differ only in case are one.
func (l *Ledger) Categories(direction apiclient.Direction, newest civil.Date, months int,
	of func(*apiclient.Transaction) string) []Counterparty {
	keys := map[string]string{}
	all := l.grouped(direction, newest, months, func(r *Row) (key, name string) {
		if name = of(r.Transaction); r.IsRefund() {
			name = cmp.Or(of(r.refunded), name)
		}
		key, known := keys[name]
		if !known {
			key = fold.String(name)
			keys[name] = key
		}
		return key, cmp.Or(name, NoCategory)
	})
	for i := range all {
		all[i].IsCategory = true
	}
	return all
}

// grouped returns the sums of groups of rows. of returns the key and the name of a row's group.
func (l *Ledger) grouped(direction apiclient.Direction, newest civil.Date, months int,
	of func(*Row) (key, name string)) []Counterparty {
	byKey := map[string]*Counterparty{}
	var all []*Counterparty
	for i := range l.Rows {
		r := &l.Rows[i]
		back := newest.MonthsSince(r.Date.FirstOfMonth())
		if back < 0 || back >= 2*months || !r.CountsIn(direction) || r.Purpose != Operating {
			continue
		}
		key, name := of(r)
		c := byKey[key]
		if c == nil {
			none := figures.Total{Currency: l.Currency}
			c = &Counterparty{
				Key: key, Name: name, Months: slices.Repeat([]figures.Total{none}, months), Total: none, Before: none,
				Last: r.Date,
			}
			byKey[key] = c
			all = append(all, c)
		}
		if back >= months {
			c.RowsBefore = append(c.RowsBefore, i)
			add(&c.Before, r)
			continue
		}
		c.Rows = append(c.Rows, i)
		add(&c.Total, r)
		add(&c.Months[back], r)
	}
	unreadable, _ := l.UnreadableIn(newest.AddMonths(1-months), newest)
	unreadableBefore, _ := l.UnreadableIn(newest.AddMonths(1-2*months), newest.AddMonths(-months))
	for _, c := range all {
		c.Total.Unreadable, c.Before.Unreadable = unreadable, unreadableBefore
	}
	oldest := newest.AddMonths(1 - months)
	missing := l.missing(oldest, newest)
	missingBefore := l.missing(oldest.AddMonths(-months), oldest.AddMonths(-1))
	missingIn := make([]figures.Missing, months)
	for back := range missingIn {
		missingIn[back] = l.missing(newest.AddMonths(-back), newest.AddMonths(-back))
	}
	whole := figures.Total{Currency: l.Currency, LeftOut: missing.Why(), Uncovered: missing.Any()}
	list := ranked(all, whole)
	for i := range list {
		c := &list[i]
		c.Total = missing.Of(c.Total, int64(len(c.Rows)))
		c.Before = missingBefore.Of(c.Before, int64(len(c.RowsBefore)))
		rows := make([]int, months)
		for _, row := range c.Rows {
			rows[newest.MonthsSince(l.Rows[row].Date.FirstOfMonth())]++
		}
		for back, sum := range c.Months {
			c.Months[back] = missingIn[back].Of(sum.NothingKnown(rows[back]), sum.Minor+sum.LeavesOut())
		}
	}
	return list
}

// mayBe reports whether the row has the direction, or an unknown one.
func (r *Row) mayBe(direction apiclient.Direction) bool {
	return r.Direction == direction || !r.Direction.Known()
}

// add adds the amount of a row to a total of cost or income, from which refunds are deducted.
func add(total *figures.Total, r *Row) {
	if cents, _ := r.Reporting.Minor(); r.IsRefund() {
		total.Add(-cents)
		return
	}
	addGross(total, r)
}

// addGross adds the amount of a row to a total, or counts the row as left out.
func addGross(total *figures.Total, r *Row) {
	switch cents, known := r.Reporting.Minor(); {
	case !known:
		total.Excluded++
	case !r.Direction.Known():
		total.Undirected++
	default:
		total.Add(cents)
	}
}

// ranked orders counterparties by their totals and computes their shares in the whole, to which it
// adds the totals. Counterparties who gave back more than they got have no share.
func ranked(all []*Counterparty, whole figures.Total) []Counterparty {
	slices.SortStableFunc(all, func(a, b *Counterparty) int {
		return cmp.Or(cmp.Compare(b.Total.Minor, a.Total.Minor), cmp.Compare(b.Before.Minor, a.Before.Minor),
			cmp.Compare(a.Name, b.Name))
	})
	cents := make([]int64, len(all))
	for i, c := range all {
		cents[i] = max(0, c.Total.Minor)
		whole.AddPart(c.Total)
	}
	shares := figures.Shares(cents)
	list := make([]Counterparty, len(all))
	for i, c := range all {
		c.Total, c.Before = c.Total.NothingKnown(len(c.Rows)), c.Before.NothingKnown(len(c.RowsBefore))
		if shares != nil && !whole.Unknown && !c.Total.Unknown && c.Total.Minor >= 0 {
			c.Share = figures.Share{Tenths: shares[i], Known: true, Whole: whole}
		}
		list[i] = *c
	}
	return list
}
