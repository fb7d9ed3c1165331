package spending

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// Kind says why a counterparty's net (money in less money out) differs between two months.
type Kind string

// Values of Kind. If a counterparty has no rows in the second month, the Kind is Gone if a
// recurring payment is late, and NotDue otherwise.
const (
	New    Kind = "new" // no rows before the second month
	Up     Kind = "up"  // more money in or less money out
	Down   Kind = "down"
	Gone   Kind = "gone"
	NotDue Kind = "not due"
	// Unclear means that there are rows in both months, but no amount of one of them is known, or
	// that rows of a month could not be read, or that statements do not cover all days of both.
	Unclear Kind = "unclear"
)

// Kinds of the parts of a bridge that are not single counterparties.
const (
	KindRest         Kind = "rest" // all counterparties without a part of their own
	KindOwnTransfers Kind = "own_transfer"
	KindFinancing    Kind = "financing"
	KindNet          Kind = "net" // the sum of all other parts
)

// Change is one counterparty's part in the difference between the nets of two months.
type Change struct {
	Kind
	Name, Key             string
	Before, After         figures.Total // net in each month; money out is negative
	RowsBefore, RowsAfter []int         // indices in Ledger.Rows

	missing *[2]figures.Missing // days of the two months that statements do not cover
}

// Words says for people why the counterparty's net differs, such as "cost more" of money out and
// "paid less" of money in. It returns "" for parts that are not single counterparties.
func (c *Change) Words() string {
	isCost := IsCost(c.Before.Minor, c.After.Minor)
	switch {
	case c.Kind == NotDue:
		return "none that month"
	case c.Kind == Gone:
		return "stopped"
	case c.Kind == Up && isCost:
		return "cost less"
	case c.Kind == Up:
		return "paid more"
	case c.Kind == Down && isCost:
		return "cost more"
	case c.Kind == Down:
		return "paid less"
	case c.Kind == New, c.Kind == Unclear:
		return string(c.Kind)
	}
	return ""
}

// IsCost reports whether a net before and after a change is money out. If only one of them is, the
// larger one decides.
func IsCost(before, after int64) bool {
	if before <= 0 == (after <= 0) {
		return before <= 0
	}
	return before+after < 0
}

// Change returns the counterparty's net in the second month less that in the first.
func (c *Change) Change() figures.Total { return figures.Difference(c.After, c.Before) }

// known returns the difference of the known amounts in minor units.
func (c *Change) known() int64 { return c.After.Minor - c.Before.Minor }

// Bridge explains why the nets of two months differ. Before plus the differences in Changes, Rest,
// OwnTransfers and Financing is After.
type Bridge struct {
	Before, After figures.Total // nets of the two months, including own transfers and financing
	Changes       []Change      // the counterparties whose net differs most, largest difference first
	Rest          Change        // all other counterparties; its Name is ""
	RestCount     int           // number of counterparties in Rest
	OwnTransfers  Change
	Financing     Change
}

// Parts returns everything that changed the net, in the order in which it is listed: Changes, Rest
// if it has any counterparties, OwnTransfers, Financing, and at last their sum. All parts have a
// name.
func (b *Bridge) Parts() []Change {
	parts := slices.Clone(b.Changes)
	named := func(c Change, kind Kind, name string) Change {
		c.Kind, c.Name = kind, name
		return c
	}
	if b.RestCount > 0 {
		parts = append(parts, named(b.Rest, KindRest, plural.Count(b.RestCount, "other")))
	}
	net := b.net()
	parts = append(parts, named(b.OwnTransfers, KindOwnTransfers, "Own transfers"),
		named(b.Financing, KindFinancing, "Financing"))
	for i := range parts {
		net.RowsBefore = append(net.RowsBefore, parts[i].RowsBefore...)
		net.RowsAfter = append(net.RowsAfter, parts[i].RowsAfter...)
	}
	slices.Sort(net.RowsBefore)
	slices.Sort(net.RowsAfter)
	return append(parts, named(net, KindNet, "Net"))
}

func (b *Bridge) net() Change { return Change{Before: b.Before, After: b.After} }

// Change returns the difference of the nets of the two months.
func (b *Bridge) Change() figures.Total {
	net := b.net()
	return net.Change()
}

// AddsUp reports whether the known differences of all parts add up to the difference of the nets.
// It returns false if that is unknown.
func (b *Bridge) AddsUp() bool {
	sum, known := b.sum()
	return known && sum == b.Change().Minor
}

// sum returns the sum of the differences of all parts. It returns false if one of them, the sum or
// the difference of the nets is unknown, or if rows of the months could not be read.
func (b *Bridge) sum() (cents int64, known bool) {
	sum := b.Change()
	sum.Minor = 0
	for _, part := range b.Parts() {
		change := part.Change()
		sum.Unknown = sum.Unknown || change.Unknown
		if part.Kind != KindNet {
			sum.Add(change.Minor)
		}
	}
	return sum.Minor, !sum.Unknown && sum.Unreadable == 0
}

// AddUpText says whether the differences of all parts add up to the difference of the nets. It
// returns "" if that is unknown.
func (b *Bridge) AddUpText() string {
	switch _, known := b.sum(); {
	case !known:
		return ""
	case b.AddsUp():
		return "The changes add up to the difference of the nets, to the cent."
	}
	return "The changes do not add up to the difference of the nets."
}

// ParseMonths parses two months such as "2026-09..2026-10". Both must be in the months from oldest
// to newest, given by their first days. The text of an error begins with a verb, so that the name
// of what was parsed can be put before it.
func ParseMonths(text string, oldest, newest civil.Date) (before, after civil.Date, err error) {
	first, last, both := strings.Cut(strings.TrimSpace(text), "..")
	if before, err = civil.Parse(first + "-01"); err == nil && both {
		after, err = civil.Parse(last + "-01")
	}
	switch {
	case err != nil || !both:
		return before, after, fmt.Errorf("needs two months, such as %s..%s", figures.YearMonth(newest.AddMonths(-1)),
			figures.YearMonth(newest))
	case !before.Before(after):
		return before, after, errors.New("must have two months of which the first is before the second")
	case before.Before(oldest) || after.After(newest):
		return before, after, fmt.Errorf("needs full months from %s to %s", figures.YearMonth(oldest),
			figures.YearMonth(newest))
	}
	return before, after, nil
}

// mostChanges is the number of counterparties that a bridge names.
const mostChanges = 10

// Bridge compares two months, given by their first days. It returns false if a sum overflows.
func (l *Ledger) Bridge(before, after civil.Date) (b Bridge, ok bool) {
	byKey := map[string]*Change{}
	missing := &[2]figures.Missing{l.missing(before, before), l.missing(after, after)}
	all := Change{missing: missing}
	b.OwnTransfers.missing, b.Financing.missing, b.Rest.missing = missing, missing, missing
	for i := range l.Rows {
		r := &l.Rows[i]
		first := r.Date.FirstOfMonth()
		if first != before && first != after {
			continue
		}
		for _, c := range [...]*Change{b.part(r, byKey), &all} {
			if first == before {
				c.RowsBefore = append(c.RowsBefore, i)
			} else {
				c.RowsAfter = append(c.RowsAfter, i)
			}
		}
	}
	left := l.unreadableOf(before, after)
	ok = l.addUp(&all, left.net) && l.addUp(&b.OwnTransfers, left.ownTransfers) &&
		l.addUp(&b.Financing, left.financing)
	b.Before, b.After = all.Before, all.After
	return b, ok && l.rank(&b, byKey, after, left.operating)
}

// unreadable holds the numbers of rows of two months that could not be read.
type unreadable struct{ before, after int64 }

// unreadableRows are the rows that could not be read, by the parts to which they may belong. Those
// of cost and income may belong to each counterparty.
type unreadableRows struct{ operating, ownTransfers, financing, net unreadable }

func (l *Ledger) unreadableOf(before, after civil.Date) (rows unreadableRows) {
	for _, r := range l.Unreadable {
		part := &rows.operating
		switch r.Purpose {
		case OwnTransfer:
			part = &rows.ownTransfers
		case Financing:
			part = &rows.financing
		}
		switch r.Month {
		case before:
			part.before++
			rows.net.before++
		case after:
			part.after++
			rows.net.after++
		}
	}
	return rows
}

// addUp sets the nets of a change, to which the unreadable rows may belong. It returns false if one
// of them or their difference overflows.
func (l *Ledger) addUp(c *Change, left unreadable) (ok bool) {
	net := func(rows []int, unreadable int64, missing figures.Missing) figures.Total {
		total := l.Flows(rows).Net
		total.Unreadable = unreadable
		return missing.Of(total.NothingKnown(len(rows)), int64(len(rows)))
	}
	c.Before, c.After = net(c.RowsBefore, left.before, c.missing[0]), net(c.RowsAfter, left.after, c.missing[1])
	return !c.Before.IsTooLarge() && !c.After.IsTooLarge() && !c.Change().IsTooLarge()
}

// part returns the Change to which the amount of a row is added: that of its counterparty,
// OwnTransfers or Financing.
func (b *Bridge) part(r *Row, byKey map[string]*Change) *Change {
	switch r.Purpose {
	case OwnTransfer:
		return &b.OwnTransfers
	case Financing:
		return &b.Financing
	}
	c := byKey[r.Key]
	if c == nil {
		c = &Change{Name: r.Name(), Key: r.Key, missing: b.Rest.missing}
		byKey[r.Key] = c
	}
	return c
}

// rank stores the counterparties with the largest differences in b.Changes, and the sum of the
// others in b.Rest. The parameter after is the first day of the second month. rank returns false if
// a sum overflows.
func (l *Ledger) rank(b *Bridge, byKey map[string]*Change, after civil.Date, left unreadable) (ok bool) {
	all := make([]*Change, 0, len(byKey))
	for _, c := range byKey {
		if !l.addUp(c, left) {
			return false
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(x, y *Change) int {
		return cmp.Or(cmp.Compare(size(y.known()), size(x.known())), cmp.Compare(x.Key, y.Key))
	})
	for i, c := range all {
		if i < mostChanges && c.known() != 0 {
			c.Kind = l.kind(c, after)
			b.Changes = append(b.Changes, *c)
			continue
		}
		b.RestCount++
		b.Rest.RowsBefore = append(b.Rest.RowsBefore, c.RowsBefore...)
		b.Rest.RowsAfter = append(b.Rest.RowsAfter, c.RowsAfter...)
	}
	slices.Sort(b.Rest.RowsBefore)
	slices.Sort(b.Rest.RowsAfter)
	return l.addUp(&b.Rest, left)
}

// kind returns the Kind of a change. The parameter after is the first day of the second month.
func (l *Ledger) kind(c *Change, after civil.Date) Kind {
	switch {
	case c.missing[0].Any() || c.missing[1].Any(),
		c.Before.Unreadable > 0 && c.Before.Unknown, c.After.Unreadable > 0 && c.After.Unknown:
		return Unclear
	case len(c.RowsAfter) == 0:
		if l.isLate(c.Key, after.LastOfMonth()) {
			return Gone
		}
		return NotDue
	case len(c.RowsBefore) == 0 && !l.hasRowsBefore(c.Key, after):
		return New
	case c.Change().Unknown:
		return Unclear
	case c.known() > 0:
		return Up
	}
	return Down
}

func (l *Ledger) hasRowsBefore(key string, day civil.Date) bool {
	return slices.ContainsFunc(l.Rows, func(r Row) bool {
		return r.Key == key && r.Purpose == Operating && r.Date.Before(day)
	})
}

// isLate reports whether a recurring payment of the counterparty was due by the given day and is
// missing.
func (l *Ledger) isLate(key string, day civil.Date) bool {
	past, _ := l.UpTo(day)
	return slices.ContainsFunc(past.recurringOf(key, day), func(r Recurring) bool { return r.IsLate(day) })
}

func size(cents int64) int64 { return max(cents, -cents) }
