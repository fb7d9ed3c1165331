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

// A test's program breaks where the clock is asked, once the file that one variable
// names is there, in the function that the other names.
const (
	breaksWhen = "TARMAC_TEST_BREAKS_WHEN"
	breaksIn   = "TARMAC_TEST_BREAKS_IN"

	// secretOfAFault is what the panic says.
	secretOfAFault = "Acme LLC owes 1,234.56"
)

// breaking returns the clock of a program, which breaks when it is told to.
func breaking(getenv func(string) string) func() time.Time {
	when, in := getenv(breaksWhen), getenv(breaksIn)
	if in == "" {
		return time.Now
	}
	return func() time.Time {
		if _, err := os.Stat(when); err == nil && calledBy(in) {
			panic(secretOfAFault)
		}
		return time.Now()
	}
}

// calledBy reports whether a function whose name ends so waits for its caller's end.
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
		Now: func() time.Time { panic(secretOfAFault) },
	}, []string{"transactions", "--period", "last month"})
	told := stderr.String()
	if code != 1 || !strings.HasPrefix(told, "tarmac: a fault in the program ended it: string at cli") || strings.Count(told, "\n") != 1 || strings.Contains(told, "Acme") {
		t.Errorf("exit %d, %q", code, told)
	}
}
