package webhooks

import (
	"testing"
	"time"

	"tarmac/apiclient"
)

func TestATestEventIsFollowed(t *testing.T) {
	d := open(t)
	d.press("v")
	d.shows("Test event in progress", "▸ test.event")
	queued := &d.server.log[d.log.Key][0]
	given := d.at.Add(30 * time.Second)
	queued.Attempts, queued.NextRetryAt = ptr(int64(1)), &given
	d.pass(1)
	d.shows("Test event in progress", "… pending — sending")
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
		t.Error("the message about the test event cannot be closed")
	}
	d.hides("Test event delivered")
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
	d.shows("waiting for the answer")
	d.press("esc")
	if cmd := d.Update(press("v")); cmd != nil {
		t.Error("another write was begun meanwhile")
	}
	if cmd := d.Screen.create("https://second.example.com", nil); cmd != nil {
		t.Error("another endpoint was begun meanwhile")
	}
	d.shows("new.example.com: waiting for an answer")
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
	if d.log.Key != "wh_01PAUSEDPAUSEDGHIJKL" {
		t.Errorf("the cursor is on %s", d.log.Key)
	}
	d.press("D")
	d.write("GHIJKL")
	d.press("esc", "enter", "esc", "D")
	if d.confirm.in.Value() != "" {
		t.Errorf("%q is typed already", d.confirm.in.Value())
	}
}

func TestRefusalsAreTold(t *testing.T) {
	for want, err := range map[string]*apiclient.Error{
		"not allowed: the token lacks the scope webhook_endpoints:manage (403). Ask for a token": {
			Status: 403, Scope: "webhook_endpoints:manage",
		},
		"rate limited: the server asks to wait 12 s (429).":  {Status: 429, RetryAfter: 12 * time.Second},
		"not found: no such webhook endpoint (404).":         {Status: 404, Message: "no such webhook endpoint"},
		"the server refused the token (401). It is mistyped": {Status: 401},
	} {
		d := open(t, fails(err))
		d.press("a")
		d.shows("! Could not pause it (hooks.example.com): " + want)
	}
}
