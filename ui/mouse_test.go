package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestTheMouseIsLeftAloneUnlessAskedFor(t *testing.T) {
	d := open(t, healthy())
	if d.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is taken from the terminal")
	}
	d.options.Mouse = true
	if d.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the mouse was asked for and is not there")
	}
	d.leaving = true
	if d.View().MouseMode != tea.MouseModeNone {
		t.Error("the last frame keeps the mouse")
	}
}

func TestTurnsOfTheWheelAreGathered(t *testing.T) {
	d := open(t, healthy())
	d.press(":")
	commands := 0
	for range 4 {
		if _, cmd := d.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown}); cmd != nil {
			commands++
		}
	}
	d.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if commands != 1 || d.palette.cursor != 0 {
		t.Errorf("%d commands, the cursor at %d", commands, d.palette.cursor)
	}
	d.Update(turned{})
	if d.palette.cursor != 3*linesPerTurn {
		t.Errorf("the cursor is at %d", d.palette.cursor)
	}
	if _, cmd := d.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp}); cmd == nil {
		t.Error("the next gathering does not end")
	}
	d.Update(turned{})
	if d.palette.cursor != 2*linesPerTurn {
		t.Errorf("the cursor is at %d", d.palette.cursor)
	}
}

func TestTheWheelDoesNothingWhereTextIsTyped(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "/")
	d.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	before := d.text()
	d.Update(turned{})
	if d.text() != before {
		t.Errorf("it did something:\n%s", d.text())
	}
}

func TestAClickOnATabOpensIt(t *testing.T) {
	d := open(t, healthy())
	for _, width := range []int{40, 80, 200} {
		d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		for i, p := range d.session.pages {
			if p.digit == "" {
				continue
			}
			line := ansi.Strip(strings.Split(d.render(), "\n")[1])
			d.Update(tea.MouseClickMsg{X: strings.Index(line, p.digit), Y: 1, Button: tea.MouseLeft})
			if d.session.active != i {
				t.Errorf("at %d columns %s did not open", width, p.title)
			}
		}
		active := d.session.active
		d.Update(tea.MouseClickMsg{X: width - 1, Y: 1, Button: tea.MouseLeft})
		d.Update(tea.MouseClickMsg{X: 1, Y: 5, Button: tea.MouseLeft})
		d.Update(tea.MouseClickMsg{X: 1, Y: 1, Button: tea.MouseRight})
		if d.session.active != active {
			t.Error("a click elsewhere opened a page")
		}
	}
}
