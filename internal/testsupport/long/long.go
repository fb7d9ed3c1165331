// Package long tells tests whether they run in full, as in .ci/long, or with smaller sizes, as in
// the default run.
package long

import (
	"flag"
	"strconv"
	"testing"
)

// Size returns how much a test does: usual, or full where long tests run.
func Size[T any](usual, full T) T {
	if Tests {
		return full
	}
	return usual
}

// Cases sets how many cases the properties of a test draw, unless the flag of rapid sets another
// number: usual, or full where long tests run. The test does not run in parallel.
func Cases(t testing.TB, usual, full int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if before := checks.Value.String(); before == checks.DefValue {
		_ = checks.Value.Set(strconv.Itoa(Size(usual, full)))
		t.Cleanup(func() { _ = checks.Value.Set(before) })
	}
}
