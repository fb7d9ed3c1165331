package spend

import (
	"slices"

	"tarmac/client/resource"
	"tarmac/internal/fold"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/page"
	"tarmac/views/parts/table"
)

// list is one of the tables of the page, with the order that the user has chosen. Its records are
// the indices of items.
type list struct {
	*page.List[int]
	content
	items []int
	width int // width of the screen that the table's columns are for
	order int // index of the order in content.orders
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

// row appends the cells of a row of the table.
func (l *list) row(i int, item *int, dst []table.Cell) ([]table.Cell, bool) {
	first := len(dst)
	dst = l.cells(*item, l.width, dst)
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
	rows := make([][]mark.State, l.Len())
	columns, widest := l.figures(l.width), l.widest()
	for i := range rows {
		if item := *l.Item(i); item < l.count() { // the items may have changed, until the table is refilled
			rows[i] = l.states(item, l.width)
		}
	}
	l.marks = mark.Place(rows)
	l.Table.Mark(0, slices.Contains(l.marks.Rows, true), false)
	for at, column := range columns {
		if len(l.marks.Columns) <= at {
			break
		}
		title := l.marks.Title || l.marks.Columns[at]
		cells := title
		for i := range rows {
			cells = cells || len(rows[i]) > at && l.marks.Cell(i, at)
		}
		l.Table.Mark(column, cells, title)
		if cells && widest[at] > 0 {
			widest[at] += mark.Width
		}
		l.Table.Widen(column, widest[at])
	}
}

func (s *Screen) makeLists() {
	for i, c := range [...]content{
		counterpartyList{s}, recurringList{s}, changeList{s}, rowList{s},
	} {
		l := &s.lists[i]
		l.content = c
		l.List = page.NewList(s.Page, page.Listing[int]{
			Noun: "Transaction", Items: l.all, Row: l.row, Filled: l.filled, Follows: true, CanMove: s.listed,
			State:  func() resource.State { return resource.State{Status: resource.Ready} },
			ID:     func(item *int) string { return c.id(*item) },
			Finds:  func(item *int, text string) bool { return c.matches(*item, text) },
			Detail: func(item *int) []table.Field { return s.fields(*item) },
		})
	}
}

// all returns the indices of all items.
func (l *list) all() []int {
	for len(l.items) < l.count() {
		l.items = append(l.items, len(l.items))
	}
	return l.items[:l.count()]
}

// filled finds the room that the shown items need.
func (l *list) filled() {
	l.placeMarks()
	l.Table.WidenNames(l.count(), l.content.name)
}

// makeTable gives a list its columns, because they have changed.
func (s *Screen) makeTable(l *list) {
	l.width = s.Width
	l.SetColumns(l.columns(s.Width))
	l.filled()
}

// selected returns the item under the cursor. It returns false if the list is empty.
func (l *list) selected() (item int, ok bool) {
	if at := l.Current(); at != nil {
		return *at, true
	}
	return 0, false
}

// refill calls change, which replaces the items of a list, and shows those that match its filter.
func (s *Screen) refill(of kind, change func()) {
	change()
	s.lists[of].Fill()
}

// setOrder sets the order of a list. The cursor moves to the first item.
func (s *Screen) setOrder(l *list, order int) {
	l.order, l.Following = order, true
	of := kind(slices.IndexFunc(s.lists[:], func(other list) bool { return other.content == l.content }))
	s.refill(of, [...]func(){
		counterparties: s.deriveCounterparties, recurring: s.sortRecurring, changes: s.deriveChanges,
		transactions: s.sortRows,
	}[of])
	l.Table.SetCursor(0)
}

func contains(text, part string) bool {
	from, _ := fold.Find(text, part)
	return part == "" || from >= 0
}

// isWide reports whether tables have all columns and exact amounts on a screen of the given width.
func isWide(width int) bool { return width >= 112 }
