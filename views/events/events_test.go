package events

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestTheTailFollowsTheNewest(t *testing.T) {
	d := open(t, 30)
	d.shows("live ", "updated 14:02:07 UTC · every 2s",
		"2026-11-20 12:00:29", "1,234.56  EUR  INV-0028", "50.00  USD  —", "hello 株式会社")
	d.server.grow(5)
	d.poll()
	if d.currentID() != "evt_00034" {
		t.Errorf("the cursor is on %s", d.currentID())
	}
	d.shows("2026-11-20 12:00:34")
	if d.list.Table.Cursor() != 0 {
		t.Errorf("the newest is on row %d", d.list.Table.Cursor())
	}
}

func TestReadingFurtherDownIsNotDisturbed(t *testing.T) {
	d := open(t, 40)
	d.press("j", "j", "j")
	before := d.text()
	line := before[strings.Index(before, "\n"):]
	d.server.grow(5)
	d.poll()
	if d.currentID() != "evt_00036" {
		t.Errorf("the cursor went to %s", d.currentID())
	}
	if after := d.text(); after[strings.Index(after, "\n"):] != line {
		t.Errorf("the list moved:\n%s\n%s", before, after)
	}
	d.shows("▲ newer events: g")
	d.press("g")
	d.shows("live ")
	if d.currentID() != "evt_00044" {
		t.Errorf("g leads to %s", d.currentID())
	}
}

func TestAnEventThatIsReadStaysWhenOthersCome(t *testing.T) {
	d := open(t, 9)
	d.press("enter")
	d.server.grow(3)
	d.poll()
	d.shows("INV-0008", `"id": "evt_00008"`)
	if d.currentID() != "evt_00008" || !d.list.Opened {
		t.Errorf("the cursor is on %s", d.currentID())
	}
	d.press("esc")
	d.shows("▲ newer events: g")
}

func TestAPaymentIsNamedByItsCounterpartyOnceThatIsKnown(t *testing.T) {
	d := open(t, 2)
	d.shows("50.00  USD  —")
	d.data.SetCounterparty("pi_1", "Ada & Co")
	d.Update(views.Tick{Now: d.at})
	d.shows("50.00  USD  Ada & Co")
	if strings.Contains(d.text(), "pi_1") || strings.Contains(d.text(), "evt_") {
		t.Errorf("ids stand in the rows:\n%s", d.text())
	}
}

func TestAPauseKeepsBufferingAndSaysHowMany(t *testing.T) {
	d := open(t, 10)
	d.press("space")
	d.server.grow(12)
	d.poll()
	d.shows("paused · 12 new", "12:00:09")
	if strings.Contains(d.text(), "12:00:10") {
		t.Error("a paused list goes on")
	}
	d.press("space")
	d.shows("live ", "12:00:21")
	seen := map[string]bool{}
	for i := range d.shown() {
		seen[d.shown()[i].ID] = true
	}
	if len(seen) != 22 || len(d.shown()) != 22 {
		t.Errorf("%d events, %d of them different, of 22", len(d.shown()), len(seen))
	}
}

func TestTheListTurnsOver(t *testing.T) {
	d := open(t, 30)
	if text := d.text(); strings.Index(text, "12:00:29") > strings.Index(text, "12:00:28") {
		t.Error("the newest is not on top")
	}
	d.press("j", "j", "o")
	if d.currentID() != "evt_00027" {
		t.Errorf("turning over moved the cursor to %s", d.currentID())
	}
	d.press("G")
	d.server.grow(1)
	d.poll()
	if d.currentID() != "evt_00030" || d.list.Table.Cursor() != 30 {
		t.Errorf("oldest first, the cursor is on %s", d.currentID())
	}
	text := d.text()
	if strings.Index(text, "12:00:30") < strings.Index(text, "12:00:29") {
		t.Error("the newest is not at the bottom")
	}
}

func TestDetailIsPrettyAndScrolls(t *testing.T) {
	d := open(t, 9)
	d.press("enter")
	d.shows("invoice.paid", "2026-11-20 12:00:08 UTC", `"number": "INV-0008"`)
	d.SetSize(60, 8)
	d.shows("more below")
	d.press("pgdown", "pgdown")
	d.shows(`"total_cents": 123456`)
	d.press("j")
	d.shows("new.kind")
	if !d.Back() || d.Back() {
		t.Error("esc closes the detail once")
	}
}

func TestAnEventLeadsToWhatItIsAbout(t *testing.T) {
	d := open(t, 9)
	d.press("enter")
	for _, want := range []struct {
		words string
		to    any
	}{
		{"open invoice", views.Visit{Screen: views.Invoices, Target: views.InvoiceTarget{ID: "inv_8"}}},
		{"", nil}, {"", nil},
		{"open payment intent", views.Visit{Screen: views.Intent, Target: views.IntentTarget{ID: "pi_5"}}},
	} {
		if b := d.Help()[0].Bindings[1]; b.Enabled() != (want.to != nil) || b.Enabled() && b.Help().Desc != want.words {
			t.Errorf("enter is offered %t as %q, want %q", b.Enabled(), b.Help().Desc, want.words)
		}
		var to any
		if cmd := d.Update(press("enter")); cmd != nil {
			to = cmd()
		}
		if to != want.to {
			t.Errorf("it leads to %v, want %v", to, want.to)
		}
		d.press("j")
	}
}

func TestStatesOfTheFeed(t *testing.T) {
	empty := open(t, 0)
	empty.shows("No events yet.")
	empty.server.grow(1)
	empty.poll()
	empty.shows("12:00:00")

	stale := open(t, 5)
	stale.server.fail = errors.New("broken")
	stale.poll()
	stale.shows("stale", "broken", "retry in 2s", "12:00:04")
	stale.server.fail = &apiclient.Error{Status: 403, Scope: "events:read"}
	stale.poll()
	stale.shows("The token lacks the scope events:read.")
	if strings.Contains(stale.text(), "12:00:04") {
		t.Error("what may no longer be read is still shown")
	}
}

func TestNoKeyIsBoundTwice(t *testing.T) {
	d := open(t, 5)
	d.press("/", "e", "enter", "enter")
	bound := map[string]bool{}
	for _, group := range d.Help() {
		for _, b := range group.Bindings {
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
			for _, k := range b.Keys() {
				if bound[k] || strings.Contains("1234567?qr", k) {
					t.Errorf("%s is bound twice", k)
				}
				bound[k] = true
			}
		}
	}
}

func TestATickAsksForNothing(t *testing.T) {
	d := open(t, 5)
	if cmd := d.Update(views.Tick{Now: d.at}); cmd != nil {
		t.Error("the clock asks the server")
	}
}

func TestAGapThatIsReadShowsHowFarItHasCome(t *testing.T) {
	d := open(t, 30)
	d.server.grow(250)
	poll := d.data.Load(snapshot.Events)
	var gaps []int
	d.server.onPage = func(asked apiclient.EventQuery) {
		d.Update(views.Tick{Now: d.at})
		if asked.StartingAfter == "" {
			d.shows("updated 14:02:07 UTC · every 2s")
			return
		}
		gaps = append(gaps, d.data.Feed.Gap())
		d.shows(fmt.Sprintf("◌ catching up: %d events so far", d.data.Feed.Gap()))
	}
	d.run(views.Fetch(poll))
	if len(gaps) != 2 || gaps[0] != 100 || gaps[1] != 200 {
		t.Errorf("it came to %v", gaps)
	}
	d.shows("updated", "12:04:39")
	if n := d.data.Feed.Gap(); n != 0 {
		t.Errorf("%d events are still missed", n)
	}
}

// If the server has dropped events before they were fetched, the screen says that some may be
// missing.
func TestAGapInTheFeedIsShown(t *testing.T) {
	d := open(t, 5)
	if strings.Contains(d.text(), "missing") {
		t.Fatalf("nothing is missing yet:\n%s", d.text())
	}
	d.server.grow(3)
	d.server.feed = d.server.feed[5:]

	d.poll()

	d.shows("events after 2026-11-20 may be missing")
	d.server.grow(1)
	d.poll()
	d.shows("events after 2026-11-20 may be missing")
}

func TestAnEventThatCannotBeReadIsListedOnce(t *testing.T) {
	d := open(t, 3)
	why := &apiclient.ContractError{Field: "data[0].occurred_at", Problem: "is missing"}
	d.server.feed = append(d.server.feed, apiclient.Event{ID: "evt_bad", Unreadable: why})
	d.poll()
	d.server.grow(1)
	d.poll()
	d.poll()

	d.shows("1 event could not be read", "unreadable")
	if len(d.shown()) != 5 {
		t.Errorf("%d events are shown:\n%s", len(d.shown()), d.text())
	}
	d.press("j", "enter")
	d.shows("Problem", "occurred_at is missing", "unreadable")
	sample.CheckNoText(t, d, "0001")
}

func TestAnInvoiceIsNamedByItsCustomerOnceThatIsKnown(t *testing.T) {
	d := open(t, 1)
	d.shows("1,234.56  EUR  INV-0000")
	d.data.SetCustomers([]apiclient.Invoice{{ID: "inv_0", RecipientName: "Osprey Analytics"}})
	d.Update(views.Tick{Now: d.at})
	d.shows("1,234.56  EUR  Osprey Analytics paid INV-0000")
	if d.State().Places()[0].Label != "Transactions of Osprey Analytics" {
		t.Errorf("it is also at %+v", d.State().Places())
	}
	d.press("/", "o", "s", "p", "enter")
	d.shows("Osprey Analytics paid INV-0000")
}
