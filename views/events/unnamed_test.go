package events

import (
	"testing"
	"time"

	"tarmac/apiclient"
)

// unnamed adds an event with an unreadable ID, the given number of seconds after the hour.
func (d *fixture) unnamed(seconds int) {
	d.server.feed = append(d.server.feed, apiclient.Event{
		OccurredAt: time.Date(2026, 11, 20, 13, 0, seconds, 0, time.UTC),
		Unreadable: &apiclient.ContractError{Field: "data[0].id", Problem: "is missing"},
	})
	d.poll()
}

func TestTheCursorStaysOnAnEventWithoutAnID(t *testing.T) {
	d := open(t, 3)
	d.unnamed(1)
	d.press("j", "k")
	d.unnamed(2)
	d.press("j")

	d.server.grow(2)
	d.poll()

	if e, _ := d.event(d.list.Table.Cursor()); e.OccurredAt.Second() != 1 {
		t.Errorf("the cursor went to %+v", e)
	}
}

func TestAPauseAtAnEventWithoutAnIDHidesNoneBeforeIt(t *testing.T) {
	d := open(t, 3)
	d.unnamed(1)
	d.server.grow(2)
	d.poll()
	d.unnamed(2)
	d.press("space")

	d.server.grow(1)
	d.poll()

	if n := len(d.shown()); n != 7 {
		t.Errorf("%d events are shown:\n%s", n, d.text())
	}
}
