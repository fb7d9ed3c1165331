package books

import (
	"path/filepath"
	"strings"

	"tarmac/client/mask"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// importable says whether the previewed files can be imported.
type importable int

const (
	ready         importable = iota
	contradicting            // only if the user accepts that lines do not add up to balances
	failing                  // a file cannot be imported
	useless                  // there is nothing in the files
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
		{Title: "File", Min: 15, Ideal: 34, Tight: 8, Flex: 1},
		{Title: "Account", Min: 11, Ideal: 12, Tight: 6},
		{Title: "Period", Min: 24, Ideal: 24, Priority: 4},
		{Title: "Lines", Min: 6, Ideal: 6, Whole: 10, Align: table.Right},
		{Title: "New", Min: 6, Ideal: 6, Whole: 10, Align: table.Right},
		{Title: "In", Min: 12, Ideal: 16, Whole: 20, Align: table.Right, Priority: 2},
		{Title: "Out", Min: 12, Ideal: 16, Whole: 20, Align: table.Right, Priority: 2},
		{Title: "Closing balance", Min: 16, Ideal: 20, Whole: 24, Align: table.Right, Priority: 3},
	}
}

// previewRows are the rows of the preview: one for each statement, list of open invoices and table
// of rates.
type previewRows struct {
	*intake
	screen *Screen
}

// previewRow is a row of the preview: a statement of a file, or its open invoices and rates.
type previewRow struct {
	file      *ownbooks.FileReport
	statement *ownbooks.Statement // nil for open invoices and rates
}

// setReport stores the report of a preview or of an import that was refused, and scrolls to its
// beginning.
func (s *Screen) setReport(report ownbooks.Report) {
	i := &s.intake
	i.report, i.offset, i.rows = report, 0, nil
	for f := range report.Files {
		file := &report.Files[f]
		for n := range file.Statements {
			i.rows = append(i.rows, previewRow{file, &file.Statements[n]})
		}
		if file.OpenItems+file.Bills+file.Rates > 0 {
			i.rows = append(i.rows, previewRow{file, nil})
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
	f := r.rows[row].file
	name := table.Cell{Text: baseName(f.Name), KeepEnd: true}
	if s := r.rows[row].statement; s != nil {
		return append(append(dst, name), r.cells(s)...), true
	}
	what := plural.Count(f.Rates, "rate")
	switch {
	case f.OpenItems > 0:
		what = plural.Count(f.OpenItems, "invoice")
	case f.Bills > 0:
		what = plural.Count(f.Bills, "bill")
	}
	return append(dst, name, table.Cell{Text: what}), true
}

// cells returns the cells of a statement, after that of its file.
func (r previewRows) cells(s *ownbooks.Statement) []table.Cell {
	faint := r.screen.inks.faint
	closing, fresh := money.Dash, table.Ink{}
	if s.Closing != nil {
		closing = r.screen.amount(*s.Closing, string(s.Currency))
	}
	if s.New > 0 {
		fresh = r.screen.inks.good
	}
	in, out := money.Format(s.InMinor, string(s.Currency)), money.Format(s.OutMinor, string(s.Currency))
	if r.screen.theme.Masked {
		in, out = mask.Dots, mask.Dots
	}
	return []table.Cell{
		{Text: s.AccountText()}, {Text: s.PeriodText(), Ink: faint},
		{Text: money.Count(int64(s.Lines))}, {Text: money.Count(int64(s.New)), Ink: fresh}, {Text: in}, {Text: out},
		{Text: closing},
	}
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

// leastTable is the minimum height, in lines, at which a table has a header.
const leastTable = 3

// clamp limits the scroll offset to the lines of the preview.
func (i *intake) clamp(s *Screen) {
	if s.mode != confirming {
		return
	}
	i.table.Invalidate()
	i.table.SetRows(0, len(i.rows))
	i.table.SetSize(s.innerWidth(), max(leastTable, len(i.rows)+1))
	i.offset = max(0, min(i.offset, len(s.previewLines(s.innerWidth()))-s.previewRows()))
}

// previewLines returns all lines of the preview: first the errors that stop the import, then the
// warnings, then the statements.
func (s *Screen) previewLines(width int) []string {
	i := &s.intake
	lines := styled(s.theme.Strong, i.report.Summary()+".", width)
	for _, f := range i.report.Files {
		if f.Error != "" {
			lines = append(lines, styled(s.theme.Critical, "✕ "+masked.Text(s.theme, baseName(f.Name)+": "+f.Error), width)...)
		}
	}
	for _, p := range i.report.Problems() {
		lines = append(lines, styled(s.theme.Caution, "! "+masked.Text(s.theme, p), width)...)
	}
	if len(i.rows) > 0 {
		lines = append(append(lines, ""), i.table.Lines()...)
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
		return append(lines, styled(s.theme.Warning, "The lines do not add up to the balances. a imports them anyway and "+
			"shows the difference for as long as it stands; n goes back.", width)...)
	case useless:
		return append(lines, styled(s.theme.Caution, "There is nothing to import. n or esc goes back.", width)...)
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
