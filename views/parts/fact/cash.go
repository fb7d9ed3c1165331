package fact

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
)

// USD returns a labelled amount in USD cents.
func USD(t theme.Theme, label string, cents int64) Fact {
	return Fact{Label: label, Value: money.USD(cents), Short: money.Short(cents), Style: t.Text}
}

// Unknown returns a labelled figure that is not known; its value is a dash.
func Unknown(t theme.Theme, label string) Fact {
	return Fact{Label: label, Value: money.Dash, Style: t.Unknown}
}

// FromField returns the USD amount in a field of a record. If the amount is unknown, the value is a
// dash.
func FromField(t theme.Theme, f record.Field) Fact {
	cents, known := f.Amount.Minor()
	if !known {
		return Unknown(t, f.Label)
	}
	return USD(t, f.Label, cents)
}

// Balance returns the parts of a balance, the available one first.
func Balance(t theme.Theme, b *apiclient.Balance) []Fact {
	facts := make([]Fact, 0, 4)
	for _, f := range record.Balance(b) {
		facts = append(facts, FromField(t, f))
	}
	facts[0] = Available(t, b)
	return facts
}

// Available returns the available part of a balance. If b is nil, the value is a dash.
func Available(t theme.Theme, b *apiclient.Balance) Fact {
	f := FromField(t, record.Balance(b).Get("available_cents"))
	if b != nil {
		f.Style = t.Strong
	}
	return f
}

// CashOnHand returns the cash on hand of a cash position. It is marked if accounts are left out.
func CashOnHand(t theme.Theme, c *apiclient.CashPosition) Fact {
	f := FromField(t, record.CashPosition(c).Get("cash_cents"))
	f.Style = t.Strong
	if figures.CashWithout(c) != "" && f.Value != money.Dash {
		f.Value, f.Short = figures.Partial+f.Value, figures.Partial+f.Short
	}
	return f
}

// NetBurn returns the monthly net burn of a cash position. The value is "not burning" if money in
// exceeds money out, and a dash if the history is too short.
func NetBurn(t theme.Theme, c *apiclient.CashPosition) Fact {
	f := record.NetBurn(c)
	if f.Kind == record.KindText {
		return Fact{Label: f.Label, Value: f.Text(), Style: t.Good}
	}
	return FromField(t, f)
}

// Runway returns the number of months for which the cash lasts, followed by a rating such as
// "comfortable". Where amounts are hidden, it returns neither.
func Runway(t theme.Theme, c *apiclient.CashPosition) Fact {
	if c.RunwayMonths == nil {
		return Unknown(t, "Runway")
	}
	if t.Masked {
		return Fact{Label: "Runway", Value: mask.Dots + " months", Short: mask.Dots + " mo", Style: t.Text}
	}
	tenths := c.RunwayMonths.Tenths()
	return Fact{
		Label: "Runway", Value: c.RunwayMonths.String() + " months", Short: c.RunwayMonths.String() + " mo",
		After: t.RunwayWord(tenths), Style: t.Runway(tenths),
	}
}

// ZeroCash returns the estimated month in which the cash runs out. It is hidden with the amounts.
func ZeroCash(t theme.Theme, c *apiclient.CashPosition) Fact {
	const label = "Zero-cash (est.)"
	month := figures.ZeroMonth(c)
	if month == money.Dash {
		return Unknown(t, label)
	}
	if t.Masked {
		return Fact{Label: label, Value: mask.Dots, Style: t.Text}
	}
	f := Fact{Label: label, Value: month, Style: t.Runway(c.RunwayMonths.Tenths())}
	if _, ok := figures.ZeroDate(c.AsOf, *c.RunwayMonths); !ok {
		f.Short = "> 100 y"
	}
	return f
}

// Spendable returns the cash that the runway is computed from.
func Spendable(t theme.Theme, c *apiclient.CashPosition) Fact {
	return FromField(t, record.CashPosition(c).Get("runway_cash_cents"))
}

// CashMeaning returns one line that says what cash on hand includes, or nil if no wording fits into
// width cells.
func CashMeaning(t theme.Theme, width int) []string {
	return meaning(t, width, figures.CashMeaning, "all feeds, incl. held/locked", "incl. held/locked")
}

// SpendableMeaning returns one line that says what spendable cash excludes, or nil if no wording
// fits into width cells.
func SpendableMeaning(t theme.Theme, width int) []string {
	return meaning(t, width, figures.SpendableMeaning, "for the runway: excl. held/locked", "excl. held/locked")
}

// meaning returns the first of the wordings that fits into one line of width cells, or nil if none
// does.
func meaning(t theme.Theme, width int, wordings ...string) []string {
	const indent = "  "
	for _, text := range wordings {
		if termtext.Width(indent+text) <= width {
			return []string{t.Faint.Render(indent + text)}
		}
	}
	return nil
}

// Note returns the server's note about the runway, wrapped to width and cut to height lines. If the
// whole note does not fit, the first sentence is dropped, because it only repeats the runway.
func Note(t theme.Theme, c *apiclient.CashPosition, width, height int) []string {
	lines := Wrap(t, c.RunwayNote, width)
	if len(lines) > height && Caveat(c) != "" {
		lines = Wrap(t, Caveat(c), width)
	}
	return FirstLines(t, lines, height)
}

// Caveat returns the server's note about the runway without its first sentence, which only repeats
// the runway. It returns "" if the runway is unknown.
func Caveat(c *apiclient.CashPosition) string {
	if c.RunwayMonths == nil {
		return ""
	}
	_, rest, _ := strings.Cut(c.RunwayNote, ". ")
	return rest
}

// Excluded returns lines that explain the marks beside incomplete sums: how many transactions and
// receivables are left out because they have no USD rate. A sentence takes at most a sixth of
// height, its short form a quarter. Excluded returns nil if both numbers are 0 or neither fits.
func Excluded(t theme.Theme, width, height int, transactions, receivables int64) []string {
	sentence := figures.Excluded(transactions, receivables)
	if sentence == "" {
		return nil
	}
	const marks = figures.AtLeast + ", " + figures.Partial + ": "
	for _, c := range [...]struct {
		text string
		most int
	}{
		{figures.Legend + ": " + sentence, 1}, {marks + sentence, 1}, {marks + sentence, height / 6},
		{marks + figures.ExcludedShort(transactions+receivables), height / 4},
	} {
		if lines := Wrap(t, c.text, width); len(lines) <= min(c.most, height/4) {
			return lines
		}
	}
	return nil
}

// Explained returns the sentence of Excluded as one plain line for the clipboard, or nil if both
// numbers are 0.
func Explained(transactions, receivables int64) []string {
	text := figures.Excluded(transactions, receivables)
	if text == "" {
		return nil
	}
	return []string{figures.Legend + ": " + text}
}
