//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// onReaderGone calls gone once nobody can read a pipe any more. A command that waits
// long between two lines would learn it only from the next one.
func onReaderGone(pipe *os.File, gone func()) {
	// Without events to wait for, poll returns for errors and hang-ups alone.
	wait := []unix.PollFd{{Fd: int32(pipe.Fd())}}
	go func() {
		for {
			_, err := unix.Poll(wait, -1)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err == nil && readerGone(wait[0].Revents) {
				gone()
			}
			return
		}
	}()
}

// readerGone reports whether poll told of a pipe without a reader. Some systems cannot poll
// a terminal, and say so at once: that ends nothing.
func readerGone(events int16) bool {
	return events&(unix.POLLERR|unix.POLLHUP) != 0 && events&unix.POLLNVAL == 0
}
