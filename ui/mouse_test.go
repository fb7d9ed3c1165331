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
	d.Update(wheelTick{})
	if d.palette.cursor != 3*linesPerTurn {
		t.Errorf("the cursor is at %d", d.palette.cursor)
	}
	if _, cmd := d.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp}); cmd == nil {
		t.Error("the next gathering does not end")
	}
	d.Update(wheelTick{})
	if d.palette.cursor != 2*linesPerTurn {
		t.Errorf("the cursor is at %d", d.palette.cursor)
	}
}

func TestTheWheelDoesNothingWhereTextIsTyped(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "/")
	d.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	before := d.text()
	d.Update(wheelTick{})
	if d.text() != before {
		t.Errorf("it did something:\n%s", d.text())
	}
}

func TestAClickOnATabOpensIt(t *testing.T) {
	d := open(t, healthy())
	for _, width := range []int{40, 80, 200} {
		d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		for i, p := range d.session.pages {
			if p.Digit == "" {
				continue
			}
			line := ansi.Strip(strings.Split(d.render(), "\n")[1])
			d.Update(tea.MouseClickMsg{X: strings.Index(line, p.Digit), Y: 1, Button: tea.MouseLeft})
			if d.session.active != i {
				t.Errorf("at %d columns %s did not open", width, p.Title)
			}
		}
		active := d.session.active
		d.Update(tea.MouseClickMsg{X: width - 1, Y: 1, Button: tea.MouseLeft})
		d.Update(tea.MouseClickMsg{X: 1, Y: 1, Button: tea.MouseRight})
		if d.session.active != active {
			t.Error("a click elsewhere opened a page")
		}
	}
}

// at clicks the first occurrence of a text.
func (d *dashboard) at(text string) {
	d.t.Helper()
	for y, line := range strings.Split(d.text(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			_, cmd := d.Update(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			d.drain(cmd)
			return
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.text())
}

func TestAClickOnARowGoesThereAndASecondOpensIt(t *testing.T) {
	a := healthy()
	a.bodies["/transactions"] = strings.Replace(strings.Replace(a.bodies["/transactions"], `"data":[`, `"data":[`+
		strings.NewReplacer("txn_1", "txn_2", "Łukasz 株式会社", "Second").
			Replace(oneTransaction)+
		",", 1), `"count":1`, `"count":2`, 1)
	d := open(t, a)
	d.press("4")
	d.shows("row 1 of 2")
	d.at("Łukasz")
	d.shows("row 2 of 2")
	if d.front().Back() {
		t.Fatal("one click opened it")
	}
	d.at("Łukasz")
	d.shows("txn_1")
	d.at("Second") // the list is beside the detail
	d.shows("txn_2", "row 1 of 2")
}

func TestAClickOnAPanelGoesThereAndASecondOpensItsPage(t *testing.T) {
	d := open(t, healthy())
	d.Update(tea.WindowSizeMsg{Width: 160, Height: 40})
	d.at("Latest events")
	d.shows("enter open")
	if d.session.active != 0 {
		t.Fatal("one click left the page")
	}
	d.at("Latest events")
	if p := d.session.pages[d.session.active]; p.Title != "Events" {
		t.Errorf("it led to %s", p.Title)
	}
	d.press("3")
	d.at("Ironwood  ")
	if p := d.session.pages[d.session.active]; p.Title != "Invoices" {
		t.Errorf("the selected customer led to %s", p.Title)
	}
}

func TestAClickInTheFooterPressesTheKeyThatItNames(t *testing.T) {
	d := open(t, healthy())
	d.at("? help")
	d.shows("Keys")
	d.at("esc close")
	if d.palette.open {
		t.Error("the list of keys stays")
	}
	d.press("4")
	d.at("/ filter")
	if !d.front().State().Typing {
		t.Fatal("no keyword is asked for")
	}
	before := d.text()
	d.at("2026-11-20") // outside the text field
	if d.text() != before {
		t.Error("a click into the list did something while text was typed")
	}
	d.at("esc cancel")
	if d.front().State().Typing {
		t.Error("it is still asked for")
	}
}

func TestAClickInTheFooterWorksBesideANotice(t *testing.T) {
	d := open(t, healthy())
	d.press("*")
	d.shows("✓ amounts hidden")
	d.at("? help")
	d.shows("Keys")
}

func TestAClickBesideADialogDoesNothing(t *testing.T) {
	d := open(t, healthy())
	d.press(":")
	for y := range 39 { // the footer shows the dialog's keys
		for _, x := range []int{0, 60, 119} {
			_, cmd := d.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			if cmd != nil || !d.palette.open || d.session.active != 0 {
				t.Fatalf("a click at %d, %d did something", x, y)
			}
		}
	}
}

// A click anywhere on any page is handled without a panic.
func TestAClickAnywhereIsSafe(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	for name, reach := range states() {
		d := reach(t)
		for i, p := range d.session.pages {
			d.reach(p)
			for _, size := range [][2]int{{1, 1}, {20, 4}, {120, 24}} {
				d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				for y := 2; y < size[1]-1; y++ {
					for x := 3; x < size[0]; x += 55 {
						d.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
						if lines := strings.Split(d.render(), "\n"); len(lines) != size[1] {
							t.Fatalf("%s, %s: a click at %d, %d of %v left %d lines", name, p.Title, x, y, size, len(lines))
						}
						d.session.active = i
					}
				}
			}
		}
	}
}
