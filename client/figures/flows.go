package figures

import (
	"tarmac/apiclient"
	"tarmac/internal/money"
)

// Flows holds the money in, the money out and the difference of both.
type Flows struct{ In, Out, Net Total }

// FlowsOf returns the totals of a summary. They leave out transactions without an exchange rate. If
// no transaction has a rate, all three are unknown. direction is the direction by which the
// summarized listing is filtered; "" means both. A listing with a filter has no transactions in the
// other direction, so the total of that direction is complete.
func FlowsOf(s apiclient.Summary, direction apiclient.Direction) Flows {
	left := s.UnconvertedCount
	none := left > 0 && left >= s.Count && s.InflowMinor == 0 && s.OutflowMinor == 0 && s.NetMinor == 0
	flows := Flows{
		In:  Total{Minor: s.InflowMinor, Currency: s.Currency, Excluded: left, Unknown: none},
		Out: Total{Minor: s.OutflowMinor, Currency: s.Currency, Excluded: left, Unknown: none},
		Net: Total{Minor: s.NetMinor, Currency: s.Currency, Kind: Net, Excluded: left, Unknown: none},
	}
	switch direction {
	case apiclient.Inflow:
		flows.Out = Total{Minor: s.OutflowMinor, Currency: s.Currency}
	case apiclient.Outflow:
		flows.In = Total{Minor: s.InflowMinor, Currency: s.Currency}
	}
	return flows
}

// Texts returns money in, money out and net as text.
func (f Flows) Texts() [3]string { return [...]string{f.In.String(), f.Out.String(), f.Net.String()} }

// Short returns money in, money out and net as text: in one unit, in which none of them has more
// than the given number of whole digits, and with one number of decimals. As shown, money in less
// money out is the net. If the totals themselves do not add up, each is written for itself.
func (f Flows) Short(whole int) [3]string {
	scale, to := money.ScaleOf(f.largest(), f.Net.Currency, whole, 4), f
	if !RoundToAddUp(scale, &to.Net, Term{Total: &to.In}, Term{Total: &to.Out, Less: true}) {
		return [...]string{f.In.Short(), f.Out.Short(), f.Net.Short()}
	}
	return [...]string{f.In.shown(to.In.Minor, scale), f.Out.shown(to.Out.Minor, scale), f.Net.shown(to.Net.Minor, scale)}
}

// largest returns the largest of the totals, or the smallest if that is farther from zero.
func (f Flows) largest() (minor int64) {
	for _, t := range [...]Total{f.In, f.Out, f.Net} {
		if magnitude(t.Minor) > magnitude(minor) {
			minor = t.Minor
		}
	}
	return minor
}

// shown returns the text of the total in a scale. rounded is the total after rounding. If that is
// zero, the text is "less than the last place", unless the total itself is zero or a lower bound.
func (s Total) shown(rounded int64, scale money.Scale) string {
	return s.write(func(minor int64, currency string) string {
		switch {
		case rounded != 0:
			return scale.With(rounded)
		case minor == 0, s.Mark() == AtLeast:
			return money.Short(0, currency)
		case minor < 0:
			return "-<" + scale.With(scale.Place())
		}
		return "<" + scale.With(scale.Place())
	})
}
