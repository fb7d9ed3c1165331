package apiclient

import (
	"context"
	"strconv"
	"testing"
)

type pager func() *EventPage

func (p pager) EventPage(context.Context, EventQuery) (*EventPage, error) { return p(), nil }

// A Tailer's memory use does not grow over months.
func TestTailerRemembersABoundedNumberOfEvents(t *testing.T) {
	n := 0
	tailer := NewTailer(pager(func() *EventPage {
		page := &EventPage{}
		for i := range 100 {
			page.Data = append(page.Data, Event{ID: strconv.Itoa(n - i)})
		}
		n += 50
		return page
	}), TailOptions{})
	for range 100 {
		if _, err := tailer.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(tailer.known) != rememberedEvents || len(tailer.order) != rememberedEvents {
		t.Errorf("%d and %d ids are remembered", len(tailer.known), len(tailer.order))
	}
	if newest := strconv.Itoa(n - 50); tailer.order[len(tailer.order)-1] != newest {
		t.Errorf("the newest, %s, is not remembered last", newest)
	}
}
