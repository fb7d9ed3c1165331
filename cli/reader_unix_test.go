//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestOnlyAPipeWithoutAReaderEndsACommand(t *testing.T) {
	for name, c := range map[string]struct {
		events int16
		want   bool
	}{
		"Linux":                           {unix.POLLERR, true},
		"others":                          {unix.POLLHUP, true},
		"a terminal that is not polled":   {unix.POLLNVAL, false},
		"a closed file with another sign": {unix.POLLNVAL | unix.POLLHUP, false},
		"nothing":                         {0, false},
	} {
		if got := readerGone(c.events); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
