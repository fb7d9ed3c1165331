package ui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/alerts"
	"tarmac/views"
)

func TestAToldAlertIsSaidAndNotifiedOnlyWithoutFocus(t *testing.T) {
	d := open(t, healthy())
	d.options.Notification = func(title, text string) string { return title + "|" + text }
	told := views.AlertsTold{
		Open: []string{"cash-below: cash $1,234.00", "runway-below: runway 5.2 months"}, Text: "cash-below: cash $1,234.00",
	}

	if cmd := d.tellAlerts(told); cmd != nil {
		t.Error("a terminal with the focus is notified")
	}
	d.shows("2 alerts", "! cash-below: cash $1,234.00")
	d.handle(tea.BlurMsg{})
	d.press("*")
	d.handle(tea.BlurMsg{})
	cmd := d.tellAlerts(told)
	if cmd == nil {
		t.Fatal("a terminal without the focus is not notified")
	}
	raw, _ := cmd().(tea.RawMsg)
	if text, _ := raw.Msg.(string); !strings.Contains(text, "|cash-below: ") || strings.Contains(text, "1,234") {
		t.Errorf("hidden amounts are notified as %q", text)
	}

	cmd = d.tellAlerts(views.AlertsTold{})
	if header, _, _ := strings.Cut(d.text(), "\n"); cmd != nil || strings.Contains(header, "alert") {
		t.Errorf("nothing is told as\n%s", d.text())
	}
	d.options.Notification = nil
	if d.tellAlerts(told) != nil {
		t.Error("notifications that are off are sent")
	}
}

func TestASessionWithAlertsHasTheirPage(t *testing.T) {
	d, _ := connect(t, healthy())
	read := func(context.Context) (*alerts.Overview, error) { return &alerts.Overview{}, nil }
	d.drain(d.begin(Connection{Client: d.clientOf(healthy()), Profile: "acme", Alerts: read}))
	d.drain(d.goTo(views.Visit{Screen: views.Alerts}))
	d.shows("Nothing is watched")
}
