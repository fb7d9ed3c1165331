package apiclient_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"tarmac/apiclient"
)

// Tail reports a gap and then continues after it.
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

// Tail yields transient errors and continues in order, with growing pauses.
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
		"evt_6"}; !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
	if want := []time.Duration{2 * time.Second, 2 * time.Second, 4 * time.Second, 90 * time.Second,
		2 * time.Second}; !reflect.DeepEqual(clock.slept, want) {
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
