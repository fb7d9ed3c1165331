package ui

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

const tokenRefused = "the server refused the token"

// When any request finds that the token is refused, all loaded figures become stale, and all are
// fetched again once the token is accepted.
func TestARefusedTokenMakesEverythingStaleAtOnce(t *testing.T) {
	for name, refuse := range map[string]func(*api){
		"every request": func(a *api) { a.status = http.StatusUnauthorized },
		"one of them":   func(a *api) { a.refused = "/account" },
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, healthy())
			d.api.bodies["/invoices"] = `[` + oneInvoice + `]`
			lists := []string{"4", "5"}
			d.press(lists...)
			refuse(d.api)

			d.drain(d.session.address(noPage, views.Fetch(d.session.data.Load(snapshot.Account))))

			for _, part := range snapshot.Parts {
				if state := d.session.data.State(part); state.Status != resource.Stale {
					t.Errorf("part %d has status %d", part, state.Status)
				}
			}
			for _, key := range lists {
				if d.press(key); !strings.Contains(d.text(), tokenRefused) {
					t.Errorf("page %s does not say that the token is refused:\n%s", key, d.text())
				}
			}

			d.api.status, d.api.refused = 0, ""
			d.after(61 * time.Second)
			d.after(time.Second)
			for _, key := range lists {
				if d.press(key); strings.Contains(d.text(), tokenRefused) || !strings.Contains(d.text(), "● live") {
					t.Errorf("page %s is not fresh again:\n%s", key, d.text())
				}
			}
		})
	}
}
