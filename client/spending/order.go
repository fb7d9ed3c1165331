package spending

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/internal/fold"
)

// Order is an order of counterparties or recurring payments.
type Order string

// Values of Order. Equal ones are in the order of ByAmount.
const (
	ByAmount Order = "amount" // largest total, or largest sum of a year's payments, first
	ByChange Order = "change" // largest increase first; unknown changes last
	ByName   Order = "name"
	ByNext   Order = "next" // recurring payments only: earliest next payment first
)

// CounterpartyOrders returns the orders of counterparties, the default first.
func CounterpartyOrders() []Order { return []Order{ByAmount, ByChange, ByName} }

// RecurringOrders returns the orders of recurring payments, the default first.
func RecurringOrders() []Order { return []Order{ByAmount, ByChange, ByNext, ByName} }

// SortCounterparties sorts what Ledger.Counterparties has returned.
func SortCounterparties(all []Counterparty, by Order) {
	slices.SortStableFunc(all, func(a, b Counterparty) int {
		switch by {
		case ByChange:
			x, y := a.Change(), b.Change()
			return cmp.Or(rank(x.Unknown)-rank(y.Unknown), cmp.Compare(y.Minor, x.Minor))
		case ByName:
			return compareNames(a.Name, b.Name)
		}
		return 0
	})
}

// SortRecurring sorts what Ledger.Recurring has returned. Payments that have stopped stay last.
func SortRecurring(all []Recurring, by Order) {
	slices.SortStableFunc(all, func(a, b Recurring) int {
		stopped := rank(a.Stopped) - rank(b.Stopped)
		switch by {
		case ByChange:
			x, _, xKnown := a.Change()
			y, _, yKnown := b.Change()
			return cmp.Or(stopped, rank(!xKnown)-rank(!yKnown), cmp.Compare(y, x))
		case ByName:
			return cmp.Or(stopped, compareNames(a.Name, b.Name))
		case ByNext:
			return cmp.Or(stopped, a.Next.Compare(b.Next))
		}
		return 0
	})
}

func compareNames(a, b string) int { return strings.Compare(fold.String(a), fold.String(b)) }
