package events

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/table"
)

func TestTheTailFollowsTheNewest(t *testing.T) {
	d := open(t, 30)
	d.says("following", "updated 14:02:07 UTC · every 2s", "2026-11-20 12:00:29", "1,234.56  EUR  INV-0028", "50.00  USD  —", "hello 株式会社")
	d.server.grow(5)
	d.poll()
	if d.on() != "evt_00034" {
		t.Errorf("the cursor is on %s", d.on())
	}
	d.says("2026-11-20 12:00:34")
	if d.table.Cursor() != 0 {
		t.Errorf("the newest is on row %d", d.table.Cursor())
	}
}

func TestReadingFurtherDownIsNotDisturbed(t *testing.T) {
	d := open(t, 40)
	d.press("j", "j", "j")
	before := d.text()
	line := before[strings.Index(before, "\n"):]
	d.server.grow(5)
	d.poll()
	if d.on() != "evt_00036" {
		t.Errorf("the cursor went to %s", d.on())
	}
	if after := d.text(); after[strings.Index(after, "\n"):] != line {
		t.Errorf("the list moved:\n%s\n%s", before, after)
	}
	d.says("▲ newer events: g")
	d.press("g")
	d.says("following")
	if d.on() != "evt_00044" {
		t.Errorf("g leads to %s", d.on())
	}
}

func TestAnEventThatIsReadStaysWhenOthersCome(t *testing.T) {
	d := open(t, 9)
	d.press("enter")
	d.server.grow(3)
	d.poll()
	d.says("INV-0008", `"id": "evt_00008"`)
	if d.on() != "evt_00008" || !d.detail.open {
		t.Errorf("the cursor is on %s", d.on())
	}
	d.press("esc")
	d.says("▲ newer events: g")
}

func TestAPaymentIsNamedByItsCounterpartyOnceThatIsKnown(t *testing.T) {
	d := open(t, 2)
	d.says("50.00  USD  —")
	d.data.NoteCounterparty("pi_1", "Ada & Co")
	d.Update(views.Tick{Now: d.at})
	d.says("50.00  USD  Ada & Co")
	if strings.Contains(d.text(), "pi_1") || strings.Contains(d.text(), "evt_") {
		t.Errorf("ids stand in the rows:\n%s", d.text())
	}
}

func TestAPauseKeepsBufferingAndSaysHowMany(t *testing.T) {
	d := open(t, 10)
	d.press("space")
	d.server.grow(12)
	d.poll()
	d.says("paused · 12 new", "12:00:09")
	if strings.Contains(d.text(), "12:00:10") {
		t.Error("a paused list goes on")
	}
	d.press("space")
	d.says("following", "12:00:21")
	seen := map[string]bool{}
	for i := range d.shown {
		seen[d.shown[i].ID] = true
	}
	if len(seen) != 22 || len(d.shown) != 22 {
		t.Errorf("%d events, %d of them different, of 22", len(d.shown), len(seen))
	}
}

func TestOlderPagesAreReadAtTheOldestAlsoWhilePaused(t *testing.T) {
	d := open(t, 300)
	d.press("space")
	d.server.grow(3)
	d.poll()
	d.press("G")
	if len(d.shown) != 200 || d.shown[0].ID != "evt_00100" || d.on() != "evt_00200" {
		t.Fatalf("%d events from %s, the cursor on %s", len(d.shown), d.shown[0].ID, d.on())
	}
	if d.shown[len(d.shown)-1].ID != "evt_00299" {
		t.Error("reading back let newer events in")
	}
	d.press("G", "G", "G")
	d.says("end of the feed", "12:00:00", "paused · 3 new")
	d.press("space")
	if len(d.shown) != 303 {
		t.Errorf("%d events of 303", len(d.shown))
	}
}

// The feed drops old events, but not those that the user has scrolled back to.
func TestWhatIsReadStaysWhenTheFeedLetsItGo(t *testing.T) {
	d := open(t, snapshot.KeptEvents+500)
	for range 40 {
		d.press("G")
	}
	d.server.grow(1)
	d.poll()
	if d.on() != "evt_00000" || len(d.shown) != snapshot.KeptEvents+501 {
		t.Errorf("the cursor is on %s of %d events", d.on(), len(d.shown))
	}
	for i := range d.shown {
		if want := fmt.Sprintf("evt_%05d", i); d.shown[i].ID != want {
			t.Fatalf("event %d is %s", i, d.shown[i].ID)
		}
	}
	d.press("g")
	d.server.grow(1)
	d.poll()
	if len(d.shown) != snapshot.KeptEvents {
		t.Errorf("at the newest %d events are kept", len(d.shown))
	}
}

// Reading back beyond the feed's limit does not read the same pages again at each new event.
func TestReadingBackGoesOnWhileThingsHappen(t *testing.T) {
	d := open(t, snapshot.KeptEvents+1000)
	for range 60 {
		d.press("G")
		d.server.grow(1)
		d.poll()
	}
	if d.on() != "evt_00000" || len(d.shown) != snapshot.KeptEvents+1060 {
		t.Errorf("the cursor is on %s of %d events", d.on(), len(d.shown))
	}
	pages := d.server.asked
	d.press("G", "k", "k", "G")
	if d.server.asked != pages {
		t.Error("what is in memory was asked for again")
	}
}

func TestMemoryIsBoundedHoweverFarOneReads(t *testing.T) {
	d := open(t, snapshot.HeldEvents+500)
	for range 150 {
		d.press("G")
	}
	if n := len(d.shown); n != snapshot.HeldEvents {
		t.Errorf("%d events are held", n)
	}
	d.says("only the newest 10,000 events are kept")
	d.server.grow(3)
	d.poll()
	if n := len(d.shown); n != snapshot.HeldEvents {
		t.Errorf("%d events are held after more came", n)
	}
	d.press("g")
	if n := len(d.data.Feed.Events()); n != snapshot.KeptEvents {
		t.Errorf("%d events are kept at the newest", n)
	}
}

func TestAFailureToReadBackIsSaidAndNotRepeatedAtOnce(t *testing.T) {
	d := open(t, 100)
	d.server.fail = errors.New("broken")
	d.press("G")
	d.says("older events: broken · retry in 2s")
	if cmd := d.Update(press("G")); cmd != nil {
		t.Error("it is tried again at once")
	}
	d.server.fail = nil
	d.at = d.at.Add(5 * time.Second)
	d.press("G")
	if len(d.shown) != 100 {
		t.Errorf("%d events of 100", len(d.shown))
	}
}

func TestTheListTurnsOver(t *testing.T) {
	d := open(t, 30)
	if text := d.text(); strings.Index(text, "12:00:29") > strings.Index(text, "12:00:28") {
		t.Error("the newest is not on top")
	}
	d.press("j", "j", "o")
	if d.on() != "evt_00027" {
		t.Errorf("turning over moved the cursor to %s", d.on())
	}
	d.press("G")
	d.server.grow(1)
	d.poll()
	if d.on() != "evt_00030" || d.table.Cursor() != 30 {
		t.Errorf("oldest first, the cursor is on %s", d.on())
	}
	text := d.text()
	if strings.Index(text, "12:00:30") < strings.Index(text, "12:00:29") {
		t.Error("the newest is not at the bottom")
	}
}

func TestTypesAreChosenFromAList(t *testing.T) {
	d := open(t, 40)
	d.press("f")
	if !d.Typing() {
		t.Error("digits would leave the list of types")
	}
	d.says("Event type", "> all", "payment.failed")
	d.press("j", "j", "enter")
	d.says("[payment.*]", "payment.failed")
	for i := range d.shown {
		if d.shown[i].Type != apiclient.EventPaymentFailed {
			t.Errorf("%s is shown", d.shown[i].Type)
		}
	}
	d.press("f", "k", "esc")
	d.says("[payment.*]")
	d.press("f", "j", "j", "enter")
	d.says("No events of type invoice.overdue among the 40 events back to 2026-11-20: G loads more.")
	d.press("enter")
	if d.detail.open {
		t.Error("there is nothing to open")
	}
	d.press("f", "k", "k", "k", "k", "enter")
	if len(d.shown) != 40 {
		t.Errorf("all are %d of 40", len(d.shown))
	}
}

func TestATextFiltersByTypeIdNumberAndData(t *testing.T) {
	for text, want := range map[string]string{
		"new.kind": "evt_00035", "EVT_00012": "evt_00012", "inv-0008": "evt_00008", `"deep":[7]`: "evt_00007",
		"ada": "evt_00037",
	} {
		d := open(t, 38)
		d.data.NoteCounterparty("pi_37", "Ada & Co")
		d.press("/")
		d.write(text)
		d.press("enter")
		if d.on() != want {
			t.Errorf("%q leaves %s on top, not %s", text, d.on(), want)
		}
	}
}

func TestTheTextFilterLeavesOutRowsAndIsTakenOffAgain(t *testing.T) {
	d := open(t, 38)
	d.press("/")
	d.write("paid")
	d.says("Filter  paid")
	if len(d.shown) != 10 {
		t.Errorf("%d events are left while typing", len(d.shown))
	}
	d.press("enter")
	d.says(`["paid"] 10 of 38 read`)
	if !d.Filtered() || !strings.Contains(d.View(), table.NewInk(theme.New(true).Highlight).Render("paid")) {
		t.Error("what matches is not marked")
	}
	d.server.grow(3)
	d.poll()
	d.says(`["paid"] 11 of 41 read`)
	d.press("/")
	d.write("z")
	d.says("No events with \"paidz\" among the 41 events back to 2026-11-20: G loads more.")
	d.press("esc")
	d.says(`["paid"] 11 of 41 read`)
	d.press("x")
	if len(d.shown) != 41 || d.Filtered() {
		t.Errorf("%d events of 41 without a filter", len(d.shown))
	}
	d.press("/")
	d.write("paid")
	d.press("enter")
	if !d.Back() || d.Filtered() || d.Back() {
		t.Error("esc does not take the filter off, once")
	}
}

func TestDetailIsPrettyAndScrolls(t *testing.T) {
	d := open(t, 9)
	d.press("enter")
	d.says("invoice.paid", "2026-11-20 12:00:08 UTC", `"number": "INV-0008"`)
	d.SetSize(60, 8)
	d.says("more below")
	d.press("pgdown", "pgdown")
	d.says(`"total_cents": 123456`)
	d.press("j")
	d.says("new.kind")
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
	empty.says("No events yet.")
	empty.server.grow(1)
	empty.poll()
	empty.says("12:00:00")

	stale := open(t, 5)
	stale.server.fail = errors.New("broken")
	stale.poll()
	stale.says("stale", "broken", "retry in 2s", "12:00:04")
	stale.server.fail = &apiclient.Error{Status: 403, Scope: "events:read"}
	stale.poll()
	stale.says("The token lacks the scope events:read.")
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
		if asked.StartingAfter == "" {
			d.says("updated 14:02:07 UTC · every 2s")
			return
		}
		gaps = append(gaps, d.data.Feed.Gap())
		d.says(fmt.Sprintf("◌ catching up: %d events so far", d.data.Feed.Gap()))
	}
	d.answer(views.Fetch(poll))
	if len(gaps) != 2 || gaps[0] != 100 || gaps[1] != 200 {
		t.Errorf("it came to %v", gaps)
	}
	d.says("updated", "12:04:39")
	if n := d.data.Feed.Gap(); n != 0 {
		t.Errorf("%d events are still missed", n)
	}
}

// If an outage was longer than the feed reaches back, the screen shows the gap.
func TestAGapInTheFeedIsShown(t *testing.T) {
	d := open(t, 5)
	if strings.Contains(d.text(), "missing") {
		t.Fatalf("nothing is missing yet:\n%s", d.text())
	}
	d.server.grow(3)
	d.server.feed = d.server.feed[5:]

	d.poll()

	d.says("events after 2026-11-20 may be missing")
	d.server.grow(1)
	d.poll()
	d.says("events after 2026-11-20 may be missing")
}

func TestAnEventThatCannotBeReadIsListedOnce(t *testing.T) {
	d := open(t, 3)
	why := &apiclient.ContractError{Field: "data[0].occurred_at", Problem: "is missing"}
	d.server.feed = append(d.server.feed, apiclient.Event{ID: "evt_bad", Unreadable: why})
	d.poll()
	d.server.grow(1)
	d.poll()
	d.poll()

	d.says("1 event could not be read", "unreadable")
	if len(d.shown) != 5 {
		t.Errorf("%d events are shown:\n%s", len(d.shown), d.text())
	}
	d.press("j", "enter")
	d.says("Problem", "occurred_at is missing", "unreadable")
	sample.SaysNot(t, d, "0001")
}

// Only an event with an ID can start a request for older events.
func TestOlderEventsAreReadFromTheOldestOneWithAnID(t *testing.T) {
	d := open(t, 250)
	d.server.feed[50] = apiclient.Event{Unreadable: &apiclient.ContractError{Field: "data[99].id", Problem: "is missing"}}
	var after []string
	d.server.onPage = func(q apiclient.EventQuery) { after = append(after, q.StartingAfter) }

	d.answer(views.Fetch(d.data.LoadOlder()))
	d.answer(views.Fetch(d.data.LoadOlder()))

	if got := strings.Join(after, " "); len(d.data.Feed.Events()) != 250 || got != "evt_00150 evt_00051" {
		t.Errorf("%d events, read after %q", len(d.data.Feed.Events()), got)
	}
}
