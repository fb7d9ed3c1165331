package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runMeasured runs a command, and returns the most memory in bytes that it used. The kernel's
// figure for ended processes would include the memory of this one, from which they are forked.
func runMeasured(cmd *exec.Cmd) (peak int64, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return peak, err
		case <-time.After(2 * time.Millisecond):
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			_, rest, _ := strings.Cut(string(text), "VmHWM:")
			var kB int64
			if _, err := fmt.Sscan(rest, &kB); err == nil {
				peak = max(peak, kB<<10)
			}
		}
	}
}

// On a full disk, an import is refused in one line, and what was there stays.
func TestAnImportOnAFullDiskKeepsWhatWasThere(t *testing.T) {
	t.Parallel()
	environ, database := withBooks(t)
	data := "XDG_DATA_HOME=" + environ["XDG_DATA_HOME"]
	var lines strings.Builder
	for range 5000 {
		lines.WriteString(ofxLine("20260902", "-5.00", "Somebody who is paid"))
	}
	large := statementFile(t, "large.qfx", lines.String())
	limited := func(args ...string) (string, error) {
		cmd := program(t, []string{data}, args...)
		// The shell limits the size of files that the program may write, in blocks of 512 bytes.
		cmd.Args = append([]string{"sh", "-c", `ulimit -f 1000; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
		var err error
		if cmd.Path, err = exec.LookPath("sh"); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		err = cmd.Run()
		return stderr.String(), err
	}
	refused := func(what string) {
		t.Helper()
		text, err := limited("import", "--yes", large)
		if code := new(exec.ExitError); !errors.As(err, &code) || code.ExitCode() != 1 ||
			strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %v, %q", what, err, text)
		}
	}

	refused("the first import")
	if left := filesIn(filepath.Dir(database)); len(left) != 0 {
		t.Errorf("there are %q", left)
	}
	if r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); r.code != 0 {
		t.Fatalf("exit %d, %q", r.code, r.stderr)
	}
	before := tarmac(t, environ, "books", "lines", "--json").stdout
	refused("another import")

	if after := tarmac(t, environ, "books", "lines", "--json"); after.stdout != before {
		t.Errorf("the books were %q and are %q, %q", before, after.stdout, after.stderr)
	}
	if r := tarmac(t, environ, "import", "--yes", "--accept-residual", large); r.code != 0 {
		t.Errorf("without the limit: exit %d, %q", r.code, r.stderr)
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	environ, database := withBooks(t)
	pipe, closed := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "closed.qfx")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(closed, nil, 0); err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{pipe: "is not a regular file"}
	if os.Geteuid() != 0 { // root may read everything
		wanted[closed] = "permission denied"
	}
	for path, reason := range wanted {
		r := tarmac(t, environ, "import", "--yes", path, statementFile(t, "good.qfx", rentLine))

		if r.code != 1 || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, path+": "+reason) {
			t.Errorf("exit %d, %q", r.code, r.stderr)
		}
	}
	if _, err := os.Stat(database); !os.IsNotExist(err) {
		t.Errorf("there are books: %v", err)
	}
}
