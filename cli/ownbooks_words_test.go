//go:build unix

package cli_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarmac/internal/testsupport/long"
)

// foreignWords are words for what own books do not have: somebody else's machine, people who run
// it, and what it asks for.
var foreignWords = regexp.MustCompile(`(?i)\b(servers?|server's|administrators?|API tokens?)\b`)

// offered are the places that offer a server besides own books, or say that there is none.
var offered = strings.NewReplacer("connect to another server", "", "no profiles of servers", "",
	"server: none is configured", "")

func noForeignWords(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.Lines(offered.Replace(text)) {
		if word := foreignWords.FindString(line); word != "" {
			t.Errorf("%s speaks of a %s: %s", what, word, line)
		}
	}
}

// ownCommands are the commands that show own books, with example arguments.
var ownCommands = []string{
	"overview", "ping", "account", "cash-position", "aging", "invoices list", "invoices get inv_1", "transactions list",
	"transactions list --keyword rent", "transactions get txn_1", "spend", "recurring", "forecast", "remind",
	"report -o -", "check", "payment-intents get pi_1", "events list", "events get evt_1", "webhooks list",
	"webhooks get wh_1", "webhooks deliveries wh_1", "whoami", "doctor", "sync", "disconnect mercury --yes",
	"books", "books audit", "books imports", "books lines", "books providers", "books questions", "books rates",
	"books rules", "books transfers", "books export --format csv -", "books undo imp_1", "books role 9999 savings",
}

// plainCommands are the commands of line mode that show pages.
const plainCommands = "overview\nrunway\nmonths\nforecast\nopen 1\nreceivables\ncustomers\nremind\ntransactions\n" +
	"invoices\nevents\nwebhooks\nspend\nchanges\nrecurring\nbooks\nopen 1\nproviders\nsync\naccount\nrefresh\n" +
	"problems\nprofile\nstatus\n"

// Own books never speak of a server: healthy, without a runway, damaged, and with a provider that
// fails.
func TestOwnBooksNeverSpeakOfAServer(t *testing.T) {
	dozen := ""
	for month := 1; month <= 9; month++ {
		dozen += fmt.Sprintf("<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>2026%02d02<TRNAMT>-500.00<FITID>m%d<NAME>Landlord"+
			"</STMTTRN>", month, month)
	}
	states := map[string]func(o *online, books string){
		"healthy":     func(*online, string) {},
		"without any": func(o *online, books string) { o.must("", "books", "undo", o.onlyImport()) },
		"a provider that refuses": func(o *online, _ string) {
			o.mercury.Open("Operating", "checking", "202012346789", 1_000_00)
			o.must(o.mercury.Token()+"\n", "connect", "mercury", "--token-stdin", "--yes")
			o.mercury.Revoke()
			o.run("", "sync")
		},
		"damaged": func(o *online, books string) {
			content, err := os.ReadFile(books)
			if err == nil {
				for at := 8192; at < len(content); at++ {
					content[at] ^= 0x55
				}
				err = os.WriteFile(books, content, 0o600)
			}
			if err != nil {
				o.t.Fatal(err)
			}
		},
	}
	for state, name := range slices.Sorted(maps.Keys(states)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := goOnline(t)
			o.must("", "import", "--yes", "--name", "Fennel & Thyme", statementFile(t, "a.qfx", rentLine+dozen))
			states[name](o, o.booksFile())

			for n, command := range ownCommands {
				if !long.Tests && n%len(states) != state {
					continue // it runs in another state
				}
				r := o.run("", strings.Fields(command)...)
				noForeignWords(t, "tarmac "+command, r.stdout+r.stderr)
			}
			r := o.run(plainCommands, "--plain")
			noForeignWords(t, "line mode", r.stdout+r.stderr)
		})
	}
}

// booksFile returns the path of the user's books.
func (o *online) booksFile() (path string) {
	o.t.Helper()
	err := filepath.WalkDir(o.dir, func(found string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "books.db" {
			path = found
		}
		return err
	})
	if err != nil || path == "" {
		o.t.Fatalf("there are no books below %s, %v", o.dir, err)
	}
	return path
}

func (o *online) onlyImport() string {
	o.t.Helper()
	return regexp.MustCompile(`imp_[0-9A-Z]{26}`).FindString(o.must("", "books", "imports", "--json"))
}

func TestNoPageOfOwnBooksSpeaksOfAServer(t *testing.T) {
	t.Parallel()
	environ, _ := openBooks(t)
	term := startTerminal(t, 120, 40, environ)
	term.until(`Harbour Works`, `● live`)
	for n, shown := range []string{
		`Latest`, `Months`, `Owed to us|owes`, `t go to`, `n new invoice`, `─ Events ─`, `─ Endpoints ─`,
		`\] next figures`, `a\.qfx`,
	} {
		key := strconv.Itoa(n + 1)
		term.press(key)
		if key == "3" {
			term.untilGone(`Months`)
		}
		term.until(shown)
		noForeignWords(t, "page "+key, term.text())
	}
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}
