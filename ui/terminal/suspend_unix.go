//go:build linux || darwin || freebsd

package terminal

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// CanSuspend reports whether a shell can resume a suspended program. A shell starts each program in
// a new process group. Without a shell, as with ssh -t, a suspended program would never be resumed.
func CanSuspend() bool {
	session, _, failed := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0)
	return failed == 0 && int(session) != syscall.Getpgrp()
}

// timeToStop is how long Run waits for SIGCONT after SIGSTOP. The program may still run for a
// moment before the signal stops it.
const timeToStop = 100 * time.Millisecond

// suspension stops the program on ctrl+z. It is a tea.ExecCommand, so Bubble Tea restores the
// terminal while the program is stopped.
type suspension struct{ stops chan os.Signal }

func newSuspension() suspension {
	s := suspension{make(chan os.Signal, 1)}
	s.listen()
	return s
}

// listen starts to receive stop signals, unless the parent process has set them to be ignored.
func (s suspension) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.stops, syscall.SIGTSTP)
	}
}

func (s suspension) close() { signal.Stop(s.stops) }

// Run stops the program and returns when the program is resumed. It must not return at once: Bubble
// Tea's renderer that ends could then stop the ticker of the one that begins, and nothing would be
// drawn any more.
func (s suspension) Run() error {
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	// SIGTSTP would not stop the program, because Go's signal package receives it.
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return err
	}
	select {
	case <-resumed:
	case <-time.After(timeToStop):
	}
	return nil
}

func (suspension) SetStdin(io.Reader)  {}
func (suspension) SetStdout(io.Writer) {}
func (suspension) SetStderr(io.Writer) {}
