//go:build long && unix

package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/internal/testsupport/testterminal"
)

// desk is a dashboard in a terminal that receives random keys.
type desk struct {
	s       *soak
	name    string
	mayEnd  bool // true if the process may end at any time
	term    *testterminal.Terminal
	figures []figures
}

// openDashboards opens three dashboards: two are read-only, and one is not but has a token
// without write scopes, so that its input reaches the server.
func (s *soak) openDashboards() (desks []*desk) {
	s.t.Helper()
	for i, size := range [][2]int{{80, 24}, {120, 40}, {200, 50}} {
		args := []string{"--timeout", clientTimeout.String()}
		scopes := testprogram.ReadScopes
		if i < 2 {
			args, scopes = append(args, "--read-only"), testprogram.AllScopes
		}
		d := &desk{s: s, name: fmt.Sprintf("dashboard %d", i+1)}
		d.sit(again(s.program(s.network.server.URL, scopes), nil, args...), size[0], size[1])
		d.term.Until("● live", "Cash on hand", `\$[0-9]`)
		desks = append(desks, d)
	}
	return desks
}

// sit runs the dashboard in a terminal.
func (d *desk) sit(cmd *exec.Cmd, columns, rows int) {
	d.s.t.Helper()
	d.term = testterminal.Start(d.s.t, cmd, columns, rows, func() {
		d.s.tally.add("emulators of the soak that broke", "replaced")
	})
}

// keys sends keys one by one, at the speed of a person in a hurry.
func (d *desk) keys(rng *rand.Rand, keys ...string) {
	codes := map[string]string{
		"enter": "\r", "esc": "\x1b", "down": "\x1b[B", "up": "\x1b[A", "tab": "\t", "back": "\x7f", "pgdn": "\x1b[6~",
		"pgup":   "\x1b[5~",
		"ctrl+d": "\x04", "ctrl+u": "\x15", "ctrl+l": "\x0c", "ctrl+k": "\x0b",
	}
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			k = code
		}
		if err := d.term.Type(k); err != nil && d.mayEnd {
			return
		} else if err != nil {
			d.s.t.Errorf("%s: %v", d.name, err)
			return
		}
		d.s.tally.add("keys at dashboards", "taken")
		// A key right after escape would be read as alt with that key.
		if k == "\x1b" || rng.IntN(4) == 0 {
			d.s.rest(rng, 60*time.Millisecond, 200*time.Millisecond)
		}
	}
}

// wander presses keys until the load ends.
func (d *desk) wander(rng *rand.Rand) { d.wanderUntil(rng, nil) }

// wanderUntil presses keys on all screens, types, pastes, floods, resizes and suspends the process,
// until done is closed or the load ends. It never presses q and never sends a proposal.
func (d *desk) wanderUntil(rng *rand.Rand, done <-chan struct{}) {
	walks := [][]string{
		{"1"}, {"2"}, {"3"}, {"4"}, {"5"}, {"6"}, {"7"}, {"2"}, {"4", "G"}, {"4", "g"}, {"5", "G"}, {"6", "g"},
		{"j", "j", "j", "k"}, {"ctrl+d", "ctrl+u"}, {"pgdn", "pgdn", "pgup"}, {"enter"}, {"enter", "j", "enter"}, {"esc"},
		{"esc", "esc"},
		{"4", "/", "air", "enter"}, {"4", "x"}, {"4", "X"}, {"4", "t", "50%", "enter"}, {"4", "d"},
		{"5", "/", "acme", "enter"}, {"5", "x"},
		{":", "runw", "enter"}, {":", "inv", "enter"}, {"ctrl+k", "even", "enter"}, {":", "esc"},
		{"?", "G", "esc"}, {"?", "j", "j", "esc"}, {"*", "*"}, {"T"}, {"y"}, {"r"}, {"ctrl+l"}, {"6", " ", " "},
		{"6", "enter", "esc"},
		{"5", "enter", "s"}, {"5", "enter", "esc"}, {"3", "o", "esc"}, {"2", "n", "10", "tab", "5", "esc", "esc"},
		{"5", "n", "Somebody", "tab", "a@example.com", "tab", "For this", "esc", "esc", "esc"},
		{"7", "n", "https://example.com/", "esc", "esc"},
	}
	for d.s.rest(rng, 10*time.Millisecond, 400*time.Millisecond) {
		select {
		case <-done:
			return
		default:
		}
		switch n := rng.IntN(60); {
		case n < 4:
			d.term.Resize(1+rng.IntN(200), 1+rng.IntN(60))
			d.s.tally.add("resizes of dashboards", "taken")
		case n == 4:
			d.keys(rng, strings.Repeat([]string{"j", "k", "6", "esc"}[rng.IntN(3)], 500+rng.IntN(1000)))
			d.s.tally.add("floods of keys", "taken")
		case n == 5:
			d.keys(rng, "\x1b[200~"+strings.Repeat("pasted text ", 1+rng.IntN(8000))+"\x1b[201~")
			d.s.tally.add("pastes of up to 96 kB", "taken")
		case n == 6 && rng.IntN(4) == 0:
			d.pause(rng)
		case n < 20:
			d.keys(rng, "esc")
			fallthrough
		default:
			d.keys(rng, walks[rng.IntN(len(walks))]...)
		}
		if screen := d.term.Text(); strings.Contains(screen, "987,654,321") || strings.Contains(screen, "9,876,543") {
			d.s.t.Errorf("%s shows a figure of a fault:\n%s", d.name, screen)
		}
	}
}

// pause stops the process for a moment, like a sleeping laptop.
func (d *desk) pause(rng *rand.Rand) {
	if err := d.term.Cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		if !d.mayEnd {
			d.s.t.Errorf("stopping %s: %v", d.name, err)
		}
		return
	}
	d.s.rest(rng, 100*time.Millisecond, 3*time.Second)
	_ = d.term.Cmd.Process.Signal(syscall.SIGCONT) // it may have been killed meanwhile
	d.s.tally.add("dashboards stopped for a moment", "go on")
}

// check verifies that the dashboard handles every key and shows the API's data, and then quits
// it.
func (d *desk) check() {
	t := d.s.t
	t.Helper()
	d.term.Resize(120, 40)
	d.reach("1", "Cash on hand")
	d.reach("?", "Keys ─")
	d.reach("1", "Cash on hand")
	if !regexp.MustCompile(`\$[0-9]`).MatchString(d.term.Text()) {
		d.term.Press("*")
	}
	d.term.Until(`\$[0-9]`)
	d.reach("r", "● live")
	cash := insist(d.s, func(ctx context.Context) (*apiclient.CashPosition,
		error) {
		return d.s.witness.CashPosition(ctx)
	})
	d.term.Until(regexp.QuoteMeta(money.Text(cash.CashCents, "USD")))
	// After an injected rejection, data is loaded again only on request.
	d.reach("4Xr", "row [0-9,]+ of 2,500")
	aging := insist(d.s, func(ctx context.Context) (*apiclient.ReceivablesAging, error) {
		return d.s.witness.ReceivablesAging(ctx)
	})
	d.reach("3r", `Over 90 days`)
	d.term.Until(regexp.QuoteMeta(money.Text(*aging.Totals.OutstandingCents, "USD")))
	d.reach("6r", `invoice\.|payment[. ]|INV-`)
	d.s.tally.add("dashboards at the end", "answer every key, live, with the API's cash, receivables and rows")
	d.s.judge(d.name, d.figures)
	d.term.Press("ctrl+c")
	if code := d.term.Ended(); code != 0 {
		t.Errorf("%s: exit %d", d.name, code)
	}
	d.term.CheckState()
}

// reach closes whatever is open and presses keys until the screen shows the expected text.
func (d *desk) reach(keys, shows string) {
	t := d.s.t
	t.Helper()
	wanted := regexp.MustCompile(shows)
	for deadline := time.Now().Add(2 * testprogram.Patience); time.Now().Before(deadline); {
		d.term.Press(keys)
		for late := time.After(2 * time.Second); late != nil; {
			if wanted.MatchString(d.term.Text()) {
				return
			}
			select {
			case <-d.term.Changed():
			case <-late:
				late = nil
			case <-d.term.Done():
				t.Fatalf("%s ended:\n%s", d.name, d.term.Text())
			}
		}
		if keys != "r" {
			d.term.Press("esc")
			<-time.After(150 * time.Millisecond)
		}
	}
	t.Fatalf("%s never shows %s after %q:\n%s", d.name, shows, keys, d.term.Text())
}
