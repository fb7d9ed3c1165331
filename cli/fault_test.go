package cli_test

import (
	"os"
	"runtime"
	"strings"
	"time"
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
