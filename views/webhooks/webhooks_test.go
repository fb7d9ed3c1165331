package webhooks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/views"
)

func enabled(s *Screen) string {
	var keys []string
	for _, group := range s.Help()[:1] {
		for _, b := range group.Bindings {
			if b.Enabled() {
				keys = append(keys, b.Help().Key)
			}
		}
	}
	return strings.Join(keys, " ")
}

func TestTheKeysThatWorkInEachState(t *testing.T) {
	all := states(t)
	all["nobody-answered"] = &fixture{Screen: New(views.Env{Context: t.Context(), Now: func() time.Time { return start }}, newServer(&start))}
	for name, want := range map[string]string{
		"list": "enter / n e v a c s D y tab", "empty": "n", "failed": "", "not-allowed": "", "nobody-answered": "",
		"read-only": "enter / e y tab", "deliveries": "esc enter / n e v a c s D y tab", "delivery": "esc n e v a c s D y",
		"stale": "enter / n e v a c s D y tab", "unnamed": "/ n", "form": "enter ctrl+s esc ↓ ↑",
		"change": "enter ctrl+s esc space a ↓ ↑", "delete": "esc", "rotate": "esc", "secret": "y y esc esc",
		"no-longer-allowed": "", "token-refused": "enter / e y tab",
	} {
		if got := enabled(all[name].Screen); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNoTwoKeysOfAStateAreTheSame(t *testing.T) {
	for name, d := range states(t) {
		if d.mode == filling {
			continue // in the URL field, keys of the type list are text
		}
		taken := map[string]string{}
		for _, group := range d.Help() {
			for _, b := range group.Bindings {
				for _, k := range b.Keys() {
					if other, twice := taken[k]; twice && b.Enabled() {
						t.Errorf("%s: %s is %s and %s", name, k, other, b.Help().Desc)
					}
					if b.Enabled() {
						taken[k] = b.Help().Desc
					}
				}
			}
		}
	}
}

// A write key that cannot work starts nothing and says why.
func TestAKeyForAWriteThatIsNotOfferedSaysWhy(t *testing.T) {
	for _, k := range []string{"n", "c", "a", "s", "v", "D"} {
		all := states(t)
		for name, want := range map[string]string{
			"not-allowed":       "not allowed: the token lacks the scope webhook_endpoints:manage",
			"no-longer-allowed": "not allowed: the token lacks the required scope",
			"token-refused":     "the server refused the token: nothing can be changed with it",
			"read-only":         "read-only session: endpoints cannot be changed",
			"failed":            "",
		} {
			d := all[name]
			d.requests()
			if d.press(k); d.Typing() || len(d.requests()) > 0 {
				t.Errorf("%s: %s begins something", name, k)
			}
			if got := strings.Join(d.notices, "; "); got != want {
				t.Errorf("%s: %s says %q, want %q", name, k, got, want)
			}
		}
	}
	d := states(t)["not-allowed"]
	d.server.failList = nil
	d.run(d.Refresh())
	if d.press("n"); !d.Typing() {
		t.Error("allowed again, n opens no form")
	}
}

// The page does not suggest keys that are disabled.
func TestARefusedTokenIsToldNoKeysForWrites(t *testing.T) {
	d := states(t)["token-refused"]
	d.press("G")
	d.shows("old.example.com", "stale")
	d.hides("to activate it")
}

// In a read-only session no key sends a write.
func TestReadOnlySendsNoWrite(t *testing.T) {
	d := openAs(t, views.Env{ReadOnly: true})
	d.requests()
	d.press("n", "c", "a", "s", "D", "v", "enter", "n", "c", "a", "s", "D", "v")
	if d.Typing() {
		t.Error("something is being typed")
	}
	for _, what := range d.requests() {
		if !strings.HasPrefix(what, "log ") {
			t.Errorf("the server was asked to %s", what)
		}
	}
	if cmd := d.Screen.create("https://example.com", nil); cmd != nil {
		t.Error("a write was begun")
	}
	d.press("esc")
	d.shows("● active")
	d.hides("to activate it", "Press n to create one")
}

func TestMovingChoosesTheEndpointAndReadsItsDeliveries(t *testing.T) {
	d := open(t)
	if got := d.requests(); !slices.Equal(got, []string{"list", "log wh_01ACTIVEACTIVEABCDEF"}) {
		t.Fatalf("at first: %v", got)
	}
	d.press("j")
	if got := d.requests(); !slices.Equal(got, []string{"log wh_01PAUSEDPAUSEDGHIJKL"}) {
		t.Errorf("after a step: %v", got)
	}
	d.shows("No deliveries yet.", "no new events are sent")
	d.press("k", "k")
	if got := d.requests(); !slices.Equal(got, []string{"log wh_01ACTIVEACTIVEABCDEF"}) {
		t.Errorf("after a step back: %v", got)
	}
	d.shows("! pending", "in 4m 09s")
}

func TestLateAnswersAreDropped(t *testing.T) {
	d := open(t)
	slow := d.fetchDeliveries()
	if cmd := d.Update(press("j")); cmd != nil {
		t.Error("a held key asks at every step")
	}
	d.run(slow)
	d.shows("Deliveries to staging.example.com", "Loading…")
	d.pass(1)
	d.shows("No deliveries yet.")

	early := d.fetchEndpoints()
	answer := early()
	d.server.endpoints = d.server.endpoints[:1]
	d.run(d.fetchEndpoints())
	d.run(d.Update(answer))
	d.hides("staging.example.com")
}

func TestTheCursorStaysOnItsEndpoint(t *testing.T) {
	d := open(t)
	d.press("j")
	d.server.endpoints = append([]apiclient.Webhook{{ID: "wh_new", URL: "https://first.example.com", Status: "active"}}, d.server.endpoints...)
	d.run(d.Refresh())
	if d.endpoints.selected != "wh_01PAUSEDPAUSEDGHIJKL" || d.endpoints.table.Cursor() != 2 {
		t.Errorf("on %s, row %d", d.endpoints.selected, d.endpoints.table.Cursor())
	}
	d.server.endpoints = nil
	d.run(d.Refresh())
	d.shows("No webhook endpoints.")
	if d.endpoints.selected != "" {
		t.Errorf("still on %s", d.endpoints.selected)
	}
}

func TestOnlyAPageThatIsShownAsks(t *testing.T) {
	d := open(t)
	d.requests()
	d.pass(15)
	got := d.requests()
	if n := times(got, "list"); n != 1 {
		t.Errorf("the endpoints were read %d times in 15 s", n)
	}
	if n := len(got); n < 3 || n > 6 {
		t.Errorf("%d requests in 15 s: %v", n, got)
	}
	d.SetVisible(false)
	for range 60 {
		d.at = d.at.Add(time.Second)
		d.run(d.Update(views.Tick{Now: d.at}))
	}
	if got := d.requests(); len(got) != 0 {
		t.Errorf("unseen, the page asked for %v", got)
	}
	d.SetVisible(true)
	d.pass(1)
	if got := d.requests(); len(got) != 2 {
		t.Errorf("back in front, the page asked for %v", got)
	}
}

func times(all []string, what string) (n int) {
	for _, s := range all {
		if s == what {
			n++
		}
	}
	return n
}

func TestCountdownsRunAndTheRetryIsSeen(t *testing.T) {
	d := open(t)
	d.pass(9)
	d.shows("in 4m 00s")
	d.pass(240)
	d.shows("due")
	retried := &d.server.log[d.endpoints.selected][0]
	retried.Status, retried.NextRetryAt, retried.Attempts, retried.LastResponseCode, retried.LastError = apiclient.DeliveryDelivered, nil, ptr(int64(4)), ptr(int64(204)), ""
	d.pass(2)
	d.hides("pending", "due")
	d.shows("204")
}

func TestATestEventIsFollowed(t *testing.T) {
	d := open(t)
	d.press("v")
	d.shows("Test event in progress", "▸ test.event")
	queued := &d.server.log[d.endpoints.selected][0]
	given := d.at.Add(30 * time.Second)
	queued.Attempts, queued.NextRetryAt = ptr(int64(1)), &given
	d.pass(1)
	d.shows("Test event in progress", "… pending 1 — sending")
	later := d.at.Add(6 * time.Second)
	queued.Attempts, queued.LastError, queued.NextRetryAt = ptr(int64(1)), "connection_refused", &later
	d.pass(1)
	d.shows("Test event not delivered after 1 attempt: connection_refused · next try in 5s")
	d.pass(3)
	d.shows("next try in 2s")
	queued.Attempts, queued.LastError, queued.NextRetryAt = ptr(int64(2)), "", nil
	queued.Status, queued.LastResponseCode = apiclient.DeliveryDelivered, ptr(int64(200))
	d.pass(2)
	d.shows("Test event delivered after 2 attempts: the receiver answered 200.")
	if !d.Back() {
		t.Error("what is said of the test cannot be closed")
	}
	d.hides("Test event delivered")
}

func TestThereIsOneCursor(t *testing.T) {
	d := open(t)
	for focus, keys := range [][]string{onEndpoints: nil, onDeliveries: {"tab", "j"}} {
		d.press(keys...)
		if n := strings.Count(d.View(), "\x1b[7m"); focus == 0 && n != 1 || focus == 1 && n != 2 {
			t.Errorf("in place %d %d rows are marked", focus, n)
		}
	}
	d.run(d.Refresh())
	if d.deliveries.table.Cursor() != 1 {
		t.Errorf("a refresh moves the cursor to row %d", d.deliveries.table.Cursor())
	}
}

func TestADeliveryIsShownInFull(t *testing.T) {
	d := open(t)
	d.press("tab", "enter")
	d.shows("Next try in 4m 09s (2026-11-20 14:06 UTC)", "Id whd_3", "Event id evt_3", "Code 503")
	d.pass(1)
	d.shows("in 4m 08s")
	d.press("y")
	if !slices.Equal(d.copied, []string{"whd_3"}) {
		t.Errorf("copied %v", d.copied)
	}
	for _, open := range []bool{true, true, false} {
		if d.Back() != open {
			t.Errorf("something was open: %v", !open)
		}
	}
}

func TestCreatingChecksSendsAndShowsTheSecret(t *testing.T) {
	d := open(t)
	d.requests()
	d.press("n", "ctrl+s")
	d.shows("url must be an https URL", "select at least one event type")
	d.write("https://new.example.com/in")
	d.hides("url must be")
	d.press("enter", "down", "space", "down", "down", "down", "space", "space", "enter")
	if got := d.requests(); len(got) == 0 || got[0] != "create https://new.example.com/in" || times(got, got[0]) != 1 {
		t.Fatalf("asked %v", got)
	}
	if got := d.server.endpoints[0].EventTypes; !slices.Equal(got, []apiclient.EventType{apiclient.EventInvoiceOverdue}) {
		t.Errorf("types %v", got)
	}
	d.shows("Signing secret of new.example.com", signing.Reveal())
	if d.endpoints.selected != "wh_01NEWNEWNEWAAAAAA" {
		t.Errorf("the cursor is on %s", d.endpoints.selected)
	}
}

func TestAWriteIsSentOnce(t *testing.T) {
	d := open(t)
	d.press("n")
	d.write("https://new.example.com")
	d.press("enter", "a")
	first := d.Update(press("enter"))
	for _, k := range []string{"enter", "ctrl+s", "enter"} {
		if cmd := d.Update(press(k)); cmd != nil {
			t.Errorf("%s sent it again", k)
		}
	}
	d.shows("waiting for the server")
	d.press("esc")
	if cmd := d.Update(press("v")); cmd != nil {
		t.Error("another write was begun meanwhile")
	}
	if cmd := d.Screen.create("https://second.example.com", nil); cmd != nil {
		t.Error("another endpoint was begun meanwhile")
	}
	d.shows("new.example.com: waiting for the server")
	answer := first()
	d.run(d.Update(answer))
	d.shows(signing.Reveal()) // shown although the form was closed: the service returns it only once
	d.leaveSecret()
	d.requests()
	d.run(d.Update(answer))
	d.hides(signing.Reveal())
	if got := d.requests(); len(got) > 0 {
		t.Errorf("an answer that came twice leads to %v", got)
	}
}

func TestChangingSendsWhatWasChanged(t *testing.T) {
	for name, c := range map[string]struct {
		keys  []string
		url   string
		types string
		sent  bool
	}{
		"nothing":    {keys: []string{"ctrl+s"}},
		"the URL":    {keys: []string{"e", "s", "ctrl+s"}, url: "https://hooks.example.com/financees", sent: true},
		"the types":  {keys: []string{"down", "space", "ctrl+s"}, types: "[invoice.sent invoice.paid payment.failed]", sent: true},
		"to and fro": {keys: []string{"down", "space", "space", "ctrl+s"}},
	} {
		d := open(t)
		d.requests()
		d.press("c")
		d.press(c.keys...)
		patch := d.server.patch
		if got := times(d.requests(), "update wh_01ACTIVEACTIVEABCDEF") == 1; got != c.sent {
			t.Errorf("%s: sent %v", name, got)
		}
		if patch.Status != nil || (patch.URL == nil) != (c.url == "") || patch.URL != nil && *patch.URL != c.url {
			t.Errorf("%s: %+v", name, patch)
		}
		if got := fmt.Sprint(patch.EventTypes); c.types != "" && got != c.types || c.types == "" && patch.EventTypes != nil {
			t.Errorf("%s: types %s", name, got)
		}
		if d.Typing() {
			t.Errorf("%s: the form is still open", name)
		}
	}
}

// An event type that only the server knows survives other changes.
func TestAnUnknownTypeIsNotLost(t *testing.T) {
	d := open(t, func(s *server) { s.endpoints[0].EventTypes = []apiclient.EventType{"bill.due", "invoice.paid"} })
	d.press("c", "down", "space", "ctrl+s")
	if got := fmt.Sprint(d.server.patch.EventTypes); got != "[invoice.sent invoice.paid bill.due]" {
		t.Errorf("types %s", got)
	}
}

func TestWhatTheServiceRefusesStandsBesideItsField(t *testing.T) {
	for message, mode := range map[string]mode{"url must be publicly routable": filling, "unknown event type: x": filling, "the organization already has 20 webhook endpoints": filling} {
		d := open(t, fails(&apiclient.Error{Status: 400, Message: message}))
		d.create()
		d.shows("! "+message, "https://new.example.com/in")
		if d.mode != mode {
			t.Errorf("%s: mode %d", message, d.mode)
		}
		d.server.failWrite = nil
		d.press("ctrl+s")
		d.shows(signing.Reveal())
	}
}

func TestPausingAndActivating(t *testing.T) {
	d := open(t)
	d.press("a")
	d.shows("✓ hooks.example.com was paused", "○ paused", "held")
	d.press("a")
	d.shows("✓ hooks.example.com was activated", "● active")
	d.press("G", "a")
	d.shows("✓ old.example.com was activated")
	d.hides("disabled")
}

// The next key applies to the changed endpoint, even before the list is read again.
func TestAChangeIsSeenBeforeTheListIsReadAgain(t *testing.T) {
	d := open(t)
	d.server.failList = errDown
	d.press("a")
	if d.server.patch.Status == nil || *d.server.patch.Status != apiclient.WebhookPaused {
		t.Fatalf("sent %+v", d.server.patch)
	}
	d.press("a")
	if *d.server.patch.Status != apiclient.WebhookActive {
		t.Errorf("an endpoint that was paused is sent %q", *d.server.patch.Status)
	}
}

func TestDeletingTakesTheEndOfTheId(t *testing.T) {
	d := open(t)
	d.requests()
	d.press("D", "enter")
	d.write("ABCDE")
	d.press("enter", "backspace")
	if got := d.requests(); len(got) != 0 {
		t.Fatalf("asked %v", got)
	}
	d.write("ef")
	d.press("enter")
	if got := d.requests(); times(got, "delete wh_01ACTIVEACTIVEABCDEF") != 1 {
		t.Errorf("asked %v", got)
	}
	d.shows("✓ hooks.example.com was deleted")
	if d.endpoints.selected != "wh_01PAUSEDPAUSEDGHIJKL" {
		t.Errorf("the cursor is on %s", d.endpoints.selected)
	}
	d.press("D")
	d.write("GHIJKL")
	d.press("esc", "enter", "esc", "D")
	if d.confirm.in.Value() != "" {
		t.Errorf("%q is typed already", d.confirm.in.Value())
	}
}

func TestRefusalsAreTold(t *testing.T) {
	for want, err := range map[string]error{
		"Could not pause it (hooks.example.com): not allowed: the token lacks the scope webhook_endpoints:manage (403). Ask for a token": &apiclient.Error{Status: 403, Scope: "webhook_endpoints:manage"},
		"Could not pause it (hooks.example.com): rate limited: the server asks to wait 12 s (429).":                                      &apiclient.Error{Status: 429, RetryAfter: 12 * time.Second},
		"Could not pause it (hooks.example.com): not found: no such webhook endpoint (404).":                                             &apiclient.Error{Status: 404, Message: "no such webhook endpoint"},
		"Could not pause it (hooks.example.com): the server refused the token (401). It is mistyped":                                     &apiclient.Error{Status: 401},
	} {
		d := open(t, fails(err))
		d.press("a")
		d.shows("! " + want)
	}
}

func TestAPasteGoesWhereTheCursorIs(t *testing.T) {
	d := open(t)
	d.Update(tea.PasteMsg{Content: "https://lost.example.com"})
	d.press("n")
	d.Update(tea.PasteMsg{Content: "https://pasted.example.com\n"})
	d.shows("https://pasted.example.com")
	d.hides("lost")
}

func TestEveryBindingIsInTheHelp(t *testing.T) {
	d := open(t)
	shown := map[string]bool{}
	for _, m := range []mode{browsing, filling, confirming, showing} {
		d.mode = m
		for _, group := range d.Help() {
			for _, b := range group.Bindings {
				shown[b.Help().Desc] = true
			}
		}
	}
	k := d.keys
	for _, b := range []key.Binding{k.Other, k.Create, k.Change, k.Switch, k.Rotate, k.Test, k.Delete, k.Copy, k.Next, k.Previous, k.Pick, k.All, k.Submit, k.Send, k.Cancel, k.CopySecret, k.LeaveSecret, k.Open, k.Back, k.Up, k.Bottom} {
		if !shown[b.Help().Desc] {
			t.Errorf("%s is in no help", b.Help().Desc)
		}
	}
}

var errBroken = errors.New("broken")

func TestAFailureOfTheListKeepsWhatWasThere(t *testing.T) {
	d := open(t)
	d.server.failList = errBroken
	d.run(d.Refresh())
	d.shows("stale", "hooks.example.com")
	d.server.failList = nil
	d.pass(3)
	d.hides("stale")
}

func TestAnEndpointThatCannotBeReadDoesNotHideTheOthersAndIsLeftAlone(t *testing.T) {
	d := open(t, func(s *server) {
		why := &apiclient.ContractError{Field: "[0].status", Problem: "is missing"}
		s.endpoints[0] = apiclient.Webhook{ID: s.endpoints[0].ID, URL: s.endpoints[0].URL, Unreadable: why}
	})
	d.shows("1 endpoint could not be read", "unreadable", "field status is missing", "paused")

	d.press("a", "e", "d", "t")

	for _, requests := range d.server.requests {
		if !strings.HasPrefix(requests, "list") && !strings.HasPrefix(requests, "log") {
			t.Errorf("it asked for %s", requests)
		}
	}
}

func TestADeliveryThatCannotBeReadDoesNotHideTheOthers(t *testing.T) {
	d := open(t, func(s *server) {
		log := s.log[s.endpoints[0].ID]
		log[0] = apiclient.WebhookDelivery{ID: "whd_bad", Unreadable: &apiclient.ContractError{Field: "[0].status", Problem: "is missing"}}
	})

	d.shows("1 delivery could not be read", "unreadable", "delivered")
}
