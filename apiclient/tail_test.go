package apiclient_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
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

// even is the type of evt_0, evt_2 and so on.
const even apiclient.EventType = "invoice.paid"

// happened is when evt_n happened.
func happened(n int) time.Time { return time.Date(2026, 11, 1, n, 0, 0, 0, time.UTC) }

// event is the event of an id.
func event(id string) apiclient.Event {
	e := apiclient.Event{ID: id, Type: "payment.held"}
	if n, err := strconv.Atoi(strings.TrimPrefix(id, "evt_")); err == nil {
		e.OccurredAt = happened(n)
		if n%2 == 0 {
			e.Type = even
		}
	}
	return e
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
	for i := end - 1; i >= 0; i-- {
		e := event(f.ids[i])
		switch {
		case len(q.Types) > 0 && !slices.Contains(q.Types, e.Type):
		case len(page.Data) == limit:
			page.NextCursor = page.Data[limit-1].ID
		default:
			page.Data = append(page.Data, e)
		}
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

// When every event that was seen has left the 90 days, all that is there is new, and
// what came before it may have been missed.
func TestTailerReportsWhatLeftTheFeedUnread(t *testing.T) {
	f := &feed{}
	f.add(5)
	tailer := apiclient.NewTailer(f, apiclient.TailOptions{PageLimit: 2})
	if _, err := tailer.Poll(t.Context()); err != nil || tailer.Missed() != nil {
		t.Fatal(err, tailer.Missed())
	}
	f.ids = []string{"evt_x", "evt_y", "evt_z"}

	got, err := tailer.Poll(t.Context())

	if err != nil || !reflect.DeepEqual(ids(got), f.ids) {
		t.Errorf("%v, %v", ids(got), err)
	}
	if missed := tailer.Missed(); missed == nil || missed.LastID != "evt_4" || !missed.LastAt.Equal(happened(4)) {
		t.Errorf("missed: %+v", missed)
	}
	if got, err := tailer.Poll(t.Context()); err != nil || len(got) != 0 || tailer.Missed() != nil {
		t.Errorf("again %v, %v, missed %v", ids(got), err, tailer.Missed())
	}
}

// A feed in which nothing happens for 90 days misses nothing.
func TestTailerMissesNothingInAQuietFeed(t *testing.T) {
	f := &feed{}
	f.add(2)
	tailer := apiclient.NewTailer(f, apiclient.TailOptions{})
	for _, ids := range [][]string{f.ids, nil, {"evt_x"}} {
		f.ids = ids
		if _, err := tailer.Poll(t.Context()); err != nil || tailer.Missed() != nil {
			t.Errorf("with %v: %v, missed %v", ids, err, tailer.Missed())
		}
	}
}

// An id that is in no feed is refused, whatever else is asked for: it would repeat all
// 90 days.
func TestTailerRefusesToBeginAfterAnUnknownEvent(t *testing.T) {
	f := &feed{}
	f.add(5)
	for _, types := range [][]apiclient.EventType{nil, {even}} {
		tailer := apiclient.NewTailer(f, apiclient.TailOptions{Since: "evt_typo", Types: types})
		got, err := tailer.Poll(t.Context())
		var unknown *apiclient.UnknownEventError
		if !errors.As(err, &unknown) || unknown.ID != "evt_typo" || !errors.Is(err, apiclient.ErrNotFound) || got != nil {
			t.Errorf("of %v: %v, %v", types, ids(got), err)
		}
		f.fail = func() error { return errFeed }
		if _, err := tailer.Poll(t.Context()); !errors.Is(err, errFeed) {
			t.Errorf("an outage is told as %v", err)
		}
		f.fail = nil
	}
}

// The event to begin after may be of a type that is not followed.
func TestTailerBeginsAfterAnEventOfAnyType(t *testing.T) {
	for since, want := range map[string][]string{
		"evt_0": {"evt_2", "evt_4"}, "evt_1": {"evt_2", "evt_4"}, "evt_3": {"evt_4"}, "evt_4": nil, "evt_5": nil,
	} {
		f := &feed{}
		f.add(6)
		tailer := apiclient.NewTailer(
			f,
			apiclient.TailOptions{Since: since, Types: []apiclient.EventType{even}, PageLimit: 1},
		)
		if got, err := tailer.Poll(t.Context()); err != nil || !slices.Equal(ids(got), want) {
			t.Errorf("after %s: %v, %v; want %v", since, ids(got), err, want)
		}
		f.add(1)
		if got, err := tailer.Poll(t.Context()); err != nil || !slices.Equal(ids(got), []string{"evt_6"}) ||
			tailer.Missed() != nil {
			t.Errorf("later after %s: %v, %v, missed %v", since, ids(got), err, tailer.Missed())
		}
	}
}

// Nothing of the followed types lies before the event to begin after.
func TestTailerBeginsBeforeTheFirstOfItsTypes(t *testing.T) {
	f := &feed{ids: []string{"evt_1"}}
	tailer := apiclient.NewTailer(f, apiclient.TailOptions{Since: "evt_1", Types: []apiclient.EventType{even}})
	for _, want := range [][]string{nil, {"evt_2"}, {"evt_4"}} {
		if got, err := tailer.Poll(t.Context()); err != nil || !slices.Equal(ids(got), want) || tailer.Missed() != nil {
			t.Errorf("%v, %v, missed %v; want %v", ids(got), err, tailer.Missed(), want)
		}
		for range 2 {
			f.ids = append(f.ids, fmt.Sprintf("evt_%d", len(f.ids)+1))
		}
	}
}

func TestTailerBeginsAtTheBeginningOrNow(t *testing.T) {
	f := &feed{}
	f.add(9)
	beginning := apiclient.NewTailer(f, apiclient.TailOptions{Since: apiclient.SinceBeginning, PageLimit: 2})
	now := apiclient.NewTailer(f, apiclient.TailOptions{Since: apiclient.SinceNow, PageLimit: 2})
	none := apiclient.NewTailer(&feed{}, apiclient.TailOptions{Since: apiclient.SinceNow})
	if got, err := beginning.Poll(t.Context()); err != nil || !slices.Equal(ids(got), f.ids) {
		t.Errorf("from the beginning: %v, %v", ids(got), err)
	}
	for _, tailer := range []*apiclient.Tailer{now, none} {
		if got, err := tailer.Poll(t.Context()); err != nil || len(got) > 0 {
			t.Errorf("from now on: %v, %v", ids(got), err)
		}
	}
	f.add(5)
	for _, tailer := range []*apiclient.Tailer{beginning, now} {
		if got, err := tailer.Poll(t.Context()); err != nil || !slices.Equal(ids(got), f.ids[9:]) || tailer.Missed() != nil {
			t.Errorf("later: %v, %v, missed %v", ids(got), err, tailer.Missed())
		}
	}
}

// Tail goes on after a gap, and says first that there is one.
func TestTailReportsAGapAndGoesOn(t *testing.T) {
	f, clock := &feed{}, newClock()
	f.add(2)
	clock.onNap = func() { f.ids = []string{"evt_x", "evt_y"} }
	var got []string
	for event, err := range apiclient.Tail(t.Context(), f, apiclient.TailOptions{Clock: clock}) {
		var missed *apiclient.MissedError
		if errors.As(err, &missed) {
			got = append(got, "missed after "+missed.LastID)
		} else {
			got = append(got, event.ID)
		}
		if event.ID == "evt_y" {
			break
		}
	}
	if want := []string{"evt_0", "evt_1", "missed after evt_1", "evt_x", "evt_y"}; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
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
	for event, err := range apiclient.Tail(t.Context(), f,
		apiclient.TailOptions{Interval: 2 * time.Second, Clock: clock}) {
		if err != nil {
			got = append(got, "error")
		} else {
			got = append(got, event.ID)
		}
		if event.ID == "evt_6" {
			break
		}
	}
	if want := []string{"evt_0", "evt_1", "error", "error", "error", "evt_2", "evt_3", "evt_4", "evt_5",
		"evt_6"}; !reflect.DeepEqual(
		got,
		want,
	) {
		t.Error(got)
	}
	if want := []time.Duration{2 * time.Second, 2 * time.Second, 4 * time.Second, 90 * time.Second,
		2 * time.Second}; !reflect.DeepEqual(
		clock.slept,
		want,
	) {
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
