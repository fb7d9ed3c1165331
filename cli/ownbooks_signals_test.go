//go:build unix

package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/long"
)

// endingTime is how long a process may take to end after a signal while other tests run. On an idle
// machine it takes less than a second.
const endingTime = 10 * time.Second

// signaled starts a command, sends it a signal after a while, and returns its exit code and how
// long it took to end.
func signaled(t *testing.T, cmd *exec.Cmd, after time.Duration, signal syscall.Signal) (code int, took time.Duration) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	select {
	case <-ended:
		return cmd.ProcessState.ExitCode(), 0
	case <-time.After(after):
	}
	began := time.Now()
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(endingTime):
		_ = cmd.Process.Kill()
		t.Fatalf("%v has not ended %v after %v", cmd.Args[1:], endingTime, signal)
	}
	return cmd.ProcessState.ExitCode(), time.Since(began)
}

// manyItems is a list of invoices of one customer, payments that name none of them, and accounts,
// in JSON lines.
func manyItems(n int) string {
	var b strings.Builder
	b.WriteString(`{"source":"stripe","as_of":"2026-09-30"}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"invoice":"I%d","amount":"100.00","customer":"Acme","issued":"2026-09-01",`+
			`"currency":"USD"}`+"\n", i)
	}
	const statement = `{"account":"%[1]s","currency":"USD","from":"2026-09-01","to":"2026-10-30"}` + "\n"
	fmt.Fprintf(&b, statement, "111111116789")
	for range n {
		b.WriteString(`{"date":"2026-10-10","account":"111111116789","currency":"USD","amount":"100.00",` +
			`"counterparty":"Acme"}` + "\n")
	}
	for i := range n / 8 {
		fmt.Fprintf(&b, statement+`{"date":"2026-10-10","account":"%[1]s","currency":"USD","amount":"7.00",`+
			`"description":"transfer to 9%09[2]d"}`+"\n", fmt.Sprintf("9%09d", i), i*7%(n/8))
	}
	return b.String()
}

func TestSignalsEndImportsSoonAndLeaveTheBooksWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hostile := filepath.Join(dir, "hostile.jsonl")
	if err := os.WriteFile(hostile, []byte(manyItems(4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for n := range 8000 {
		lines.WriteString(ofxLine("20260902", fmt.Sprintf("-%d.00", n%97+1), fmt.Sprintf("Shop %d", n%500)))
	}
	honest := statementFile(t, "honest.qfx", lines.String())
	first := statementFile(t, "first.qfx", rentLine)
	commands := [][]string{
		{"import", "--yes", hostile}, {"import", "--dry-run", hostile}, {"import", "--yes", "--accept-residual", honest},
		{"import", "--dry-run", honest}, {"books", "questions"},
	}
	whole, worst := "", time.Duration(0)
	var environ map[string]string
	for round := range long.Size(5, 200) {
		if round%5 == 0 {
			environ, _ = withBooks(t)
			if r := tarmac(t, environ, "import", "--yes", first); r.code != 0 {
				t.Fatalf("import: %+v", r)
			}
		}
		var env []string
		for name, value := range environ {
			env = append(env, name+"="+value)
		}
		args := commands[round%len(commands)]
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[rand.IntN(2)]
		after := time.Duration(rand.Int64N(int64(2 * time.Second)))
		code, took := signaled(t, program(t, env, args...), after, signal)
		worst = max(worst, took)
		// A process that was still starting is killed by the signal itself, which is -1.
		if code != 0 && code != -1 && code != 128+int(signal) {
			t.Errorf("%v exits with %d after %v", args, code, signal)
		}
		if r := tarmac(t, environ, "books"); r.code != 0 {
			t.Fatalf("after %v of %v, books: %+v", signal, args, r)
		}
		if round%5 < 4 {
			continue
		}
		for _, file := range []string{hostile, honest} {
			if r := tarmac(t, environ, "import", "--yes", "--accept-residual", file); r.code != 0 {
				t.Fatalf("importing %s again: %+v", file, r)
			}
		}
		now := tarmac(t, environ, "books").stdout + tarmac(t, environ, "books", "questions").stdout
		if whole == "" {
			whole = now
		}
		if now != whole {
			t.Fatalf("the books are not those of other rounds: %d and %d bytes", len(now), len(whole))
		}
	}
	t.Logf("the slowest process ended %v after its signal", worst)
}

func TestASignalEndsAnImportThatWaitsForAPipe(t *testing.T) {
	t.Parallel()
	environ, _ := withBooks(t)
	cmd := program(t, []string{"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"]}, "import", "--yes", "-")
	pipe, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if code, _ := signaled(t, cmd, 300*time.Millisecond, syscall.SIGTERM); code != -1 && code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit %d", code)
	}
}
