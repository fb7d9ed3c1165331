package events

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"tarmac/apiclient"
	"tarmac/views"
)

// helpKeys returns the keys and descriptions of the enabled bindings in the help.
func helpKeys(s *Screen) (names []string) {
	for _, group := range s.Help() {
		for _, b := range group.Bindings {
			if b.Enabled() {
				names = append(names, b.Help().Key+" "+b.Help().Desc)
			}
		}
	}
	return names
}

// keyStates returns a screen for each state that has its own set of enabled keys.
func keyStates(t *testing.T) map[string]*fixture {
	t.Helper()
	at := func(events int, keys ...string) *fixture {
		d := open(t, events)
		d.press(keys...)
		return d
	}
	out := map[string]*fixture{
		"list": at(9), "turned over": at(9, "o"), "paused": at(9, "space"), "detail": at(9, "enter"),
		"detail about nothing": at(8, "enter"), "types": at(9, "f"), "search": at(9, "/"), "empty": at(0),
		"of a type": at(9, "f", "j", "enter"), "of a type that none is": at(9, "f", "j", "j", "j", "enter"),
		"filtered": at(
			9,
			"/",
			"i",
			"enter",
		), "none match": at(9, "/", "z", "z", "enter"), "refused": open(t, 9), "too large": open(t, 0),
	}
	out["refused"].server.fail = &apiclient.Error{Status: 403, Scope: "event_feed:read"}
	out["refused"].poll()
	out["too large"].server.feed = []apiclient.Event{{ID: "evt_1", Type: "new.kind", Omitted: 70_000}}
	out["too large"].poll()
	return out
}

func TestTheKeysOfEveryState(t *testing.T) {
	const (
		tail  = "/ filter,f types,space pause,"
		foot  = "y copy id,o oldest first,Y copy JSON"
		moves = ",↑/k up,↓/j down,g newest,G oldest,pgdn page down,pgup page up," +
			"ctrl+d half a page down,ctrl+u half a page up"
	)
	for name, want := range map[string]string{
		"list": "enter open," + tail + "e export," + foot + moves,
		"turned over": strings.NewReplacer(
			"g newest", "g oldest", "G oldest", "G newest", "oldest first", "newest first",
		).Replace("enter open," + tail + "e export," + foot + moves),
		"paused":                 strings.Replace("enter open,"+tail+"e export,"+foot+moves, "pause", "resume", 1),
		"detail":                 "esc back,enter open invoice," + tail + "e export," + foot + moves,
		"detail about nothing":   "esc back," + tail + "e export," + foot + moves,
		"types":                  "↑/k up,↓/j down,enter apply,esc cancel",
		"search":                 "enter apply,esc cancel",
		"empty":                  "space pause",
		"of a type":              "enter open," + tail + "e export,x remove last filter," + foot + moves,
		"of a type that none is": tail + "x remove last filter" + moves,
		"filtered":               "enter open," + tail + "e export,x remove last filter," + foot + moves,
		"none match":             tail + "x remove last filter" + moves,
		"refused":                "",
		"too large":              strings.Replace("enter open,"+tail+"e export,"+foot+moves, ",Y copy JSON", "", 1),
	} {
		if got := strings.Join(helpKeys(keyStates(t)[name].Screen), ","); got != want {
			t.Errorf("%s:\n%s, want\n%s", name, got, want)
		}
	}
}

// A key that is not in the help changes nothing and sends no request.
func TestWhatTheHelpDoesNotNameDoesNothing(t *testing.T) {
	for name := range keyStates(t) {
		if name == "search" {
			continue // in the prompt, letters are text
		}
		d := keyStates(t)[name]
		var named []string
		for _, group := range d.Help() {
			for _, b := range group.Bindings {
				if b.Enabled() {
					named = append(named, b.Keys()...)
				}
			}
		}
		before := d.text()
		for _, k := range strings.Fields("f o t / n N x y Y enter g G j k pgup pgdown space z 1") {
			// In the list of types, f moves down, as a second press of the key that opened the
			// list.
			if slices.Contains(named, k) || name == "types" && k == "f" {
				continue
			}
			if cmd := d.Update(press(k)); cmd != nil || d.text() != before {
				t.Errorf("%s: %s does something:\n%s", name, k, d.text())
			}
		}
	}
}

// A key in the help changes the screen or sends a command.
func TestWhatTheHelpNamesDoesSomething(t *testing.T) {
	for name := range keyStates(t) {
		for _, binding := range bindings(keyStates(t)[name]) {
			k := binding.Keys()[0]
			if strings.Contains("up down pgup pgdown g G ctrl+u ctrl+d", k) {
				continue // the cursor may already be at the end of the list
			}
			d := keyStates(t)[name]
			before := d.text()
			if cmd := d.Update(press(k)); cmd == nil && d.text() == before && !strings.Contains(name, "search") {
				t.Errorf("%s: %s does nothing", name, k)
			}
		}
	}
}

func bindings(d *fixture) (out []key.Binding) {
	for _, group := range d.Help() {
		for _, b := range group.Bindings {
			if b.Enabled() {
				out = append(out, b)
			}
		}
	}
	return out
}

func TestCopyingTakesTheEventUnderTheCursor(t *testing.T) {
	d := open(t, 9)
	for _, keys := range [][]string{{}, {"enter"}, {"j"}} {
		d.press(keys...)
		if got := d.Update(press("y"))(); got != (views.Copy{What: "the event's id", Text: d.currentID()}) {
			t.Errorf("y copies %v", got)
		}
		asked, ok := d.Update(press("Y"))().(views.Copy)
		var e struct {
			ID, Type string
			Version  int
			Occurred string `json:"occurred_at"`
			Data     map[string]any
		}
		if !ok || json.Unmarshal([]byte(asked.Text), &e) != nil ||
			e.ID != d.currentID() || e.Version != 1 || len(e.Data) == 0 {
			t.Errorf("Y copies %v", asked)
		}
	}
}

func TestWhatIsChosenOutlivesAnotherScreen(t *testing.T) {
	d := open(t, 20)
	d.press("f", "j", "enter", "/", "p", "a", "i", "d", "enter", "o", "k", "space")
	d.SetSize(80, 20)
	before := d.text()
	d.server.grow(8)
	d.poll()
	d.Update(views.Tick{Now: d.at})
	d.SetSize(80, 20)
	if after := d.text(); after != strings.Replace(before, "paused · 0 new", "paused · 8 new", 1) {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	d.press("x")
	d.shows("[invoice.*] 5 of 20 read")
	d.press("x", "space")
	if len(d.shown()) != 28 {
		t.Errorf("%d events of 28", len(d.shown()))
	}
}

func TestTypesThatNobodyKnowsCanBeChosen(t *testing.T) {
	d := open(t, 9)
	d.press("f", "k")
	d.shows("> new.kind                   2", "9 events read", "payment.*                  2")
	d.press("enter")
	d.shows("[new.kind] 2 of 9 read")
	if len(d.shown()) != 2 || d.shown()[0].Type != "new.kind" {
		t.Errorf("%v", d.shown())
	}
}

// If no fetched event is of the chosen type, the movement keys fetch older events.
func TestAnEmptyChoiceReadsOn(t *testing.T) {
	d := open(t, 150)
	d.server.feed[0] = apiclient.Event{
		ID:   "evt_rare",
		Type: apiclient.EventInvoiceVoided,
		Data: json.RawMessage(`{"invoice_id":"inv_1"}`),
	}
	d.press("f", "j", "j", "j", "j", "j", "j", "enter")
	d.shows("No events of type invoice.voided among the 100 events back to", "G loads more")
	d.press("G")
	d.shows("inv_1")
}
