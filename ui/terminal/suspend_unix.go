//go:build linux || darwin || freebsd

package terminal

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// CanSuspend reports whether there is a shell to resume a suspended program: a shell puts
// what it starts into a process group of its own. A program that is alone in its
// terminal, as over ssh -t, would stay stopped.
func CanSuspend() bool {
	session, _, failed := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0)
	return failed == 0 && int(session) != syscall.Getpgrp()
}

// timeToStop is how long a program may run on after it was told to stop.
const timeToStop = 100 * time.Millisecond

// suspension stops the program as ctrl+z stops others. It is a tea.ExecCommand: the
// terminal is restored while the program is stopped.
type suspension struct{ stops chan os.Signal }

func newSuspension() suspension {
	s := suspension{make(chan os.Signal, 1)}
	s.listen()
	return s
}

// listen turns stop signals into requests. It respects a parent that had the signal
// ignored.
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
	// Not SIGTSTP: a Go program that listens for it is not stopped by it.
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
