package ui

import (
	"net/http"
	"strings"
	"testing"

	"tarmac/views"
)

// A page that has only a failure to show retries when the person returns to it, at most once in
// five seconds, whichever way they return.
func TestWhoComesBackToAFailureAsksAgain(t *testing.T) {
	for _, c := range []struct {
		page, away string
		path       string
		shows      string
	}{
		{"1", "7", "/account", "Cash on hand"},
		{"2", "7", "/insights/cash-position", "a month"},
		{"3", "7", "/receivables/aging", "Ironwood"},
		{"4", "6", "/transactions", "株式会社"},
		{"5", "6", "/invoices", "INV-000001"},
		{"6", "7", "/events", "11:30:00"},
		{"7", "6", "/webhooks", "a.example"},
	} {
		api := linked()
		api.bodies["/webhooks"] = `[{"id":"wh_1","url":"https://a.example/in",
			"event_types":["invoice.paid"],"status":"active"}]`
		api.bodies["/webhooks/wh_1/deliveries"] = `[]`
		api.status = http.StatusForbidden
		d := open(t, api)
		d.press(c.page)
		d.shows("Not allowed.")
		asks := func(what string, want int, keys ...string) {
			t.Helper()
			clear(d.api.asked)
			if d.press(keys...); d.api.asked[c.path] != want {
				t.Errorf("%s, %s: %s was asked for %d times, want %d", c.page, what, c.path, d.api.asked[c.path], want)
			}
		}
		d.press(c.away)
		d.now = d.now.Add(returnGap)
		asks("by its key", 1, c.page)
		asks("to and fro", 0, c.away, c.page, c.away, c.page, c.away, "esc")
		d.press(c.away)
		d.now = d.now.Add(returnGap)
		asks("by esc", 1, "esc")
		d.press(c.away)
		d.now = d.now.Add(returnGap)
		clear(d.api.asked)
		if d.drain(d.clickTab(strings.Index(strings.Split(d.text(), "\n")[1], c.page+" "))); d.api.asked[c.path] != 1 {
			t.Errorf("%s, by a click: asked for %v", c.page, d.api.asked)
		}
		d.press(c.away)
		d.now = d.now.Add(returnGap)
		api.status = 0
		asks("allowed", 1, c.page)
		d.shows(c.shows)
		d.press(c.away)
		d.now = d.now.Add(returnGap)
		asks("with figures", 0, c.page)
	}
}

// Returning to a page sends no useless request: none with an unknown token, while the server is
// unreachable, or during a pause. The clock renews old figures.
func TestComingBackAsksForNothingInVain(t *testing.T) {
	for name, fault := range map[string]func(*api){
		"token refused": func(a *api) { a.status = http.StatusUnauthorized },
		"away":          func(a *api) { a.fail = errRefused },
		"a gateway's":   func(a *api) { a.status = http.StatusServiceUnavailable },
		"asked to wait": func(a *api) { a.status, a.wait = http.StatusTooManyRequests, "60" },
	} {
		api := linked()
		fault(api)
		d := open(t, api)
		for _, p := range d.session.pages {
			d.reach(p)
		}
		d.now = d.now.Add(returnGap)
		clear(d.api.asked)
		for _, p := range d.session.pages {
			d.reach(p)
		}
		if len(d.api.asked) > 0 {
			t.Errorf("%s: asked for %v", name, d.api.asked)
		}
	}
	d := open(t, linked())
	d.press("5", "4")
	d.api.status = http.StatusInternalServerError
	d.press("r", "5", "r")
	d.shows("stale")
	d.now = d.now.Add(returnGap)
	clear(d.api.asked)
	if d.press("4", "5"); len(d.api.asked) > 0 {
		t.Errorf("with old figures: asked for %v", d.api.asked)
	}
}

// A visit to a record fetches only that record.
func TestTheTargetOfAVisitIsAskedForOnce(t *testing.T) {
	api := linked()
	api.status = http.StatusForbidden
	d := open(t, api)
	for _, id := range []string{"pi_0", "pi_1"} {
		clear(d.api.asked)
		d.drain(views.Go(views.Intent, views.IntentTarget{ID: id}))
		d.press("1")
		if n := d.api.asked["/payment-intents/"+id]; n != 1 || id == "pi_1" && d.api.asked["/payment-intents/pi_0"] > 0 {
			t.Errorf("%s: asked for %v", id, d.api.asked)
		}
		d.now = d.now.Add(returnGap)
	}
	clear(d.api.asked)
	d.drain(views.Go(views.Intent, nil))
	if d.api.asked["/payment-intents/pi_1"] != 1 {
		t.Errorf("come back to, it asked for %v", d.api.asked)
	}
}
