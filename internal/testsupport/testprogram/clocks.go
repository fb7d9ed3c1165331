package testprogram

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// ClockFile is an environment variable of the test program: the file with the seconds by which its
// clock is ahead.
const ClockFile = "TARMAC_TEST_CLOCK"

// jumpingClock returns a clock that is ahead of next by as many seconds as the file says.
func jumpingClock(getenv func(string) string, next func() time.Time) func() time.Time {
	path := getenv(ClockFile)
	if path == "" {
		return next
	}
	return func() time.Time {
		text, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		seconds, err := strconv.Atoi(string(text))
		if err != nil {
			panic(err)
		}
		return next().Add(time.Duration(seconds) * time.Second)
	}
}

// The test program panics when the function named by one variable reads the clock, as soon as
// the file named by the other variable exists.
const (
	BreaksWhen = "TARMAC_TEST_BREAKS_WHEN"
	BreaksIn   = "TARMAC_TEST_BREAKS_IN"

	// PanicText is the panic's text.
	PanicText = "Acme LLC owes 1,234.56"
)

// panickingClock returns a clock that panics on request.
func panickingClock(getenv func(string) string) func() time.Time {
	when, in := getenv(BreaksWhen), getenv(BreaksIn)
	if in == "" {
		return time.Now
	}
	return func() time.Time {
		if _, err := os.Stat(when); err == nil && calledBy(in) {
			panic(PanicText)
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
