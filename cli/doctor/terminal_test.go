//go:build unix

package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testprogram"
	"tarmac/internal/testsupport/testterminal"
)

func TestDoctorFindsAProxyThatIsNotThere(t *testing.T) {
	cmd := testprogram.Command(t, []string{"HTTPS_PROXY=http://127.0.0.1:1", "TARMAC_BASE_URL=https://finance.example.com",
		"TARMAC_TOKEN=svc_org_x"}, "doctor", "--timeout", "5s")
	out, err := cmd.Output()
	if said := string(out); err == nil || !strings.Contains(said, "problem  proxy: cannot connect to 127.0.0.1:1") ||
		!strings.Contains(said, "NO_PROXY") || strings.Contains(said, " API:") {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestDoctorFindsATerminalThatIsTooSmall(t *testing.T) {
	for _, c := range []struct {
		columns, rows int
		says          string
	}{
		{39, 24, "problem  size: 39x24 is too small"}, {80, 11, "problem  size: 80x11 is too small"},
		{40, 12, "note     size: 40x12"}, {80, 24, "ok       size: 80x24"},
	} {
		shell := testterminal.Start(t, testprogram.Command(t, nil, "doctor"), c.columns, c.rows, nil)
		shell.Ended()
		if !strings.Contains(shell.Output(), c.says) {
			t.Errorf("%dx%d: no %q in\n%s", c.columns, c.rows, c.says, shell.Output())
		}
	}
}

// Text copied inside tmux reaches the terminal only if tmux lets programs set the clipboard.
func TestDoctorAsksTmuxAboutTheClipboard(t *testing.T) {
	for answer, says := range map[string]string{
		"echo on":       "ok       tmux: set-clipboard is on",
		"echo external": "note     tmux: set-clipboard is external: what is copied may stay in tmux",
		"exit 1":        "note     tmux: the dashboard runs inside tmux",
	} {
		programs := t.TempDir()
		if err := os.WriteFile(filepath.Join(programs, "tmux"), []byte("#!/bin/sh\n"+answer+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		out, _ := testprogram.Command(t, []string{"TMUX=x", "PATH=" + programs + ":" + os.Getenv("PATH")}, "doctor").Output()
		if !strings.Contains(string(out), says) {
			t.Errorf("%s: no %q in\n%s", answer, says, out)
		}
	}
}
