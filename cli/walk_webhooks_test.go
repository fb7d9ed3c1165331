//go:build unix

package cli_test

import (
	"regexp"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testprogram"
)

func TestWebhooksAreKeptByHand(t *testing.T) {
	t.Parallel()
	sizes(t, func(t *testing.T, columns, rows int) {
		r := testprogram.NewReceiver(t)
		environ := walk(t, "--webhook-allow", r.Address(), "--webhook-ca-file", r.CAFile)
		w := openDashboard(t, columns, rows, environ)
		w.do("7", "No webhook endpoints")
		w.do("n", "New endpoint", "Events to deliver")
		w.say("https://" + r.Address() + "/hooks")
		w.press("tab")
		w.do("a", `\[x\]`)
		w.press("\x13")
		secret := w.secret()

		w.do("a", "was paused", "○ paused")
		w.do("a", "was activated", "● active")
		w.do("c", "Change 127.0.0.1")
		w.press("tab")
		w.press(" ")
		w.until(`\[ \]`)
		w.press("\x13")
		w.until("─ Endpoints ─", "was changed")
		w.do("s", "Rotate the signing secret")
		w.confirm()
		if again := w.secret(); again == secret {
			t.Error("the secret is the same")
		}
		w.do("v", "the receiver answered 204")
		w.do("enter", "delivery details")
		w.back("delivery details")
		w.do("D", "Delete this endpoint")
		w.confirm()
		w.until("No webhook endpoints")
		w.close()
		if strings.TrimSpace(w.ask("webhooks", "--json")) == "" ||
			strings.Contains(w.ask("webhooks", "--json"), "127.0.0.1") {
			t.Error("it is there still")
		}
	})
}

var shownSecret = regexp.MustCompile(`svc_whsec_[A-Za-z0-9_-]+`)

// secret reads the page that shows the secret once, and checks that it disappears afterwards.
func (w *walker) secret() string {
	w.t.Helper()
	secret := shownSecret.FindString(w.until("Signing secret of", "svc_whsec_"))
	w.insist("esc", "Press esc again to leave")
	w.press("esc")
	w.until("─ Endpoints ─")
	if strings.Contains(w.text(), secret) || secret == "" {
		w.t.Errorf("the secret %q is on the screen still", secret)
	}
	return secret
}

// confirm types the word that a dialog requires.
func (w *walker) confirm() {
	w.t.Helper()
	w.press(regexp.MustCompile(`Type (\w+) \(`).FindStringSubmatch(w.until(`Type \w+ \(the last characters of`))[1])
	w.press("enter")
}
