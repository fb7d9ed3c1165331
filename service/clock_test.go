package service_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/service/access"
	"tarmac/service/events"
	"tarmac/service/store"
)

// leaps lists jumps of a clock: by an hour and by years, in both directions, and the reset of a
// clock whose battery is empty.
var leaps = []time.Duration{
	-time.Hour, time.Hour, -50 * 365 * 24 * time.Hour, 10 * 365 * 24 * time.Hour, -time.Nanosecond, -30 * 24 * time.Hour,
}

// Ids stay unique, numbers increase, lists, the feed and cursors keep their order, idempotency
// keys are recognized, and no rate limit lasts longer than its window.
func TestAClockThatJumpsKeepsIDsNumbersAndOrder(t *testing.T) {
	f := start(t, 60)
	a := f.tenant("a")
	f.sample(a)
	var page listedPage
	f.decode(f.get(a.secret, prefix+"/transactions?limit=1"), &page)
	first := f.propose(a, goodProposal, "Idempotency-Key", "first")
	var same proposed
	f.decode(first, &same)
	var bodies []string
	ids, last := map[string]bool{}, same.Number
	for i, leap := range append([]time.Duration{0}, leaps...) {
		f.clock.advance(leap)
		f.get(a.secret, prefix+"/ping") // starts the window of the rate limit
		f.clock.advance(time.Minute)
		e := f.event(i, f.clock.now())
		f.write(func(tx *store.Tx) error { return tx.AppendEvents(a.key, []events.Event{e}) })
		bodies = append([]string{string(e.Body)}, bodies...)
		var draft proposed
		f.decode(f.propose(a, goodProposal), &draft)
		if ids[draft.ID] || draft.Number <= last {
			t.Errorf("after %s: %+v", leap, draft)
		}
		ids[draft.ID], last = true, draft.Number
		var next listedPage
		f.decode(f.get(a.secret, prefix+"/transactions?limit=1&cursor="+page.NextCursor), &next)
		if len(next.Data) != 1 || next.Data[0].ID == page.Data[0].ID {
			t.Errorf("after %s: the cursor leads to %+v", leap, next)
		}
		limited := false
		for range access.MaxBurst + 1 {
			limited = limited || f.get(a.secret, prefix+"/ping").status == http.StatusTooManyRequests
		}
		if !limited {
			t.Errorf("after %s: no limit", leap)
		}
	}
	f.clock.advance(time.Minute)
	if len(ids) != len(leaps)+1 {
		t.Errorf("%d ids", len(ids))
	}
	var feed []string
	err := f.service.Store().Read(t.Context(), func(snap *store.Snapshot) error {
		all, err := snap.Feed(a.key, store.FeedQuery{Limit: len(bodies)})
		for _, e := range all {
			feed = append(feed, string(e.Body))
		}
		return err
	})
	if err != nil || strings.Join(feed, "\n") != strings.Join(bodies, "\n") {
		t.Errorf("the feed is %q, %v", feed, err)
	}
	again := f.propose(a, goodProposal, "Idempotency-Key", "first")
	var repeated proposed
	if err := json.Unmarshal(again.body, &repeated); err != nil || repeated.ID != same.ID {
		t.Errorf("repeated it is %s, was %s (%v)", again.body, first.body, err)
	}
}

// The limit is used up while the clock is years ahead.
func TestARateLimitEndsAfterItsWindowThoughTheClockWasAhead(t *testing.T) {
	f := start(t, 60)
	a := f.tenant("a")
	f.clock.advance(10 * 365 * 24 * time.Hour)
	for range access.MaxBurst + 1 {
		f.get(a.secret, prefix+"/ping")
	}
	f.clock.advance(-10 * 365 * 24 * time.Hour)
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusTooManyRequests {
		t.Errorf("at once: %d", got.status)
	}
	f.clock.advance(2 * time.Second)
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK {
		t.Errorf("afterwards: %d %s", got.status, got.body)
	}
}

// A token is not changed when it expires.
func TestATokenThatExpiredWorksAgainOnceTheClockIsCorrected(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	secret, _, err := f.service.CreateToken(t.Context(), a.id, access.Scopes[:], 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		leap time.Duration
		want int
	}{
		{0, http.StatusOK}, {25 * time.Hour, http.StatusUnauthorized}, {-2 * time.Hour, http.StatusOK},
		{-50 * 365 * 24 * time.Hour, http.StatusOK},
	} {
		f.clock.advance(c.leap)
		if got := f.get(secret, prefix+"/ping"); got.status != c.want {
			t.Errorf("after %s: %d", c.leap, got.status)
		}
	}
}
