//go:build unix

package cli_test

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tarmac/internal/termtext"
	"tarmac/internal/testsupport/hostile"
	"tarmac/internal/testsupport/long"
	"tarmac/internal/testsupport/testdns"
	"tarmac/service"
	"tarmac/service/egress"
)

// hostileServer serves a seeded organization. It returns the environment of a server that makes
// every text hostile, and one of a server with the original text.
func hostileServer(t testing.TB, answers *hostile.Answers) (environ, honest []string) {
	t.Helper()
	database, org, tokenFile := organization(t, "900", allScopes)
	must(t, "admin", "--db", database, "owner", "set", "--org", org, "--name", "Ada", "--email", "ada@example.com")
	svc, err := service.Open(context.Background(), service.Config{
		Database: database, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader, Version: "test",
		Webhooks: egress.Config{Resolver: testdns.EmptyResolver()},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = svc.Close() })
	answers.Next = svc.Handler()
	for _, handler := range []http.Handler{answers, svc.Handler()} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		environ, honest = honest, []string{"TARMAC_BASE_URL=" + server.URL, "TARMAC_TOKEN_FILE=" + tokenFile}
	}
	return environ, honest
}

// borders returns the columns of vertical lines for each row of the screen.
func borders(screen string) (rows [][]int) {
	for line := range strings.SplitSeq(screen, "\n") {
		var columns []int
		for i, r := range line {
			if r == '│' {
				columns = append(columns, termtext.Width(line[:i]))
			}
		}
		rows = append(rows, columns)
	}
	return rows
}

// Every screen is visited on a server whose every text is hostile, and the output is checked
// byte by byte.
func TestNothingOfTheServersReachesTheTerminal(t *testing.T) {
	environ, _ := hostileServer(t, &hostile.Answers{})
	sizes(t, func(t *testing.T, columns, rows int) {
		logged := filepath.Join(t.TempDir(), "log")
		w := openDashboard(t, columns, rows, environ, "--log-file", logged)
		for _, tab := range []struct{ keys, shows, word string }{
			{"7", "No webhook endpoints|hooks.example", ""}, {"2", "Net burn a month|Months", "pw"}, {"6", `live .*every`, ""},
			{"3", `Over 90 days`, "pw"},
			{"4", `row 1 of \d+`, "pwnd"}, {"5", `Number +Status`, ""}, {"1", "Cash on hand", "pwnd"}, {"4", "row 1 of", "pwnd"},
			{"enter", "Transaction ─", "pwnd"},
		} {
			screen := w.do(tab.keys, tab.shows, tab.word)
			w.checkBorders(tab.keys, screen)
		}
		w.do("y c", "copied")
		w.back("Transaction ─")
		w.do("G", `row (\d+) of \d+`)
		w.do("/", "acct:4821")
		w.say(hostile.Word)
		w.do("enter", hostile.Word)
		w.do("x", "row 1 of")
		w.do("5", `Number +Status`)
		w.checkBorders("invoice", w.do("enter", "Invoice ─", "Recipient", "pwnd"))
		w.do("y", "copied")
		w.do("s", "saved ")
		w.do("6 G", "newer events")
		w.checkBorders("event", w.do("enter", "Event ─", "pwnd"))
		w.do("y", "copied")
		w.back("Event ─")
		w.do("7 n", "New endpoint")
		w.say("https://hooks.example.com/x")
		w.press("tab")
		w.do("a", `\[x\]`)
		w.press("\x13")
		w.until("Signing secret of")
		w.insist("esc", "Press esc again to leave")
		w.press("esc")
		w.checkBorders("webhooks", w.until("─ Endpoints ─", "hooks.example"))
		w.do("y", "copied")
		w.do("?", "Keys ─")
		w.back("Keys ─")
		w.do(":", "Find ─")
		w.back("Find ─")
		w.close()
		_, copied := harmless(t, "the dashboard", w.output(), dashboardSequences)
		if len(copied) < 4 {
			t.Errorf("copied %q", copied)
		}
		content, err := os.ReadFile(logged)
		if err != nil || len(content) == 0 {
			t.Fatalf("the log holds %q (%v)", content, err)
		}
		harmless(t, "the log", string(content), plainSequences)
		// Saved files have normal names.
		names, err := filepath.Glob(filepath.Join(w.cmd.Dir, "*.pdf"))
		if err != nil || len(names) != 1 || termtext.Line(names[0]) != names[0] ||
			strings.ContainsAny(filepath.Base(names[0])[:1], ".-~") {
			t.Errorf("saved %q (%v)", names, err)
		}
	})
}

// checkBorders fails the test if the vertical lines of the rows are not aligned: text that is wider
// or narrower than computed shifts what follows.
func (w *walker) checkBorders(what, screen string) {
	w.t.Helper()
	counts := map[int]int{}
	all := borders(screen)
	for _, columns := range all {
		for _, column := range columns {
			counts[column]++
		}
	}
	for row, columns := range all {
		for _, column := range columns {
			if counts[column] < 3 {
				w.t.Errorf("%s: row %d has a line in column %d, where no other row has one:\n%s", what, row, column, screen)
				return
			}
		}
	}
}

// Enum values of the contract may be hostile too, and a server may reject everything.
func TestHostileWordsAndRefusalsReachNoTerminal(t *testing.T) {
	for name, answers := range map[string]*hostile.Answers{
		"words": {Words: true}, "401": {Refuse: 401}, "403": {Refuse: 403}, "404": {Refuse: 404}, "422": {Refuse: 422},
		"500": {Refuse: 500},
	} {
		if !long.Tests && 400 < answers.Refuse && answers.Refuse < 500 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environ, _ := hostileServer(t, answers)
			term := startTerminal(t, 120, 40, environ)
			term.until("Overview")
			for _, key := range []string{"1", "2", "3", "4", "5", "6", "7"} {
				term.press(key)
				term.press("enter", "j", "r")
			}
			term.until("Webhook")
			term.press("ctrl+c")
			if code := term.ended(); code != 0 {
				t.Errorf("exit %d", code)
			}
			text, _ := harmless(t, name, term.output(), dashboardSequences)
			if !strings.Contains(text, "p") {
				t.Errorf("nothing was shown: %q", text)
			}
		})
	}
}

// Invalid HTTP headers and other protocols appear in error texts.
func TestWhatIsNoHTTPReachesNoTerminal(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 200 \x1b]0;pwnd\x07\x9b31m\u202e\r\nX-\x1b[2J: y\r\n\r\n")
		_ = conn.Close()
	}))
	defer server.Close()
	environ := []string{"TARMAC_BASE_URL=" + server.URL, "TARMAC_TOKEN=svc_org_x"}
	term := startTerminal(t, 120, 30, environ)
	term.until("✕")
	term.press("ctrl+c")
	term.ended()
	harmless(t, "the dashboard", term.output(), dashboardSequences)
	for _, args := range [][]string{{"ping"}, {"doctor"}, {"overview"},
		{"webhooks", "create", "--url", "https://x.example/", "--types", "invoice.paid"}} {
		cmd := startTerminal(t, 200, 30, environ, args...)
		if code := cmd.ended(); code == 0 {
			t.Errorf("%q: exit 0", args)
		}
		harmless(t, strings.Join(args, " "), cmd.output(), plainSequences)
	}
}

// Values from the settings, the environment and the command line are sanitized too.
func TestWhatIsSetReachesNoTerminal(t *testing.T) {
	for i, text := range hostile.Texts() {
		value := strings.ReplaceAll(text.Value, "\x00", "")
		if len(value) > 1000 {
			continue
		}
		for _, c := range []struct {
			environ []string
			args    []string
		}{
			{[]string{"TARMAC_BASE_URL=https://" + value, "TARMAC_TOKEN=x"}, []string{"ping"}},
			{[]string{"TARMAC_BASE_URL=" + value, "TARMAC_TOKEN=" + value}, []string{"doctor"}},
			{[]string{"TARMAC_PROFILE=" + value}, []string{"ping"}},
			{[]string{"TARMAC_BASE_URL=http://127.0.0.1:1", "TARMAC_TOKEN_FILE=" + value}, []string{"ping"}},
			{nil, []string{value}}, {nil, []string{"invoices", value}}, {nil, []string{"--" + value}},
			{nil, []string{"transactions", "--from", value}},
			{nil, []string{"serve", "--db", "/nowhere/" + value}},
			{nil, []string{"admin", "--db", "/nowhere/" + value, "org", "list"}},
			{[]string{"TARMAC_BASE_URL=http://127.0.0.1:1", "TARMAC_TOKEN=x"}, []string{"invoices", "get", value}},
			{[]string{"TARMAC_BASE_URL=http://127.0.0.1:1", "TARMAC_TOKEN=x"},
				[]string{"ping", "--log-file", "/nowhere/" + value}},
		} {
			asks := len(c.environ) > 0 && !strings.HasPrefix(c.environ[0], "TARMAC_PROFILE") // prompts for a token
			if asks && i%6 > 0 {
				continue
			}
			env := map[string]string{"HOME": t.TempDir(), "HTTPS_PROXY": "http://" + value}
			for _, set := range c.environ {
				name, value, _ := strings.Cut(set, "=")
				env[name] = value
			}
			r := tarmac(t, env, c.args...)
			harmless(t, strings.Join(c.args, " "), r.stdout+r.stderr, plainSequences)
		}
	}
}

// Every command runs in every output format against a server whose every text is hostile.
func TestNoCommandWritesWhatATerminalActsOn(t *testing.T) {
	t.Parallel()
	environ, honest := hostileServer(t, &hostile.Answers{Words: true})
	environment := func(list []string) map[string]string {
		env := map[string]string{}
		for _, set := range list {
			name, value, _ := strings.Cut(set, "=")
			env[name] = value
		}
		return env
	}
	id := func(args ...string) string {
		r := tarmac(t, environment(honest), append(args, "--json", "--limit", "1")...)
		found := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(r.stdout)
		if found == nil {
			t.Fatalf("%q: %s%s", args, r.stdout, r.stderr)
		}
		return found[1]
	}
	invoice, transaction, event := id("invoices"), id("transactions"), id("events")
	dir := t.TempDir()
	for _, command := range []string{
		"ping", "account", "cash-position", "aging", "overview", "whoami", "doctor", "profiles",
		"invoices --limit 20", "invoices get " + invoice, "transactions --limit 40", "transactions get " + transaction,
		"events --limit 60", "events get " + event, "payment-intents get pi_none",
		"webhooks create --url https://hooks.example.com/x --types invoice.paid", "webhooks", "webhooks get wh_none",
		"invoices pdf " + invoice + " --force --output " + filepath.Join(dir, "a.pdf"),
		"invoices propose --recipient-name Acme --recipient-email a@b.example --description x --line 1x1.00",
	} {
		for _, form := range []string{"", "--json", "--csv"} {
			r := tarmac(t, environment(environ), strings.Fields(command+" "+form)...)
			harmless(t, command+" "+form, r.stdout+r.stderr, plainSequences)
			lists := strings.Contains(command, "--limit") || command == "webhooks" || command == "overview"
			if lists && r.code == 0 && !strings.Contains(r.stdout, hostile.Word) {
				t.Errorf("%s %s shows nothing of it: %q", command, form, r.stdout)
			}
		}
	}
	refused, _ := hostileServer(t, &hostile.Answers{Refuse: 422})
	for _, command := range []string{"ping", "invoices", "transactions --all --csv", "overview", "doctor",
		"webhooks create --url https://hooks.example.com/x --types invoice.paid"} {
		r := tarmac(t, environment(refused), strings.Fields(command)...)
		harmless(t, command, r.stdout+r.stderr, plainSequences)
		if r.code == 0 {
			t.Errorf("%s: exit 0", command)
		}
	}
	r, _ := typing(t, environ, "1\n2\n3\n4\nnext\nopen 1\n5\nopen 1\n6\n7\nprofile\nhelp\nintent x\n\x1b[2J\nquit\n",
		"--plain")
	text, _ := harmless(t, "the line mode", r.stdout+r.stderr, plainSequences)
	if strings.Count(text, hostile.Word) < 20 {
		t.Errorf("the line mode said %q", text)
	}
}
