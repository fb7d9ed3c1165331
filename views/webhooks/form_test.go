package webhooks

import (
	"fmt"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
)

func TestCreatingChecksSendsAndShowsTheSecret(t *testing.T) {
	d := open(t)
	d.requests()
	d.press("n", "ctrl+s")
	d.shows("url must be an https URL", "select at least one event type")
	d.write("https://new.example.com/in")
	d.hides("url must be")
	d.press("enter", "down", "space", "down", "down", "down", "space", "space", "enter")
	if got := d.requests(); len(got) == 0 || got[0] != "create https://new.example.com/in" || times(got, got[0]) != 1 {
		t.Fatalf("asked %v", got)
	}
	if got := d.server.endpoints[0].EventTypes; !slices.Equal(got, []apiclient.EventType{apiclient.EventInvoiceOverdue}) {
		t.Errorf("types %v", got)
	}
	d.shows("Signing secret of new.example.com", signing.Reveal())
	if d.log.Key != "wh_01NEWNEWNEWAAAAAA" {
		t.Errorf("the cursor is on %s", d.log.Key)
	}
}

func TestChangingSendsWhatWasChanged(t *testing.T) {
	for name, c := range map[string]struct {
		keys  []string
		url   string
		types string
		sent  bool
	}{
		"nothing": {keys: []string{"ctrl+s"}},
		"the URL": {keys: []string{"e", "s", "ctrl+s"}, url: "https://hooks.example.com/financees", sent: true},
		"the types": {keys: []string{"down", "space", "ctrl+s"},
			types: "[invoice.sent invoice.paid payment.failed]", sent: true},
		"to and fro": {keys: []string{"down", "space", "space", "ctrl+s"}},
	} {
		d := open(t)
		d.requests()
		d.press("c")
		d.press(c.keys...)
		patch := d.server.patch
		if got := times(d.requests(), "update wh_01ACTIVEACTIVEABCDEF") == 1; got != c.sent {
			t.Errorf("%s: sent %v", name, got)
		}
		if patch.Status != nil || (patch.URL == nil) != (c.url == "") || patch.URL != nil && *patch.URL != c.url {
			t.Errorf("%s: %+v", name, patch)
		}
		if got := fmt.Sprint(patch.EventTypes); c.types != "" && got != c.types || c.types == "" && patch.EventTypes != nil {
			t.Errorf("%s: types %s", name, got)
		}
		if d.Typing() {
			t.Errorf("%s: the form is still open", name)
		}
	}
}

// An event type that only the server knows survives other changes.
func TestAnUnknownTypeIsNotLost(t *testing.T) {
	d := open(t, func(s *server) { s.endpoints[0].EventTypes = []apiclient.EventType{"bill.due", "invoice.paid"} })
	d.press("c", "down", "space", "ctrl+s")
	if got := fmt.Sprint(d.server.patch.EventTypes); got != "[invoice.sent invoice.paid bill.due]" {
		t.Errorf("types %s", got)
	}
}

func TestWhatTheServiceRefusesStandsBesideItsField(t *testing.T) {
	for _, message := range []string{
		"url must be publicly routable", "unknown event type: x", "the organization already has 20 webhook endpoints",
	} {
		d := open(t, fails(&apiclient.Error{Status: 400, Message: message}))
		d.create()
		d.shows("! "+message, "https://new.example.com/in")
		if !d.form.Open() {
			t.Errorf("%s: the form is closed", message)
		}
		d.server.failWrite = nil
		d.press("ctrl+s")
		d.shows(signing.Reveal())
	}
}

func TestAPasteGoesWhereTheCursorIs(t *testing.T) {
	d := open(t)
	d.Update(tea.PasteMsg{Content: "https://lost.example.com"})
	d.press("n")
	d.Update(tea.PasteMsg{Content: "https://pasted.example.com\n"})
	d.shows("https://pasted.example.com")
	d.hides("lost")
}

func TestASentFormShowsWhatWasSent(t *testing.T) {
	d := open(t)
	d.press("n")
	d.write("https://new.example.com/in")
	d.press("tab", "space", "up")
	d.Update(press("ctrl+s"))

	d.Update(tea.PasteMsg{Content: "/pasted"})
	d.press("x", "tab", "a")

	d.shows("https://new.example.com/in", "Sent, waiting for the answer")
	d.hides("pasted", "[x] "+string(apiclient.EventInvoicePaid))
}
