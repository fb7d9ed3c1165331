//go:build unix

package cli_test

import (
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/long"
	"tarmac/internal/testsupport/testprogram"
)

// allScopes lists every scope.
const allScopes = testprogram.AllScopes

// walker uses a dashboard on a service in its own process.
type walker struct {
	*terminal
	environ []string // for commands on the same service
	copies  int      // clipboard copies already checked
}

// walk starts the service with a seeded organization.
func walk(t *testing.T, flags ...string) (environ []string) {
	t.Helper()
	return host(t, "2500", flags...)
}

// host starts the service. Its organization has the given number of transactions, or none for
// "".
func host(t *testing.T, transactions string, flags ...string) (environ []string) {
	t.Helper()
	return testprogram.Host(t, transactions, flags...)
}

// openDashboard opens the dashboard, with its own home directory unless the environment sets one.
func openDashboard(t *testing.T, columns, rows int, environ []string, args ...string) *walker {
	t.Helper()
	w := &walker{terminal: startTerminal(t, columns, rows, environ, args...), environ: environ}
	w.until("● live", "Cash on hand", `\$[0-9]`)
	return w
}

// do presses keys and waits for the expected texts. It waits after each escape, because
// terminals read a key right after it as alt with that key.
func (w *walker) do(keys string, shows ...string) string {
	w.t.Helper()
	w.press(strings.Fields(keys)...)
	return w.until(shows...)
}

// back presses escape and waits until the text is gone.
func (w *walker) back(from string) {
	w.t.Helper()
	w.press("esc")
	w.untilGone(from)
}

// insist presses a key slowly enough for pages that guard against accidental presses: they
// ignore keys sent before they appeared, and a second press long after the first. It does not
// repeat a delayed press, which would count twice.
func (w *walker) insist(key, shows string) {
	w.t.Helper()
	const hesitation, late = 750 * time.Millisecond, 8 * time.Second
	for deadline := time.Now().Add(patience); !strings.Contains(w.text(), shows); {
		if time.Now().After(deadline) {
			w.t.Fatalf("it never shows %s:\n%s", shows, w.text())
		}
		<-time.After(hesitation)
		w.press(key)
		taken := time.NewTimer(late)
		for waiting := true; waiting && !strings.Contains(w.text(), shows); {
			select {
			case <-w.changed:
			case <-taken.C:
				waiting = false
			case <-w.done:
				w.t.Fatal("the program ended")
			}
		}
		taken.Stop()
	}
}

// say types text and waits until the screen shows it.
func (w *walker) say(text string) { w.t.Helper(); w.press(text); w.until(regexp.QuoteMeta(text)) }

// close quits the dashboard and checks that the terminal is restored.
func (w *walker) close() {
	w.t.Helper()
	w.press("ctrl+c")
	if code := w.ended(); code != 0 {
		w.t.Errorf("exit %d", code)
	}
	w.checkState()
	w.blank()
	if !strings.Contains(w.output(), ansi.SetModeSynchronizedOutput) {
		w.t.Error("no frame was marked as one, so that half-drawn screens were looked at")
	}
}

// ask runs a command on the same service.
func (w *walker) ask(args ...string) string {
	w.t.Helper()
	out, err := program(w.t, w.environ, args...).Output()
	if err != nil {
		w.t.Fatalf("tarmac %q: %v", args, err)
	}
	return string(out)
}

// copied returns the text last sent to the clipboard.
func (w *walker) copied() string {
	w.t.Helper()
	var found [][]string
	w.wait(func(string) bool {
		found = regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]*)[\x07\x1b]`).FindAllStringSubmatch(w.output(), -1)
		return len(found) > w.copies
	}, "to copy something")
	w.copies = len(found)
	text, err := base64.StdEncoding.DecodeString(found[len(found)-1][1])
	if err != nil {
		w.t.Error(err)
	}
	return string(text)
}

// file returns the content of the only file in the person's directory that matches the pattern.
func (w *walker) file(pattern string) []byte {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.cmd.Dir, pattern))
	if err != nil || len(found) != 1 {
		w.t.Fatalf("%s: there are %q (%v)", pattern, found, err)
	}
	content, err := os.ReadFile(found[0])
	if err != nil {
		w.t.Fatal(err)
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o600 {
		w.t.Errorf("%s: %v %v", found[0], info.Mode(), err)
	}
	return content
}

// sizes runs a walk in a small window, and in a large one where long tests run.
func sizes(t *testing.T, walk func(t *testing.T, columns, rows int)) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			walk(t, size[0], size[1])
		})
		if !long.Tests {
			return
		}
	}
}

func TestAWalkThroughWhatIsRead(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	sizes(t, func(t *testing.T, columns, rows int) {
		w := openDashboard(t, columns, rows, environ)
		for _, tab := range []struct{ key, shows string }{
			{"2", "Net burn a month|Months"},
			{"3", `Over 90 days`}, {"4", "row 1 of 2,500"}, {"5", `Number +Status`}, {"6", `live .*every`},
			{"7", "No webhook endpoints"}, {"1", "Cash on hand"},
		} {
			w.do(tab.key, tab.shows, "● live")
			w.do("?", "Keys ─", "esc close")
			w.say("force")
			w.until("force quit")
			w.back("force quit")
		}

		// From receivables to the invoices behind them, and back.
		w.do("3 o", "overdue", `row 1 of [0-9]`, "INV-0")
		w.do("esc", `Over 90 days`)

		w.do("4 enter", "Transaction ─", "Counterparty")
		w.back("Transaction ─")
		w.do("G", "row 2,500 of 2,500")
		w.do("t", "Go to")
		w.do("50% enter", `row 1,2[0-9][0-9] of 2,500`)
		w.do("g d", `row 1 of 1?,?[0-9]+$|in`, "money in|direction|in ")
		w.do("X", "no filter", "row 1 of 2,500")
		w.do("/", "Filter")
		w.say("zzzznothing")
		w.do("enter", "zzzznothing")
		w.do("x", "row 1 of 2,500")

		w.do("5 enter", "Invoice ─", "Recipient")
		w.do("y", "copied")
		number := w.copied()
		if !strings.HasPrefix(number, "INV-") || !strings.Contains(w.text(), number) {
			t.Errorf("copied %q", number)
		}
		w.do("s", "saved ")
		if pdf := w.file(number + ".pdf"); !strings.HasPrefix(string(pdf), "%PDF-") ||
			!strings.HasSuffix(strings.TrimSpace(string(pdf)), "%%EOF") {
			t.Errorf("the PDF begins with %.20q", pdf)
		}

		w.do("6", `live .*every`)
		w.press(" ")
		w.until("paused")
		w.press(" ")
		w.until(`live .*every`)
		w.do("g enter", "Event ─", `"id": "evt_`)
		w.back("Event ─")
		w.do(":", "Find ─")
		w.say("runw")
		w.do("enter", "Net burn a month|Months")
		w.do("*", "[Aa]mounts hidden")
		if screen := w.text(); regexp.MustCompile(`\$[0-9]`).MatchString(screen) {
			t.Errorf("an amount is shown:\n%s", screen)
		}
		w.do("*", "amounts shown", `\$[0-9]`)
		for range 4 {
			w.do("T", "theme: ")
		}
		w.do("r", "● live")
		w.close()
	})
}

func TestAnExportHoldsWhatTheAPILists(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	w := openDashboard(t, 200, 40, environ)
	for _, format := range []string{"csv", "json"} {
		w.do("4", "2,500 transactions")
		w.do("e", "Export", `transactions\.csv`)
		w.press(strings.Repeat("\x7f", 200), filepath.Join(w.cmd.Dir, "all."+format))
		w.until(`all\.` + format)
		w.do("enter", `exported 2,500 transactions to .*all\.`+format)
	}
	printed := w.ask("transactions", "--all", "--csv")
	if file := string(w.file("all.csv")); file != printed {
		t.Errorf("the file is not what the command prints: %d and %d bytes, beginning with\n%.600s\n%.600s", len(file),
			len(printed), file, printed)
	}
	listed, err := csv.NewReader(strings.NewReader(printed)).ReadAll()
	if err != nil || len(listed) != 2501 {
		t.Fatalf("%d lines are listed (%v)", len(listed), err)
	}
	var written []struct{ ID string }
	if err := json.Unmarshal(w.file("all.json"), &written); err != nil || len(written) != len(listed)-1 {
		t.Fatalf("%d are written (%v)", len(written), err)
	}
	for i, want := range listed[1:] {
		if written[i].ID != want[slices.Index(listed[0], "id")] {
			t.Fatalf("row %d is %q, want %q", i, written[i].ID, want)
		}
	}
	for _, list := range []struct{ key, shows, command string }{
		{"3", `\d days (?:late|early) +(?:not expected|20\d\d-)`, "remind --all"},
		{"5", `row 1 of \d`, "invoices --limit 200"},
	} {
		name := strings.Fields(list.command)[0] + ".csv"
		w.do(list.key, list.shows)
		w.do("e", "Export")
		w.press(strings.Repeat("\x7f", 200), filepath.Join(w.cmd.Dir, name))
		w.until(regexp.QuoteMeta(name))
		w.do("enter", `exported .*`+regexp.QuoteMeta(name))
		file, want := string(w.file(name)), w.ask(append(strings.Fields(list.command), "--csv")...)
		if clock := regexp.MustCompile(`T[\d:]+Z`); clock.ReplaceAllString(file, "") != clock.ReplaceAllString(want, "") {
			t.Errorf("%s is not what the command prints:\n%.600s\n%.600s", name, file, want)
		}
	}
	w.close()
}

// fill types a proposal and opens its review. The unique recipient identifies it.
func (w *walker) fill(recipient string) {
	w.t.Helper()
	w.do("5 n", "Propose an invoice", "Customer name")
	w.say(recipient)
	for _, text := range []string{"pay@acme.example", "Consulting"} {
		w.press("tab")
		w.say(text)
	}
	w.press("tab", "tab", "tab")
	w.say("Workshop")
	w.press("tab", "1.5", "tab", "1,200.50")
	w.until(`1,800\.75`)
}

func TestAProposalMakesOneDraft(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	sizes(t, func(t *testing.T, columns, rows int) {
		recipient := fmt.Sprintf("Acme %dx%d", columns, rows)
		state := t.TempDir()
		home := []string{"XDG_STATE_HOME=" + state}
		w := openDashboard(t, columns, rows, append(home, environ...))
		w.fill(recipient)
		w.until("draft saved")
		w.close()

		// Typed text is restored after leaving, and after a kill while typing.
		w = openDashboard(t, columns, rows, append(home, environ...))
		w.do("5 n", "Propose an invoice", regexp.QuoteMeta(recipient), `1,800\.75`)
		w.press("g") // from the review button of a complete form to the first field
		w.say(" the second")
		waitForText(t, state, recipient+" the second")
		w.press(" x")
		_ = w.cmd.Process.Kill()
		<-w.done

		w = openDashboard(t, columns, rows, append(home, environ...))
		screen := w.do("5 n", "Propose an invoice", regexp.QuoteMeta(recipient), `1,800\.75`)
		if !strings.Contains(screen, recipient+" the second") {
			t.Errorf("what was typed before the kill is gone:\n%s", screen)
		}
		w.press("\x13")
		w.until("Review", regexp.QuoteMeta(recipient))
		w.insist("enter", "Press enter again to create the draft")
		w.insist("enter", "Draft INV-")
		w.until("and nothing was charged")
		w.close()
		if n := strings.Count(w.ask("invoices", "--status", "draft", "--json"), recipient); n != 1 {
			t.Errorf("%d drafts of %s", n, recipient)
		}
	})
}

// waitForText waits until a file below the directory contains the text.
func waitForText(t *testing.T, dir, text string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		found := false
		_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && filepath.Ext(path) == ".json" {
				content, err := os.ReadFile(path)
				found = found || err == nil && strings.Contains(string(content), text)
			}
			return nil
		})
		if found {
			return
		}
	}
	t.Fatalf("nothing keeps %q", text)
}

func TestReadOnlyOffersNoWrites(t *testing.T) {
	t.Parallel()
	w := openDashboard(t, 80, 24, walk(t), "--read-only")
	w.do("5", `Number +Status`, "read-only")
	w.press("n")
	screen := w.do("7", "No webhook endpoints", "read-only")
	if strings.Contains(screen, "n creates") {
		t.Errorf("it offers to create:\n%s", screen)
	}
	w.press("n")
	screen = w.do("?", "Keys ─")
	for _, write := range []string{"new secret", "send a test", "delete"} {
		if strings.Contains(screen, write) {
			t.Errorf("it offers %q:\n%s", write, screen)
		}
	}
	w.close()
}
