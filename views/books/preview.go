package books

import (
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// importable is whether the previewed files can be imported.
type importable int

const (
	ready         importable = iota
	contradicting            // only if the user accepts that lines don't add up to balances
	failing                  // a file cannot be imported
	useless                  // the files are empty
	forbidden                // the session is read-only
)

func (s *Screen) importable() importable {
	r := &s.intake.report
	switch {
	case s.env.ReadOnly:
		return forbidden
	case r.Blocked():
		return failing
	case r.Contradicts():
		return contradicting
	case !r.HasContent():
		return useless
	}
	return ready
}

func previewColumns() []table.Column {
	return []table.Column{
		{Title: "Account", Min: 12, Ideal: 34, Tight: 6},
		{Title: "Files", Min: 5, Ideal: 5, Align: table.Right, Priority: 3},
		{Title: "First and last line", Min: 24, Ideal: 24, Priority: 2},
		{Title: "Lines", Min: 6, Ideal: 6, Whole: 10, Align: table.Right},
		{Title: "New", Min: 6, Ideal: 6, Whole: 10, Align: table.Right},
		{Title: "Closing balance", Min: 16, Ideal: 20, Whole: 24, Align: table.Right, Priority: 1},
	}
}

// previewRows are the rows of the preview: one for each account, and then one for each other thing
// that the files contain.
type previewRows struct {
	*intake
	screen *Screen
}

// previewRow is a row of the preview: an account, or open invoices, bills or rates.
type previewRow struct {
	account *ownbooks.Checked // nil for the others
	other   string
	files   int
}

// setReport stores the report of a preview or a refused import, and scrolls to its beginning.
func (s *Screen) setReport(report ownbooks.Report) {
	i := &s.intake
	i.report, i.offset, i.cursor, i.rows, i.sure, i.notes = report, 0, 0, nil, false, false
	accounts := i.report.Accounts()
	for n := range accounts {
		i.rows = append(i.rows, previewRow{account: &accounts[n], files: len(accounts[n].Files)})
	}
	for _, other := range [...]struct {
		of   func(f *ownbooks.FileReport) int
		noun string
		more string
	}{
		{func(f *ownbooks.FileReport) int { return f.OpenItems }, "open invoice", ""},
		{func(f *ownbooks.FileReport) int { return f.Bills }, "bill", " to pay"},
		{func(f *ownbooks.FileReport) int { return f.Rates }, "exchange rate", ""},
	} {
		count, files := 0, 0
		for f := range i.report.Files {
			if n := other.of(&i.report.Files[f]); n > 0 {
				count, files = count+n, files+1
			}
		}
		if count > 0 {
			i.rows = append(i.rows, previewRow{other: plural.Count(count, other.noun) + other.more, files: files})
		}
	}
	widen(i.table, previewRows{i, s}, len(i.rows))
}

// widen lets the columns of a table grow to their widest texts.
func widen(t *table.Table, rows table.Rows, n int) {
	var widest []int
	var cells []table.Cell
	for row := range n {
		cells, _ = rows.Row(row, cells[:0])
		for at, cell := range cells {
			if at == len(widest) {
				widest = append(widest, 0)
			}
			widest[at] = max(widest[at], termtext.Width(cell.Text))
		}
	}
	for at, width := range widest {
		t.Widen(at, width)
	}
}

// Row appends the cells of a row.
func (r previewRows) Row(row int, dst []table.Cell) ([]table.Cell, bool) {
	if row >= len(r.rows) {
		return dst, false
	}
	one := &r.rows[row]
	files := table.Cell{Text: money.Count(int64(one.files))}
	a := one.account
	if a == nil {
		return append(dst, table.Cell{Text: one.other}, files), true
	}
	name := table.Cell{Text: a.Label(), KeepEnd: true}
	if a.Contradiction {
		name.Text, name.Ink = "✕ "+name.Text, r.screen.inks.bad
	}
	return append(
		dst, name, files, table.Cell{Text: a.PeriodText(), Ink: r.screen.inks.faint},
		table.Cell{Text: money.Count(int64(a.Lines))}, r.screen.fresh(&a.Statement), r.screen.closing(&a.Statement),
	), true
}

// fresh returns the cell with the number of new lines.
func (s *Screen) fresh(of *ownbooks.Statement) table.Cell {
	cell := table.Cell{Text: money.Count(int64(of.New))}
	if of.New > 0 {
		cell.Ink = s.inks.good
	}
	return cell
}

// closing returns the cell with the closing balance.
func (s *Screen) closing(of *ownbooks.Statement) table.Cell {
	if of.Closing == nil {
		return table.Cell{Text: money.Dash}
	}
	return table.Cell{Text: s.amount(*of.Closing, string(of.Currency))}
}

// checkedAccount returns the account under the cursor of the preview, or nil.
func (s *Screen) checkedAccount() *ownbooks.Checked {
	if s.intake.cursor >= len(s.intake.rows) {
		return nil
	}
	return s.intake.rows[s.intake.cursor].account
}

// previewRows returns how many lines of the preview are visible.
func (s *Screen) previewRows() int {
	_, rows := panel.Inner(s.width, s.height)
	return max(1, rows-len(s.verdictLines(s.innerWidth()))-1)
}

func (s *Screen) innerWidth() int {
	width, _ := panel.Inner(s.width, s.height)
	return width
}

// leastTable is the minimum height, in lines, of a table with a header.
const leastTable = 3

// clamp limits the cursor and the scroll offset to the lines of the preview.
func (i *intake) clamp(s *Screen) {
	if s.mode != confirming {
		return
	}
	i.cursor = max(0, min(i.cursor, len(i.rows)-1))
	i.table.Invalidate()
	i.table.SetRows(len(i.rows), len(i.rows))
	i.table.SetCursor(i.cursor)
	i.table.SetSize(s.innerWidth(), max(leastTable, len(i.rows)+1))
	i.offset = max(0, min(i.offset, len(s.previewLines(s.innerWidth()))-s.previewRows()))
}

// movePreview moves the cursor by some lines. The text above the accounts scrolls into view before
// the cursor leaves the first account, and out of view before it leaves a visible one.
func (s *Screen) movePreview(press tea.KeyPressMsg) {
	i, shown := &s.intake, s.previewRows()
	lines, ok := s.nav.LineMove(press, shown)
	if !ok {
		return
	}
	all := len(s.previewLines(s.innerWidth()))
	first := all - len(i.rows) // line of the first account
	lines = max(-all, min(lines, all))
	for ; lines > 0; lines-- {
		switch below := first+i.cursor >= i.offset+shown; {
		case below || i.cursor >= len(i.rows)-1:
			i.offset++
		default:
			i.cursor++
			i.offset = max(i.offset, first+i.cursor-shown+1)
		}
	}
	for ; lines < 0; lines++ {
		if i.cursor == 0 {
			i.offset--
			continue
		}
		i.cursor--
		i.offset = min(i.offset, first+i.cursor)
	}
}

// previewLines returns all lines of the preview: first the errors that block the import, then
// contradictions with their remedies, then the warnings and the accounts.
func (s *Screen) previewLines(width int) []string {
	i := &s.intake
	lines := styled(s.theme.Strong, i.report.News()+".", width)
	for _, f := range i.report.Files {
		if f.Error != "" {
			lines = append(lines, styled(s.theme.Critical, "✕ "+masked.Text(s.theme, baseName(f.Name)+": "+f.Error), width)...)
		}
	}
	var reasons []string
	for n := range i.rows {
		if a := i.rows[n].account; a != nil && a.Contradiction {
			reasons = append(reasons, a.Reasons()...)
		}
	}
	lines = append(lines, s.contradictions(reasons, width)...)
	if notes := s.warnings(&i.report, reasons, width); i.notes {
		lines = append(lines, notes...)
	} else if n := len(i.report.Problems()) - len(reasons); n > 0 {
		lines = append(lines, s.theme.Faint.Render(plural.Count(n, "note")+": ")+s.theme.KeyName.Render("a")+
			s.theme.KeyDesc.Render(" shows them"))
	}
	if len(i.rows) > 0 {
		lines = append(append(lines, ""), i.table.Lines()[:len(i.rows)+1]...)
	}
	return lines
}

// contradictions returns the reasons why lines do not add up, each with what to do about it.
func (s *Screen) contradictions(reasons []string, width int) (lines []string) {
	for _, reason := range reasons {
		lines = append(lines, styled(s.theme.Critical, "✕ "+masked.Text(s.theme, reason), width)...)
		lines = append(lines, styled(s.theme.Text, "  "+ownbooks.Mend, width)...)
	}
	return lines
}

// warnings returns file problems that don't block the import.
func (s *Screen) warnings(r *ownbooks.Report, reasons []string, width int) (lines []string) {
	for _, p := range r.Problems() {
		if !slices.Contains(reasons, p) {
			lines = append(lines, styled(s.theme.Caution, "! "+masked.Text(s.theme, p), width)...)
		}
	}
	return lines
}

// verdictLines returns the lines below the preview: what the user can do now.
func (s *Screen) verdictLines(width int) []string {
	var lines []string
	if s.intake.notice != "" {
		lines = styled(s.theme.Caution, s.intake.notice, width)
	}
	switch s.importable() {
	case forbidden:
		return append(lines, styled(s.theme.Caution, "Read-only session: nothing can be imported.", width)...)
	case failing:
		return append(lines, styled(s.theme.Critical,
			"Nothing can be imported before this is mended, or the file left out. n or esc goes back.", width)...)
	case contradicting:
		text := "The lines do not add up to the balances. y imports them anyway; esc goes back."
		if s.intake.sure {
			text = "Import lines that do not add up? The difference is shown until other files explain it. y yes, esc no."
		}
		return append(lines, styled(s.theme.Warning, text, width)...)
	case useless:
		return append(lines, styled(s.theme.Caution, "There is nothing to import. n or esc goes back.", width)...)
	}
	if s.intake.report.OnlyKnown() {
		lines = append(lines, styled(s.theme.Caution, "Nothing new: the books have all these lines. An import adds only "+
			"what the files say beyond them, such as balances.", width)...)
	}
	return append(lines, s.theme.Strong.Render("Import "+plural.Count(len(s.intake.report.Files), "file")+"?")+"  "+
		s.answerKeys())
}

// answerKeys draws the keys of a question that is answered with yes or no.
func (s *Screen) answerKeys() string {
	return s.theme.KeyName.Render("y") + s.theme.KeyDesc.Render(" yes  ") + s.theme.KeyName.Render("n") +
		s.theme.KeyDesc.Render(" no")
}

// baseName returns a path without its directory.
func baseName(path string) string { return filepath.Base(strings.TrimSpace(path)) }
