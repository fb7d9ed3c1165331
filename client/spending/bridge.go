package spending

import (
	"cmp"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Kind says how a counterparty changed the net between two months.
type Kind string

// Values of Kind. If a counterparty has no payments in the second month, they are NotDue if its
// rhythm expects none or if it has no rhythm, and Gone if they are late.
const (
	New    Kind = "new" // no rows before the second month
	Up     Kind = "up"  // more money in or less money out
	Down   Kind = "down"
	Gone   Kind = "gone"
	NotDue Kind = "not due"
)

// Change is the part of the difference between two months' nets that one counterparty causes.
type Change struct {
	Kind
	Name, Key             string
	Before, After         int64 // net in each month, in USD cents; money out is negative
	RowsBefore, RowsAfter []int // indices in Ledger.Rows
}

// Cents returns by how much the counterparty changed the net.
func (c *Change) Cents() int64 { return c.After - c.Before }

// Bridge explains the difference between the nets of two months. The sum of Before and all parts is
// After. The parts are Changes, Rest, OwnTransfers and Financing.
type Bridge struct {
	Before, After figures.Total // nets of the two months, all rows included
	Changes       []Change      // the counterparties that changed the net most, largest change first
	Rest          Change        // all other counterparties; its Name is ""
	RestCount     int           // number of counterparties in Rest
	OwnTransfers  Change
	Financing     Change
}

// mostChanges is the number of counterparties that a bridge names.
const mostChanges = 10

// Bridge compares two months, which begin on the given days. It returns false if a sum overflows.
func (l *Ledger) Bridge(before, after civil.Date) (b Bridge, ok bool) {
	b.Before.Kind, b.After.Kind = figures.Net, figures.Net
	byKey := map[string]*Change{}
	ok = true
	for i := range l.Rows {
		r := &l.Rows[i]
		first := r.Date.FirstOfMonth()
		if first != before && first != after {
			continue
		}
		c := b.part(r, byKey)
		sum, net, rows := &c.Before, &b.Before, &c.RowsBefore
		if first == after {
			sum, net, rows = &c.After, &b.After, &c.RowsAfter
		}
		*rows = append(*rows, i)
		cents, known := r.USD.Minor()
		if !known {
			net.Excluded++
			continue
		}
		if r.Direction == apiclient.Outflow {
			cents = -cents
		}
		ok = ok && addTo(sum, cents) && addTo(&net.Cents, cents)
	}
	return b, ok && l.rank(&b, byKey, after)
}

// part returns the part of the bridge to which a row belongs.
func (b *Bridge) part(r *Row, byKey map[string]*Change) *Change {
	switch r.Purpose {
	case OwnTransfer:
		return &b.OwnTransfers
	case Financing:
		return &b.Financing
	}
	c := byKey[r.Key]
	if c == nil {
		c = &Change{Name: r.CounterpartyName, Key: r.Key}
		byKey[r.Key] = c
	}
	return c
}

// rank chooses the counterparties that the bridge names and adds up the others.
func (l *Ledger) rank(b *Bridge, byKey map[string]*Change, after civil.Date) (ok bool) {
	all := make([]*Change, 0, len(byKey))
	for _, c := range byKey {
		if _, fits := money.Add(c.After, -c.Before); !fits {
			return false
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(x, y *Change) int {
		return cmp.Or(cmp.Compare(size(y.Cents()), size(x.Cents())), cmp.Compare(x.Key, y.Key))
	})
	ok = true
	for i, c := range all {
		if i < mostChanges && c.Cents() != 0 {
			c.Kind = l.kind(c, after)
			b.Changes = append(b.Changes, *c)
			continue
		}
		b.RestCount++
		b.Rest.RowsBefore = append(b.Rest.RowsBefore, c.RowsBefore...)
		b.Rest.RowsAfter = append(b.Rest.RowsAfter, c.RowsAfter...)
		ok = ok && addTo(&b.Rest.Before, c.Before) && addTo(&b.Rest.After, c.After)
	}
	return ok
}

// kind returns how a counterparty changed the net of the second month, which begins on after.
func (l *Ledger) kind(c *Change, after civil.Date) Kind {
	switch {
	case len(c.RowsAfter) == 0:
		if l.isLate(c.Key, after.LastOfMonth()) {
			return Gone
		}
		return NotDue
	case len(c.RowsBefore) == 0 && !l.hasRowsBefore(c.Key, after):
		return New
	case c.Cents() > 0:
		return Up
	}
	return Down
}

func (l *Ledger) hasRowsBefore(key string, day civil.Date) bool {
	return slices.ContainsFunc(l.Rows, func(r Row) bool {
		return r.Key == key && r.Purpose == Operating && r.Date.Before(day)
	})
}

// isLate reports whether a payment of a counterparty that recurs was due and is missing on a day.
func (l *Ledger) isLate(key string, day civil.Date) bool {
	for i := range l.Rows {
		if l.Rows[i].Date.After(day) {
			continue
		}
		until := Ledger{Rows: l.Rows[i:]}
		return slices.ContainsFunc(until.recurringOf(key, day), func(r Recurring) bool {
			return r.IsLate(day)
		})
	}
	return false
}

func addTo(sum *int64, cents int64) (ok bool) {
	*sum, ok = money.Add(*sum, cents)
	return ok
}

func size(cents int64) int64 { return max(cents, -cents) }
