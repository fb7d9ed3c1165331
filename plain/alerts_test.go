package plain_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tarmac/client/alerts"
)

func TestAlertsAreListed(t *testing.T) {
	server := serve(t).client
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	of := &alerts.Overview{
		Alerts: []alerts.Entry{
			{Number: 1, Rule: "runway-below", Tells: "tells below 9 months", State: "runway 8.7 months",
				LastTold: &at, Open: true},
			{Number: 2, Rule: "cash-below", Tells: "tells below 250k", State: "cash $4,567,890.00"},
			{Number: 3, Rule: "perhaps", Problem: "is no rule"},
		},
		Channels: []alerts.Reach{{Name: "mail", Kind: "mail", Waiting: 1}}, LastLook: &at,
	}
	read := func(context.Context) (*alerts.Overview, error) { return of, nil }

	text := talk{client: server, alerts: read}.say(t, "alerts")
	for _, want := range []string{
		"1: crossed: runway-below, tells below 9 months: runway 8.7 months, told 2026-11-20 09:00 UTC.",
		"2: cash-below, tells below 250k: cash $4,567,890.00, told never.", "3: perhaps is no rule.",
		"Channel mail: mail, 1 message waiting.", "Last looked at 2026-11-20 09:00 UTC.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if masked := (talk{client: server, alerts: read}).say(t, "mask", "alerts"); strings.Contains(masked, "4,567") {
		t.Errorf("hidden amounts are said:\n%s", masked)
	}
	if text := (talk{client: server}).say(t, "alerts"); !strings.Contains(text, "Nothing is watched here") {
		t.Errorf("without alerts it says\n%s", text)
	}
}
