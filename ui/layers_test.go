package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// overlays are the layers above a page: how each is opened, whether it is open, what it shows, and
// a key of its footer.
var overlays = []struct {
	name, shows, footer string
	open                func(*dashboard)
	isOpen              func(*dashboard) bool
}{
	{"palette", "Find", "esc close", func(d *dashboard) {
		d.palette = newPalette("Find", "search", d.entries(finding))
	}, func(d *dashboard) bool { return d.palette.open }},
	{"details", "Resolved.", "y copy", func(d *dashboard) { d.details.open = true },
		func(d *dashboard) bool { return d.details.open }},
	{"dial", "Connecting…", "esc stay here", func(d *dashboard) {
		d.dial = &dial{to: &Profile{Name: "other"}, cancel: func() {}}
	}, func(d *dashboard) bool { return d.dial != nil }},
}

// What is drawn on top has its keys in the footer and takes keys and pastes.
func TestTheUppermostLayerIsDrawnAndTakesKeysAndPastes(t *testing.T) {
	for _, one := range overlays {
		for _, other := range overlays {
			if one.name == other.name {
				continue
			}
			d := open(t, healthy())
			d.press("4", "/", "a")
			one.open(d)
			other.open(d)
			frame := d.text()
			footer := frame[strings.LastIndex(frame, "\n")+1:]

			d.Update(tea.PasteMsg{Content: "zz"})
			typed := d.palette.typed.Value()
			d.press("esc")

			top, below := one, other
			if one.isOpen(d) {
				top, below = other, one
			}
			name := top.name + " over " + below.name
			if top.isOpen(d) || !below.isOpen(d) {
				t.Errorf("%s: esc closes not one of them", name)
			}
			if !strings.Contains(frame, top.shows) || !strings.Contains(footer, top.footer) {
				t.Errorf("%s takes the keys, and the screen shows\n%s", name, frame)
			}
			if top.name == "palette" != (typed == "zz") {
				t.Errorf("%s: the palette has %q", name, typed)
			}
			d.details.open, d.palette.open, d.dial = false, false, nil
			if d.shows("Filter   a"); strings.Contains(d.text(), "zz") {
				t.Errorf("%s: the page below took the paste", name)
			}
		}
	}
}

func TestAQuestionIsSeenOverEveryLayer(t *testing.T) {
	for _, below := range overlays {
		d, _ := holding(t, "something")
		below.open(d)
		d.press("ctrl+c")
		d.shows("! something", "esc stay")
		if d.press("esc"); d.question != nil || !below.isOpen(d) {
			t.Errorf("%s: esc does more than close the question", below.name)
		}
	}
	d, _ := holding(t, "something")
	d.choosingServer = true
	d.drain(d.welcome.Ask())

	d.press("ctrl+c")

	d.shows("Base URL", "! something", "ctrl+c leave anyway", "esc stay")
	d.press("esc")
	d.shows("Base URL")
	if d.question != nil || !d.choosingServer {
		t.Error("esc does more than close the question")
	}
}

// A paste is no answer to a question, like any key that is none.
func TestAPasteClosesAQuestionAndGoesBelow(t *testing.T) {
	d, _ := holding(t, "something")
	d.press("4", "/", "ctrl+c")
	d.shows("! something")

	d.Update(tea.PasteMsg{Content: "zz"})

	d.shows("Filter   zz")
	if d.question != nil {
		t.Error("the question is still open")
	}
}

func (d *dashboard) turnWheel() {
	d.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	d.Update(wheelTick{})
}

func TestTheWheelReachesTheUppermostLayerAlone(t *testing.T) {
	d, _ := holding(t, "something")
	d.press(":", "ctrl+c")
	d.turnWheel()
	if d.question == nil || d.palette.cursor != 0 {
		t.Errorf("under a question the cursor is at %d", d.palette.cursor)
	}
	d.press("esc", "esc")

	d.choosingServer = true
	d.drain(d.welcome.Ask())
	d.press("a")
	before := d.text()
	d.turnWheel()
	if d.text() != before {
		t.Errorf("in the form for a server the wheel moves the cursor:\n%s", d.text())
	}

	w := welcomed(t)
	w.press("p")
	w.turnWheel()
	if !w.palette.open || w.palette.cursor == 0 {
		t.Error("over the welcome page the wheel does not scroll the list of profiles")
	}
}

func TestAClickReachesNothingUnderALayer(t *testing.T) {
	for _, layer := range overlays {
		d := open(t, healthy())
		layer.open(d)
		active, opened := d.session.active, layer.isOpen(d)
		for y := bodyLine; y < d.height-1; y++ {
			d.Update(tea.MouseClickMsg{X: 2, Y: y, Button: tea.MouseLeft})
		}
		if d.session.active != active || layer.isOpen(d) != opened || d.front().Back() {
			t.Errorf("%s: a click did something below", layer.name)
		}
	}
}

// welcomed returns a dashboard on the welcome page, with profiles.
func welcomed(t *testing.T) *dashboard {
	t.Helper()
	d := &dashboard{t: t, api: healthy()}
	four := []*Profile{{Name: "one"}, {Name: "two"}, {Name: "three"}, {Name: "four"}}
	d.Model = New(t.Context(), Options{Profiles: four})
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	return d
}
