package fact

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/theme"
)

// USD returns a figure in USD cents.
func USD(t theme.Theme, label string, cents int64) Fact {
	return Fact{Label: label, Value: money.USD(cents), Short: money.Short(cents), Style: t.Text}
}

// OptionalUSD returns a figure in USD cents that the server may not have said: the
// dash then.
func OptionalUSD(t theme.Theme, label string, cents *int64) Fact {
	if cents == nil {
		return Unknown(t, label)
	}
	return USD(t, label, *cents)
}

// Unknown returns a figure that nobody knows.
func Unknown(t theme.Theme, label string) Fact {
	return Fact{Label: label, Value: money.Dash, Style: t.Unknown}
}

// Balance returns what an account holds, and of it what can be spent.
func Balance(t theme.Theme, b *apiclient.Balance) []Fact {
	available := USD(t, "Available", b.AvailableCents)
	available.Style = t.Strong
	return []Fact{
		available, USD(t, "Holding", b.HoldingCents), USD(t, "Locked", b.LockedCents), USD(t, "Pending", b.PendingCents),
	}
}

// CashOnHand returns the cash of a position.
func CashOnHand(t theme.Theme, c *apiclient.CashPosition) Fact {
	f := USD(t, "Cash on hand", c.CashCents)
	f.Style = t.Strong
	return f
}

// NetBurn returns the net burn a month. Not burning is a fact of its own; without
// enough history it is unknown, whatever the figure beside it.
func NetBurn(t theme.Theme, c *apiclient.CashPosition) Fact {
	const label = "Net burn / mo"
	switch {
	case !c.Sufficient:
		return Unknown(t, label)
	case !c.IsBurning:
		return Fact{Label: label, Value: "not burning", Style: t.Good}
	}
	return USD(t, label, c.MonthlyBurnCents)
}

// Runway returns the months that the cash lasts, with what that means in a word.
func Runway(t theme.Theme, c *apiclient.CashPosition) Fact {
	if c.RunwayMonths == nil {
		return Unknown(t, "Runway")
	}
	tenths := c.RunwayMonths.Tenths()
	return Fact{
		Label: "Runway", Value: c.RunwayMonths.String() + " months", Short: c.RunwayMonths.String() + " mo",
		After: t.RunwayWord(tenths), Style: t.Runway(tenths),
	}
}

// ZeroCash returns the month in which the cash is gone, an estimate.
func ZeroCash(t theme.Theme, c *apiclient.CashPosition) Fact {
	const label = "Zero-cash (est.)"
	if c.RunwayMonths == nil {
		return Unknown(t, label)
	}
	f := Fact{Label: label, Value: "over 100 years away", Short: "> 100 y", Style: t.Runway(c.RunwayMonths.Tenths())}
	if day, ok := figures.ZeroDate(c.AsOf, *c.RunwayMonths); ok {
		f.Value, f.Short = figures.YearMonth(day), ""
	}
	return f
}

// Spendable returns what the runway is computed from.
func Spendable(t theme.Theme, c *apiclient.CashPosition) Fact {
	return OptionalUSD(t, "Spendable", c.RunwayCashCents)
}

// Note returns the server's words on the runway, wrapped.
func Note(t theme.Theme, c *apiclient.CashPosition, width int) []string {
	return Wrap(t, c.RunwayNote, width)
}
