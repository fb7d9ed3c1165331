package alerts

import "slices"

// Unit is what a limit is measured in.
type Unit uint8

// Values of Unit.
const (
	None Unit = iota
	Months
	Amount
	Percent
	Days
	Span
)

func (u Unit) String() string {
	return [...]string{"nothing", "months", "an amount", "percent", "days", "hours or days"}[u]
}

// Need is a part of what a Reading has.
type Need uint8

// Values of Need.
const (
	Balance Need = iota // the account
	Cash
	Receivables
	Bills
	Latest  // transactions of four months
	History // transactions of 25 months
	Books   // accounts of own books, if there are any
	Token
	Plan
	needs
)

// Rule is a kind of alert.
type Rule struct {
	Name    string
	Tells   string // when it tells, with LIMIT for the limit
	Unit    Unit
	Example string // of a limit
	Default string // limit of an alert without one
	Needs   []Need

	optional  bool   // without a limit it tells of each thing
	tellsEach string // when it tells then
	ofOne     bool   // it can be about one counterparty or customer
	event     bool   // what was there at the first look is not told
	look      func(*Alert, *Reading) look
}

// rules has all rules, in the order in which they are listed.
var rules = []Rule{
	{Name: "runway-below", Tells: "tells below LIMIT", Unit: Months, Example: "9", Needs: []Need{Cash}, look: runwayBelow},
	{Name: "cash-below", Tells: "tells below LIMIT", Unit: Amount, Example: "250k", Needs: []Need{Cash}, look: cashBelow},
	{Name: "payment-above", Tells: "tells of each above LIMIT, in or out", Unit: Amount, Example: "10k", ofOne: true,
		Needs: []Need{Latest}, event: true, look: paymentAbove},
	{Name: "new-subscription", Tells: "tells of each payment that begins to recur", ofOne: true, Needs: []Need{History},
		event: true, look: newSubscription},
	{Name: "price-rise", Tells: "tells of prices that rise by LIMIT or more in a year", Unit: Percent, Example: "5",
		Default: "5", ofOne: true, Needs: []Need{History}, event: true, look: priceRise},
	{Name: "unusual-month", Tells: "tells of costs LIMIT above the highest month of a year", Unit: Percent,
		Example: "20", Default: "20", ofOne: true, Needs: []Need{History}, event: true, look: unusualMonth},
	{Name: "plan-missed", Tells: "tells of lines of the plan missed by LIMIT or more", Unit: Percent,
		Example: "10", Default: "10", ofOne: true, Needs: []Need{Plan, Cash, History}, event: true, look: planMissed},
	{Name: "overdue", Tells: "tells of customers who are late with more than LIMIT", Unit: Amount, Example: "10k",
		optional: true, tellsEach: "tells of each overdue invoice", ofOne: true, Needs: []Need{Receivables}, look: overdue},
	{Name: "bill-due", Tells: "tells LIMIT before a bill is due", Unit: Days, Example: "7", Default: "7", ofOne: true,
		Needs: []Need{Bills}, look: billDue},
	{Name: "silent-bank", Tells: "tells of balances older than LIMIT", Unit: Days, Example: "3", Default: "3",
		Needs: []Need{Balance, Books}, look: silentBank},
	{Name: "books-do-not-add-up", Tells: "tells of accounts that do not add up to their balances",
		Needs: []Need{Books}, look: doNotAddUp},
	{Name: "token-expires", Tells: "tells LIMIT before the token expires", Unit: Days, Example: "14", Default: "14",
		Needs: []Need{Token}, look: tokenExpires},
	{Name: "server-unreachable", Tells: "tells after LIMIT without an answer", Unit: Span, Example: "15m", Default: "15m",
		look: unreachable},
	{Name: unknownRule, Tells: "tells after LIMIT in which another alert's figure is unknown", Unit: Span,
		Example: "24h", Default: "24h", look: nothing},
}

// unknownRule is the rule about all other alerts. Without an alert of it, its default holds.
const unknownRule = "unknown"

// Rules returns all rules.
func Rules() []Rule { return slices.Clone(rules) }

// RuleNames returns the names of all rules.
func RuleNames() (names []string) {
	for _, r := range rules {
		names = append(names, r.Name)
	}
	return names
}

// NeedsOf returns what alerts need, each once.
func NeedsOf(all []*Alert) (need []Need) {
	for n := range needs {
		if slices.ContainsFunc(all, func(a *Alert) bool { return slices.Contains(a.Rule.Needs, n) }) {
			need = append(need, n)
		}
	}
	return need
}
