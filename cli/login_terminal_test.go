//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/term"
)

func TestATypedTokenIsNotShown(t *testing.T) {
	url := goodServer(t)
	shell := startTerminal(t, 120, 24, nil, "login")
	shell.until("Base URL of the server")
	shell.press(url, "enter")
	shell.until("Token for " + url + ` \(not shown\):`)
	shell.press("nonsense\x15svc_org_goof\x7fd", "enter") // ctrl+u clears the line, backspace deletes a character
	shell.until("Signed in to org_01")
	if code := shell.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if strings.Contains(shell.output(), "svc_org") {
		t.Errorf("the token was shown:\n%s", shell.output())
	}
	if kept, err := os.ReadFile(filepath.Join(shell.cmd.Dir, ".config/tarmac/tokens/default")); err != nil ||
		string(kept) != "svc_org_good\n" {
		t.Errorf("kept %q (%v)", kept, err)
	}
}

func TestAnInterruptedLoginLeavesTheTerminalAsItWas(t *testing.T) {
	shell := startTerminal(t, 120, 24, nil, "login", "--base-url", goodServer(t))
	shell.until("not shown")
	serverCommands, err := term.GetState(shell.Fd())
	if err != nil {
		t.Fatal(err)
	}
	shell.press("svc_org_go", "ctrl+c")
	if code := shell.ended(); code != 130 {
		t.Errorf("exit %d:\n%s", code, shell.output())
	}
	if after, err := term.GetState(shell.Fd()); err != nil || reflect.DeepEqual(after, serverCommands) {
		t.Errorf("what is typed is still hidden (%v)", err)
	}
	if !strings.Contains(shell.output(), "interrupted; nothing was changed") ||
		strings.Contains(shell.output(), "svc_org") {
		t.Errorf("it says:\n%s", shell.output())
	}
	if _, err := os.Stat(filepath.Join(shell.cmd.Dir, ".config")); !os.IsNotExist(err) {
		t.Errorf("something was written (%v)", err)
	}
}

// A trace would contain the typed token.
func TestNoTraceIsKeptOfTheTerminal(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	shell := startTerminal(t, 80, 24, []string{"TEA_TRACE=" + trace})
	shell.until("Look around")
	shell.press("ctrl+c")
	shell.ended()
	if _, err := os.Stat(trace); !os.IsNotExist(err) {
		t.Errorf("there is a trace (%v)", err)
	}
}

func TestDoctorLooksAtTheTerminal(t *testing.T) {
	shell := startTerminal(t, 79, 24, []string{"TMUX=x", "NO_COLOR=1", "SSH_TTY=/dev/pts/1", "LC_ALL=POSIX"}, "doctor")
	shell.until("TERM is xterm-256color", "79x24", "tmux", "set-clipboard on", "disabled by NO_COLOR", "OSC 52",
		"POSIX is not UTF-8", "none is configured")
	if code := shell.ended(); code != 1 {
		t.Errorf("exit %d", code)
	}
}
