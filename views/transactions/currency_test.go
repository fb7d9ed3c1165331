package transactions

import (
	"strings"
	"testing"

	"tarmac/client/snapshot"
)

// Somebody else changes the currency of the books while the list is on the screen. The list notices
// it by an answer to another page's request, or by its own next one.
func TestTheListIsReadAgainOnceTheCurrencyOfTheBooksHasChanged(t *testing.T) {
	for name, notice := range map[string]func(d *fixture){
		"by the latest transactions": func(d *fixture) { d.latest() },
		"by its own request": func(d *fixture) {
			for range 8 {
				d.press("pgdown")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, 0)
			d.server.reports = "CHF"
			d.server.insert(0, 600)
			d.latest()
			d.drain(d.Refresh())
			if text := d.text(); !strings.Contains(text, " CHF") || strings.Contains(text, "GBP") {
				t.Fatalf("before the change:\n%s", text)
			}

			d.server.reports = "GBP"
			notice(d)

			if text := d.text(); !strings.Contains(text, "GBP") || strings.Contains(text, "CHF") {
				t.Errorf("after the change:\n%s", text)
			}
			for i := range d.store.end() {
				if row, kept := d.store.row(i); kept && row.Reporting.Currency() == "CHF" {
					t.Fatalf("row %d is still %s", i, row.Reporting)
				}
			}
			asked := len(d.server.queries)
			d.drain(d.Update(snapshot.Result{}))
			if got := len(d.server.queries); got != asked {
				t.Errorf("%d more requests without another change", got-asked)
			}
		})
	}
}
