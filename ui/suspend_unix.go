//go:build unix

package ui

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// canSuspend is whether the system's shells take a program to the background.
const canSuspend = true

// timeToStop is how long a program runs on at most that was told to stop. One that
// no shell would wake again is not stopped by the system at all.
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
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	s.close()
	defer s.listen()
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
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
