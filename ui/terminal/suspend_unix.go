//go:build linux || darwin || freebsd

package terminal

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// CanSuspend reports whether a shell can resume a suspended program. A shell puts each program into
// a new process group; a program without a shell, as in ssh -t, would stay stopped.
func CanSuspend() bool {
	session, _, failed := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0)
	return failed == 0 && int(session) != syscall.Getpgrp()
}

// timeToStop is how long Run waits for SIGCONT after SIGSTOP. The program may run on for a moment
// before the signal stops it.
const timeToStop = 100 * time.Millisecond

// suspension stops the program as ctrl+z does. It is a tea.ExecCommand, so the terminal is restored
// while the program is stopped.
type suspension struct{ stops chan os.Signal }

func newSuspension() suspension {
	s := suspension{make(chan os.Signal, 1)}
	s.listen()
	return s
}

// listen receives stop signals, unless the parent process ignores them.
func (s suspension) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.stops, syscall.SIGTSTP)
	}
}

func (s suspension) close() { signal.Stop(s.stops) }

// Run stops the program and returns when it is resumed.
func (s suspension) Run() error {
	if !CanSuspend() {
		return nil
	}
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	// SIGTSTP would not stop the program, because Go handles it here.
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
