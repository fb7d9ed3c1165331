package invoices

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// SetVisible recomputes due dates relative to today, because the day may have changed while the
// page was hidden.
func (s *Screen) SetVisible(bool) { s.arrange() }

// SetSize sets the size of the screen in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.arrange()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.table.SetTheme(t)
	s.detail.SetTheme(t)
	s.detail.shown = detailContent{}
	s.layers.SetTheme(t)
	s.arrange()
}

// headHeights returns how many lines the tabs, the filters and the notice take above the list, 0 or
// 1 each. A low screen omits some of them. Without permission to list invoices, tabs and filters
// are hidden.
func (s *Screen) headHeights() (statuses, filters, notice int) {
	if s.question.Open() || s.height >= 4 && s.notice() != "" {
		notice = min(1, s.height)
	}
	refused := s.state().Status == resource.NotAllowed && !s.Filtered() && !s.Typing()
	if s.single.id != "" || refused {
		return 0, 0, notice
	}
	if s.height >= 6 {
		statuses = 1
	}
	if s.search.Open() || s.file.Open() || s.height >= 5 {
		filters = min(1, s.height)
	}
	return statuses, filters, notice
}

// arrange updates today, sizes and the content of the detail pane. It is called after every change
// of state.
func (s *Screen) arrange() {
	if today := civil.Of(s.env.Now()); today != s.today {
		s.today = today
		s.table.Invalidate()
	}
	statuses, filters, notice := s.headHeights()
	body := s.height - statuses - filters - notice
	_, one := s.current()
	alone := s.single.id != ""
	s.detail.open = s.detail.open && one && !alone
	s.frame.Arrange(s.width, body, s.detail.open || alone, !alone)
	s.layers.SetWidth(s.width)
	s.fillDetail()
}

// fillDetail puts the current invoice into the open detail pane. It scrolls to the top if the pane
// contained another invoice.
func (s *Screen) fillDetail() {
	i, ok := s.current()
	now := detailContent{invoice: i, today: s.today}
	if ok && (s.detail.open || s.single.id != "") && now != s.detail.shown {
		if s.detail.shown.invoice == nil || s.detail.shown.invoice.ID != i.ID {
			s.detail.Top()
		}
		s.detail.shown = now
		s.detail.Show("Invoice", masked.Fields(s.theme, s.fields(i)))
	}
}

// state returns the fetch state of the single invoice or of the shown list. A list whose invoices
// are all hidden by filters counts as empty.
func (s *Screen) state() resource.State {
	if s.single.id != "" {
		return s.single.state.State()
	}
	state := s.list().state.State()
	if state.HasFigures() && len(s.shown) == 0 {
		state.Status = resource.Empty
	}
	return state
}

// notice returns the line above the list, or "" if there is nothing to say. It says that a PDF is
// being saved, why the invoices are stale, or how the listed totals differ from the totals of the
// receivables page.
func (s *Screen) notice() string {
	if s.saving != "" {
		return "saving the PDF of " + s.saving + "…"
	}
	line := panel.Line(s.state(), s.env.Now())
	switch {
	case !s.filter.receivables || s.single.id != "":
		return line
	case line == "":
		return figures.TotalsMeaning
	}
	return line + " · " + figures.TotalsMeaning
}

// View draws the screen.
func (s *Screen) View() string {
	if s.width <= 0 || s.height <= 0 {
		return strings.Repeat("\n", max(0, s.height-1))
	}
	statuses, filters, notice := s.headHeights()
	lines := make([]string, 0, s.height)
	if statuses > 0 {
		lines = append(lines, listdetail.Fit(s.statusLine(), s.width))
	}
	if filters > 0 {
		lines = append(lines, s.filterLine())
	}
	if notice > 0 {
		line := s.theme.Caution.Render(s.notice())
		if s.notice() == figures.TotalsMeaning {
			line = s.theme.Faint.Render(figures.TotalsMeaning)
		}
		if s.question.Open() {
			line = s.question.Draw()
		}
		lines = append(lines, listdetail.Fit(line, s.width))
	}
	return strings.Join(append(lines, s.body(s.height-len(lines))...), "\n")
}

func (s *Screen) body(height int) []string {
	if state := s.state(); !state.HasFigures() {
		frame := panel.Frame{
			Title: "Invoices", EmptyText: s.emptyText(), Width: s.width, Height: height, Open: panel.IsOpen(s.height),
		}
		return panel.Draw(s.theme, frame, state, s.env.Now())
	}
	return s.frame.Lines()
}

// emptyText returns the text that replaces an empty list.
func (s *Screen) emptyText() string {
	status := string(tabs[s.tab])
	if status != "" {
		status += " "
	}
	loaded, _ := s.list().state.Value()
	switch {
	case s.single.id != "":
		return "No invoice " + termtext.Line(s.single.id) + "."
	case s.filter.receivables && s.filter.owed && s.filter.search == "" && len(loaded) < pageLimit:
		if s.list().state.State().Partial.Records > 0 {
			return figures.UnreadableItems
		}
		return figures.ImportedItems
	case len(loaded) > 0:
		return "None of these " + status + "invoices match. x removes the last filter."
	case s.tab == 0 && s.env.Books != nil && !s.env.ReadOnly:
		return "No invoices of your own yet. Press n to draft one. Imported open invoices are on Receivables."
	case s.tab == 0 && !s.env.ReadOnly:
		return "No invoices yet. Press n to draft one."
	case s.tab == 0:
		return "No invoices yet."
	}
	return "No " + status + "invoices."
}

// statusLine returns the names of the tabs with the current one marked. If they do not fit, it
// returns only the current tab and the key for the next one.
func (s *Screen) statusLine() string {
	var names []string
	for i := range tabs {
		style := s.theme.TabOff
		if i == s.tab {
			style = s.theme.TabOn
		}
		names = append(names, style.Render(tabName(i)))
	}
	if !s.allTabs() {
		return s.theme.Faint.Render("‹") + names[s.tab] + s.theme.Faint.Render("› "+nextTab)
	}
	return strings.Join(names, " ")
}

func tabName(i int) string { return " " + cmp.Or(string(tabs[i]), "all") + " " }

// allTabs reports whether the names of all tabs fit.
func (s *Screen) allTabs() bool {
	width := 0
	for i := range tabs {
		width += ansi.StringWidth(tabName(i)) + 1
	}
	return width <= s.width
}

// tabAt returns the tab to show after a click in column x of the status line. ok is false if the
// click hit no tab. If only the current tab has room, a click on it leads to the next tab.
func (s *Screen) tabAt(x int) (tab int, ok bool) {
	if !s.allTabs() {
		return s.tab + 1, x >= 0 && x < ansi.StringWidth(ansi.Strip(s.statusLine()))
	}
	for i := range tabs {
		width := ansi.StringWidth(tabName(i))
		if x >= 0 && x < width {
			return i, true
		}
		x -= width + 1
	}
	return 0, false
}

// filterLine returns the open prompt, or else the chips of the filters at the left and the cursor
// position at the right.
func (s *Screen) filterLine() string {
	switch {
	case s.search.Open():
		return s.search.Draw()
	case s.file.Open():
		return listdetail.Fit(s.file.Draw(), s.width)
	}
	chips, _ := s.chips()
	return listdetail.AlignEnds(chips.Line(s.theme), s.position(), s.width)
}

// chips returns the labels of the active filters, and for each label a function that removes its
// filter.
func (s *Screen) chips() (chips listdetail.Chips, off []func()) {
	if s.filter.pastDue.Name != "" {
		chips, off = append(chips, s.filter.pastDue.Name), append(off, func() { s.filter.pastDue = views.DaysPastDue{} })
	}
	if s.filter.customer != "" {
		chips, off = append(chips, s.filter.customer), append(off, func() { s.filter.customer = "" })
	}
	if s.filter.search != "" {
		chips, off = append(chips, `"`+s.filter.search+`"`), append(off, func() { s.filter.search = "" })
	}
	return chips, off
}

// position returns the cursor position, such as "row 3 of 42", with a warning if the server may
// have more invoices than it lists.
func (s *Screen) position() string {
	loaded, known := s.list().state.Value()
	if !known || !s.list().state.State().HasFigures() {
		return ""
	}
	right := s.theme.Faint.Render(s.table.Position())
	if len(loaded) < pageLimit {
		return right
	}
	return s.theme.Caution.Render("newest "+strconv.Itoa(pageLimit)) + "  " + right
}
