package figures

import "tarmac/apiclient"

// Ladder holds the steps from the available balance to cash on hand: Available + Linked =
// Spendable, and Spendable + Held = OnHand. Pending is in none of them.
type Ladder struct{ Available, Linked, Spendable, Held, OnHand, Pending Total }

// LadderOf returns the steps of a cash position and the balance of the account, which is nil if it
// is not known.
func LadderOf(c Cash, a *apiclient.Account) Ladder {
	l := Ladder{Spendable: c.Spendable, Held: c.Held, OnHand: c.OnHand}
	currency := c.Position.Currency
	unknown := UnknownTotal(currency, Balance, "")
	l.Available, l.Pending = unknown, unknown
	if a != nil && a.Balance != nil && a.Currency == currency {
		l.Available = Total{Minor: a.Balance.AvailableCents, Currency: currency, Kind: Balance}
		l.Pending = Total{Minor: a.Balance.PendingCents, Currency: currency, Kind: Balance}
	}
	l.Linked = step(l.Spendable, l.Available)
	return l
}

// step returns what is added to one amount of cash to make another.
func step(to, from Total) Total {
	d := Difference(to, from)
	d.Kind = Balance
	return d
}
