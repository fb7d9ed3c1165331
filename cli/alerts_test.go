package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarmac/client/alerts"
)

// withHome returns the environment of a user with own books in a new home.
func withHome(t *testing.T) map[string]string {
	t.Helper()
	environ, _ := withBooks(t)
	environ["HOME"] = t.TempDir()
	return environ
}

// listener returns a command that appends what it gets to a file.
func listener(t *testing.T) (command []string, heard func() []alerts.Message) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell for the command")
	}
	file := filepath.Join(t.TempDir(), "heard")
	script := filepath.Join(t.TempDir(), "hear")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec cat >> \""+file+"\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{script}, func() (all []alerts.Message) {
		content, _ := os.ReadFile(file)
		for line := range strings.Lines(string(content)) {
			var m alerts.Message
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("heard %q: %v", line, err)
			}
			all = append(all, m)
		}
		return all
	}
}

func TestFromNoSettingsToAMessageInTwoCommands(t *testing.T) {
	environ := withHome(t)
	if r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); r.code != 0 {
		t.Fatal(r.stderr)
	}
	if r := tarmac(t, environ, "alerts", "add", "cash-below", "2k"); r.code != 0 ||
		r.stdout != "1  cash-below tells below 2k\n" {
		t.Fatalf("%+v", r)
	}
	r := tarmac(t, environ, "alerts", "--once")
	if r.code != 0 || !strings.Contains(r.stdout, "Cash $1,000.00 (below $2,000.00).") ||
		!strings.Contains(r.stdout, "See it: tarmac account") {
		t.Fatalf("%+v", r)
	}
	if r := tarmac(t, environ, "alerts", "--once"); r.code != 0 || r.stdout != "" {
		t.Errorf("told twice: %+v", r)
	}
}

func TestAlertsAreToldListedAndRemoved(t *testing.T) {
	environ := withHome(t)
	command, heard := listener(t)
	if r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for _, args := range [][]string{
		{"alerts", "channel", "add", "ear", "--kind", "command", "--run", command[0]},
		{"alerts", "add", "cash-below", "2k", "--to", "ear"},
		{"alerts", "add", "payment-above", "10"},
		{"alerts", "add", "books-do-not-add-up"},
		{"alerts", "test"},
		{"alerts", "--once"},
	} {
		if r := tarmac(t, environ, args...); r.code != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
	}
	all := heard()
	if len(all) != 2 || all[0].Title != "Test of tarmac" || all[1].Title != "Cash $1,000.00 (below $2,000.00)" {
		t.Fatalf("heard %+v", all)
	}
	// A payment of a later statement is news, those that were there are not.
	later := statementFile(t, "b.qfx", strings.ReplaceAll(strings.ReplaceAll(rentLine, "20260902", "20260915"),
		"<FITID>", "<FITID>x"))
	if r := tarmac(t, environ, "import", "--yes", later); r.code != 0 {
		t.Fatal(r.stderr)
	}
	if r := tarmac(t, environ, "alerts", "--once"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if all = heard(); len(all) != 3 || !strings.HasPrefix(all[2].Title, "Paid $") || len(all[2].Findings) != 1 {
		t.Errorf("heard %+v", all)
	}
	list := tarmac(t, environ, "alerts")
	for _, want := range []string{"1  cash-below tells below 2k\n", "told 20", "2  payment-above",
		"3  books-do-not-add-up", "Channel ear (command)\n"} {
		if !strings.Contains(list.stdout, want) {
			t.Errorf("the list lacks %q:\n%s", want, list.stdout)
		}
	}
	if r := tarmac(t, environ, "alerts", "remove", "2"); r.code != 0 || r.stdout != "Removed payment-above 10.\n" {
		t.Errorf("%+v", r)
	}
	if r := tarmac(t, environ, "alerts", "channel", "remove", "ear"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if r := tarmac(t, environ, "alerts"); !strings.Contains(r.stdout,
		"   there is no channel ear, so all channels tell it\n") {
		t.Errorf("an alert for a channel that is gone: %+v", r)
	}
	var listed struct {
		Alerts []struct {
			Rule     string
			LastTold *string `json:"last_told"`
		}
	}
	if r := tarmac(t, environ, "alerts", "--json"); json.Unmarshal([]byte(r.stdout), &listed) != nil ||
		len(listed.Alerts) != 2 ||
		listed.Alerts[0].LastTold == nil || listed.Alerts[1].LastTold != nil {
		t.Errorf("%+v", r)
	}
}

func TestAlertsSayWhatIsWrongWithThem(t *testing.T) {
	environ := withHome(t)
	if r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for args, want := range map[string]string{
		"alerts --once":                             "nothing is watched",
		"alerts add":                                "needs a rule",
		"alerts add runway":                         "is no rule",
		"alerts add runway-below nine":              "it must be in months",
		"alerts add runway-below 9 --to mail":       "there is no channel",
		"alerts remove 1":                           "there is no alert",
		"alerts test phone":                         "there is no channel",
		"alerts channel add a --kind fax":           "--kind must be",
		"alerts channel add A/B --kind mail":        "cannot be a channel's name",
		"alerts channel add a --kind slack":         "--secret-stdin",
		"alerts channel secret a":                   "there is no channel",
		"watch --every 1s":                          "at least 10s",
		"watch --every soon":                        "--every",
		"alerts --once --json":                      "cannot be combined",
		"digest --json --html":                      "cannot be combined",
		"alerts channel add c --kind command":       "needs a program",
		"alerts channel add m --kind mail":          "with its port",
		"alerts channel add n --kind ntfy --public": "topic",
	} {
		if r := tarmac(t, environ, strings.Fields(args)...); r.code != 2 || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit %d, %q, want %q", args, r.code, r.stderr, want)
		}
	}
}

func TestAnUnreachableServerIsSaidByAlertsAndNotTakenForGood(t *testing.T) {
	environ := withHome(t)
	environ["TARMAC_BASE_URL"], environ["TARMAC_TOKEN"] = "http://127.0.0.1:1", "svc_org_secret"
	for _, args := range [][]string{{"alerts", "add", "runway-below", "9"}, {"alerts", "add", "server-unreachable",
		"1s"}} {
		if r := tarmac(t, environ, args...); r.code != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
	}
	r := tarmac(t, environ, "alerts", "--once", "--timeout", "1s")
	if r.code != 0 || strings.Contains(r.stdout+r.stderr, "svc_org") {
		t.Errorf("%+v", r)
	}
	if list := tarmac(t, environ, "alerts"); strings.Count(list.stdout, "not known: ") != 1 ||
		!strings.Contains(list.stdout, "127.0.0.1:1") {
		t.Errorf("%+v", list)
	}
}
