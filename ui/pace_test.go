package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A held key repeats thirty times a second, and every refresh sends about twenty requests.
func TestHoldingTheRefreshKeyDoesNotFloodTheServer(t *testing.T) {
	d := open(t, healthy())
	d.after(2 * time.Second)
	d.press("4")
	clear(d.api.asked)
	for range 100 {
		d.press("r")
		d.now = d.now.Add(10 * time.Millisecond)
	}
	if n := d.api.asked["/account"]; n != 1 {
		t.Errorf("the account was asked for %d times in a second", n)
	}
	d.press("r")
	if n := d.api.asked["/account"]; n != 2 {
		t.Errorf("asked %d times after a second", n)
	}

	var waiting []tea.Cmd
	clear(d.api.asked)
	for range 5 {
		d.now = d.now.Add(2 * time.Second)
		_, cmd := d.Update(keyPress("r"))
		waiting = append(waiting, cmd)
	}
	for _, cmd := range waiting {
		d.drain(cmd)
	}
	if n := d.api.asked["/account"]; n != 1 {
		t.Errorf("the account was asked for %d times while an answer was awaited", n)
	}
}

func TestWhileTheServerIsAwayOnlyTheFeedIsTried(t *testing.T) {
	d := open(t, healthy())
	d.api.fail = errRefused
	d.after(20 * time.Second)
	clear(d.api.asked)
	for range 300 {
		d.after(time.Second)
	}
	for path, n := range d.api.asked {
		if path != "/events" {
			t.Errorf("%s was asked %d times", path, n)
		}
	}
	if n := d.api.asked["/events"]; n < 8 || n > 20 {
		t.Errorf("the feed was tried %d times in five minutes", n)
	}
}

// If only the feed fails, the server is not offline and other requests continue.
func TestABrokenFeedLeavesTheRestAlive(t *testing.T) {
	a := healthy()
	a.broken = "/events"
	d := open(t, a)
	d.Update(tea.WindowSizeMsg{Width: 160, Height: 40})
	d.shows("◌ some figures failed", "Could not load: as the test wants it", "$4,039,796.73")
	clear(d.api.asked)
	for range 120 {
		d.after(time.Second)
	}
	for _, path := range []string{"/account", "/insights/cash-position", "/receivables/aging", "/transactions",
		"/events"} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not asked", path)
		}
	}
	if strings.Contains(d.text(), "stale") || strings.Contains(d.text(), "offline") {
		t.Errorf("fresh figures are called old:\n%s", d.text())
	}
	a.broken = ""
	d.after(30 * time.Second)
	d.shows("● live")
}

func TestWhatFailedIsFetchedAtOnceWhenTheServerReturns(t *testing.T) {
	d := open(t, healthy())
	d.api.fail = errRefused
	d.press("r") // every request fails
	d.shows("✕ offline")
	d.api.fail = nil
	clear(d.api.asked)
	d.after(3 * time.Second)
	for _, path := range []string{"/events", "/account", "/insights/cash-position", "/receivables/aging", "/ping",
		"/transactions"} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not asked", path)
		}
	}
	d.shows("● live")
}

func TestAnEventRenewsTheFigures(t *testing.T) {
	d := open(t, healthy())
	d.api.bodies["/events"] = strings.Replace(
		d.api.bodies["/events"],
		`{"data":[`,
		`{"data":[{"id":"evt_2","type":"payment.completed","version":1,
		"occurred_at":"2026-11-20T12:00:01Z","data":{"payment_intent_id":"pi_1","amount_cents":5,"currency":"USD"}},`,
		1,
	)
	clear(d.api.asked)
	d.after(3 * time.Second) // the poll receives the event
	if d.api.asked["/account"] != 0 {
		t.Error("the figures were asked for before the burst had settled")
	}
	d.after(time.Second)
	for _, path := range []string{"/account", "/insights/cash-position", "/receivables/aging", "/transactions"} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not asked after an event", path)
		}
	}
}

func TestAQuietHourStaysWithinTheRateLimit(t *testing.T) {
	d := open(t, healthy())
	clear(d.api.asked)
	for range 3600 {
		d.after(time.Second)
	}
	total := 0
	for _, n := range d.api.asked {
		total += n
	}
	if perMinute := total / 60; perMinute > 50 {
		t.Errorf("%d requests a minute", perMinute)
	}
}

func TestLeaningOnRefreshStaysWithinTheRateLimit(t *testing.T) {
	d := open(t, healthy())
	clear(d.api.asked)
	for range 60 {
		d.press("r")
		d.now = d.now.Add(2 * time.Second)
	}
	total := 0
	for _, n := range d.api.asked {
		total += n
	}
	if total > 2*300 {
		t.Errorf("%d requests in two minutes", total)
	}
	if closed := d.api.asked["/transactions"]; closed < 2*13 {
		t.Errorf("%d listings: the closed months were not asked for again", closed)
	}
}
