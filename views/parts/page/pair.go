package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Pair is a list whose records each have a list of their own. The inner list shows the one of the
// record under the cursor of the outer list. It has a cursor once the user has moved inside.
type Pair[O, I any] struct {
	Outer  *List[O]
	Inner  *List[I]
	Inside bool
	Chosen func(id string) // called when the cursor of Outer is on another record, or on none; may be nil
	// MayEnter reports whether the cursor may move inside; nil means if the inner list has rows.
	MayEnter func() bool

	owner string
}

// Sync shows the inner list of the record under the cursor. Call it in Spec.Sync.
func (p *Pair[O, I]) Sync() {
	id := ""
	if one := p.Outer.Current(); one != nil {
		id = p.Outer.ID(one)
	}
	if id != p.owner {
		p.owner, p.Inner.Opened = id, false
		if p.Chosen != nil {
			p.Chosen(id)
		}
		p.Inner.Fill()
		p.Inner.Table.SetCursor(0)
	}
	p.Inside = p.Inside && p.mayEnter()
	p.Inner.Opened = p.Inner.Opened && p.Inside && p.Inner.HasCurrent()
	p.Inner.SetPassive(!p.Inside)
}

func (p *Pair[O, I]) mayEnter() bool {
	if p.MayEnter != nil {
		return p.MayEnter()
	}
	return p.Inner.HasCurrent()
}

// Move moves in the list that has the cursor, or scrolls the opened record.
func (p *Pair[O, I]) Move(press tea.KeyPressMsg) bool {
	switch {
	case !p.Inside:
		return p.Outer.Move(press)
	case !p.Inner.Opened:
		return p.Inner.Move(press)
	}
	lines, _ := p.Inner.page.Nav.LineMove(press, p.Inner.Pane.Rows())
	p.Inner.Pane.Scroll(lines)
	return false
}

// Click selects a row of the inner or the outer list, or opens the selected one. Line 0 holds the
// titles of the columns. It returns false if the place is empty.
func (p *Pair[O, I]) Click(inside bool, x, y int) (cmd tea.Cmd, hit bool) {
	was, t := p.Inside, p.Outer.Table
	p.Inside = inside
	p.Sync() // the focus decides which rows the cursor can reach
	if inside {
		t = p.Inner.Table
	}
	row, ok := t.At(x, y)
	switch {
	case !ok:
		return nil, false
	case was == p.Inside && t.Cursor() == row:
		return p.Outer.page.Enter(), true
	}
	t.SetCursor(row)
	return nil, true
}

// Back closes the opened record, or leaves the inner list. It returns false if there was neither.
func (p *Pair[O, I]) Back() bool {
	switch {
	case p.Inner.Opened:
		p.Inner.Opened = false
	case p.Inside:
		p.Inside = false
	default:
		return false
	}
	return true
}

// BackKey leaves the inner list.
func (p *Pair[O, I]) BackKey() views.Action {
	return views.Back(func() bool { return p.Inside }, p.Outer.page.Back)
}

// One reports whether there is a record under the cursor.
func (p *Pair[O, I]) HasCurrent() bool {
	return p.Inside && p.Inner.HasCurrent() || !p.Inside && p.Outer.HasCurrent()
}
