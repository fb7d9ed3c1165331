package fact

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
)

// USD returns a figure in USD cents.
func USD(t theme.Theme, label string, cents int64) Fact {
	return Fact{Label: label, Value: money.USD(cents), Short: money.Short(cents), Style: t.Text}
}

// Unknown returns a dash for an unknown figure.
func Unknown(t theme.Theme, label string) Fact {
	return Fact{Label: label, Value: money.Dash, Style: t.Unknown}
}

// Of returns a record's field in USD.
func Of(t theme.Theme, f record.Field) Fact {
	cents, known := f.Amount.Minor()
	if !known {
		return Unknown(t, f.Label)
	}
	return USD(t, f.Label, cents)
}

// Balance returns an account's balance and the available part of it.
func Balance(t theme.Theme, b *apiclient.Balance) []Fact {
	facts := make([]Fact, 0, 4)
	for _, f := range record.Balance(b) {
		facts = append(facts, Of(t, f))
	}
	facts[0] = Available(t, b)
	return facts
}

// Available returns the available part of a balance; nil is an unknown balance.
func Available(t theme.Theme, b *apiclient.Balance) Fact {
	f := Of(t, record.Balance(b).Get("available_cents"))
	if b != nil {
		f.Style = t.Strong
	}
	return f
}

// CashOnHand returns the cash on hand of a position.
func CashOnHand(t theme.Theme, c *apiclient.CashPosition) Fact {
	f := Of(t, record.CashPosition(c).Get("cash_cents"))
	f.Style = t.Strong
	return f
}

// NetBurn returns the monthly net burn. It says so if the company is not burning, and is unknown
// without enough history.
func NetBurn(t theme.Theme, c *apiclient.CashPosition) Fact {
	f := record.NetBurn(c)
	if f.Kind == record.KindText {
		return Fact{Label: f.Label, Value: f.Text(), Style: t.Good}
	}
	return Of(t, f)
}

// Runway returns the months that the cash lasts, with a one-word rating.
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

// ZeroCash returns the estimated month in which the cash runs out.
func ZeroCash(t theme.Theme, c *apiclient.CashPosition) Fact {
	const label = "Zero-cash (est.)"
	month := figures.ZeroMonth(c)
	if month == money.Dash {
		return Unknown(t, label)
	}
	f := Fact{Label: label, Value: month, Style: t.Runway(c.RunwayMonths.Tenths())}
	if _, ok := figures.ZeroDate(c.AsOf, *c.RunwayMonths); !ok {
		f.Short = "> 100 y"
	}
	return f
}

// Spendable returns the cash that the runway is computed from.
func Spendable(t theme.Theme, c *apiclient.CashPosition) Fact {
	return Of(t, record.CashPosition(c).Get("runway_cash_cents"))
}

// CashMeaning returns a line that says what cash on hand includes, or nil if it does not fit.
func CashMeaning(t theme.Theme, width int) []string {
	return meaning(t, width, figures.CashMeaning, "all feeds, incl. held/locked", "incl. held/locked")
}

// SpendableMeaning returns a line that says what spendable cash includes, or nil if it does not
// fit.
func SpendableMeaning(t theme.Theme, width int) []string {
	return meaning(t, width, figures.SpendableMeaning, "for the runway: excl. held/locked", "excl. held/locked")
}

// meaning returns the first text that fits into one line, or nil.
func meaning(t theme.Theme, width int, ways ...string) []string {
	const indent = "  "
	for _, text := range ways {
		if termtext.Width(indent+text) <= width {
			return []string{t.Faint.Render(indent + text)}
		}
	}
	return nil
}

// Note returns the server's runway note wrapped to at most height lines. If it does not fit and a
// runway exists, Note drops the first sentence, which only repeats the runway.
func Note(t theme.Theme, c *apiclient.CashPosition, width, height int) []string {
	lines := Wrap(t, c.RunwayNote, width)
	if len(lines) > height && Caveat(c) != "" {
		lines = Wrap(t, Caveat(c), width)
	}
	return Within(t, lines, height)
}

// Caveat returns the server's note without its first sentence, or "" if there is no runway.
func Caveat(c *apiclient.CashPosition) string {
	if c.RunwayMonths == nil {
		return ""
	}
	_, rest, _ := strings.Cut(c.RunwayNote, ". ")
	return rest
}

// Excluded explains the marks of a page: how many transactions and receivables have no USD rate. It
// takes at most a quarter of the height. It returns nil if there are no such rows or the text does
// not fit.
func Excluded(t theme.Theme, width, height int, transactions, receivables int64) []string {
	sentence := figures.Excluded(transactions, receivables)
	if sentence == "" {
		return nil
	}
	const marks = figures.AtLeast + " " + figures.Partial + " "
	for _, c := range [...]struct {
		text string
		most int
	}{
		{figures.Legend + ": " + sentence, 1}, {marks + sentence, 1}, {marks + sentence, height / 4},
		{marks + figures.ExcludedShort(transactions+receivables), height / 4},
	} {
		if lines := Wrap(t, c.text, width); len(lines) <= min(c.most, height/4) {
			return lines
		}
	}
	return nil
}

// Explained returns the explanation as plain text for the clipboard, or nil if there is nothing to
// explain.
func Explained(transactions, receivables int64) []string {
	text := figures.Excluded(transactions, receivables)
	if text == "" {
		return nil
	}
	return []string{figures.Legend + ": " + text}
}
