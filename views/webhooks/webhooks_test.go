package webhooks

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/views"
)

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
	slow := d.log.Fetch()
	if cmd := d.Update(press("j")); cmd != nil {
		t.Error("a held key asks at every step")
	}
	d.run(slow)
	d.shows("https://staging.example.com:8443/in", "Deliveries", "Loading…")
	d.pass(1)
	d.shows("No deliveries yet.")

	early := d.all.Fetch()
	answer := early()
	d.server.endpoints = d.server.endpoints[:1]
	d.run(d.all.Fetch())
	d.run(d.Update(answer))
	d.hides("staging.example.com")
}

func TestTheCursorStaysOnItsEndpoint(t *testing.T) {
	d := open(t)
	d.press("j")
	d.server.endpoints = append(
		[]apiclient.Webhook{{ID: "wh_new", URL: "https://first.example.com", Status: "active"}},
		d.server.endpoints...)
	d.run(d.Refresh())
	if d.log.Key != "wh_01PAUSEDPAUSEDGHIJKL" || d.endpoints.Table.Cursor() != 2 {
		t.Errorf("on %s, row %d", d.log.Key, d.endpoints.Table.Cursor())
	}
	d.server.endpoints = nil
	d.run(d.Refresh())
	d.shows("No webhook endpoints.")
	if d.log.Key != "" {
		t.Errorf("still on %s", d.log.Key)
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
	d.Update(views.Visible(false))
	for range 60 {
		d.at = d.at.Add(time.Second)
		d.run(d.Update(views.Tick{Now: d.at}))
	}
	if got := d.requests(); len(got) != 0 {
		t.Errorf("unseen, the page asked for %v", got)
	}
	d.Update(views.Visible(true))
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
	retried := &d.server.log[d.log.Key][0]
	retried.Status, retried.NextRetryAt = apiclient.DeliveryDelivered, nil
	retried.Attempts, retried.LastResponseCode, retried.LastError = ptr(int64(4)), ptr(int64(204)), ""
	d.pass(2)
	d.hides("pending", "due")
	d.shows("204")
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
	if d.deliveries.Table.Cursor() != 1 {
		t.Errorf("a refresh moves the cursor to row %d", d.deliveries.Table.Cursor())
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
		log[0] = apiclient.WebhookDelivery{
			ID:         "whd_bad",
			Unreadable: &apiclient.ContractError{Field: "[0].status", Problem: "is missing"},
		}
	})

	d.shows("1 delivery could not be read", "unreadable", "delivered")
}
