package runway

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/views/parts/fact"
)

// text returns the page as plain text for the clipboard: the labelled figures with their dates, and
// what the plan comes to, labelled as hypothetical.
func (s *Screen) text() string {
	shown := *s
	shown.theme.Masked = false // a question precedes the copy
	s = &shown
	now, cash := s.env.Now(), s.data.Cash.State()
	read, asOf := s.data.Months.LoadedAt(), ""
	c, ok := s.data.CashFigures()
	if ok {
		asOf = fact.WithDate("as of", &c.Position.AsOf)
	}
	sections := []string{fact.Section("Runway", asOf, cash, "", now, func() []string {
		lines := fact.TextLines(s.facts())
		if note := c.Note(); note != "" {
			lines = append(lines, note)
		}
		return lines
	})}
	if s.comparing() {
		sections = append(sections, fact.Section("Plan (hypothetical)", asOf, cash, "", now, func() []string {
			return append(fact.TextLines(s.compareFacts()), s.outcome.Decision.Text)
		}))
	}
	sections = append(sections, fact.Section(
		figures.InCurrency("Months", s.data.Currency()), fact.WithDate("updated", &read), s.data.Months.State(), noMonths,
		now, s.monthLines,
	))
	return strings.Join(sections, "\n")
}

func (s *Screen) monthLines() []string {
	months := s.data.MonthFigures()
	rows := s.monthRows(months)
	var lines []string
	for _, row := range rows[1:] {
		var parts []string
		for i, value := range row[1:] {
			if value != "" {
				parts = append(parts, strings.ToLower(rows[0][i+1])+" "+value)
			}
		}
		lines = append(lines, row[0]+": "+strings.Join(parts, ", "))
	}
	return append(lines, fact.Explained(figures.Unconverted(months), 0, s.data.Currency())...)
}
