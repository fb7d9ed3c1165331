package ui

import (
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/state"
	"tarmac/views"
)

// A draft is saved for its organization, even if the page is recreated at once, and other
// organizations do not see it.
func TestADraftWaitsWhereItWasTyped(t *testing.T) {
	d := open(t, healthy())
	d.options.Drafts = state.Directory(filepath.Join(t.TempDir(), "drafts"))
	for path := range d.api.bodies {
		d.api.bodies[path] = strings.ReplaceAll(
			d.api.bodies[path],
			`"scopes":["account:read"]`,
			`"scopes":["account:read","invoices:read","invoices:propose"]`,
		)
	}
	at := d.profiles("same", "other")
	at["same"].api = d.api
	d.press("p", "s", "a", "m", "enter") // a profile that saves drafts
	d.drain(views.Go(views.Propose, nil))
	d.Update(tea.PasteMsg{Content: "Kestrel"}) // the returned command, which would save it, is not run
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
