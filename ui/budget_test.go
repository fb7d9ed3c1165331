package ui

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func (a *api) total() (n int) {
	for _, asked := range a.asked {
		n += asked
	}
	return n
}

// After a 429 every view stops reading, shows the pause, and resumes by itself.
func TestAfterA429NobodyAsksUntilItIsTime(t *testing.T) {
	d := open(t, healthy())
	d.api.status, d.api.wait = http.StatusTooManyRequests, "12"
	clear(d.api.asked)
	d.after(15 * time.Second)
	if n := d.api.total(); n != 1 {
		t.Errorf("%d requests were refused, the others were sent all the same", n)
	}
	d.shows("◌ rate limited, retry in 12s")
	d.api.status, d.api.wait = 0, ""
	clear(d.api.asked)
	for _, page := range []string{"4", "5", "7", "1"} {
		d.after(2 * time.Second)
		d.press(page, "r")
		d.shows("rate limited, retry in ")
	}
	d.shows("◌ rate limited, retry in 4s", "stale, 23s old: rate limited")
	d.press("5")
	d.shows("◌ rate limited, retry in 4s", "Could not load: rate limited.", "retry in 4s")
	if strings.Contains(d.text(), "r now") {
		t.Error("r is offered, and does nothing")
	}
	d.after(3 * time.Second)
	if n := d.api.total(); n != 0 {
		t.Fatalf("%d requests were sent too early: %v", n, d.api.asked)
	}
	for range 15 {
		d.after(time.Second)
	}
	d.shows("● live")
	for _, path := range []string{"/events", "/account", "/transactions", "/invoices"} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not asked again", path)
		}
	}
}

// Reads for the visible page resume before all others.
func TestWhatIsOnTheScreenComesBackFirst(t *testing.T) {
	d := open(t, healthy())
	d.press("3")
	d.api.status, d.api.wait = http.StatusTooManyRequests, "10"
	d.press("r")
	d.api.status, d.api.wait, d.api.order = 0, "", nil
	for range 15 {
		d.after(time.Second)
	}
	shown, hidden := slices.Index(d.api.order, "/receivables/aging"), slices.Index(d.api.order, "/insights/cash-position")
	if shown < 0 || hidden < 0 || hidden < shown {
		t.Errorf("in the order %v", d.api.order)
	}
}

func TestUnwatchedTheDashboardAsksRarely(t *testing.T) {
	d := open(t, healthy())
	if !d.View().ReportFocus {
		t.Fatal("the terminal is not asked to say whether it has the focus")
	}
	d.Update(tea.BlurMsg{})
	clear(d.api.asked)
	for range 10 * 60 {
		d.after(time.Second)
	}
	if feed, account := d.api.asked["/events"], d.api.asked["/account"]; feed != 10 || account != 5 {
		t.Errorf("in ten minutes the feed was asked for %d times, the account %d times", feed, account)
	}
	d.shows("● live")

	d.after(31 * time.Second) // older than the account may become while the terminal has focus
	clear(d.api.asked)
	_, cmd := d.Update(tea.FocusMsg{})
	d.drain(cmd)
	if d.api.asked["/events"] != 1 || d.api.asked["/account"] != 1 {
		t.Errorf("who comes back finds old figures: %v", d.api.asked)
	}
	clear(d.api.asked)
	for range 60 {
		d.after(time.Second)
	}
	if d.api.asked["/events"] < 4 || d.api.asked["/account"] < 2 {
		t.Errorf("watched again, in a minute: %v", d.api.asked)
	}
}

// An event that arrives without focus makes the figures due when focus returns.
func TestNewsWaitForSomebodyToLook(t *testing.T) {
	d := open(t, healthy())
	d.Update(tea.BlurMsg{})
	d.api.bodies["/events"] = strings.Replace(d.api.bodies["/events"], "evt_1", "evt_2", 1)
	clear(d.api.asked)
	for range 65 {
		d.after(time.Second)
	}
	if d.api.asked["/events"] != 1 || d.api.asked["/insights/cash-position"] != 0 {
		t.Fatalf("asked for %v", d.api.asked)
	}
	d.press("2") // some terminals never report that focus returned
	if d.api.asked["/insights/cash-position"] != 1 {
		t.Errorf("asked for %v", d.api.asked)
	}
}

// A reading of a provider, or an import in another terminal, changes own books without an event.
func TestAnotherRevisionOfOwnBooksMakesTheFiguresDue(t *testing.T) {
	const revision = "/api/books/v1/revision"
	a := healthy()
	a.bodies[revision] = `{"revision":"1"}`
	d := open(t, a)
	d.after(time.Second)
	clear(d.api.asked)
	for range 16 {
		d.after(time.Second)
	}
	if asked := d.api.asked[revision]; asked != 1 || d.api.asked["/insights/cash-position"] != 0 {
		t.Fatalf("with the same revision: %v", d.api.asked)
	}

	a.bodies[revision] = `{"revision":"2"}`
	for range 18 {
		d.after(time.Second)
	}

	if d.api.asked["/insights/cash-position"] != 1 || d.api.asked["/account"] == 0 {
		t.Errorf("with another revision: %v", d.api.asked)
	}
}

func TestAServerWithoutOwnBooksIsAskedForThemRarely(t *testing.T) {
	const revision = "/api/books/v1/revision"
	d := open(t, healthy())

	for range 9 * 60 {
		d.after(time.Second)
	}

	if d.api.asked[revision] != 1 {
		t.Errorf("in nine minutes it was asked %d times", d.api.asked[revision])
	}
	d.shows("● live")
}
