package fact

import (
	"regexp"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/mark"
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
	return Fact{
		Label: f.Label, Value: figures.Unmarked(f.Text()), Short: figures.Unmarked(f.Short()), Sign: f.Mark().Sign(),
		Style: t.Text,
	}
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
type Cash struct {
	OnHand, Runway, NetBurn, ZeroCash, Spendable, Held Fact
	Others                                             []Fact // figures without a field here, and held cash
}

// CashOf returns the facts of a cash position.
func CashOf(t theme.Theme, cash figures.Cash) Cash {
	o := record.CashPosition(cash)
	facts := Cash{
		OnHand: Of(t, o.Get("cash_cents")), NetBurn: Of(t, o.Get("monthly_burn_cents")),
		Spendable: Of(t, o.Get("runway_cash_cents")), Held: Of(t, o.Get("held_cents")),
		Runway: runway(t, o.Get("runway_months")), ZeroCash: hidden(t, Of(t, o.Get("zero_cash_month"))),
	}
	for _, f := range o.Listed("runway_cash_cents") {
		facts.Others = append(facts.Others, Of(t, f))
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
		f.Value, f.Short, f.Sign = mask.Dots, "", ""
	}
	return f
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

// Missing is what the figures of a page leave out.
type Missing struct {
	Transactions, Receivables int64 // without a rate to the currency
	Currency                  string
	Sentences                 []string // what else is to be said
}

// OfCash adds what the server's note about the runway leaves out, and, before all else, the
// questions on which net burn depends, because small pages cut the end. A number of transactions
// that the page counts itself is not repeated.
func (m *Missing) OfCash(c figures.Cash) {
	for _, sentence := range strings.SplitAfter(c.Caveat(), ". ") {
		sentence = strings.TrimSpace(sentence)
		if sentence != "" && (m.Transactions == 0 || !CountsUnrated(sentence)) {
			m.Sentences = append(m.Sentences, sentence)
		}
	}
	if open := c.Unanswered(); open != "" {
		m.Sentences = slices.Insert(m.Sentences, 0, open)
	}
}

// OfMonths adds the transactions of months that have no rate, and the days that no statement
// covers.
func (m *Missing) OfMonths(months []figures.Month) {
	m.Transactions = figures.Unconverted(months)
	if why := figures.WhyMissing(months); why != "" {
		m.Sentences = append(m.Sentences, why)
	}
}

// OfTotal adds what a total leaves out.
func (m *Missing) OfTotal(total figures.Total) {
	m.Transactions = max(m.Transactions, total.Excluded)
	total.Excluded = 0
	if why := total.Why(); why != "" {
		m.Sentences = append(m.Sentences, why)
	}
}

// CountsUnrated reports whether a sentence only counts transactions without a rate.
func CountsUnrated(sentence string) bool { return unrated.MatchString(sentence) }

// unrated matches the sentence of a note that counts transactions without a rate.
var unrated = regexp.MustCompile(`^[\d,]+ transactions? (?:has|have) no .*rate and (?:is|are) excluded\.$`)

// Lines returns the line at the bottom of a page that explains its marks: what is missing in its
// figures. It takes at most a sixth of height, or is shortened. Lines returns nil if nothing is
// missing.
func (m Missing) Lines(t theme.Theme, width, height int) []string {
	whole, short := m.texts()
	if whole == "" || height < 4 {
		return nil
	}
	if !m.marked() {
		return FirstLines(t, Wrap(t, whole, width), max(1, height/6))
	}
	lines := Wrap(t, mark.Sign+" "+whole, width)
	if len(lines) <= max(1, height/6) {
		return lines
	}
	if short != "" {
		if lines := Wrap(t, mark.Sign+" "+short, width); len(lines) <= max(1, height/4) {
			return lines
		}
	}
	return FirstLines(t, lines, height/6)
}

// marked reports whether a figure of the page leaves something out, and not only says how it was
// computed.
func (m Missing) marked() bool {
	return m.Transactions+m.Receivables > 0 ||
		slices.ContainsFunc(m.Sentences, func(s string) bool { return !converted.MatchString(s) })
}

// converted matches the sentence of a note that says with which rate an amount was converted.
var converted = regexp.MustCompile(`^[A-Z]{3} is converted at the rate of [\d-]+\.$`)

// texts returns what is missing, and a shorter form, which may be "".
func (m Missing) texts() (whole, short string) {
	if rows := figures.Excluded(m.Transactions, m.Receivables, m.Currency); rows != "" {
		what, _, _ := strings.Cut(rows, " and is excluded.")
		what, _, _ = strings.Cut(what, " and are excluded.")
		what = strings.NewReplacer(" has no ", " that has no ", " have no ", " that have no ").Replace(what)
		whole = "without " + what
		if len(m.Sentences) > 0 {
			whole += ". "
		}
		short = figures.ExcludedShort(m.Transactions+m.Receivables, m.Currency)
	}
	return whole + strings.Join(m.Sentences, " "), short
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
