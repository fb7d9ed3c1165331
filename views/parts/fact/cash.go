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

// Unknown returns a figure that nobody knows.
func Unknown(t theme.Theme, label string) Fact {
	return Fact{Label: label, Value: money.Dash, Style: t.Unknown}
}

// Of returns a field of a record in USD.
func Of(t theme.Theme, f record.Field) Fact {
	cents, known := f.Amount.Minor()
	if !known {
		return Unknown(t, f.Label)
	}
	return USD(t, f.Label, cents)
}

// Balance returns what an account holds, and of it what can be spent.
func Balance(t theme.Theme, b *apiclient.Balance) []Fact {
	facts := make([]Fact, 0, 4)
	for _, f := range record.Balance(b) {
		facts = append(facts, Of(t, f))
	}
	facts[0] = Available(t, b)
	return facts
}

// Available returns what of a balance can be spent; nil is a balance that nobody knows.
func Available(t theme.Theme, b *apiclient.Balance) Fact {
	f := Of(t, record.Balance(b).Get("available_cents"))
	if b != nil {
		f.Style = t.Strong
	}
	return f
}

// CashOnHand returns the cash of a position.
func CashOnHand(t theme.Theme, c *apiclient.CashPosition) Fact {
	f := Of(t, record.CashPosition(c).Get("cash_cents"))
	f.Style = t.Strong
	return f
}

// NetBurn returns the net burn a month. Not burning is a fact of its own; without
// enough history it is unknown, whatever the figure beside it.
func NetBurn(t theme.Theme, c *apiclient.CashPosition) Fact {
	f := record.CashPosition(c).Get("monthly_burn_cents")
	switch {
	case !c.Sufficient:
		return Unknown(t, f.Label)
	case !c.IsBurning:
		return Fact{Label: f.Label, Value: "not burning", Style: t.Good}
	}
	return Of(t, f)
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

// Spendable returns what the runway is computed from.
func Spendable(t theme.Theme, c *apiclient.CashPosition) Fact {
	return Of(t, record.CashPosition(c).Get("runway_cash_cents"))
}

// CashMeaning says below cash on hand what that counts, in a line; none where it does not
// fit.
func CashMeaning(t theme.Theme, width int) []string {
	return meaning(t, width, figures.CashMeans, "all feeds, incl. held/locked", "incl. held/locked")
}

// SpendableMeaning is CashMeaning for what is spendable.
func SpendableMeaning(t theme.Theme, width int) []string {
	return meaning(t, width, figures.SpendableMeans, "for the runway: excl. held/locked", "excl. held/locked")
}

// meaning takes the first of some ways to say it that fits.
func meaning(t theme.Theme, width int, ways ...string) []string {
	const indent = "  "
	for _, text := range ways {
		if termtext.Width(indent+text) <= width {
			return []string{t.Faint.Render(indent + text)}
		}
	}
	return nil
}

// Note returns the server's words on the runway, wrapped to at most so many lines. Where
// they do not fit, the first sentence gives way if there is a runway: it says that again,
// and those after it say what the figures leave out.
func Note(t theme.Theme, c *apiclient.CashPosition, width, height int) []string {
	lines := Wrap(t, c.RunwayNote, width)
	if len(lines) > height && Caveat(c) != "" {
		lines = Wrap(t, Caveat(c), width)
	}
	return Within(t, lines, height)
}

// Caveat returns what the server's words say beside the runway itself: "" where there is
// no runway, or nothing more.
func Caveat(c *apiclient.CashPosition) string {
	if c.RunwayMonths == nil {
		return ""
	}
	_, rest, _ := strings.Cut(c.RunwayNote, ". ")
	return rest
}

// Excluded explains the marks on a page of a size: how many transactions and receivables
// have no USD rate. It takes a quarter of the lines at most, and is nil where there are
// no such rows or it does not fit.
func Excluded(t theme.Theme, width, height int, transactions, receivables int64) []string {
	sentence := figures.Excluded(transactions, receivables)
	if sentence == "" {
		return nil
	}
	const marks = figures.AtLeast + " " + figures.Partial + " "
	for _, c := range [...]struct {
		text string
		most int
	}{{figures.Legend + ": " + sentence, 1}, {marks + sentence, 1}, {marks + sentence, height / 4}, {marks + figures.ExcludedShort(transactions+receivables), height / 4}} {
		if lines := Wrap(t, c.text, width); len(lines) <= min(c.most, height/4) {
			return lines
		}
	}
	return nil
}

// Explained is the explanation as plain text, for the clipboard; none where there is
// nothing to explain.
func Explained(transactions, receivables int64) []string {
	text := figures.Excluded(transactions, receivables)
	if text == "" {
		return nil
	}
	return []string{figures.Legend + ": " + text}
}
