//go:build unix

package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestAWalkThroughThePlanAndEvents(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	sizes(t, func(t *testing.T, columns, rows int) {
		w := openDashboard(t, columns, rows, environ)
		w.do("2 ] ]", "No plan yet")
		w.do("n", "New line of the plan")
		w.say(`hire "engineer" 9k/month`)
		w.until(`= hire "engineer" 9,000/month`)
		w.do("enter", "P plan", "added to the plan")
		w.do("n", "New line of the plan")
		w.press("esc")
		w.untilGone("New line")
		w.do("D", "Delete this line of the plan")
		w.do("y", "line deleted from the plan")
		w.until("No plan yet")

		// Open the events of one type, one event, its invoice, and go back.
		w.do("6 f", "Event type", "invoice.sent")
		w.press("down", "down", "down", "enter")
		w.until(`\[invoice\.sent\]`)
		w.untilGone(`payment[. ]`)
		number := regexp.MustCompile(`INV-[0-9]+`).FindString(w.do("g enter", "Event ─", `"invoice_id": "inv_`))
		w.do("enter", "Invoice ─", "Timeline", number)
		w.back("Timeline")
		w.until("Event ─", `"number": "`+number)
		w.back("Event ─")
		w.do("f", "Event type")
		w.press("up", "up", "up", "enter")
		w.until(`payment[. ]`)

		// Open a payment's intent from its event and by its id.
		w.do("f", "Event type")
		w.press("down", "down", "enter")
		w.until(`\[payment\.\*\]`)
		intent := regexp.MustCompile(`pi_[0-9A-Z]{26}`).FindString(w.do("g enter", "Event ─", `"pi_[0-9A-Z]{26}"`))
		w.do("enter", "Payment intent ─", "Counterparty", intent)
		w.back("Payment intent ─")
		w.do(":", "Find ─")
		w.say("payment")
		w.do("enter", "Payment intent ─")
		w.press("i")
		w.say("pi_nobodys")
		w.do("enter", "No payment intent pi_nobodys")
		w.press("i", strings.Repeat("\x7f", 40))
		w.say(intent)
		w.do("enter", "Counterparty", intent)
		w.do("y", "copied")
		if got := w.copied(); got != intent {
			t.Errorf("copied %q of %s", got, intent)
		}

		// Both keys arrive in one packet, as on a slow connection.
		w.do("4 enter", "Transaction ─")
		w.press("\x1bq")
		w.untilGone("Transaction ─")
		w.do("/", "Filter")
		w.press("\x1b\x03")
		if code := w.ended(); code != 0 {
			t.Errorf("exit %d", code)
		}
		w.checkState()
	})
}

// value returns a variable of an environment.
func value(environ []string, name string) string {
	for _, v := range environ {
		if text, ok := strings.CutPrefix(v, name+"="); ok {
			return text
		}
	}
	return ""
}

// signIn logs in to a profile by typing server and token.
func signIn(t *testing.T, home, profile string, environ []string) (org string) {
	t.Helper()
	secret, err := os.ReadFile(value(environ, "TARMAC_TOKEN_FILE"))
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(string(secret))
	shell := startTerminal(t, 120, 24, []string{"XDG_CONFIG_HOME=" + home}, "login", "--profile", profile)
	shell.until("Base URL of the server")
	shell.press(value(environ, "TARMAC_BASE_URL"), "enter")
	shell.until(`\(not shown\):`)
	shell.press(token, "enter")
	org = regexp.MustCompile(`org_[0-9A-Z]+`).FindString(shell.until("as profile "+profile, "kept in"))
	if code := shell.ended(); code != 0 || org == "" {
		t.Fatalf("exit %d:\n%s", code, shell.text())
	}
	if strings.Contains(shell.output(), token[len(token)-8:]) {
		t.Error("the token was shown")
	}
	shell.checkSettings()
	return org
}

func TestProfilesAreKeptApart(t *testing.T) {
	t.Parallel()
	home, state := t.TempDir(), t.TempDir()
	full := signIn(t, home, "full", host(t, "2500"))
	signIn(t, home, "empty", host(t, ""))
	environ := []string{"XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + state}
	w := openDashboard(t, 80, 24, environ)
	w.until("tarmac  full")
	w.fill("Acme of the full one")
	w.until("draft saved")

	w.do("esc", "enter type")
	w.do("esc", "INV-0")
	w.do("p", "Profiles", "current", "empty")
	w.say("empty")
	w.do("enter", "tarmac  empty", "● live")
	foreign := regexp.MustCompile(full + `|INV-[0-9]|\$[1-9]|Acme of|evt_`)
	for _, tab := range []struct{ key, name string }{{"1", "Overview"}, {"2", "Runway"}, {"3", "Receivables"},
		{"4", "Transactions"}, {"5", "Invoices"}, {"6", "Events"}, {"7", "Webhooks"}} {
		if screen := w.do(tab.key, tab.key+" "+tab.name, "tarmac  empty"); foreign.MatchString(screen) {
			t.Errorf("of another one:\n%s", screen)
		}
	}
	if screen := w.do("5 n", "Propose an invoice", "Customer name"); foreign.MatchString(screen) {
		t.Errorf("of another one:\n%s", screen)
	}
	w.do("esc", "enter type")
	w.back("Propose an invoice")

	w.do("p", "Profiles", "current", "full")
	w.say("full")
	w.do("enter", "tarmac  full", "● live", `\$[0-9]`)
	w.do("5 n", "Propose an invoice", "Acme of the full one", `1,800\.75`)
	w.close()
}

func TestTheWelcomePageConnects(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	secret, err := os.ReadFile(value(environ, "TARMAC_TOKEN_FILE"))
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(string(secret))
	w := &walker{terminal: startTerminal(t, 80, 24, nil), environ: environ}
	w.until("Look around", "Connect a server")
	w.do("up enter", "Base URL", "not saved")
	w.say(value(environ, "TARMAC_BASE_URL"))
	w.press("tab", token+"x", "enter")
	w.until(`invalid API token \(401\)`)
	w.press("\x7f", "enter")
	w.until("● live", `\$[0-9]`)
	if strings.Contains(w.output(), token[len(token)-8:]) {
		t.Error("the token was shown")
	}
	w.close()
}
