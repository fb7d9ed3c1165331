package events

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/views"
)

func TestOlderPagesAreReadAtTheOldestAlsoWhilePaused(t *testing.T) {
	d := open(t, 300)
	d.press("space")
	d.server.grow(3)
	d.poll()
	d.press("G")
	if len(d.shown()) != 200 || d.shown()[0].ID != "evt_00100" || d.currentID() != "evt_00200" {
		t.Fatalf("%d events from %s, the cursor on %s", len(d.shown()), d.shown()[0].ID, d.currentID())
	}
	if d.shown()[len(d.shown())-1].ID != "evt_00299" {
		t.Error("reading back let newer events in")
	}
	d.press("G", "G", "G")
	d.shows("end of the feed", "12:00:00", "paused · 3 new")
	d.press("space")
	if len(d.shown()) != 303 {
		t.Errorf("%d events of 303", len(d.shown()))
	}
}

// The feed drops old events beyond its limit, but not while the user has scrolled back to them.
func TestWhatIsReadStaysWhenTheFeedLetsItGo(t *testing.T) {
	d := open(t, snapshot.MaxEvents+500)
	for range 40 {
		d.press("G")
	}
	d.server.grow(1)
	d.poll()
	if d.currentID() != "evt_00000" || len(d.shown()) != snapshot.MaxEvents+501 {
		t.Errorf("the cursor is on %s of %d events", d.currentID(), len(d.shown()))
	}
	for i := range d.shown() {
		if want := fmt.Sprintf("evt_%05d", i); d.shown()[i].ID != want {
			t.Fatalf("event %d is %s", i, d.shown()[i].ID)
		}
	}
	d.press("g")
	d.server.grow(1)
	d.poll()
	if len(d.shown()) != snapshot.MaxEvents {
		t.Errorf("at the newest %d events are kept", len(d.shown()))
	}
}

// After scrolling back beyond the feed's limit, a new event does not cause the older pages to be
// fetched again.
func TestReadingBackGoesOnWhileThingsHappen(t *testing.T) {
	d := open(t, snapshot.MaxEvents+1000)
	for range 60 {
		d.press("G")
		d.server.grow(1)
		d.poll()
	}
	if d.currentID() != "evt_00000" || len(d.shown()) != snapshot.MaxEvents+1060 {
		t.Errorf("the cursor is on %s of %d events", d.currentID(), len(d.shown()))
	}
	pages := d.server.requests
	d.press("G", "k", "k", "G")
	if d.server.requests != pages {
		t.Error("what is in memory was asked for again")
	}
}

func TestMemoryIsBoundedHoweverFarOneReads(t *testing.T) {
	d := open(t, snapshot.MaxEventsWhileReading+500)
	for range 150 {
		d.press("G")
	}
	if n := len(d.shown()); n != snapshot.MaxEventsWhileReading {
		t.Errorf("%d events are held", n)
	}
	d.shows("only the newest 10,000 events are kept")
	d.server.grow(3)
	d.poll()
	if n := len(d.shown()); n != snapshot.MaxEventsWhileReading {
		t.Errorf("%d events are held after more came", n)
	}
	d.press("g")
	if n := len(d.data.Feed.Events()); n != snapshot.MaxEvents {
		t.Errorf("%d events are kept at the newest", n)
	}
}

func TestAFailureToReadBackIsSaidAndNotRepeatedAtOnce(t *testing.T) {
	d := open(t, 100)
	d.server.fail = errors.New("broken")
	d.press("G")
	d.shows("older events: broken · retry in 2s")
	if cmd := d.Update(press("G")); cmd != nil {
		t.Error("it is tried again at once")
	}
	d.server.fail = nil
	d.at = d.at.Add(5 * time.Second)
	d.press("G")
	if len(d.shown()) != 100 {
		t.Errorf("%d events of 100", len(d.shown()))
	}
}

// Only an event with an ID can start a request for older events.
func TestOlderEventsAreReadFromTheOldestOneWithAnID(t *testing.T) {
	d := open(t, 250)
	d.server.feed[50] = apiclient.Event{Unreadable: &apiclient.ContractError{Field: "data[99].id", Problem: "is missing"}}
	var after []string
	d.server.onPage = func(q apiclient.EventQuery) { after = append(after, q.StartingAfter) }

	d.run(views.Fetch(d.data.LoadOlder()))
	d.run(views.Fetch(d.data.LoadOlder()))

	if got := strings.Join(after, " "); len(d.data.Feed.Events()) != 250 || got != "evt_00150 evt_00051" {
		t.Errorf("%d events, read after %q", len(d.data.Feed.Events()), got)
	}
}
