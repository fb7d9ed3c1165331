package spend

import (
	"slices"

	"tarmac/internal/fold"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/table"
)

// list is one of the tables of the page, with the filter and the order that the user has chosen.
type list struct {
	content
	table *table.Table
	width int    // width of the screen for which the table has its columns
	text  string // filter
	order int    // index of the order in content.orders
	shown []int  // indices of the items that match the filter
	marks mark.Places
}

// content is what a list shows. Items are identified by their index.
type content interface {
	columns(width int) []table.Column // for a screen of that many cells
	orders() []string                 // names of the orders; the first is the default
	hint() string                     // what the filter searches
	count() int
	id(item int) string   // equal for the same item after new rows have been read
	name(item int) string // the counterparty, or the category
	matches(item int, text string) bool
	cells(item, width int, dst []table.Cell) []table.Cell
	// figures returns the indices of the columns in a table for a screen of that many cells whose
	// figures may have marks, and states what is known of these figures.
	figures(width int) []int
	states(item, width int) []mark.State
	// widest returns the widths of the widest figures of these columns, or 0 where the column is
	// wide enough anyway.
	widest() []int
}

// Row appends the cells of a row of the table.
func (l *list) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	if i >= len(l.shown) {
		return dst, false
	}
	first := len(dst)
	dst = l.cells(l.shown[i], l.width, dst)
	if i >= len(l.marks.Rows) {
		return dst, true
	}
	dst[first].Marked = l.marks.Rows[i]
	for at, column := range l.figures(l.width) {
		dst[first+column].Marked = l.marks.Cell(i, at)
	}
	return dst, true
}

// placeMarks decides where the table has marks.
func (l *list) placeMarks() {
	rows := make([][]mark.State, len(l.shown))
	columns, widest := l.figures(l.width), l.widest()
	for i, item := range l.shown {
		if item < l.count() { // the items may have changed, until the table is refilled
			rows[i] = l.states(item, l.width)
		}
	}
	l.marks = mark.Place(rows)
	l.table.Mark(0, slices.Contains(l.marks.Rows, true), false)
	for at, column := range columns {
		if len(l.marks.Columns) <= at {
			break
		}
		title := l.marks.Title || l.marks.Columns[at]
		cells := title
		for i := range rows {
			cells = cells || len(rows[i]) > at && l.marks.Cell(i, at)
		}
		l.table.Mark(column, cells, title)
		if cells && widest[at] > 0 {
			widest[at] += mark.Width
		}
		l.table.Widen(column, widest[at])
	}
}

func (s *Screen) makeLists() {
	for i, c := range [...]content{
		counterpartyList{s}, recurringList{s}, changeList{s}, rowList{s},
	} {
		s.lists[i].content = c
		s.makeTable(&s.lists[i])
	}
}

// makeTable makes the table of a list anew, because its columns have changed. The cursor keeps its
// row.
func (s *Screen) makeTable(l *list) {
	cursor := 0
	if l.table != nil {
		cursor = l.table.Cursor()
	}
	l.width = s.width
	l.table = table.New(l.columns(s.width), l)
	l.table.SetRows(len(l.shown), len(l.shown))
	l.table.SetCursor(cursor)
	l.table.SetTheme(s.theme)
	l.table.Highlight(l.text)
	l.placeMarks()
	l.table.WidenNames(l.count(), l.name)
}

// selected returns the item under the cursor. It returns false if the list is empty.
func (l *list) selected() (item int, ok bool) {
	if at := l.table.Cursor(); at < len(l.shown) {
		return l.shown[at], true
	}
	return 0, false
}

// refill calls change, which replaces the items of a list, and shows those that match its filter.
// The cursor stays on the same item if that is still shown. A cursor on the first row stays there,
// so that the list begins with the first item while rows are being read.
func (s *Screen) refill(of kind, change func()) {
	l := &s.lists[of]
	selected := ""
	if item, ok := l.selected(); ok && item < l.count() && l.table.Cursor() > 0 {
		selected = l.id(item)
	}
	change()
	l.shown = l.shown[:0]
	cursor := -1
	for item := range l.count() {
		if !l.matches(item, l.text) {
			continue
		}
		if cursor < 0 && selected != "" && l.id(item) == selected {
			cursor = len(l.shown)
		}
		l.shown = append(l.shown, item)
	}
	l.placeMarks()
	l.table.WidenNames(l.count(), l.name)
	l.table.SetRows(len(l.shown), len(l.shown))
	if cursor >= 0 {
		l.table.SetCursor(cursor)
	}
	l.table.Invalidate()
}

// setText sets the filter of a list. An empty text removes it.
func (s *Screen) setText(l *list, text string) {
	l.text = text
	s.refill(s.kindOf(l), func() {})
	l.table.Highlight(text)
}

// setOrder sets the order of a list. The cursor moves to the first item.
func (s *Screen) setOrder(l *list, order int) {
	l.order = order
	of := s.kindOf(l)
	s.refill(of, [...]func(){
		counterparties: s.deriveCounterparties, recurring: s.sortRecurring, changes: s.deriveChanges,
		transactions: s.sortRows,
	}[of])
	l.table.SetCursor(0)
}

func (s *Screen) kindOf(l *list) kind {
	return kind(slices.IndexFunc(s.lists[:], func(other list) bool { return other.content == l.content }))
}

func contains(text, part string) bool {
	from, _ := fold.Find(text, part)
	return part == "" || from >= 0
}

// isWide reports whether tables have all columns and exact amounts on a screen of the given width.
func isWide(width int) bool { return width >= 112 }
