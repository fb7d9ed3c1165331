package cli_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// serverCommands lists all commands that call the API, as users type them.
var serverCommands = []string{
	"ping", "account", "cash-position", "aging", "overview", "whoami",
	"invoices", "invoices list", "invoices get inv_1", "invoices pdf inv_1",
	"transactions", "transactions list --all --csv", "transactions get txn_1", "payment-intents get pi_1",
	"spend", "recurring", "forecast", "remind", "remind a@example.com", "report",
	"events", "events list --all --json", "events get evt_1", "events tail",
	"webhooks", "webhooks list", "webhooks get wh_1", "webhooks deliveries wh_1",
	"webhooks create --url https://example.com/h --types invoice.paid", "webhooks update wh_1 --status paused",
	"webhooks delete wh_1 --yes", "webhooks rotate-secret wh_1", "webhooks verify wh_1",
	"invoices propose --recipient-name A --recipient-email a@example.com --description D --line 1_x_2_Hours",
}

func commandLine(command string) []string {
	args := strings.Fields(command)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "1_x_2_", "1 x 2 ")
	}
	return args
}

var writes = regexp.MustCompile(`propose|create|update|delete|rotate|verify`)

// The exit code shows the kind of failure for every command.
func TestEveryCommandEndsWithTheCodeOfWhatWentWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, code int
		timeout      string
	}{{401, 3, "1m"}, {403, 3, "1m"}, {404, 4, "1m"}, {503, 5, "200ms"}} { // a 503 is retried until the timeout
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(`{"error":"no"}`))
		}))
		env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
		for _, command := range serverCommands {
			want := c.code
			switch {
			case c.status == 503 && command == "events tail":
				continue // tail retries
			case c.status == 403 && command == "overview":
				want = 0 // each part reports its failure
			case c.status == 503 && writes.MatchString(command):
				want = 1 // the write may have been executed
			}
			if r := tarmac(t, env, append(commandLine(command), "--timeout", c.timeout)...); r.code != want || want != 0 &&
				strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("%d: tarmac %s: exit %d, want %d; %q", c.status, command, r.code, want, r.stderr)
			}
		}
		server.Close()
	}
}

func TestEveryCommandSaysThatNobodyAnswers(t *testing.T) {
	t.Parallel()
	env := map[string]string{"TARMAC_BASE_URL": "http://127.0.0.1:1", "TARMAC_TOKEN": "svc_org_x"}
	for _, command := range serverCommands {
		if command == "events tail" {
			continue // tail retries
		}
		// Without a connection, a write was certainly not executed.
		if r := tarmac(t, env, append(commandLine(command), "--timeout", "200ms")...); r.code != 5 ||
			strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("tarmac %s: exit %d, %q", command, r.code, r.stderr)
		}
	}
}

func TestEveryCommandRefusesWhatItDoesNotKnow(t *testing.T) {
	env := map[string]string{"TARMAC_BASE_URL": "http://127.0.0.1:1", "TARMAC_TOKEN": "svc_org_x"}
	for _, command := range serverCommands {
		refused(t, tarmac(t, env, append(commandLine(command), "--frobnicate")...), 2, "unknown flag: --frobnicate")
		refused(t, tarmac(t, env, append(commandLine(command), "one", "two")...), 2, "")
		refused(t, tarmac(t, nil, commandLine(command)...), 2, "tarmac login")
	}
}

// A mistyped command is answered with a suggestion, and a token flag with where tokens come
// from.
func TestANearMissNamesWhatMayBeMeant(t *testing.T) {
	for args, says := range map[string]string{
		"dmeo":              `unknown command "dmeo"; did you mean demo?`,
		"invoices proposee": `unknown command "proposee" for tarmac invoices; did you mean propose?`,
		"profiles us":       `unknown command "us" for tarmac profiles; did you mean use?`,
		"frobnicate":        `unknown command "frobnicate"`,
		"ping --token x":    "use `tarmac login`, --token-file or TARMAC_TOKEN",
	} {
		refused(t, tarmac(t, nil, strings.Fields(args)...), 2, says)
	}
}
