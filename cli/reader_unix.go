//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// onReaderGone calls gone when the reader of a pipe has closed it. Without it, a command that
// waits long between two lines would notice only at the next write.
func onReaderGone(pipe *os.File, gone func()) {
	// With no events requested, poll reports only errors and hang-ups.
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

// readerGone reports whether poll found a pipe without a reader. It ignores the immediate error
// of systems that cannot poll a terminal.
func readerGone(events int16) bool {
	return events&(unix.POLLERR|unix.POLLHUP) != 0 && events&unix.POLLNVAL == 0
}
