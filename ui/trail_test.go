package ui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

func TestEscapeLeadsBackThroughThePages(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "2", "6", "6")
	for _, want := range []int{1, 3, 0, 0} {
		d.press("esc")
		if d.session.active != want {
			t.Fatalf("esc led to page %d, want %d", d.session.active, want)
		}
	}
}

const oneInvoice = `{"id":"inv_1","number":"INV-000001","status":"overdue","currency":"USD","description":"Work",
	"recipient_name":"Ironwood","recipient_email":"a@b.example","subtotal_cents":100,"tax_cents":20,"total_cents":120,
	"created_at":"2026-09-01T00:00:00Z","updated_at":"2026-09-02T00:00:00Z","due_date":"2026-09-14T00:00:00Z",
	"sent_at":"2026-09-02T00:00:00Z","paid_at":null,"voided_at":null}`

// linked returns the API of an organization whose records refer to each other.
func linked() *api {
	a := healthy()
	a.bodies["/invoices"] = `[` + oneInvoice + `]`
	a.bodies["/payment-intents/pi_1"] = `{"id":"pi_1","status":"held","amount_cents":125000,"currency":"USD",
		"created_at":"2026-11-20T10:00:00Z"}`
	a.bodies["/events"] = strings.Replace(
		a.bodies["/events"],
		`{"data":[`,
		`{"data":[{"id":"evt_2","type":"payment.held","version":1,
		"occurred_at":"2026-11-20T11:30:00Z","data":{"payment_intent_id":"pi_1","amount_cents":125000,"currency":"USD"}},`,
		1,
	)
	a.bodies["/webhooks"] = `[{"id":"wh_1","url":"https://a.example/in","event_types":["invoice.paid"],"status":"active"}]`
	a.bodies["/webhooks/wh_1/deliveries"] = `[{"id":"whd_1","event_id":"evt_1","event_type":"invoice.paid",
		"status":"delivered","attempt_count":1}]`
	return a
}

// step is a key and what the screen shows after it.
type step struct {
	key   string
	page  string
	shows []string
}

func TestEscapeLeadsBackOverWhatLedThere(t *testing.T) {
	for name, chain := range map[string][]step{
		"from a customer to the invoices": {
			{"3", "Receivables", []string{"Ironwood"}},
			{"enter", "Invoices", []string{"INV-000001"}},
			{"enter", "Invoices", []string{"Work"}},
			{"esc", "Invoices", []string{"INV-000001"}},
			{"esc", "Receivables", []string{"Ironwood"}},
			{"esc", "Overview", nil},
			{"esc", "Overview", nil},
		},
		"from an event to its payment": {
			{"3", "Receivables", nil},
			{"6", "Events", []string{"payment.held"}},
			{"enter", "Events", []string{"evt_2"}},
			{"enter", "Payment", []string{"pi_1", "held"}},
			{"esc", "Events", []string{"evt_2"}},
			{"esc", "Events", []string{"payment.held"}},
			{"esc", "Receivables", nil},
			{"esc", "Overview", nil},
		},
	} {
		d := open(t, linked())
		for i, s := range chain {
			d.press(s.key)
			if got := d.session.pages[d.session.active].Title; got != s.page {
				t.Fatalf("%s: after step %d (%s) %s is shown, not %s:\n%s", name, i, s.key, got, s.page, d.text())
			}
			d.shows(s.shows...)
		}
	}
}

func TestAFilterOutlivesAnotherPage(t *testing.T) {
	for _, c := range []struct {
		keys   []string
		title  string
		shows  string
		ending string
	}{
		{[]string{"4", "/", "S", "ø", "n", "enter"}, "Transactions", `"Søn"`, "x"},
		{[]string{"4", "d"}, "Transactions", "in", "x"},
		{[]string{"5", "/", "I", "r", "o", "n", "enter"}, "Invoices", "Iron", "x"},
		{[]string{"3", "enter"}, "Invoices", "Ironwood", "x"},
		{[]string{"6", "f", "j", "enter"}, "Events", "", "x"},
	} {
		d := open(t, linked())
		d.press(c.keys...)
		page := d.session.active
		hint := "filter: " + c.title
		d.shows(hint, c.shows)
		filtered := d.front().View()
		for i, p := range d.session.pages {
			if d.reach(p); i != page {
				d.shows(hint)
			}
		}
		d.reach(d.session.pages[page])
		if got := d.front().View(); got != filtered {
			t.Errorf("%v: the page has changed:\n%s\nwas:\n%s", c.keys, got, filtered)
		}
		d.press(c.ending)
		if strings.Contains(d.text(), "filter in") {
			t.Errorf("%v: %s does not end the filter:\n%s", c.keys, c.ending, d.text())
		}
	}
}

// Every detail shows the key that leads back first in its footer, where no width cuts it, and in
// the help.
func TestEveryDetailOffersTheWayBack(t *testing.T) {
	api := linked()
	for name, keys := range map[string][]string{
		"an invoice": {"5", "enter"}, "an event": {"6", "enter"}, "a transaction": {"4", "enter"},
		"an event's payment intent": {"6", "enter", "enter"}, "an event's invoice": {"6", "j", "enter", "enter"},
		"deliveries": {"7", "enter"}, "a delivery": {"7", "enter", "enter"},
	} {
		d := open(t, api)
		d.press(keys...)
		if here, _ := d.activeKeys(); len(here) == 0 || !helps(here[0], "esc", "back") {
			t.Errorf("%s: not in the help of the page\n%s", name, d.text())
		}
		for _, width := range []int{40, 80, 120} {
			d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
			if lines := strings.Split(d.text(), "\n"); !strings.HasPrefix(lines[len(lines)-1], "esc back") {
				t.Errorf("%s, %d columns: the footer is %q", name, width, lines[len(lines)-1])
			}
		}
	}
}

func helps(g views.HelpGroup, name, does string) bool {
	return slices.ContainsFunc(g.Bindings, func(b key.Binding) bool {
		return b.Enabled() && b.Help().Key == name && b.Help().Desc == does
	})
}
