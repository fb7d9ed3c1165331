package books

import (
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/views/parts/table"
)

// monthTable is the totals of an account by month, newest first.
type monthTable struct {
	head  string
	lines []string
	facts []ownbooks.Fact // the same as sentences, labelled with the month
	label int             // width of the widest name
	width int             // width of a name and a line
}

func (s *Screen) monthTable(a *ownbooks.Account) (t monthTable) {
	plainAmount := func(minor int64, currency string) string {
		return strings.TrimSuffix(s.amount(minor, currency), " "+currency)
	}
	rows := [][5]string{ownbooks.AccountMonthColumns}
	for i := range a.Months {
		t.facts = append(t.facts, a.Months[i].Fact(a.Currency, s.amount))
		t.label = max(t.label, termtext.Width(t.facts[i].Label))
		rows = append(rows, a.Months[i].Cells(a.Currency, plainAmount))
	}
	var widths [5]int
	for _, row := range rows {
		for column, cell := range row {
			widths[column] = max(widths[column], termtext.Width(cell))
		}
	}
	const gap = 2
	t.width = t.label
	for _, width := range widths {
		t.width += gap + width
	}
	for i, row := range rows {
		line := ""
		for column, cell := range row {
			line += strings.Repeat(" ", widths[column]-termtext.Width(cell)+min(gap, column*gap)) + cell
		}
		if i == 0 {
			t.head = line
		} else {
			t.lines = append(t.lines, line)
		}
	}
	return t
}

// monthFields returns the totals of an account by month, in columns if they fit into the pane.
func (s *Screen) monthFields(a *ownbooks.Account) []table.Field {
	if len(a.Months) == 0 {
		return nil
	}
	t := s.monthTable(a)
	if pane, _ := s.inner(s.width, s.height); t.width > pane {
		return s.fields(t.facts)
	}
	fields := []table.Field{{}, {Label: monthHead, Text: t.head, Ink: s.inks.faint}}
	for i, f := range t.facts {
		_, ink := s.levelSign(f.Level)
		fields = append(fields, table.Field{Label: f.Label, Text: t.lines[i], Ink: ink})
	}
	return fields
}

// monthHead is the title of the column of months.
const monthHead = "Month"
