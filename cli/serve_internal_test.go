package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestServeCollectsSeldomUnlessToldOtherwise(t *testing.T) {
	percent, most := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(most)
	})
	for _, test := range []struct {
		env     map[string]string
		percent int
		most    int64
	}{
		{nil, garbagePercent, memoryLimit},
		{map[string]string{"GOGC": "50"}, 100, memoryLimit},
		{map[string]string{"GOMEMLIMIT": "1GiB"}, garbagePercent, math.MaxInt64},
	} {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
		relaxGC(func(name string) string { return test.env[name] })
		if got := debug.SetGCPercent(100); got != test.percent {
			t.Errorf("with %v it collects at %d %%, want %d", test.env, got, test.percent)
		}
		if got := debug.SetMemoryLimit(-1); got != test.most {
			t.Errorf("with %v it may have %d bytes, want %d", test.env, got, test.most)
		}
	}
}
