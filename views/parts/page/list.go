package page

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Listing declares a list of records. Nil functions do nothing.
type Listing[T any] struct {
	Title string // of the list, such as "Invoices"
	Noun  string // what the details are of, such as "Invoice"

	// The records come from Data, or from Items with a State, or row by row from At, for a list of
	// which not all rows are in memory. Such a page sets the number of rows of Table.
	Data  func() *Data[[]T]
	Items func() []T
	At    func(row int) *T
	State func() resource.State
	// Alone is a record that another page has opened by its ID. It is shown without the list.
	Alone *Data[*T]
	ID    func(*T) string

	// Columns show fields of Record (see table.Titled) in the cells that Cell returns. Row returns
	// the cells of a row that is not drawn so, or false.
	Columns []table.Column
	Record  func(T) record.Object
	Cell    func(*T, record.Field) table.Cell
	Row     func(row int, item *T, dst []table.Cell) ([]table.Cell, bool)
	Widest  map[int]func(*T) int // widths of the texts of columns; see table.Widen
	Detail  func(*T) []table.Field
	Beside  int           // width from which the details stand beside the list unopened; 0 for never
	Ticks   bool          // rows and details change with time
	Empty   func() string // replaces an empty list
	Framed  bool          // what replaces the list has a frame on low pages, too

	// The text filter searches the fields of Record named in Searched, or as Finds says.
	Hint     string
	Searched []string
	Finds    func(item *T, text string) bool
	Matches  func(*T) bool // the page's other filters
	Filled   func()        // called when the rows have changed

	Follows     bool                   // a cursor on the newest record stays on the newest
	OldestFirst bool                   // the oldest item is the first
	CanMove     func() bool            // whether the movement keys have an effect; nil means with a record
	Places      func(*T) []views.Place // where else a record is
}

// List is a list of records with its filter, its cursor and the details of a record. It is the Body
// of a page with one list.
type List[T any] struct {
	Listing[T]

	Table    *table.Table
	Pane     table.Detail
	Search   *listdetail.Filter
	Text     string // text filter
	Opened   bool   // the details are open
	Next     string // ID of a record to which the cursor moves once it is listed
	Reversed bool   // the last item is in the first row
	// Following says that the cursor moves to each new record.
	Following bool

	page     *Page
	items    []T
	narrowed bool
	passive  bool
	shown    []int // indices of the items that pass the filters; all do unless narrowed
	part     string
	cursors  map[string]place // of each part
	filled   filled[T]
	frame    listdetail.Frame
}

// place is where the cursor is: on the record with an ID, on a line of the table.
type place struct {
	id   string
	line int
}

// filled is what the details show.
type filled[T any] struct {
	item *T
	id   string
	on   civil.Date
}

// NewList returns a list of a page.
func NewList[T any](p *Page, of Listing[T]) *List[T] {
	l := &List[T]{Listing: of, page: p, Following: of.Follows, cursors: map[string]place{}}
	columns := of.Columns
	if of.Record != nil {
		var none T
		columns = table.Titled(of.Record(none), columns)
	}
	l.Table = table.New(columns, rows[T]{l})
	l.Search = listdetail.NewFilter(of.Hint, func() string { return l.Text }, l.SetText)
	l.frame = listdetail.Frame{List: l.Table, Detail: &l.Pane}
	return l
}

// SetColumns replaces the columns. The cursor keeps its row.
func (l *List[T]) SetColumns(columns []table.Column) {
	cursor := l.Table.Cursor()
	l.Table = table.New(columns, rows[T]{l})
	l.reach()
	l.Table.SetCursor(cursor)
	l.Table.SetTheme(l.page.Theme)
	l.Table.Highlight(l.Text)
	l.frame.List = l.Table
}

// fetched returns the items and the state of their fetch.
func (l *List[T]) fetched() ([]T, resource.State) {
	if l.At != nil {
		return nil, l.Listing.State()
	}
	if l.Items != nil {
		return l.Items(), l.Listing.State()
	}
	d := l.Data()
	items, _ := d.Value()
	return items, d.State()
}

// IsAlone reports whether a record stands without the list.
func (l *List[T]) IsAlone() bool { return l.Alone != nil && l.Alone.Key != "" }

// ShowAlone shows a record without the list, or the list again for "".
func (l *List[T]) ShowAlone(id string) {
	if l.Alone.Key != id {
		l.Pane.Top()
	}
	l.Alone.Choose(id)
	l.Opened = false
}

// State returns the state of what the list shows. A list of which the filters hide all counts as
// empty.
func (l *List[T]) State() resource.State {
	if l.IsAlone() {
		return l.Alone.State()
	}
	_, state := l.fetched()
	if state.HasFigures() && l.Len() == 0 && l.At == nil {
		state.Status = resource.Empty
	}
	return state
}

// Len returns the number of rows.
func (l *List[T]) Len() int {
	if l.narrowed {
		return len(l.shown)
	}
	return len(l.items)
}

// Item returns the record in a row, or nil if there is none.
func (l *List[T]) Item(row int) *T {
	if l.At != nil {
		return l.At(row)
	}
	switch {
	case row < 0 || row >= l.Len():
		return nil
	case l.Reversed:
		row = l.Len() - 1 - row
	}
	if l.narrowed {
		row = l.shown[row]
	}
	return &l.items[row]
}

// Current returns the record that keys act on, or nil if there is none.
func (l *List[T]) Current() *T {
	if l.IsAlone() {
		return l.Alone.Known()
	}
	if _, state := l.fetched(); !state.HasFigures() {
		return nil
	}
	return l.Item(l.Table.Cursor())
}

// One reports whether there is a record that keys act on.
func (l *List[T]) One() bool { return l.Current() != nil }

// All returns the rows in the order of the list.
func (l *List[T]) All() []T {
	all := make([]T, l.Len())
	for row := range all {
		all[row] = *l.Item(row)
	}
	return all
}

// Turn shows another part of the data, such as another status. Each part keeps its own cursor.
func (l *List[T]) Turn(part string) {
	l.remember()
	l.part, l.items, l.shown, l.Opened = part, nil, nil, false
	if l.IsAlone() {
		l.ShowAlone("")
	}
	l.Fill()
}

// remember keeps the place of the cursor, and returns the record that is there, or nil.
func (l *List[T]) remember() *T {
	item := l.Item(l.Table.Cursor())
	if item != nil {
		top, _ := l.Table.Visible()
		l.cursors[l.part] = place{l.ID(item), l.Table.Cursor() - top}
	}
	return item
}

// SetText sets the text filter.
func (l *List[T]) SetText(text string) {
	if text != l.Text {
		l.Text = text
		l.Fill()
	}
}

// Fill finds the records that pass the filters. The cursor stays on its record and that on its
// line, or moves to the newest record, or to Next. If the record is not among them, the cursor
// keeps its row, and the details close, so that they do not show another record by themselves. Fill
// returns the record of which the details were closed so, or nil.
func (l *List[T]) Fill() (closed *T) { return l.FillAfter(func() {}) }

// FillAfter does the same after a change of what the records are.
func (l *List[T]) FillAfter(change func()) (closed *T) {
	was := l.remember()
	change()
	l.items, _ = l.fetched()
	l.shown, l.narrowed = l.shown[:0], l.Text != "" || l.Matches != nil && l.page.Filtered()
	if l.narrowed {
		for i := range l.items {
			if l.passes(&l.items[i]) {
				l.shown = append(l.shown, i)
			}
		}
	}
	l.measure()
	if l.Filled != nil {
		l.Filled()
	}
	l.Table.Highlight(l.Text)
	l.Pane.Highlight(l.Text)
	l.Table.Invalidate()
	l.reach()
	if l.place() {
		return was
	}
	return nil
}

// place moves the cursor after the rows have changed. It reports whether that closed the details.
func (l *List[T]) place() (closed bool) {
	if l.Following && !l.Opened {
		l.Table.SetCursor(l.Newest())
		return false
	}
	at := l.find(l.cursors[l.part].id)
	if next := l.find(l.Next); next >= 0 {
		at, l.Next = next, ""
	}
	if at < 0 {
		closed, l.Opened = l.Opened, false
		return closed
	}
	top, _ := l.Table.Visible()
	l.Table.Scroll(at - l.cursors[l.part].line - top)
	l.Table.SetCursor(at)
	l.Following = l.Following && at == l.Newest()
	return false
}

// find returns the row of the record with an ID, or -1 if there is none.
func (l *List[T]) find(id string) int {
	for row := range l.Len() {
		if id != "" && l.ID(l.Item(row)) == id {
			return row
		}
	}
	return -1
}

// measure makes room for the widest texts of the shown records.
func (l *List[T]) measure() {
	for column, width := range l.Widest {
		widest := 0
		for row := range l.Len() {
			widest = max(widest, width(l.Item(row)))
		}
		l.Table.Widen(column, widest)
	}
}

// passes reports whether a record passes all filters.
func (l *List[T]) passes(item *T) bool {
	switch {
	case l.Matches != nil && !l.Matches(item):
		return false
	case l.Text == "":
		return true
	case l.Finds != nil:
		return l.Finds(item, l.Text)
	}
	return l.Record(*item).Pick(l.Searched...).Contains(l.Text)
}

// Newest returns the row of the newest record.
func (l *List[T]) Newest() int {
	if l.OldestFirst && !l.Reversed {
		return max(0, l.Len()-1)
	}
	return 0
}

// Reverse turns the order of the rows over. The cursor stays on its record.
func (l *List[T]) Reverse() {
	at := l.Len() - 1 - l.Table.Cursor()
	l.Reversed = !l.Reversed
	l.Table.Invalidate()
	l.Table.SetCursor(at)
}

// SetPassive sets whether the list has no cursor because another one has it.
func (l *List[T]) SetPassive(passive bool) {
	l.passive, l.Following = passive, l.Following || passive && l.Follows
	l.reach()
}

func (l *List[T]) reach() {
	reach := l.Len()
	if l.passive {
		reach = 0
	}
	l.Table.SetRows(reach, l.Len())
}

// Invalidate makes the list draw its rows and the details anew.
func (l *List[T]) Invalidate() {
	l.Table.Invalidate()
	l.filled.item = nil
}

// rows provides the rows of the table.
type rows[T any] struct{ *List[T] }

// Row appends the cells of a row to dst.
func (r rows[T]) Row(row int, dst []table.Cell) ([]table.Cell, bool) {
	item := r.Item(row)
	if item == nil {
		return dst, false
	}
	if r.List.Row != nil {
		if cells, ok := r.List.Row(row, item, dst); ok {
			return cells, true
		}
	}
	return r.Table.Cells(dst, r.Record(*item), func(f record.Field) table.Cell { return r.Cell(item, f) }), true
}

// SetTheme sets the colours and styles.
func (l *List[T]) SetTheme(t theme.Theme) {
	l.Table.SetTheme(t)
	l.Pane.SetTheme(t)
	l.filled.item = nil
}

// Arrange sets the sizes of the list and the details, and fills the details.
func (l *List[T]) Arrange(width, height int) {
	item, alone := l.Current(), l.IsAlone()
	l.Opened = l.Opened && (item != nil || l.At != nil) && !alone
	shows := l.Opened || alone || item != nil && l.Beside > 0 && width >= l.Beside
	l.Pane.SetFocused(l.Opened || alone)
	if l.filled.on != l.page.Today {
		l.Table.Invalidate()
	}
	l.frame.Arrange(width, height, shows, !alone)
	if now := (filled[T]{item: item, on: l.page.Today}); item != nil && shows {
		now.id = l.ID(item)
		if now != l.filled || l.Ticks {
			l.fill(now)
		}
		return
	}
	l.filled = filled[T]{id: l.filled.id, on: l.page.Today}
	if item == nil && shows {
		l.Pane.Show(l.Noun, []table.Field{{Text: "Loading…", Ink: table.NewInk(l.page.Theme.Faint)}})
	}
}

// fill shows a record in the details. It scrolls to the top if they showed another one.
func (l *List[T]) fill(now filled[T]) {
	if l.filled.id != now.id {
		l.Pane.Top()
	}
	l.filled = now
	l.Pane.Show(l.Noun, masked.Fields(l.page.Theme, l.Detail(now.item)))
}

// Lines draws the list, the details, or both.
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
	if l.IsAlone() {
		return "No " + strings.ToLower(l.Noun) + " " + termtext.Line(l.Alone.Key) + "."
	}
	return l.Empty()
}

// Click selects a row, or opens the one that is selected.
func (l *List[T]) Click(x, y int) tea.Cmd {
	row, ok := l.Table.At(x, y)
	switch {
	case !ok || !l.State().HasFigures() || l.IsAlone() || !l.frame.ListSeen():
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

// Move moves the cursor or scrolls the details. Beside a list only the page keys scroll.
func (l *List[T]) Move(press tea.KeyPressMsg) bool {
	scrolls := l.page.Nav.PageMove
	switch {
	case l.IsAlone():
		scrolls = l.page.Nav.LineMove
	case !l.Opened:
		scrolls = nil
	}
	if scrolls != nil {
		if lines, ok := scrolls(press, l.Pane.Rows()); ok {
			l.Pane.Scroll(lines)
			return false
		}
	}
	if l.IsAlone() || !l.canMove() || !l.Table.Update(press, l.page.Nav) {
		return false
	}
	l.follow()
	return true
}

// follow follows the newest record if the cursor is there.
func (l *List[T]) follow() { l.Following = l.Follows && l.Table.Cursor() == l.Newest() }

// Back closes the details, or else removes the text filter. It returns false if there is neither.
func (l *List[T]) Back() bool {
	switch {
	case l.IsAlone():
		l.ShowAlone("")
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

// BackKey closes the details.
func (l *List[T]) BackKey() views.Action {
	return views.Back(func() bool { return l.IsAlone() || l.Opened }, l.page.Back)
}

// OpenKey opens the details.
func (l *List[T]) OpenKey() views.Action {
	return views.Open(func() bool { return l.One() && !l.IsAlone() && !l.Opened }, views.Do(func() { l.Opened = true }))
}

// FilterKey asks for the text filter.
func (l *List[T]) FilterKey(when func() bool) views.Action {
	return views.Action{Key: "/", Help: "filter", When: when, Do: views.Do(l.Search.Ask)}
}

// RemoveTextKey removes the text filter.
func (l *List[T]) RemoveTextKey() views.Action {
	return views.Action{Key: "x", Help: "remove filter", When: func() bool { return l.Text != "" },
		Do: views.Do(func() { l.SetText("") })}
}

// CopyKey copies a text of the current record.
func (l *List[T]) CopyKey(key, help, what string, of func(*T) string) views.Action {
	return views.Action{Key: key, Help: help, When: func() bool { return l.One() && of(l.Current()) != "" },
		Do: func() tea.Cmd { return views.PutOnClipboard(what, of(l.Current())) }}
}

// ExportKey exports a table. command prints it. words returns the parts of the file's name.
func (l *List[T]) ExportKey(of func() saveas.Table, command string, words func() []string) views.Action {
	return views.Export(l.page.Env, func() bool { return l.One() && !l.IsAlone() }, func() tea.Cmd {
		return l.page.File.Ask(of, command, words()...)
	})
}

// ChipOf is the chip of the text filter on a page with several lists, of which this one has a name.
func (l *List[T]) ChipOf(name string) Chip {
	c := l.Chip()
	return Chip{func() string {
		if l.Text == "" {
			return ""
		}
		return name + ": " + c.Label()
	}, c.Off}
}

// Chip is the chip of the text filter.
func (l *List[T]) Chip() Chip {
	return Chip{func() string { return quoted(l.Text) }, func() { l.SetText("") }}
}

// Position says where the cursor is, such as "row 3 of 42".
func (l *List[T]) Position() string {
	if _, state := l.fetched(); !state.HasFigures() {
		return ""
	}
	return l.page.Theme.Faint.Render(l.Table.Position())
}

// Head returns the lines above the list: those in front of the filters, an open prompt or the
// filters with a text at the right, and the notice, which says why records are stale unless the
// page has another. Low pages leave lines out.
func (l *List[T]) Head(front []Line, right string, style lipgloss.Style, notice string) (lines []Line) {
	p, state := l.page, l.State()
	refused := state.Status == resource.NotAllowed && !p.Filtered() && !p.Typing()
	if !l.IsAlone() && !refused {
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

// Stale says why the records are stale, or "" if they are not.
func (l *List[T]) Stale() string { return panel.Line(l.State(), l.page.Now()) }

// Help returns the keys that move the cursor.
func (l *List[T]) Help() []views.HelpGroup {
	return []views.HelpGroup{l.page.Nav.Help("List", l.canMove())}
}

func (l *List[T]) canMove() bool {
	if l.CanMove != nil {
		return l.CanMove()
	}
	return l.One()
}

func (l *List[T]) prompt() views.Layer { return l.Search }

func (l *List[T]) places() []views.Place {
	if item := l.Current(); item != nil && l.Places != nil {
		return l.Places(item)
	}
	return nil
}
