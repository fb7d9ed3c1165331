package books

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/views"
	"tarmac/views/parts/table"
)

func fileColumns() []table.Column {
	return []table.Column{
		{Title: "File", Min: 15, Ideal: 34, Tight: 8, Whole: 60},
		{Title: "First and last line", Min: 24, Ideal: 24, Priority: 4},
		{Title: "Lines", Min: 6, Ideal: 6, Whole: 10, Align: table.Right},
		{Title: "New", Min: 6, Ideal: 6, Whole: 10, Align: table.Right},
		{Title: "In", Min: 12, Ideal: 16, Whole: 20, Align: table.Right, Priority: 2},
		{Title: "Out", Min: 12, Ideal: 16, Whole: 20, Align: table.Right, Priority: 2},
		{Title: "Closing balance", Min: 16, Ideal: 20, Whole: 24, Align: table.Right, Priority: 3},
	}
}

// fileRows are what each file says about the account under the cursor of the preview.
type fileRows struct{ *Screen }

// Row appends the cells of a file.
func (r fileRows) Row(row int, dst []table.Cell) ([]table.Cell, bool) {
	a := r.checkedAccount()
	if a == nil || row >= len(a.Files) {
		return dst, false
	}
	f := a.Files[row]
	in, out := money.Format(f.InMinor, string(f.Currency)), money.Format(f.OutMinor, string(f.Currency))
	if r.theme.Masked {
		in, out = mask.Dots, mask.Dots
	}
	return append(
		dst, table.Cell{Text: baseName(f.File.Name), KeepEnd: true},
		table.Cell{Text: f.PeriodText(), Ink: r.inks.faint}, table.Cell{Text: money.Count(int64(f.Lines))},
		r.fresh(f.Statement), table.Cell{Text: in}, table.Cell{Text: out}, r.closing(f.Statement),
	), true
}

// openChecked shows the files of the account under the cursor.
func (s *Screen) openChecked() {
	s.mode = checkingAccount
	files := len(s.checkedAccount().Files)
	s.intake.files.SetRows(files, files)
	s.intake.files.SetCursor(0)
	s.intake.files.Invalidate()
	widen(s.intake.files, fileRows{s}, files)
}

// checkedDialog shows what each file says about one account.
func (s *Screen) checkedDialog() *dialog {
	back := func() { s.mode = confirming }
	return &dialog{
		help: "Account", back: back,
		keys: views.Actions{
			{Key: "enter", Help: "lines of the file", Do: views.Do(s.openLines)},
			{Key: "esc", Help: "back", Do: views.Do(back)},
		},
		move: func(press tea.KeyPressMsg) { s.intake.files.Update(press, s.nav) },
		draw: func() string { return s.filled(s.checkedAccount().Label(), s.checkedLines) },
	}
}

// checkedLines returns the lines about the account, and the index of the line with the cursor.
func (s *Screen) checkedLines(width, _ int) (lines []string, at int) {
	a := s.checkedAccount()
	only := ownbooks.Report{}
	for _, f := range a.Files {
		file := *f.File
		file.Statements = []ownbooks.Statement{*f.Statement}
		file.OpenItems, file.Bills, file.Rates = 0, 0, 0
		only.Files = append(only.Files, file)
	}
	lines = styled(s.theme.Strong, only.Summary()+".", width)
	lines = append(lines, s.contradictions(a.Reasons(), width)...)
	lines = append(lines, s.warnings(&only, a.Reasons(), width)...)
	lines = append(lines, "")
	at = len(lines) + 1 + s.intake.files.Cursor()
	s.intake.files.SetSize(width, max(leastTable, len(a.Files)+1))
	return append(lines, s.intake.files.Lines()[:len(a.Files)+1]...), at
}
