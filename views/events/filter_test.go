package events

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

func TestTypesAreChosenFromAList(t *testing.T) {
	d := open(t, 40)
	d.press("f")
	if !d.Typing() {
		t.Error("digits would leave the list of types")
	}
	d.shows("Event type", "> all", "payment.failed")
	d.press("j", "j", "enter")
	d.shows("[payment.*]", "payment.failed")
	for i := range d.shown() {
		if d.shown()[i].Type != apiclient.EventPaymentFailed {
			t.Errorf("%s is shown", d.shown()[i].Type)
		}
	}
	d.press("f", "k", "esc")
	d.shows("[payment.*]")
	d.press("f", "j", "j", "enter")
	d.shows("No events of type invoice.overdue among the 40 events back to 2026-11-20: G loads more.")
	d.press("enter")
	if d.list.Opened {
		t.Error("there is nothing to open")
	}
	d.press("f", "k", "k", "k", "k", "enter")
	if len(d.shown()) != 40 {
		t.Errorf("all are %d of 40", len(d.shown()))
	}
}

func TestATextFiltersByTypeIdNumberAndData(t *testing.T) {
	for text, want := range map[string]string{
		"new.kind": "evt_00035", "EVT_00012": "evt_00012", "inv-0008": "evt_00008", `"deep":[7]`: "evt_00007",
		"ada": "evt_00037",
	} {
		d := open(t, 38)
		d.data.SetCounterparty("pi_37", "Ada & Co")
		d.press("/")
		d.write(text)
		d.press("enter")
		if d.currentID() != want {
			t.Errorf("%q leaves %s on top, not %s", text, d.currentID(), want)
		}
	}
}

func TestTheTextFilterLeavesOutRowsAndIsTakenOffAgain(t *testing.T) {
	d := open(t, 38)
	d.press("/")
	d.write("paid")
	d.shows("Filter  paid")
	if len(d.shown()) != 10 {
		t.Errorf("%d events are left while typing", len(d.shown()))
	}
	d.press("enter")
	d.shows(`["paid"] 10 of 38 read`)
	if !d.Filtered() || !strings.Contains(d.View(), table.NewInk(theme.New(true).Highlight).Render("paid")) {
		t.Error("what matches is not marked")
	}
	d.server.grow(3)
	d.poll()
	d.shows(`["paid"] 11 of 41 read`)
	d.press("/")
	d.write("z")
	d.shows("No events with \"paidz\" among the 41 events back to 2026-11-20: G loads more.")
	d.press("esc")
	d.shows(`["paid"] 11 of 41 read`)
	d.press("x")
	if len(d.shown()) != 41 || d.Filtered() {
		t.Errorf("%d events of 41 without a filter", len(d.shown()))
	}
	d.press("/")
	d.write("paid")
	d.press("enter")
	if !d.Back() || d.Filtered() || d.Back() {
		t.Error("esc does not take the filter off, once")
	}
}
