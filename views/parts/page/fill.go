package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/civil"
)

// source identifies what a list was filled from. The list is filled again when it changes.
type source[T any] struct {
	first   *T // of the records
	n       int
	version uint64 // see Data.version
	text    string
	chips   uint64 // see Page.chips
	day     civil.Date
}

func (l *List[T]) currentSource() source[T] {
	items, _ := l.records()
	now := source[T]{n: len(items), text: l.Text}
	if len(items) > 0 {
		now.first = &items[0]
	}
	if l.Data != nil {
		now.version = l.Data().version
	}
	if l.Matches != nil {
		now.chips, now.day = l.page.chips, l.page.Today
	}
	return now
}

// refill fills the list if its records or filters have changed. It returns the command of Lost.
func (l *List[T]) refill() tea.Cmd {
	if l.At != nil {
		return nil
	}
	before, now := l.source, l.currentSource()
	if now == before {
		l.remember()
		return nil
	}
	lost := l.fill()
	if lost == nil || l.Lost == nil || before.text != now.text || before.chips != now.chips {
		return nil
	}
	return l.Lost(lost)
}

// Fill finds the records that pass the filters. The page does that by itself when it sees that the
// records or filters have changed; a page calls Fill when it needs the new rows at once, or when
// the records have changed although Items returns the same slice.
//
// The cursor stays on its record and that on its line, or moves to the newest record (see
// Following) or the one with NextID. If its record is gone, the cursor keeps its row, and the
// details close, because they would show another record.
func (l *List[T]) Fill() { l.fill() }

// fill is Fill. It returns the record whose details it closed, or nil.
func (l *List[T]) fill() (lost *T) {
	was := l.remember()
	l.source = l.currentSource()
	l.items, _ = l.records()
	l.passing, l.narrowed = l.passing[:0], l.Text != "" || l.Matches != nil && l.page.Filtered()
	if l.narrowed {
		for i := range l.items {
			if l.passes(&l.items[i]) {
				l.passing = append(l.passing, i)
			}
		}
	}
	for column, width := range l.Widest {
		widest := 0
		for row := range l.Len() {
			widest = max(widest, width(l.Item(row)))
		}
		l.Table.Widen(column, widest)
	}
	if l.Filled != nil {
		l.Filled()
	}
	l.Table.Highlight(l.Text)
	l.Pane.Highlight(l.Text)
	l.Invalidate()
	l.setRows()
	closed := l.placeCursor()
	l.cursor.known = false
	l.remember()
	if !closed {
		return nil
	}
	return was
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

// place is where the cursor is: on the record with an ID in a row, on a line of the table.
type place struct {
	id        string
	row, line int
	known     bool // the record in the row has this ID
}

// remember stores where the cursor is, for the next time that the list is filled. IDs are asked for
// only when the cursor has moved: by the time the list is filled, a page may have replaced what ID
// reads. It returns the record under the cursor, or nil.
func (l *List[T]) remember() *T {
	row := l.Table.Cursor()
	item := l.Item(row)
	if item == nil {
		return nil
	}
	if !l.cursor.known || l.cursor.row != row {
		l.cursor.id, l.cursor.row, l.cursor.known = l.ID(item), row, true
	}
	top, _ := l.Table.Visible()
	l.cursor.line = row - top
	return item
}

// placeCursor moves the cursor after the rows have changed. It reports whether it closed the
// details.
func (l *List[T]) placeCursor() (closed bool) {
	if l.Following && !l.Opened {
		l.Table.SetCursor(l.Newest())
		return false
	}
	row := l.find(l.cursor.id)
	if next := l.find(l.NextID); next >= 0 {
		row, l.NextID = next, ""
	}
	if row < 0 {
		closed, l.Opened = l.Opened, false
		return closed
	}
	top, _ := l.Table.Visible()
	l.Table.Scroll(row - l.cursor.line - top)
	l.Table.SetCursor(row)
	l.Following = l.Following && row == l.Newest()
	return false
}

// find returns the row of the record with an ID, or -1.
func (l *List[T]) find(id string) int {
	if id == "" {
		return -1
	}
	for row := range l.Len() {
		if l.ID(l.Item(row)) == id {
			return row
		}
	}
	return -1
}

// ShowPart shows another part of the data, such as the invoices with another status. Each part has
// a cursor of its own.
func (l *List[T]) ShowPart(part string) {
	l.remember()
	if l.parts == nil {
		l.parts = map[string]place{}
	}
	l.parts[l.part] = l.cursor
	l.part, l.cursor = part, l.parts[part]
	l.items, l.passing, l.Opened = nil, nil, false
	if l.ShowsSingle() {
		l.ShowSingle("")
	}
	l.Fill()
}

// SetText sets the text filter.
func (l *List[T]) SetText(text string) {
	if text != l.Text {
		l.Text = text
		l.Fill()
	}
}

// Newest returns the row of the newest record.
func (l *List[T]) Newest() int {
	if l.OldestFirst && !l.Reversed {
		return max(0, l.Len()-1)
	}
	return 0
}

// Reverse reverses the order of the rows. The cursor stays on its record.
func (l *List[T]) Reverse() {
	row := l.Len() - 1 - l.Table.Cursor()
	l.Reversed = !l.Reversed
	l.Table.Invalidate()
	l.Table.SetCursor(row)
}

// SetPassive sets whether the list is drawn without a cursor, because another list has it.
func (l *List[T]) SetPassive(passive bool) {
	l.passive, l.Following = passive, l.Following || passive && l.Follows
	l.setRows()
}

func (l *List[T]) setRows() {
	reachable := l.Len()
	if l.passive {
		reachable = 0
	}
	l.Table.SetRows(reachable, l.Len())
}
