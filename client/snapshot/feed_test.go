package snapshot_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
)

func TestTheFeedMissesNothingAcrossAnOutage(t *testing.T) {
	src := &source{}
	s := newSnapshot(t, src)
	src.grow(30)
	run(t, s, s.Load(snapshot.Events))
	src.grow(3)
	src.fail = &apiclient.NetworkError{Err: errors.New("refused")}
	run(t, s, s.Load(snapshot.Events))
	if s.Feed.Failures() != 1 || s.Feed.State().Status != resource.Stale {
		t.Errorf("%d failures, status %d", s.Feed.Failures(), s.Feed.State().Status)
	}
	src.fail = nil
	src.grow(400) // more than a page, so that there is a gap to read
	run(t, s, s.Load(snapshot.Events))
	events := s.Feed.Events()
	if len(events) != 433 || s.Feed.TotalReceived() != 433 {
		t.Fatalf("%d events, %d arrived", len(events), s.Feed.TotalReceived())
	}
	for i, e := range events {
		if e.ID != fmt.Sprintf("evt_%06d", i) {
			t.Fatalf("event %d is %s", i, e.ID)
		}
	}
}

func TestOnlyOneReaderOfTheFeed(t *testing.T) {
	s := newSnapshot(t, &source{})
	first := s.Load(snapshot.Events)
	if s.Load(snapshot.Events) != nil {
		t.Error("a second poll began while one was under way")
	}
	run(t, s, first)
	if s.Load(snapshot.Events) == nil {
		t.Error("no poll after the first one was answered")
	}
}

func TestOlderEventsJoinOn(t *testing.T) {
	src := &source{}
	src.grow(260)
	s := newSnapshot(t, src)
	if s.LoadOlder() != nil {
		t.Error("older events were asked for before there were any")
	}
	run(t, s, s.Load(snapshot.Events))
	for n := 1; ; n++ {
		cmd := s.LoadOlder()
		if cmd == nil {
			break
		}
		if s.LoadOlder() != nil {
			t.Error("the same page was asked for twice")
		}
		run(t, s, cmd)
		if n > 10 {
			t.Fatal("the oldest event was never reached")
		}
	}
	if _, atOldest := s.Feed.Older(); !atOldest {
		t.Error("the feed does not know that it is at its oldest event")
	}
	for i, e := range s.Feed.Events() {
		if e.ID != fmt.Sprintf("evt_%06d", i) {
			t.Fatalf("event %d is %s", i, e.ID)
		}
	}
	if n := len(s.Feed.Events()); n != 260 {
		t.Errorf("%d events", n)
	}
}

func TestAFullFeedLetsItsOldestGoAndReadsThemAgain(t *testing.T) {
	src := &source{}
	s := newSnapshot(t, src)
	run(t, s, s.Load(snapshot.Events))
	src.grow(100)
	run(t, s, s.Load(snapshot.Events))
	older := s.LoadOlder() // in flight while the buffer overflows
	src.grow(snapshot.MaxEvents)
	run(t, s, s.Load(snapshot.Events))
	if older != nil {
		run(t, s, older)
	}
	events := s.Feed.Events()
	if len(events) != snapshot.MaxEvents || events[0].ID != "evt_000100" {
		t.Fatalf("%d events from %s", len(events), events[0].ID)
	}
	run(t, s, s.LoadOlder())
	if got := s.Feed.Events(); got[0].ID != "evt_000100" || len(got) != snapshot.MaxEvents {
		t.Errorf("nobody holds them, and yet: %d events from %s", len(got), got[0].ID)
	}
	s.Feed.SetReading(true)
	run(t, s, s.LoadOlder())
	src.grow(1)
	run(t, s, s.Load(snapshot.Events))
	if got := s.Feed.Events(); got[0].ID != "evt_000000" || len(got) != snapshot.MaxEvents+101 {
		t.Errorf("after reading back: %d events from %s", len(got), got[0].ID)
	}
	s.Feed.SetReading(false)
	if got := s.Feed.Events(); len(got) != snapshot.MaxEvents {
		t.Errorf("let go, and yet %d events", len(got))
	}
}

func TestTheFeedSlowsDownWhenNothingHappens(t *testing.T) {
	src := &source{}
	s := newSnapshot(t, src)
	src.grow(1)
	run(t, s, s.Load(snapshot.Events))
	busy := s.Feed.Interval()
	for range 40 {
		run(t, s, s.Load(snapshot.Events))
	}
	if quiet := s.Feed.Interval(); quiet <= busy || quiet > 15*time.Second {
		t.Errorf("interval %v when busy, %v when quiet", busy, quiet)
	}
	src.grow(1)
	run(t, s, s.Load(snapshot.Events))
	if got := s.Feed.Interval(); got != busy {
		t.Errorf("interval %v after news, want %v", got, busy)
	}
}

func TestTheEventsSinceATotalAreTheNewOnes(t *testing.T) {
	src := &source{}
	s := newSnapshot(t, src)
	src.grow(30)
	run(t, s, s.Load(snapshot.Events))
	before := s.Feed.TotalReceived()
	if again := s.Feed.ReceivedSince(before); len(again) != 0 {
		t.Errorf("%d events before any was received", len(again))
	}

	src.grow(3)
	run(t, s, s.Load(snapshot.Events))

	fresh := s.Feed.ReceivedSince(before)
	if len(fresh) != 3 || fresh[0].ID != "evt_000030" {
		t.Errorf("%d new events: %v", len(fresh), fresh)
	}
	src.grow(snapshot.MaxEvents + 10)
	run(t, s, s.Load(snapshot.Events))
	if fresh := s.Feed.ReceivedSince(before); len(fresh) != len(s.Feed.Events()) {
		t.Errorf("%d of %d events in memory are new, all should be", len(fresh), len(s.Feed.Events()))
	}
}
