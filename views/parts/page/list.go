package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/table"
)

// Listing declares a list of records. Each record has an ID, a row of the table and, if Detail is
// set, details that open next to the table or instead of it. Functions that aren't needed are nil.
type Listing[T any] struct {
	Title string // what the list holds, such as "Invoices"
	Noun  string // what one record is, such as "Invoice"; the title of its details

	// Exactly one of Data, Items and At provides the records. Items must return the same slice
	// until the records change. At returns one row, or nil if it isn't in memory; a page that uses
	// At sets the number of rows of Table itself. Items and At need State, the state of what they
	// return.
	Data  func() *Data[[]T]
	Items func() []T
	At    func(row int) *T
	State func() resource.State
	// Single is one record that another page opens by its ID (see ShowSingle), without the list.
	Single *Data[*T]
	// ID identifies a record when the list is filled again. It is called with a record as it is in
	// the list.
	ID func(*T) string

	// Columns show the fields of Record in the cells that Cell returns. Row appends the cells of a
	// row that needs other ones; it returns false to use Record and Cell. A list with only Row
	// needs neither.
	Columns []table.Column
	Record  func(T) record.Object
	Cell    func(*T, record.Field) table.Cell
	Row     func(row int, item *T, dst []table.Cell) ([]table.Cell, bool)
	Widest  map[int]func(*T) int // per column, the width of a record's text (see table.Table.Widen)

	Detail      func(*T) []table.Field
	DetailWidth int           // on screens at least this wide, details are always shown; 0 means never
	Empty       func() string // text shown instead of an empty list
	Framed      bool          // the text has a frame even on low screens
	// Ticks redraws the rows and details once a second, because they show ages or countdowns.
	// Without it, they are redrawn when the records or the day change.
	Ticks bool

	// The text filter (see FilterKey) searches the fields of Record named in Searched, or uses
	// Finds.
	Hint     string // what can be searched, shown while the filter is empty
	Searched []string
	Finds    func(item *T, text string) bool
	// Matches applies the other filters of the page. Each must have a Chip in Spec.Chips: the list
	// is filled again when the label of a chip or the day changes.
	Matches func(*T) bool

	Filled func()           // called when the rows have changed
	Lost   func(*T) tea.Cmd // called when the record whose details were open is no longer in the data

	Follows     bool                   // a cursor on the newest record moves to each newer one
	OldestFirst bool                   // the oldest record is the first of the records
	CanMove     func() bool            // whether the cursor keys have an effect; nil means if there is a record
	Places      func(*T) []views.Place // other pages that show something about a record
}

// List is a list of records with a filter, a cursor and the details of a record. It fills itself
// when its records or filters have changed. A page with one list uses it as its Body.
type List[T any] struct {
	Listing[T]

	Table    *table.Table
	Pane     table.Detail // shows the details
	Search   *listdetail.Filter
	Text     string // text filter
	Opened   bool   // the user has opened the details
	NextID   string // the cursor moves to the record with this ID once it is listed
	Reversed bool   // rows are in the opposite order of the records
	// Following means that the cursor moves to each new record. It isn't the same as being on the
	// newest record: after the details of one were open, the cursor stays on that one.
	Following bool

	page     *Page
	items    []T
	narrowed bool  // a filter is set
	passing  []int // indices of the items that pass the filters, if narrowed
	passive  bool
	opens    bool // OpenKey is used
	filters  bool // FilterKey is used
	source   source[T]
	part     string
	parts    map[string]place // cursors of the parts that aren't shown
	cursor   place
	shown    shownDetail[T]
	frame    listdetail.Frame
}

// shownDetail identifies what the details show.
type shownDetail[T any] struct {
	item *T
	id   string
}

// NewList returns a list of a page.
func NewList[T any](p *Page, of Listing[T]) *List[T] {
	l := &List[T]{Listing: of, page: p, Following: of.Follows}
	l.Table = table.New(l.titled(of.Columns), rows[T]{l})
	l.Search = listdetail.NewFilter(of.Hint, func() string { return l.Text }, l.SetText)
	l.frame = listdetail.Frame{List: l.Table, Detail: &l.Pane}
	p.lists = append(p.lists, l)
	return l
}

func (l *List[T]) titled(columns []table.Column) []table.Column {
	if l.Record == nil {
		return columns
	}
	var empty T
	return table.Titled(l.Record(empty), columns)
}

// SetColumns replaces the columns. The cursor keeps its row.
func (l *List[T]) SetColumns(columns []table.Column) {
	cursor := l.Table.Cursor()
	l.Table = table.New(columns, rows[T]{l})
	l.setRows()
	l.Table.SetCursor(cursor)
	l.Table.SetTheme(l.page.Theme)
	l.Table.Highlight(l.Text)
	l.frame.List = l.Table
}

// records returns the records and the state of what provides them.
func (l *List[T]) records() ([]T, resource.State) {
	switch {
	case l.At != nil:
		return nil, l.Listing.State()
	case l.Items != nil:
		return l.Items(), l.Listing.State()
	}
	d := l.Data()
	items, _ := d.Value()
	return items, d.State()
}

// State returns the state of what the list shows. It is empty if the filters hide every record.
func (l *List[T]) State() resource.State {
	if l.ShowsSingle() {
		return l.Single.State()
	}
	_, state := l.records()
	if state.HasFigures() && l.Len() == 0 && l.At == nil {
		state.Status = resource.Empty
	}
	return state
}

// ShowsSingle reports whether one record is shown without the list.
func (l *List[T]) ShowsSingle() bool { return l.Single != nil && l.Single.Key != "" }

// ShowSingle shows the record with an ID without the list, or the list again for "".
func (l *List[T]) ShowSingle(id string) {
	if l.Single.Key != id {
		l.Pane.Top()
	}
	l.Single.Choose(id)
	l.Opened = false
}

// Len returns the number of rows.
func (l *List[T]) Len() int {
	if l.narrowed {
		return len(l.passing)
	}
	return len(l.items)
}

// Item returns the record in a row, or nil. The pointer is valid until the list is filled again, so
// code that outlives the current message keeps a copy.
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
		row = l.passing[row]
	}
	return &l.items[row]
}

// Current returns the record that keys act on, or nil. The pointer is valid as long as Item's.
func (l *List[T]) Current() *T {
	if l.ShowsSingle() {
		return l.Single.Known()
	}
	if _, state := l.records(); !state.HasFigures() {
		return nil
	}
	return l.Item(l.Table.Cursor())
}

// HasCurrent reports whether there is a record that keys act on.
func (l *List[T]) HasCurrent() bool { return l.Current() != nil }

// All returns the records that pass the filters, in the order of the rows.
func (l *List[T]) All() []T {
	all := make([]T, l.Len())
	for row := range all {
		all[row] = *l.Item(row)
	}
	return all
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
