//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// onReaderGone calls onClose when the reader of a pipe closes it. Without this, a command that
// waits long between two lines would notice only at its next write.
func onReaderGone(pipe *os.File, onClose func()) {
	// If no events are requested, poll reports only errors and hang-ups.
	wait := []unix.PollFd{{Fd: int32(pipe.Fd())}}
	go func() {
		for {
			_, err := unix.Poll(wait, -1)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err == nil && readerGone(wait[0].Revents) {
				onClose()
			}
			return
		}
	}()
}

// readerGone reports whether the events that poll returned mean that a pipe has no reader. It
// ignores the error that some systems return because they cannot poll a terminal.
func readerGone(events int16) bool {
	return events&(unix.POLLERR|unix.POLLHUP) != 0 && events&unix.POLLNVAL == 0
}
