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

// feed is an event feed in memory, with its ids oldest first.
type feed struct {
	ids    []string
	fail   func() error // nil, or the errors of reads
	onRead func()       // called after each read
}

func (f *feed) add(n int) {
	for range n {
		f.ids = append(f.ids, fmt.Sprintf("evt_%d", len(f.ids)))
	}
}

// even is the type of the events with even numbers.
const even apiclient.EventType = "invoice.paid"

// happened returns the time of evt_n.
func happened(n int) time.Time { return time.Date(2026, 11, 1, n, 0, 0, 0, time.UTC) }

// event returns the event with this id.
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

// Whatever arrives between and during polls, with any page size and any failing reads: the
// polls return each event after the position once, in order.
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
		for range 2 { // the rest of the interrupted poll, and events since then
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

// Pages of a long gap that were read before a pause are not read again.
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

	// An event that has left the feed cannot mark where to continue.
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

// When all seen events have left the feed, all its events are new, and older ones may have
// been missed.
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

// A feed without events for 90 days misses none.
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

// An unknown id is refused with any other options, since following from it would repeat all
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

// Since may be an event of a type that is not followed.
func TestTailerBeginsAfterAnEventOfAnyType(t *testing.T) {
	for since, want := range map[string][]string{
		"evt_0": {"evt_2", "evt_4"}, "evt_1": {"evt_2", "evt_4"}, "evt_3": {"evt_4"}, "evt_4": nil, "evt_5": nil,
	} {
		f := &feed{}
		f.add(6)
		tailer := apiclient.NewTailer(f, apiclient.TailOptions{Since: since, Types: []apiclient.EventType{even},
			PageLimit: 1})
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

// The feed may have no event of the followed types before Since.
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

// When the oldest events leave the feed, older ones that were never returned move onto the
// page. They are not new.
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
	// An event inserted late between known ones is new.
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
