package ui

import (
	"errors"
	"strings"
	"testing"

	"tarmac/ui/terminal"
	"tarmac/views"
)

// unsavedScreen is a screen with unsaved input.
type unsavedScreen struct {
	views.Screen
	lost     string
	failure  error
	flushed  int
	released int
	work     []string
}

func (p *unsavedScreen) State() views.State {
	return views.State{Unfinished: p.lost, Work: p.work}
}

func (p *unsavedScreen) Flush() error   { p.flushed++; return p.failure }
func (p *unsavedScreen) Release() error { p.released++; return nil }

// holding returns a dashboard whose fifth page has unsaved input.
func holding(t *testing.T, lost string) (*dashboard, *unsavedScreen) {
	d := open(t, healthy())
	p := &unsavedScreen{Screen: d.session.pages[4].screen, lost: lost}
	d.session.pages[4].screen = p
	return d, p
}

func TestLeavingAsksOnceBeforeSomethingIsLost(t *testing.T) {
	for _, key := range []string{"q", "ctrl+c"} {
		d, _ := holding(t, "the signing secret will not be shown again")
		if d.press(key) {
			t.Fatalf("%s leaves", key)
		}
		d.shows("! the signing secret will not be shown again", key+" leave anyway", "esc stay")
		d.press("esc")
		if d.question != nil || d.press(key) {
			t.Errorf("%s: esc is no answer", key)
		}
		d.press("2") // another key has its usual effect
		if d.question != nil || d.session.active != 1 {
			t.Error("another key is lost")
		}
		d.press(key)
		if !d.press(key) {
			t.Errorf("the second %s does not leave", key)
		}
	}
	d, p := holding(t, "something")
	p.lost = ""
	if !d.press("q") || !d.press("ctrl+c") {
		t.Error("it asks though nothing is lost")
	}
}

// The letter q does not quit while the person types; ctrl+c does everywhere.
func TestLeavingAsksWhileTyping(t *testing.T) {
	d, _ := holding(t, "something")
	d.press("4", "/")
	if d.press("ctrl+c", "q") {
		t.Error("a typed letter was an answer")
	}
	d.press("ctrl+c")
	if !d.press("ctrl+c") {
		t.Error("the second ctrl+c does not leave")
	}
	d, _ = holding(t, "something")
	d.press(":")
	d.press("ctrl+c")
	d.shows("! something")
	if !d.press("ctrl+c") {
		t.Error("the second ctrl+c does not leave from the palette")
	}
}

// The server of the demo is temporary: leaving deletes what was made there.
func TestLeavingATemporaryServerSaysWhatIsDeleted(t *testing.T) {
	d := open(t, healthy())
	d.drain(d.begin(Connection{Client: d.clientOf(d.api), Profile: "demo", Temporary: true}))
	if !d.press("q") {
		t.Fatal("it asks though nothing was changed")
	}

	d.session.pages[4].screen = &unsavedScreen{
		Screen: d.session.pages[4].screen, work: []string{"2 proposed invoices", "1 webhook endpoint"},
	}
	d.press("4", "d")
	if d.press("q") {
		t.Fatal("q leaves at once")
	}
	d.shows("! leaving the demo deletes 2 proposed invoices, 1 webhook endpoint, your filters", "q leave anyway")
	if !d.press("q") {
		t.Error("the second q does not leave")
	}

	d.session.connection.Temporary = false
	if !d.press("q") {
		t.Error("it asks though the server keeps everything")
	}
}

func TestASignalAsksNothing(t *testing.T) {
	d, _ := holding(t, "something")
	if _, cmd := d.Update(terminal.Leave{}); !isQuit(cmd) {
		t.Error("it does not leave")
	}
}

func TestSwitchingAsksBeforeSomethingIsLost(t *testing.T) {
	d, p := holding(t, "the signing secret will not be shown again")
	d.profiles("other")
	d.press("p", "o", "t", "h", "enter")
	d.shows("! the signing secret", "enter leave anyway", "tarmac  test")
	d.press("esc", "enter")
	d.shows("tarmac  test")
	if d.dial != nil || p.flushed > 0 {
		t.Fatal("it was left")
	}
	d.press("p", "o", "t", "h", "enter", "enter")
	d.shows("tarmac  other")
	if p.flushed != 1 || p.released != 1 {
		t.Errorf("flushed %d times, released %d times", p.flushed, p.released)
	}
}

func TestWhatCannotBeSavedIsNotLeft(t *testing.T) {
	d, p := holding(t, "")
	at := d.profiles("other")
	p.failure = errors.New("disk full")
	d.press("p", "o", "t", "h", "enter")
	d.shows("Not switched: the draft cannot be saved: disk full", "tarmac  test")
	if at["other"].closed.Load() != 1 || p.released > 0 {
		t.Error("it is half left")
	}
	p.failure = nil
	d.press("enter")
	d.shows("tarmac  other")
}

func TestGeometryOfTheQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d, _ := holding(t, strings.Repeat("a long story 株式会社 ", 10))
	d.press("q")
	sweep(t, d, "question")
}
