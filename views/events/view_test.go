package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

var update = sample.UpdateFlag()

func states(t *testing.T) map[string]*fixture {
	out := map[string]*fixture{
		"tail":   open(t, 60),
		"empty":  open(t, 0),
		"detail": open(t, 9),
		"types":  open(t, 9),
		"search": open(t, 30),
		"paused": open(t, 30),
	}
	out["detail"].press("enter")
	out["types"].press("f", "j")
	out["search"].press("/")
	out["search"].write("株式会社")
	out["search"].press("enter")
	out["paused"].press("space")
	out["paused"].server.grow(4)
	out["paused"].poll()
	stale := open(t, 9)
	stale.server.fail = errors.New("the server cannot be reached")
	stale.poll()
	out["stale"] = stale
	return out
}

func TestEverySizeInEveryState(t *testing.T) {
	for name, d := range states(t) {
		t.Run(name, func(t *testing.T) { sample.CheckAllSizes(t, d) })
	}
}

func TestGoldenScreens(t *testing.T) {
	for name, d := range states(t) {
		for _, size := range [][2]int{{120, 18}, {80, 12}, {40, 9}} {
			d.SetSize(size[0], size[1])
			sample.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), d.View(), *update)
		}
	}
}

func BenchmarkStepAndView(b *testing.B) {
	src := &server{}
	src.grow(2000)
	now := func() time.Time { return time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC) }
	data := snapshot.New(b.Context(), src, snapshot.Options{Now: now, Timeout: time.Minute})
	s := New(views.Env{Snapshot: data, Now: now, Theme: theme.New(true)})
	s.SetSize(120, 37)
	for cmd := data.Load(snapshot.Events); cmd != nil; cmd = data.LoadOlder() {
		answer := cmd()
		data.Update(answer)
		s.Update(answer)
	}
	keys := [...]tea.KeyPressMsg{press("k"), press("j")}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Update(keys[i/500%2])
		if s.View() == "" {
			b.Fatal("nothing drawn")
		}
	}
}

// Minor units depend on the currency: the yen has none.
func TestAnAmountIsWrittenInItsCurrency(t *testing.T) {
	for data, want := range map[string]string{
		`{"invoice_id":"inv_1","number":"INV-1","status":"sent","total_cents":1500000,"currency":"JPY"}`: "1,500,000     JPY",
		`{"invoice_id":"inv_1","number":"INV-1","status":"sent","total_cents":1500000,"currency":"GBP"}`: "15,000.00  GBP",
	} {
		e := apiclient.Event{ID: "evt_1", Type: apiclient.EventInvoiceSent, Data: json.RawMessage(data)}
		if got := amountText(&e); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
	e := apiclient.Event{
		ID:   "evt_1",
		Type: apiclient.EventPaymentHeld,
		Data: json.RawMessage(`{"payment_intent_id":"pi_1","amount_cents":1500000,"currency":"JPY"}`),
	}
	if got := amountText(&e); got != "1,500,000     JPY" {
		t.Errorf("a payment in yen: %q", got)
	}
}

func TestMaskedNoAmountIsSeen(t *testing.T) {
	for name, d := range states(t) {
		t.Run(name, func(t *testing.T) { sample.CheckMasked(t, d, 123_456, 500_067) })
	}
}

func TestAMaskedAmountStandsWhereTheOthersBegin(t *testing.T) {
	d := open(t, 9)
	style := theme.New(true)
	style.Masked = true
	d.SetTheme(style)
	d.press("enter")
	d.shows("Amount    •••")
}

func TestMaskedJSONIsAskedAboutBeforeItIsCopied(t *testing.T) {
	d := open(t, 9)
	style := theme.New(true)
	style.Masked = true
	d.SetTheme(style)
	d.press("Y")
	d.shows("Amounts are hidden; the clipboard will show them. Copy anyway?")
	got, ok := d.Update(press("y"))().(views.Copy)
	if !ok || !got.Unmasked || !strings.Contains(got.Text, "123456") {
		t.Errorf("after yes %#v is copied", got)
	}
	if d.Typing() {
		t.Error("the question stays")
	}
}

func TestTheNumbersOfInvoicesAreWhole(t *testing.T) {
	d := open(t, 4)
	e := d.server.feed[0]
	e.ID, e.Data = "evt_a", json.RawMessage(`{"invoice_id":"inv_1","number":"INV-2026-BERLIN-0000042","status":"paid"}`)
	d.server.feed = append(d.server.feed, e)

	d.poll()

	for _, width := range []int{90, 120, 200} {
		d.SetSize(width, 12)
		d.shows("INV-2026-BERLIN-0000042")
	}
}

func TestAWideScreenShowsTheEventUnderTheCursorBesideTheList(t *testing.T) {
	d := open(t, 30)
	if d.SetSize(159, 30); !strings.Contains(d.text(), "Time (UTC)") || strings.Contains(d.text(), d.currentID()) {
		t.Errorf("the event is shown although the screen is not wide:\n%s", d.text())
	}
	d.SetSize(200, 60)
	for range 3 {
		d.shows(d.currentID())
		d.press("up")
	}
	d.press("enter", "esc")
	d.shows(d.currentID())
}
