package books

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/views"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

func lineColumns() []table.Column {
	return []table.Column{
		{Title: "Date", Min: 10, Ideal: 10},
		{Title: "Amount", Min: 12, Ideal: 18, Whole: 24, Align: table.Right},
		{Title: "Counterparty and text", Min: 8, Ideal: 40, Tight: 6, Flex: 1},
	}
}

// lineRows are the lines of the file under the cursor, as they were read.
type lineRows struct{ *Screen }

// Row appends the cells of a line.
func (r lineRows) Row(row int, dst []table.Cell) ([]table.Cell, bool) {
	f := r.checkedFile()
	if f == nil || row >= len(f.Read) {
		return dst, false
	}
	l := f.Read[row]
	amount := table.Cell{Text: r.amount(l.Minor, string(f.Currency))}
	if l.Minor > 0 && !r.theme.Masked {
		amount.Text, amount.Ink = "+"+amount.Text, r.inks.good
	}
	var texts []string
	if l.Pending {
		texts = append(texts, "pending")
	}
	for _, text := range [...]string{l.Party, l.Text} {
		if text != "" {
			texts = append(texts, masked.Text(r.theme, text))
		}
	}
	day := table.Cell{Text: l.Day.String(), Ink: r.inks.faint}
	return append(dst, day, amount, table.Cell{Text: strings.Join(texts, " · ")}), true
}

// checkedFile returns the file under the cursor of an account's files, or nil.
func (s *Screen) checkedFile() *ownbooks.CheckedFile {
	a, at := s.checkedAccount(), s.intake.files.Cursor()
	if a == nil || at >= len(a.Files) {
		return nil
	}
	return &a.Files[at]
}

// openLines shows the lines of the file under the cursor.
func (s *Screen) openLines() {
	s.mode = checkingLines
	lines, count := s.intake.lines, len(s.checkedFile().Read)
	lines.SetRows(count, count)
	lines.SetCursor(0)
	lines.Invalidate()
	widen(lines, lineRows{s}, count)
}

// linesDialog shows the lines of a file.
func (s *Screen) linesDialog() *dialog {
	back := func() { s.mode = checkingAccount }
	return &dialog{
		help: "Lines", back: back,
		keys: views.Actions{{Key: "esc", Also: []string{"enter"}, Help: "back", Do: views.Do(back)}},
		move: func(press tea.KeyPressMsg) { s.intake.lines.Update(press, s.nav) },
		draw: func() string { return s.filled(baseName(s.checkedFile().File.Name), s.readLines) },
	}
}

// readLines returns the lines of the file, below how many there are.
func (s *Screen) readLines(width, rows int) (lines []string, at int) {
	lines = styled(s.theme.Strong, readText(s.checkedFile()), width)
	if rows -= len(lines); rows < leastTable || len(s.checkedFile().Read) == 0 {
		return lines, 0
	}
	s.intake.lines.SetSize(width, rows)
	return append(lines, s.intake.lines.Lines()...), 0
}

// readText says how many of the file's lines are shown.
func readText(f *ownbooks.CheckedFile) string {
	shown, all := len(f.Read), f.Lines+f.Pending
	switch {
	case shown == 0 && all > 0:
		return "This file was imported before, so its lines were not read again: all are on the page Transactions."
	case shown < all:
		return "The first " + strconv.Itoa(shown) + " of " + money.Count(int64(all)) + " lines, in the order of the file."
	}
	return plural.Count(all, "line") + ", in the order of the file."
}
