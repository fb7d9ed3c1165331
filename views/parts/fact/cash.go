package fact

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
)

// Unknown returns a labelled figure that is not known; its value is a dash.
func Unknown(t theme.Theme, label string) Fact {
	return Fact{Label: label, Value: money.Dash, Style: t.Unknown}
}

// Of returns a field of a record as a fact: with its mark, or as a dash if it is unknown.
func Of(t theme.Theme, f record.Field) Fact {
	if !f.Known() {
		return Unknown(t, f.Label)
	}
	return Fact{Label: f.Label, Value: f.Text(), Short: f.Short(), Style: t.Text}
}

// Balance returns the parts of an account's balance, the available one first.
func Balance(t theme.Theme, a *apiclient.Account) []Fact {
	facts := make([]Fact, 0, 4)
	for _, f := range record.Balance(a) {
		facts = append(facts, Of(t, f))
	}
	facts[0] = Available(t, a)
	return facts
}

// Available returns the available part of an account's balance. Without one, the value is a dash.
func Available(t theme.Theme, a *apiclient.Account) Fact {
	f := Of(t, record.Balance(a).Get("available_cents"))
	if a.Balance != nil {
		f.Style = t.Strong
	}
	return f
}

// Cash holds the facts of a cash position, in the order of their importance.
type Cash struct{ OnHand, Runway, NetBurn, ZeroCash, Spendable Fact }

// CashOf returns the facts of a cash position.
func CashOf(t theme.Theme, cash figures.Cash) Cash {
	o := record.CashPosition(cash)
	facts := Cash{
		OnHand: Of(t, o.Get("cash_cents")), NetBurn: Of(t, o.Get("monthly_burn_cents")),
		Spendable: Of(t, o.Get("runway_cash_cents")),
		Runway:    runway(t, o.Get("runway_months")), ZeroCash: hidden(t, Of(t, o.Get("zero_cash_month"))),
	}
	facts.OnHand.Style = t.Strong
	if cash.Burning == figures.NotBurning {
		facts.NetBurn.Style = t.Good
	}
	if cash.Runway == nil {
		return facts
	}
	facts.Runway.Style = t.Runway(cash.Runway.Tenths())
	if facts.ZeroCash.Value != money.Dash {
		facts.ZeroCash.Style = facts.Runway.Style
	}
	if t.Masked {
		facts.Runway.Style, facts.ZeroCash.Style = t.Text, t.Text
		return facts
	}
	facts.Runway.After = t.RunwayWord(cash.Runway.Tenths())
	if _, ok := cash.ZeroDay(); !ok && facts.ZeroCash.Value != money.Dash {
		facts.ZeroCash.Short = "> 100 y"
	}
	return facts
}

// runway returns the number of months for which the cash lasts.
func runway(t theme.Theme, f record.Field) Fact {
	fact := hidden(t, Of(t, f))
	fact.Label = "Runway"
	if f.Known() {
		fact.Value, fact.Short = fact.Value+" months", fact.Value+" mo"
	}
	return fact
}

// hidden returns a fact whose known value is hidden where amounts are.
func hidden(t theme.Theme, f Fact) Fact {
	if t.Masked && f.Value != money.Dash {
		f.Value, f.Short = mask.Dots, ""
	}
	return f
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
func Note(t theme.Theme, cash figures.Cash, width, height int) []string {
	lines := Wrap(t, cash.Note(), width)
	if len(lines) > height && cash.Caveat() != "" {
		lines = Wrap(t, cash.Caveat(), width)
	}
	return FirstLines(t, lines, height)
}

// Excluded returns lines that explain the marks beside incomplete sums: how many transactions and
// receivables are left out because they have no rate to the currency. A sentence takes at most a
// sixth of height, its short form a quarter. Excluded returns nil if both numbers are 0 or neither
// fits.
func Excluded(t theme.Theme, width, height int, transactions, receivables int64, currency string) []string {
	return explained(t, width, height, figures.Excluded(transactions, receivables, currency),
		figures.ExcludedShort(transactions+receivables, currency))
}

// LeftOut returns lines like those of Excluded, about what a total leaves out.
func LeftOut(t theme.Theme, width, height int, total figures.Total) []string {
	return explained(t, width, height, total.Why(), total.WhyShort())
}

// Unanswered returns lines about the questions on which net burn and runway depend. They take at
// most a tenth of height, the short form one line. It returns nil without such questions.
func Unanswered(t theme.Theme, cash figures.Cash, width, height int) []string {
	if cash.Unanswered() == "" {
		return nil
	}
	mark := figures.Unanswered.Sign() + ": "
	if lines := Wrap(t, mark+cash.Unanswered(), width); len(lines) <= height/10 {
		return lines
	}
	return FirstLines(t, Wrap(t, mark+cash.UnansweredShort(), width), min(1, height/10))
}

// explained returns lines with the marks and a sentence, or its short form.
func explained(t theme.Theme, width, height int, sentence, short string) []string {
	if sentence == "" {
		return nil
	}
	marks := figures.AtLeast.Sign() + ", " + figures.Partial.Sign() + ": "
	for _, c := range [...]struct {
		text string
		most int
	}{
		{figures.Legend + ": " + sentence, 1}, {marks + sentence, 1}, {marks + sentence, height / 6},
		{marks + short, height / 4},
	} {
		if lines := Wrap(t, c.text, width); len(lines) <= min(c.most, height/4) {
			return lines
		}
	}
	return nil
}

// Explained returns the sentence of Excluded as one plain line for the clipboard, or nil if both
// numbers are 0.
func Explained(transactions, receivables int64, currency string) []string {
	text := figures.Excluded(transactions, receivables, currency)
	if text == "" {
		return nil
	}
	return []string{figures.Legend + ": " + text}
}
