package spending

import (
	"cmp"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Counterparty holds the sums of the rows of one counterparty in one direction.
type Counterparty struct {
	Name   string // in its newest spelling
	Key    string
	Months []figures.Total // totals of the months, in the order of Ledger.Counterparties
	Total  figures.Total   // sum of Months
	Before figures.Total   // sum of the same number of months before Months
	Share  figures.Share   // share of all counterparties' total
	Rows   []int           // indices in Ledger.Rows of the rows of Months, newest first

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
	if t.Uncovered {
		return figures.UnknownTotal(t.Kind, t.Why())
	}
	t.Cents /= int64(max(1, len(c.Months)))
	return t
}

// Counterparties returns the counterparties of the operating rows in one direction, ordered by
// their totals. The totals cover the given number of months, of which the last begins on newest.
// Counterparties with rows only in the months of Before are included.
func (l *Ledger) Counterparties(direction apiclient.Direction, newest civil.Date, months int) []Counterparty {
	byKey := map[string]*Counterparty{}
	var all []*Counterparty
	for i := range l.Rows {
		r := &l.Rows[i]
		back := newest.MonthsSince(r.Date.FirstOfMonth())
		if back < 0 || back >= 2*months || r.Direction != direction || r.Purpose != Operating {
			continue
		}
		c := byKey[r.Key]
		if c == nil {
			c = &Counterparty{
				Name: r.Name(), Key: r.Key, Months: make([]figures.Total, months), Last: r.Date,
			}
			byKey[r.Key] = c
			all = append(all, c)
		}
		if back >= months {
			c.RowsBefore = append(c.RowsBefore, i)
			add(&c.Before, r.USD)
			continue
		}
		c.Rows = append(c.Rows, i)
		add(&c.Total, r.USD)
		add(&c.Months[back], r.USD)
	}
	oldest := newest.AddMonths(1 - months)
	missing := l.missing(oldest, newest)
	missingBefore := l.missing(oldest.AddMonths(-months), oldest.AddMonths(-1))
	missingIn := make([]figures.Missing, months)
	for back := range missingIn {
		missingIn[back] = l.missing(newest.AddMonths(-back), newest.AddMonths(-back))
	}
	list := ranked(all, missing.Why())
	for i := range list {
		c := &list[i]
		c.Total = missing.Of(c.Total, int64(len(c.Rows)))
		c.Before = missingBefore.Of(c.Before, int64(len(c.RowsBefore)))
		for back, sum := range c.Months {
			c.Months[back] = missingIn[back].Of(sum, sum.Cents+sum.Excluded)
		}
	}
	return list
}

// MissingText says which days of the months of Counterparties, and of those before them, statements
// do not cover. It returns "" if they cover all.
func (l *Ledger) MissingText(newest civil.Date, months int) string {
	return l.missing(newest.AddMonths(1-2*months), newest).Why()
}

// add adds an amount to a total. The total counts an unknown amount as excluded.
func add(total *figures.Total, amount apiclient.Amount) {
	cents, known := amount.Minor()
	if !known {
		total.Excluded++
		return
	}
	total.Add(cents)
}

// ranked orders counterparties by their totals and computes their shares. The sentence leftOut says
// what the totals leave out besides rows without a rate.
func ranked(all []*Counterparty, leftOut string) []Counterparty {
	slices.SortStableFunc(all, func(a, b *Counterparty) int {
		return cmp.Or(cmp.Compare(b.Total.Cents, a.Total.Cents), cmp.Compare(b.Before.Cents, a.Before.Cents),
			cmp.Compare(a.Name, b.Name))
	})
	cents, overflow, excluded := make([]int64, len(all)), false, int64(0)
	for i, c := range all {
		cents[i] = c.Total.Cents
		overflow = overflow || c.Total.Unknown
		excluded += c.Total.Excluded
	}
	shares := figures.Shares(cents)
	list := make([]Counterparty, len(all))
	for i, c := range all {
		c.Total, c.Before = c.Total.NothingKnown(len(c.Rows)), c.Before.NothingKnown(len(c.RowsBefore))
		if shares != nil && !overflow && !c.Total.Unknown {
			c.Share = figures.Share{Tenths: shares[i], Known: true, Excluded: excluded, LeftOut: leftOut}
		}
		list[i] = *c
	}
	return list
}
