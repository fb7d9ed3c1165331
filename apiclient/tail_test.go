package apiclient_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
)

var errFeed = errors.New("the feed is out")

// feed is an event feed in memory: ids oldest first.
type feed struct {
	ids    []string
	fail   func() error // nil, or what each read answers instead
	onRead func()       // called after each read
}

func (f *feed) add(n int) {
	for range n {
		f.ids = append(f.ids, fmt.Sprintf("evt_%d", len(f.ids)))
	}
}

func (f *feed) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if f.fail != nil {
		if err := f.fail(); err != nil {
			return nil, err
		}
	}
	end := len(f.ids)
	if q.StartingAfter != "" {
		end = slices.Index(f.ids, q.StartingAfter)
		if end < 0 {
			return nil, &apiclient.Error{Status: 400, Message: "starting_after is not a known event id"}
		}
	}
	limit := q.Limit
	if limit == 0 {
		limit = 50
	}
	page := &apiclient.EventPage{}
	for i := end - 1; i >= max(0, end-limit); i-- {
		page.Data = append(page.Data, apiclient.Event{ID: f.ids[i]})
	}
	if end > limit {
		page.NextCursor = f.ids[end-limit]
	}
	if f.onRead != nil {
		f.onRead()
	}
	return page, nil
}

func ids(events []apiclient.Event) (ids []string) {
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}

// Whatever arrives between and during polls, with whatever page size, and whichever
// reads fail: what the polls return is the feed from its place on, once, in order.
func TestTailerMissesNothingAndRepeatsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &feed{}
		f.add(rapid.IntRange(0, 30).Draw(t, "before"))
		limit := rapid.IntRange(1, 12).Draw(t, "limit")
		options := apiclient.TailOptions{PageLimit: limit}
		from := max(0, len(f.ids)-limit)
		if len(f.ids) > 0 && rapid.Bool().Draw(t, "since") {
			from = rapid.IntRange(0, len(f.ids)-1).Draw(t, "place") + 1
			options.Since = f.ids[from-1]
		}
		f.fail = func() error {
			switch rapid.IntRange(0, 9).Draw(t, "fails") {
			case 0:
				return errFeed
			case 1:
				return &apiclient.Error{Status: 429}
			}
			return nil
		}
		started := options.Since != ""
		f.onRead = func() {
			if started && rapid.IntRange(0, 3).Draw(t, "arrives") == 0 {
				f.add(1)
			}
		}
		tailer := apiclient.NewTailer(f, options)
		var got []string
		for range rapid.IntRange(1, 8).Draw(t, "polls") {
			if started {
				f.add(rapid.IntRange(0, 40).Draw(t, "burst"))
			}
			events, err := tailer.Poll(t.Context())
			if err != nil && (len(events) > 0 || !errors.Is(err, errFeed) && !errors.Is(err, apiclient.ErrRateLimited)) {
				t.Fatalf("%v came with %v", ids(events), err)
			}
			started = started || err == nil
			got = append(got, ids(events)...)
		}
		f.fail, f.onRead = nil, nil
		for range 2 { // the end of what was interrupted, and what came meanwhile
			events, err := tailer.Poll(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, ids(events)...)
		}
		if !slices.Equal(got, f.ids[from:]) {
			t.Fatalf("got %v of %v from %d", got, f.ids, from)
		}
	})
}

// What was read of a long gap is not read again because the server wants a pause.
func TestTailerReadsOnWhereItWasInterrupted(t *testing.T) {
	f := &feed{}
	f.add(1)
	tailer := apiclient.NewTailer(f, apiclient.TailOptions{PageLimit: 10})
	if _, err := tailer.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.add(100)
	reads, asked := 0, 0
	f.onRead = func() { reads++ }
	f.fail = func() error {
		if asked++; asked%3 == 0 {
			return &apiclient.Error{Status: 429}
		}
		return nil
	}
	var got []apiclient.Event
	for got == nil {
		events, err := tailer.Poll(t.Context())
		if err != nil && (events != nil || reads == 0) {
			t.Fatalf("%d events with %v", len(events), err)
		}
		f.add(1)
		got = events
	}
	if len(got) != 100 || got[0].ID != "evt_1" || reads != 11 {
		t.Errorf("%d events in %d pages", len(got), reads)
	}

	// A place that has left the feed is no place to read on from.
	f.fail = nil
	f.add(30)
	f.onRead = func() { f.fail = func() error { return &apiclient.Error{Status: 429} } }
	if _, err := tailer.Poll(t.Context()); !errors.Is(err, apiclient.ErrRateLimited) {
		t.Fatal(err)
	}
	f.fail, f.onRead = nil, nil
	f.ids = []string{"evt_x", "evt_y"}
	if _, err := tailer.Poll(t.Context()); !errors.Is(err, apiclient.ErrInvalid) {
		t.Fatal(err)
	}
	if events, err := tailer.Poll(t.Context()); err != nil || !slices.Equal(ids(events), f.ids) {
		t.Errorf("%v, %v", ids(events), err)
	}
}

// When every event that was seen has left the 90 days, all that is there is new.
func TestTailerAfterTheWindowHasPassed(t *testing.T) {
	f := &feed{}
	f.add(5)
	tailer := apiclient.NewTailer(f, apiclient.TailOptions{PageLimit: 2})
	if _, err := tailer.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.ids = []string{"evt_x", "evt_y", "evt_z"}
	if got, err := tailer.Poll(t.Context()); err != nil || !reflect.DeepEqual(ids(got), f.ids) {
		t.Errorf("%v, %v", ids(got), err)
	}
	if got, err := tailer.Poll(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("again %v, %v", ids(got), err)
	}
}

// The oldest events leaving the feed bring older, never shown ones onto a page:
// they are not new.
func TestTailerDoesNotTakeOldEventsForNewOnes(t *testing.T) {
	f := &feed{}
	f.add(6)
	tailer := apiclient.NewTailer(f, apiclient.TailOptions{PageLimit: 3})
	if _, err := tailer.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.ids = slices.Delete(f.ids, 4, 5)
	if got, err := tailer.Poll(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", ids(got), err)
	}
	// One put in late, between events already shown, is.
	f.ids = slices.Insert(f.ids, 4, "late")
	if got, err := tailer.Poll(t.Context()); err != nil || !reflect.DeepEqual(ids(got), []string{"late"}) {
		t.Errorf("%v, %v", ids(got), err)
	}
}

type pages func(apiclient.EventQuery) (*apiclient.EventPage, error)

func (p pages) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	return p(q)
}

func TestTailerLeavesACircle(t *testing.T) {
	tailer := apiclient.NewTailer(pages(func(apiclient.EventQuery) (*apiclient.EventPage, error) {
		return &apiclient.EventPage{Data: []apiclient.Event{{ID: "evt_1"}}, NextCursor: "evt_1"}, nil
	}), apiclient.TailOptions{Since: "evt_0"})
	got, err := tailer.Poll(t.Context())
	var contract *apiclient.ContractError
	if !errors.As(err, &contract) {
		t.Errorf("%v, %v", ids(got), err)
	}
}

// Tail tells of errors that pass and goes on, in order, with growing pauses.
func TestTailGoesOn(t *testing.T) {
	f, clock := &feed{}, newClock()
	f.add(2)
	errs := []error{nil, errFeed, errFeed, &apiclient.Error{Status: 429, RetryAfter: 90 * time.Second}, nil, nil}
	reads := 0
	f.fail = func() error { reads++; return errs[min(reads, len(errs))-1] }
	clock.onNap = func() { f.add(1) }
	var got []string
	for event, err := range apiclient.Tail(t.Context(), f, apiclient.TailOptions{Interval: 2 * time.Second, Clock: clock}) {
		if err != nil {
			got = append(got, "error")
		} else {
			got = append(got, event.ID)
		}
		if event.ID == "evt_6" {
			break
		}
	}
	if want := []string{"evt_0", "evt_1", "error", "error", "error", "evt_2", "evt_3", "evt_4", "evt_5", "evt_6"}; !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
	if want := []time.Duration{2 * time.Second, 2 * time.Second, 4 * time.Second, 90 * time.Second, 2 * time.Second}; !reflect.DeepEqual(clock.slept, want) {
		t.Errorf("slept %v", clock.slept)
	}
}

func TestTailEndsWhereAskingAgainIsNoUse(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404} {
		f, n := &feed{fail: func() error { return &apiclient.Error{Status: status} }}, 0
		for _, err := range apiclient.Tail(t.Context(), f, apiclient.TailOptions{Clock: newClock()}) {
			if n++; err == nil || n > 1 {
				t.Fatalf("%d: item %d, error %v", status, n, err)
			}
		}
	}
}

func TestTailEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	clock := newClock()
	clock.onNap = cancel
	f := &feed{fail: func() error { return errFeed }}
	n := 0
	for range apiclient.Tail(ctx, f, apiclient.TailOptions{Clock: clock}) {
		n++
	}
	if n != 1 || len(clock.slept) != 1 {
		t.Errorf("%d items, slept %v", n, clock.slept)
	}
}
