package books

import (
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/views/parts/table"
)

// monthFields returns what the months of an account come to, in columns if the pane has the width
// for them.
func (s *Screen) monthFields(a *ownbooks.Account) []table.Field {
	if len(a.Months) == 0 {
		return nil
	}
	facts := make([]ownbooks.Fact, len(a.Months))
	bare := func(minor int64, currency string) string {
		return strings.TrimSuffix(s.amount(minor, currency), " "+currency)
	}
	head := ownbooks.AccountMonthColumns
	rows := [][5]string{head}
	for i := range a.Months {
		facts[i] = a.Months[i].Fact(a.Currency, s.amount)
		rows = append(rows, a.Months[i].Cells(a.Currency, bare))
	}
	var widths [5]int
	for _, row := range rows {
		for column, cell := range row {
			widths[column] = max(widths[column], termtext.Width(cell))
		}
	}
	const gap = 2
	label, all := 0, 0
	for _, f := range facts {
		label = max(label, termtext.Width(f.Label))
	}
	for _, width := range widths {
		all += gap + width
	}
	if pane, _ := s.inner(s.width, s.height); label+all > pane {
		return s.fields(facts)
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for column, cell := range row {
			lines[i] += strings.Repeat(" ", widths[column]-termtext.Width(cell)+min(gap, column*gap)) + cell
		}
	}
	fields := []table.Field{{}, {Label: "Month", Text: lines[0], Ink: s.inks.faint}}
	for i, f := range facts {
		_, ink := s.mark(f.Level)
		fields = append(fields, table.Field{Label: f.Label, Text: lines[i+1], Ink: ink})
	}
	return fields
}
