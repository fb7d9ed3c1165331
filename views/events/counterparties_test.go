package events

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/views"
)

// named opens the page, in front, with a server that knows payment intents.
func named(t *testing.T, events int) *fixture {
	d := open(t, events)
	d.counterparties = newCounterparties(d.server)
	d.Context, d.Timeout = t.Context(), time.Minute
	d.Update(views.Visible(true))
	return d
}

// second lets a second pass, and answers the requests that follow.
func (d *fixture) second() {
	d.at = d.at.Add(time.Second)
	var msg tea.Msg = views.Tick{Now: d.at}
	for msg != nil {
		cmd := d.Update(msg)
		if msg = nil; cmd != nil {
			msg = cmd()
		}
	}
}

func TestRowsOfPaymentsNameTheirCounterparties(t *testing.T) {
	d := named(t, 8)

	d.second()

	d.shows("Payee of pi_1", "Payee of pi_5")
	if want := []string{"pi_5", "pi_1"}; !slices.Equal(d.server.intents, want) {
		t.Errorf("requested %v, want %v", d.server.intents, want)
	}
	d.second()
	if len(d.server.intents) != 2 {
		t.Errorf("known names were requested again: %v", d.server.intents)
	}
}

func TestCounterpartiesAreRequestedOnlyForVisibleRowsAndInModeration(t *testing.T) {
	d := named(t, 400)
	d.second()
	if n, most := len(d.server.intents), d.list.Table.Height()/4+1; n == 0 || n > most {
		t.Errorf("%d requests for the rows of one screen, want at most %d", n, most)
	}
	d.SetSize(110, 300)
	for range 60 {
		d.second()
	}
	if n := len(d.server.intents); n > counterpartyBurst+60/ticksPerRequest {
		t.Errorf("%d requests in a minute", n)
	}

	d.Update(views.Visible(false))
	before := len(d.server.intents)
	d.second()
	if len(d.server.intents) != before {
		t.Error("a hidden page requests counterparties")
	}
}

func TestARefusedRequestForACounterpartyIsNotRepeated(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{&apiclient.Error{Status: 403}, 1}, {&apiclient.Error{Status: 404}, 2}, {&apiclient.Error{Status: 503}, 1},
	} {
		d := named(t, 8)
		d.server.failIntents = c.err
		d.second()
		if n := len(d.server.intents); n != c.want {
			t.Errorf("%v: %d requests, want %d", c.err, n, c.want)
		}
		d.shows("payment.failed", "—")
	}
}
