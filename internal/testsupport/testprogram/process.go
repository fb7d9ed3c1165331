package testprogram

import (
	"errors"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Process runs tarmac in its own process until it exits.
func Process(t testing.TB, args ...string) Result {
	t.Helper()
	r, _ := Typing(t, nil, "", args...)
	return r
}

// Typing runs tarmac in its own process with input on its standard input, until it exits. It also
// returns the process's home directory.
func Typing(t testing.TB, environ []string, input string, args ...string) (r Result, home string) {
	t.Helper()
	cmd := Command(t, environ, args...)
	var stdout, stderr strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tooLong := time.AfterFunc(Patience, func() { _ = cmd.Process.Kill() })
	defer tooLong.Stop()
	if err := cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return Result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}, cmd.Dir
}

// OneLine checks that a failed command prints one line with the wanted texts.
func OneLine(t testing.TB, what string, r Result, want ...string) {
	t.Helper()
	if r.Code != 1 || strings.Count(r.Stderr, "\n") != 1 {
		t.Errorf("%s: exit %d, %q", what, r.Code, r.Stderr)
	}
	for _, w := range want {
		if !strings.Contains(r.Stderr, w) {
			t.Errorf("%s: %q does not say %q", what, r.Stderr, w)
		}
	}
}

// FreeAddress returns a loopback address with a free port.
func FreeAddress(t testing.TB) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}
