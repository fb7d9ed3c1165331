package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Pair is a list of which each record has a list of its own. The inner list has those of the record
// under the cursor, and a cursor once the user has gone inside.
type Pair[O, I any] struct {
	Outer  *List[O]
	Inner  *List[I]
	Inside bool
	Chosen func(id string) // called when the cursor of Outer is on another record; nil does nothing
	// MayEnter reports whether the cursor may be inside; nil means if the inner list has rows.
	MayEnter func() bool

	owner string
}

// Sync shows what belongs to the record under the cursor. Call it after every change.
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
	p.Inner.Opened = p.Inner.Opened && p.Inside && p.Inner.One()
	p.Inner.SetPassive(!p.Inside)
}

func (p *Pair[O, I]) mayEnter() bool {
	if p.MayEnter != nil {
		return p.MayEnter()
	}
	return p.Inner.One()
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

// Click selects a row of a list, or opens the one that is selected. Line y = 0 is that of the
// titles. It returns false if there is no row.
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

// Back closes the opened record, or leaves the inner list. It returns false if there is neither.
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

// BackKey leaves what was entered.
func (p *Pair[O, I]) BackKey() views.Action {
	return views.Back(func() bool { return p.Inside }, p.Outer.page.Back)
}

// One reports whether there is a record under the cursor.
func (p *Pair[O, I]) One() bool { return p.Inside && p.Inner.One() || !p.Inside && p.Outer.One() }
