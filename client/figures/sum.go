package figures

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// The marks before a sum that leaves rows out because they have no USD rate.
const (
	AtLeast = "≥" // the rows left out can only add to it
	Partial = "~" // they may make it more or less
)

// Legend explains the marks.
const Legend = AtLeast + " at least, " + Partial + " partial"

// Kind is what a sum is, and therefore what rows that are left out of it may do to it.
type Kind int

// The kinds of sums.
const (
	Total   Kind = iota // a magnitude, such as money in: more rows make it more
	Net                 // a difference, written with its sign
	Closing             // a balance at the end of a month
)

// Sum is a sum of USD cents and the number of rows that it leaves out. Unknown is one of
// which nothing is known: the server did not give it, or every row is left out of it.
type Sum struct {
	Cents    int64
	Kind     Kind
	Excluded int64
	Unknown  bool
}

// Mark returns what stands before the sum: AtLeast, Partial, or "" for one that leaves
// nothing out.
func (s Sum) Mark() string {
	switch {
	case s.Excluded <= 0 || s.Unknown:
		return ""
	case s.Kind == Total:
		return AtLeast
	}
	return Partial
}

// String writes the sum: "$1.00", "≥$1.00", "~+$1.00", or a dash.
func (s Sum) String() string { return s.write(money.USD) }

// Short writes the sum for where there is little room: "≥$12.4k". A lower bound is
// rounded down.
func (s Sum) Short() string {
	if s.Mark() == AtLeast {
		return s.write(money.ShortDown)
	}
	return s.write(money.Short)
}

func (s Sum) write(format func(int64) string) string {
	switch {
	case s.Unknown:
		return money.Dash
	case s.Kind == Net && s.Cents > 0:
		return s.Mark() + "+" + format(s.Cents)
	}
	return s.Mark() + format(s.Cents)
}

// Flows are the money that came in and went out, and the difference.
type Flows struct{ In, Out, Net Sum }

// FlowsOf returns the sums of a ledger summary, which leave out the rows without a USD
// rate. All three are unknown where there are no other rows. Of rows of one direction the
// sum of the other leaves nothing out; of is "" for rows of both.
func FlowsOf(s apiclient.Summary, of apiclient.Direction) Flows {
	left := s.UnconvertedCount
	none := left > 0 && left >= s.Count && s.InflowUSDCents == 0 && s.OutflowUSDCents == 0 && s.NetUSDCents == 0
	flows := Flows{
		In:  Sum{Cents: s.InflowUSDCents, Excluded: left, Unknown: none},
		Out: Sum{Cents: s.OutflowUSDCents, Excluded: left, Unknown: none},
		Net: Sum{Cents: s.NetUSDCents, Kind: Net, Excluded: left, Unknown: none},
	}
	switch of {
	case apiclient.Inflow:
		flows.Out = Sum{Cents: s.OutflowUSDCents}
	case apiclient.Outflow:
		flows.In = Sum{Cents: s.InflowUSDCents}
	}
	return flows
}

// Excluded says how many transactions and receivables are in no sum: "2 transactions
// have no USD rate and are excluded."; "" where there are none.
func Excluded(transactions, receivables int64) string {
	var parts []string
	for _, part := range [...]struct {
		n    int64
		noun string
	}{{transactions, "transaction"}, {receivables, "receivable"}} {
		if part.n > 0 {
			parts = append(parts, plural.Count(part.n, part.noun))
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case transactions+receivables == 1:
		return parts[0] + " has no USD rate and is excluded."
	}
	return strings.Join(parts, " and ") + " have no USD rate and are excluded."
}

// ExcludedShort is Excluded for where there is little room: "2 without USD rate".
func ExcludedShort(rows int64) string {
	if rows <= 0 {
		return ""
	}
	return money.Count(rows) + " without USD rate"
}
