//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// onReaderGone calls gone when nobody can read a pipe any more. A command that waits long
// between two lines would notice only at the next one.
func onReaderGone(pipe *os.File, gone func()) {
	// Without events to wait for, poll returns only errors and hang-ups.
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

// readerGone reports whether poll found a pipe without a reader. Some systems cannot poll a
// terminal and say so at once: that does not count.
func readerGone(events int16) bool {
	return events&(unix.POLLERR|unix.POLLHUP) != 0 && events&unix.POLLNVAL == 0
}
