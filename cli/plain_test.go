package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLineModeNeedsNoTerminal(t *testing.T) {
	r, home := typing(t, nil, "4\nfilter in\nprofile\n", "demo", "--plain", "--transactions", "2000")
	if r.code != 0 || r.stderr != "" {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
	for _, want := range []string{"Overview, profile demo. ",
		"Overview: 4\nTransactions, profile demo.\n2,000 transactions, all: in at least $", "Current profile: demo."} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not said:\n%s", want, r.stdout)
		}
	}
	if strings.Contains(r.stdout, "\x1b") {
		t.Errorf("a sequence was written: %q", r.stdout)
	}
	if left, _ := filepath.Glob(filepath.Join(home, "tarmac-demo-*")); len(left) > 0 {
		t.Errorf("the demo left %v behind", left)
	}
}

func TestADumbTerminalGetsTheLineMode(t *testing.T) {
	r, _ := typing(t, []string{"TERM=dumb"}, "quit\n", "demo", "--transactions", "1000")
	if want := "TERM is dumb: using line mode, as with --plain.\nOverview, profile demo."; r.code != 0 ||
		!strings.HasPrefix(strings.Replace(r.stdout, "Starting…\n", "", 1), want) {
		t.Errorf("exit %d, %s%s", r.code, r.stderr, r.stdout)
	}
}

func TestTheLineModeSaysThatNoServerIsConfigured(t *testing.T) {
	r, _ := typing(t, nil, "", "--plain")
	if r.code != 2 || !strings.Contains(r.stderr, "tarmac login") || !strings.Contains(r.stderr, "tarmac demo --plain") {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
}
