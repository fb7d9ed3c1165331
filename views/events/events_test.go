package events

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/snapshot"
	"tarmac/views/table"
)

func TestTheTailFollowsTheNewest(t *testing.T) {
	d := open(t, 30)
	d.says("following", "asked every 2s · heard from the server 14:02:07 UTC", "evt_00029", "2026-11-20 12:00:28", "1,234.56  EUR  INV-0028", "50.00  USD  pi_29", "hello 株式会社")
	d.server.grow(5)
	d.poll()
	if d.on() != "evt_00034" {
		t.Errorf("the cursor is on %s", d.on())
	}
	d.says("evt_00034")
}

func TestReadingFurtherUpIsNotDisturbed(t *testing.T) {
	d := open(t, 40)
	d.press("k", "k", "k")
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
	d.says("not at the newest: G")
	d.press("G")
	d.says("following")
	if d.on() != "evt_00044" {
		t.Errorf("G leads to %s", d.on())
	}
}

func TestAPauseKeepsBufferingAndSaysHowMany(t *testing.T) {
	d := open(t, 10)
	d.press("f")
	d.server.grow(12)
	d.poll()
	d.says("paused · 12 new", "evt_00009")
	if strings.Contains(d.text(), "evt_00010") {
		t.Error("a paused list goes on")
	}
	d.press("f")
	d.says("following", "evt_00021")
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
	d.press("f")
	d.server.grow(3)
	d.poll()
	d.press("g")
	if len(d.shown) != 200 || d.shown[0].ID != "evt_00100" || d.on() != "evt_00200" {
		t.Fatalf("%d events from %s, the cursor on %s", len(d.shown), d.shown[0].ID, d.on())
	}
	if d.shown[len(d.shown)-1].ID != "evt_00299" {
		t.Error("reading back let newer events in")
	}
	d.press("g", "g", "g")
	d.says("the feed goes no further back", "evt_00000", "paused · 3 new")
	d.press("f")
	if len(d.shown) != 303 {
		t.Errorf("%d events of 303", len(d.shown))
	}
}

// The feed keeps only so many events; what one has scrolled back to stays.
func TestWhatIsReadStaysWhenTheFeedLetsItGo(t *testing.T) {
	d := open(t, snapshot.KeptEvents+500)
	for range 40 {
		d.press("g")
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
	d.press("G")
	d.server.grow(1)
	d.poll()
	if len(d.shown) != snapshot.KeptEvents {
		t.Errorf("at the newest %d events are kept", len(d.shown))
	}
}

// Whoever reads further back than the feed keeps does not read the same pages
// again each time that something happens.
func TestReadingBackGoesOnWhileThingsHappen(t *testing.T) {
	d := open(t, snapshot.KeptEvents+1000)
	for range 60 {
		d.press("g")
		d.server.grow(1)
		d.poll()
	}
	if d.on() != "evt_00000" || len(d.shown) != snapshot.KeptEvents+1060 {
		t.Errorf("the cursor is on %s of %d events", d.on(), len(d.shown))
	}
	pages := d.server.asked
	d.press("g", "j", "j", "g")
	if d.server.asked != pages {
		t.Error("what is in memory was asked for again")
	}
}

func TestMemoryIsBoundedHoweverFarOneReads(t *testing.T) {
	d := open(t, snapshot.HeldEvents+500)
	for range 150 {
		d.press("g")
	}
	if n := len(d.shown); n != snapshot.HeldEvents {
		t.Errorf("%d events are held", n)
	}
	d.says("no more than the newest 10,000 are kept")
	d.server.grow(3)
	d.poll()
	if n := len(d.shown); n != snapshot.HeldEvents {
		t.Errorf("%d events are held after more came", n)
	}
	d.press("G")
	if n := len(d.data.Feed.Events()); n != snapshot.KeptEvents {
		t.Errorf("%d events are kept at the newest", n)
	}
}

func TestAFailureToReadBackIsSaidAndNotRepeatedAtOnce(t *testing.T) {
	d := open(t, 100)
	d.server.fail = errors.New("broken")
	d.press("g")
	d.says("older events: broken · retry in 2s")
	if cmd := d.Update(press("g")); cmd != nil {
		t.Error("it is tried again at once")
	}
	d.server.fail = nil
	d.at = d.at.Add(5 * time.Second)
	d.press("g")
	if len(d.shown) != 100 {
		t.Errorf("%d events of 100", len(d.shown))
	}
}

func TestTheListTurnsOver(t *testing.T) {
	d := open(t, 30)
	d.press("k", "k", "o")
	if d.on() != "evt_00027" {
		t.Errorf("turning over moved the cursor to %s", d.on())
	}
	d.press("g")
	d.server.grow(1)
	d.poll()
	if d.on() != "evt_00030" || d.table.Cursor() != 0 {
		t.Errorf("newest first, the cursor is on %s", d.on())
	}
	text := d.text()
	if strings.Index(text, "evt_00030") > strings.Index(text, "evt_00029") {
		t.Error("the newest is not on top")
	}
}

func TestTypesAreChosenFromAList(t *testing.T) {
	d := open(t, 40)
	d.press("t")
	if !d.Typing() {
		t.Error("digits would leave the list of types")
	}
	d.says("Show events of type", "> all", "payment.failed")
	d.press("j", "j", "enter")
	d.says("[payment.*]", "payment.failed")
	for i := range d.shown {
		if d.shown[i].Type != apiclient.EventPaymentFailed {
			t.Errorf("%s is shown", d.shown[i].Type)
		}
	}
	d.press("t", "k", "esc")
	d.says("[payment.*]")
	d.press("t", "j", "j", "enter")
	d.says("No events of the type invoice.overdue among the 40 events back to 2026-11-20: g reads on.")
	d.press("enter")
	if d.open {
		t.Error("there is nothing to open")
	}
	d.press("t", "k", "k", "k", "k", "enter")
	if len(d.shown) != 40 {
		t.Errorf("all are %d of 40", len(d.shown))
	}
}

func TestSearchFindsInTypeIdNumberAndData(t *testing.T) {
	for text, want := range map[string]string{
		"new.kind": "evt_00035", "EVT_00012": "evt_00012", "inv-0008": "evt_00008", `"deep":[7]`: "evt_00007",
	} {
		d := open(t, 38)
		d.press("/")
		d.write(text)
		d.press("enter")
		if d.on() != want {
			t.Errorf("%q leads to %s, not %s", text, d.on(), want)
		}
	}
	d := open(t, 38)
	d.press("/")
	d.write("paid")
	d.press("enter")
	for _, step := range []struct{ key, want string }{
		{"n", "evt_00032"}, {"n", "evt_00028"}, {"N", "evt_00032"}, {"N", "evt_00036"}, {"N", "evt_00000"}, {"n", "evt_00036"},
	} {
		if d.press(step.key); d.on() != step.want {
			t.Errorf("%s leads to %s, not %s", step.key, d.on(), step.want)
		}
	}
	if !strings.Contains(d.View(), table.NewInk(theme.New(true).Highlight).Render("paid")) {
		t.Error("what was found is not marked")
	}
	d.press("/")
	d.write("zzz")
	d.press("enter")
	d.says("not found in the 38 events back to 2026-11-20")
	if !d.Back() {
		t.Fatal("esc does not end the search")
	}
	if d.Back() || strings.Contains(d.text(), "zzz") {
		t.Error("the search is still there")
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
	d.press("k")
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
		{"open the invoice", views.Visit{Screen: views.Invoices, Target: views.InvoiceTarget{ID: "inv_8"}}},
		{"", nil}, {"", nil},
		{"open the payment intent", views.Visit{Screen: views.Intent, Target: views.IntentTarget{ID: "pi_5"}}},
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
		d.press("k")
	}
}

func TestStatesOfTheFeed(t *testing.T) {
	empty := open(t, 0)
	empty.says("No events yet.")
	empty.server.grow(1)
	empty.poll()
	empty.says("evt_00000")

	stale := open(t, 5)
	stale.server.fail = errors.New("broken")
	stale.poll()
	stale.says("stale", "broken", "retry in 2s", "evt_00004")
	stale.server.fail = &apiclient.Error{Status: 403, Scope: "events:read"}
	stale.poll()
	stale.says("The token lacks the scope events:read.")
	if strings.Contains(stale.text(), "evt_00004") {
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
			d.says("asked every 2s · heard from the server 14:02:07 UTC")
			return
		}
		gaps = append(gaps, d.data.Feed.Gap())
		d.says(fmt.Sprintf("◌ reading what was missed: %d events so far", d.data.Feed.Gap()))
	}
	d.answer(poll)
	if len(gaps) != 2 || gaps[0] != 100 || gaps[1] != 200 {
		t.Errorf("it came to %v", gaps)
	}
	d.says("heard from the server", "evt_00279")
	if n := d.data.Feed.Gap(); n != 0 {
		t.Errorf("%d events are still missed", n)
	}
}

// After an outage that is longer than the feed goes back, what is missing is not hidden.
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
