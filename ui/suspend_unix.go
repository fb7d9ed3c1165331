//go:build linux || darwin || freebsd

package ui

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// canSuspend reports whether there is a shell that would wake the program again: such
// a one puts what it starts into a process group of its own. A program that is all
// there is in a terminal, as over ssh -t, would stay stopped.
func canSuspend() bool {
	session, _, failed := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0)
	return failed == 0 && int(session) != syscall.Getpgrp()
}

// timeToStop is how long a program runs on at most that was told to stop.
const timeToStop = 100 * time.Millisecond

// suspension stops the program as ctrl+z stops others, and returns when it goes on. It
// is a tea.ExecCommand: the terminal is given back meanwhile.
type suspension struct{ asked chan os.Signal }

func newSuspension() suspension {
	s := suspension{make(chan os.Signal, 1)}
	s.listen()
	return s
}

// listen has stops asked for instead of carried out. Whoever started the program
// without wanting it stopped has its way.
func (s suspension) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.asked, syscall.SIGTSTP)
	}
}

// close ends listening.
func (s suspension) close() { signal.Stop(s.asked) }

func (s suspension) Run() error {
	if !canSuspend() {
		return nil
	}
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	// Not SIGTSTP: once a Go program has asked to be told of that, it stops nothing.
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return err
	}
	select {
	case <-goesOn:
	case <-time.After(timeToStop):
	}
	return nil
}

func (suspension) SetStdin(io.Reader)  {}
func (suspension) SetStdout(io.Writer) {}
func (suspension) SetStderr(io.Writer) {}
