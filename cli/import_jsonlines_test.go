package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// The script in docs/import.md turns the bank's answer above it into own books. A script in place
// of curl prints that answer.
func TestTheExampleOfJSONLinesImportsABanksJSON(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil || runtime.GOOS == "windows" {
		t.Skipf("SKIPPED: jq is not installed: %v", err)
	}
	page, err := os.ReadFile(filepath.FromSlash("../docs/import.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n### A bank's JSON")
	blocks := regexp.MustCompile("(?s)```(?:json|sh)\n(.*?)```").FindAllStringSubmatch(section, 2)
	tools, data := t.TempDir(), t.TempDir()
	self := program(t, nil).Path
	for name, script := range map[string]string{
		"curl":   "cat <<'EOF'\n" + blocks[0][1] + "EOF\n",
		"tarmac": "exec '" + self + `' "$@"` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	shell := program(t, []string{"XDG_DATA_HOME=" + data, "PATH=" + tools + ":" + os.Getenv("PATH")})
	shell.Path, shell.Args = "/bin/sh", []string{"sh", "-c", blocks[1][1]}

	output, err := shell.CombinedOutput()

	if err != nil || !strings.Contains(string(output), "Imported as imp_") {
		t.Fatalf("%v: %s", err, output)
	}
	environ := map[string]string{"XDG_DATA_HOME": data, "HOME": t.TempDir()}
	if r := tarmac(t, environ, "books"); !strings.Contains(r.stdout, "8,749.50") {
		t.Errorf("accounts: %q, %q", r.stdout, r.stderr)
	}
	if r := tarmac(t, environ, "transactions", "--json"); strings.Count(r.stdout, "Harborline") != 1 ||
		strings.Contains(r.stdout, "Card payment") {
		t.Errorf("transactions: %q, %q", r.stdout, r.stderr)
	}
}
