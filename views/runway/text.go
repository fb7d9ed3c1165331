package runway

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/theme"
	"tarmac/views/parts/fact"
)

// text returns the page as plain text for the clipboard: the figures with labels and dates, and the
// results of the plan, labelled as hypothetical.
func (s *Screen) text() string {
	defer func(t theme.Theme) { s.Theme = t }(s.Theme)
	s.Theme.Masked = false // the user was asked
	now, cash := s.Now(), s.Snapshot.Cash.State()
	read, asOf := s.Snapshot.Months.LoadedAt(), ""
	c, ok := s.Snapshot.CashFigures()
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
		figures.InCurrency("Months", s.Snapshot.Currency()), fact.WithDate("updated", &read), s.Snapshot.Months.State(),
		noMonths, now, s.monthLines,
	))
	return strings.Join(sections, "\n")
}

func (s *Screen) monthLines() []string {
	months := s.Snapshot.MonthFigures()
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
	return append(lines, fact.Explained(figures.Unconverted(months), 0, s.Snapshot.Currency())...)
}
