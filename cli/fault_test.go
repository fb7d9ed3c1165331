package cli_test

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
)

// The test program panics when the function named by one variable reads the clock, as soon as
// the file named by the other variable exists.
const (
	breaksWhen = "TARMAC_TEST_BREAKS_WHEN"
	breaksIn   = "TARMAC_TEST_BREAKS_IN"

	// panicText is the panic's text.
	panicText = "Acme LLC owes 1,234.56"
)

// panickingClock returns a clock that panics on request.
func panickingClock(getenv func(string) string) func() time.Time {
	when, in := getenv(breaksWhen), getenv(breaksIn)
	if in == "" {
		return time.Now
	}
	return func() time.Time {
		if _, err := os.Stat(when); err == nil && calledBy(in) {
			panic(panicText)
		}
		return time.Now()
	}
}

// calledBy reports whether a function whose name has this suffix is on the call stack.
func calledBy(name string) bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		frame, more := frames.Next()
		if strings.Contains(frame.Function, name) {
			return true
		}
		if !more {
			return false
		}
	}
}

func TestAFaultInACommandIsOneLineWithoutData(t *testing.T) {
	var stderr bytes.Buffer
	env := map[string]string{"TARMAC_BASE_URL": "http://127.0.0.1:1", "TARMAC_TOKEN": "svc_org_x"}
	code := cli.Run(t.Context(), command.Env{
		Stdout: io.Discard, Stderr: &stderr, Getenv: func(name string) string { return env[name] },
		Now: func() time.Time { panic(panicText) },
	}, []string{"transactions", "--period", "last month"})
	told := stderr.String()
	if code != 1 || !strings.HasPrefix(told, "tarmac: a fault in the program ended it: string at cli") ||
		strings.Count(told, "\n") != 1 || strings.Contains(told, "Acme") {
		t.Errorf("exit %d, %q", code, told)
	}
}
