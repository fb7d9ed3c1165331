//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testprogram"
)

// Completion works in a bash without the bash-completion package.
func TestBashCompletesWithoutItsPackage(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "completion")
	if err := os.WriteFile(script, []byte(must(t, "completion", "bash")), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "tarmac")); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"tarmac invoi":                    "invoices",
		"tarmac invoices list --status":   "--status",
		"tarmac invoices --status ov":     "overdue",
		"tarmac transactions --from q":    "q1",
		"tarmac invoices propose --due t": "tomorrow",
		"tarmac events tail --since n":    "now",
		"tarmac webhooks ro":              "rotate-secret",
	} {
		words := strings.Fields(typed)
		last := words[len(words)-1]
		cmd := exec.Command(bash, "--norc", "--noprofile", "-c", `source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
compopt() { :; }
__start_tarmac; printf '%s\n' "${COMPREPLY[@]}"`, "bash", script)
		cmd.Args = append(cmd.Args, words...)
		cmd.Env = []string{testprogram.Variable + "=1", "HOME=" + dir, "PATH=" + dir + ":" + os.Getenv("PATH"),
			"GOCOVERDIR=" + dir}
		var told bytes.Buffer
		cmd.Stderr = &told
		out, err := cmd.Output()
		if err != nil || told.Len() > 0 || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s, with %q typed: %q, %v, %q", typed, last, out, err, told.String())
		}
	}
}
