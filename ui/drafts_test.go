package ui

import (
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// What was typed for one organization waits for it, also when its page is made anew
// at once, and is not seen in another.
func TestADraftWaitsWhereItWasTyped(t *testing.T) {
	d := open(t, healthy())
	d.options.Drafts = filepath.Join(t.TempDir(), "drafts")
	for path := range d.api.bodies {
		d.api.bodies[path] = strings.ReplaceAll(d.api.bodies[path], `"scopes":["account:read"]`, `"scopes":["account:read","invoices:read","invoices:propose"]`)
	}
	at := d.profiles("same", "other")
	at["same"].api = d.api
	d.press("p", "s", "a", "m", "enter") // one that keeps drafts
	d.drain(views.Go(views.Propose, nil))
	d.Update(tea.PasteMsg{Content: "Kestrel"}) // what it returns would save it a moment later
	d.shows("Kestrel")

	d.drain(d.switchTo(at["other"].Profile))
	d.drain(views.Go(views.Propose, nil))
	if strings.Contains(d.text(), "Kestrel") {
		t.Errorf("what was typed for another organization:\n%s", d.text())
	}
	d.drain(d.switchTo(at["same"].Profile))
	d.drain(views.Go(views.Propose, nil))
	d.shows("Kestrel", "restored")
	if strings.Contains(d.text(), "Another tarmac") {
		t.Error("the page before still has the draft")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
