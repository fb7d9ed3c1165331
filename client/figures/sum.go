package figures

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Marks before totals that leave out rows without a USD rate.
const (
	AtLeast = "≥" // the excluded rows can only increase the total
	Partial = "~" // the excluded rows may increase or decrease the total
)

// Legend explains the marks.
const Legend = AtLeast + " at least, " + Partial + " partial"

// Kind tells what a total adds up, and so how excluded rows could change it.
type Kind int

// The kinds of totals.
const (
	Gross   Kind = iota // a sum of magnitudes, such as inflow: more rows increase it
	Net                 // a difference, printed with its sign
	Balance             // a balance at the end of a month
)

// Total is a total of USD cents and the number of rows that it excludes because they have no USD
// rate. Unknown is set if the server did not send the total or every row is excluded.
type Total struct {
	Cents    int64
	Kind     Kind
	Excluded int64
	Unknown  bool
}

// Mark returns the mark before the total: AtLeast, Partial, or "" for a complete or unknown total.
func (s Total) Mark() string {
	switch {
	case s.Excluded <= 0 || s.Unknown:
		return ""
	case s.Kind == Gross:
		return AtLeast
	}
	return Partial
}

// String returns the total with its mark: "$1.00", "≥$1.00", "~+$1.00", or a dash if unknown.
func (s Total) String() string { return s.write(money.USD) }

// Short returns a shorter form, such as "≥$12.4k". It rounds lower bounds down.
func (s Total) Short() string {
	if s.Mark() == AtLeast {
		return s.write(money.ShortDown)
	}
	return s.write(money.Short)
}

func (s Total) write(format func(int64) string) string {
	switch {
	case s.Unknown:
		return money.Dash
	case s.Kind == Net && s.Cents > 0:
		return s.Mark() + "+" + format(s.Cents)
	}
	return s.Mark() + format(s.Cents)
}

// Flows is money in, money out and the difference.
type Flows struct{ In, Out, Net Total }

// FlowsOf returns the totals of a summary, which exclude transactions without a USD rate. All three
// are unknown if no transaction has a rate. of is the direction that the listing is filtered
// by, or "". With a filter the other direction has no transactions, so its total is complete.
func FlowsOf(s apiclient.Summary, of apiclient.Direction) Flows {
	left := s.UnconvertedCount
	none := left > 0 && left >= s.Count && s.InflowUSDCents == 0 && s.OutflowUSDCents == 0 && s.NetUSDCents == 0
	flows := Flows{
		In:  Total{Cents: s.InflowUSDCents, Excluded: left, Unknown: none},
		Out: Total{Cents: s.OutflowUSDCents, Excluded: left, Unknown: none},
		Net: Total{Cents: s.NetUSDCents, Kind: Net, Excluded: left, Unknown: none},
	}
	switch of {
	case apiclient.Inflow:
		flows.Out = Total{Cents: s.OutflowUSDCents}
	case apiclient.Outflow:
		flows.In = Total{Cents: s.InflowUSDCents}
	}
	return flows
}

// Excluded returns a sentence about the number of excluded rows, such as "2 transactions
// have no USD rate and are excluded.", or "" for none.
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

// ExcludedShort returns a short form of Excluded: "2 without USD rate".
func ExcludedShort(rows int64) string {
	if rows <= 0 {
		return ""
	}
	return money.Count(rows) + " without USD rate"
}
