package page

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// Invalidate makes the list draw its rows and details again.
func (l *List[T]) Invalidate() {
	l.Table.Invalidate()
	l.shown.item = nil
}

func (l *List[T]) tick() {
	if l.Ticks {
		l.Invalidate()
	}
}

// SetTheme sets the colours and styles.
func (l *List[T]) SetTheme(t theme.Theme) {
	l.Table.SetTheme(t)
	l.Pane.SetTheme(t)
	l.shown.item = nil
}

// Arrange sets the sizes of the table and the details, and shows the current record in the details.
func (l *List[T]) Arrange(width, height int) {
	item, single := l.Current(), l.ShowsSingle()
	l.Opened = l.Opened && (item != nil || l.At != nil) && !single
	detailed := l.Opened || single || item != nil && l.DetailWidth > 0 && width >= l.DetailWidth
	l.Pane.SetFocused(l.Opened || single)
	l.frame.Arrange(width, height, detailed, !single)
	switch {
	case item != nil && detailed:
		if item != l.shown.item {
			l.showDetail(item)
		}
		return
	case detailed:
		l.Pane.Show(l.Noun, []table.Field{{Text: "Loading…", Ink: table.NewInk(l.page.Theme.Faint)}})
	}
	l.shown.item = nil
}

// showDetail shows a record in the details, from the top if they showed another one.
func (l *List[T]) showDetail(item *T) {
	id := l.ID(item)
	if l.shown.id != id {
		l.Pane.Top()
	}
	l.shown = shownDetail[T]{item, id}
	l.Pane.Show(l.Noun, masked.Fields(l.page.Theme, l.Detail(item)))
}

// Lines draws the table, the details or both, or a text that says why there is neither.
func (l *List[T]) Lines(width, height int) []string {
	state := l.State()
	if state.HasFigures() {
		return l.frame.Lines()
	}
	frame := panel.Frame{
		Title: l.Title, EmptyText: l.emptyText(), Width: width, Height: height,
		Open: !l.Framed && panel.IsOpen(l.page.Height),
	}
	return panel.Draw(l.page.Theme, frame, state, l.page.Now())
}

func (l *List[T]) emptyText() string {
	if l.ShowsSingle() {
		return "No " + strings.ToLower(l.Noun) + " " + termtext.Line(l.Single.Key) + "."
	}
	return l.Empty()
}

// Click selects a row, or opens the selected one.
func (l *List[T]) Click(x, y int) tea.Cmd {
	row, ok := l.Table.At(x, y)
	switch {
	case !ok || !l.State().HasFigures() || l.ShowsSingle() || !l.frame.ListSeen():
		return nil
	case row == l.Table.Cursor() && l.Opened:
		return nil
	case row == l.Table.Cursor():
		return l.page.Enter()
	}
	l.Table.SetCursor(row)
	l.follow()
	return l.page.moved()
}

// Move moves the cursor or scrolls the details. It reports whether the cursor has moved. Next to a
// table, only the page keys scroll the details.
func (l *List[T]) Move(press tea.KeyPressMsg) bool {
	scroll := l.page.Nav.PageMove
	switch {
	case l.ShowsSingle():
		scroll = l.page.Nav.LineMove
	case !l.Opened:
		scroll = nil
	}
	if scroll != nil {
		if lines, ok := scroll(press, l.Pane.Rows()); ok {
			l.Pane.Scroll(lines)
			return false
		}
	}
	if l.ShowsSingle() || !l.canMove() || !l.Table.Update(press, l.page.Nav) {
		return false
	}
	l.follow()
	return true
}

// follow sets Following after the user has moved the cursor.
func (l *List[T]) follow() { l.Following = l.Follows && l.Table.Cursor() == l.Newest() }

// Back closes the details, or else removes the text filter. It returns false if there is neither.
func (l *List[T]) Back() bool {
	switch {
	case l.ShowsSingle():
		l.ShowSingle("")
		return false // so that esc leads back to the page that opened the record
	case l.Opened:
		l.Opened = false
		l.follow()
	case l.Text != "":
		l.SetText("")
	default:
		return false
	}
	return true
}

// Position says where the cursor is, such as "row 3 of 42".
func (l *List[T]) Position() string {
	if _, state := l.records(); !state.HasFigures() {
		return ""
	}
	return l.page.Theme.Faint.Render(l.Table.Position())
}

// Head returns the lines above the list: the lines of front, an open prompt or else the filters
// with the text right at the end, and a question or else the notice in the given style. Low screens
// have fewer lines.
func (l *List[T]) Head(front []Line, right string, style lipgloss.Style, notice string) (lines []Line) {
	p, state := l.page, l.State()
	refused := state.Status == resource.NotAllowed && !p.Filtered() && !p.Typing()
	if !l.ShowsSingle() && !refused {
		if p.Height >= 6 {
			lines = front
		}
		if prompts := (views.Layers{l.Search, p.File}); prompts.Open() && p.Height > 0 {
			lines = append(lines, Line{Text: prompts.Top().Draw()})
		} else if p.Height >= 5 {
			labels, click := p.ChipLine()
			lines = append(lines, Line{listdetail.AlignEnds(labels.Line(p.Theme), right, p.Width), click})
		}
	}
	switch {
	case p.Question.Open() && p.Height > 0:
		lines = append(lines, Line{Text: p.Question.Draw()})
	case p.Height >= 4 && notice != "":
		lines = append(lines, Line{Text: style.Render(notice)})
	}
	return lines
}

// Stale says why the records are stale, or "" if they aren't.
func (l *List[T]) Stale() string { return panel.Line(l.State(), l.page.Now()) }
