package plan

import (
	"fmt"
	"strconv"
	"strings"

	"tarmac/internal/money"
)

// String returns the plan as a text that Parse reads, without comments.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan from %s in %s\n", p.First.String()[:7], p.Currency)
	for _, l := range p.Lines {
		b.WriteString(l.Text(p) + "\n")
	}
	return b.String()
}

// Text returns the line of a plan in its standard form: with years, and with whole amounts.
func (l *Line) Text(p *Plan) string {
	var b strings.Builder
	if l.Case != "" {
		b.WriteString("case " + quote(l.Case) + ": ")
	}
	b.WriteString(string(l.Kind))
	if l.Kind == Burn {
		fmt.Fprintf(&b, " %+d%%", l.Percent)
		if l.From != p.First {
			b.WriteString(" from " + l.From.String()[:7])
		}
		return b.String()
	}
	if l.Kind == Hire && l.Count != 1 {
		b.WriteString(" " + strconv.FormatInt(l.Count, 10))
	}
	if l.Name != "" {
		b.WriteString(" " + quote(l.Name))
	}
	if l.Kind != Overdue {
		b.WriteString(" " + l.amountText(p))
	}
	b.WriteString(l.times(p))
	if l.In != "" {
		b.WriteString(" in " + quote(l.In))
	}
	for i, name := range l.Names {
		b.WriteString([...]string{": ", ", "}[min(i, 1)] + nameText(name))
	}
	if l.Takes.Count > 0 {
		fmt.Fprintf(&b, ", takes %s", l.Takes)
	}
	if !l.Since.IsZero() {
		fmt.Fprintf(&b, ", since %s as %s", l.Since, quote(l.As))
	}
	return b.String()
}

// String returns the span, such as "10 weeks".
func (s Span) String() string {
	if s.Count == 1 {
		return "1 " + s.Unit
	}
	return strconv.Itoa(s.Count) + " " + s.Unit + "s"
}

func (l *Line) amountText(p *Plan) string {
	text := money.Format(l.Amount.Minor, l.Amount.Currency)
	if one := money.One(l.Amount.Currency); l.Amount.Minor%one == 0 {
		text, _, _ = strings.Cut(text, ".")
	}
	if l.Amount.Currency != p.Currency {
		text += " " + l.Amount.Currency
	}
	return text + [...]string{Once: "", Weekly: "/week", Monthly: "/month", Quarterly: " every quarter",
		Yearly: " every year"}[l.Rhythm]
}

// times says on which days and in which months the amount comes.
func (l *Line) times(p *Plan) string {
	var b strings.Builder
	switch {
	case !l.On.IsZero():
		b.WriteString(" on " + l.On.String())
	case l.Weekday != nil:
		b.WriteString(" on " + l.Weekday.String())
	}
	for i, day := range l.Days {
		text := strconv.Itoa(day)
		if day == Last {
			text = "last"
		}
		b.WriteString([...]string{" on ", " and "}[min(i, 1)] + text)
	}
	if l.On.IsZero() && l.IsCash() {
		if l.From != p.First {
			b.WriteString(" from " + l.From.String()[:7])
		}
		if !l.To.IsZero() {
			b.WriteString(" to " + l.To.String()[:7])
		}
	}
	return b.String()
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// nameText returns a counterparty as Parse reads it.
func nameText(name string) string {
	s, err := scan(1, name)
	plain := err == nil && len(s.tokens) > 0
	var words []string
	if plain {
		for i, t := range s.tokens {
			word := strings.ToLower(t.text)
			plain = plain && !t.quoted && t.text != "," && (i > 0 || word != "since" && word != "takes")
			words = append(words, t.text)
		}
	}
	if plain && strings.Join(words, " ") == name {
		return name
	}
	return quote(name)
}
