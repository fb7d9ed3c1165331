//go:build !(linux || darwin || freebsd)

package ui

import (
	"io"
	"os"
)

// canSuspend reports whether there is a shell that would wake the program again.
func canSuspend() bool { return false }

// suspension is one that nobody asks for.
type suspension struct{ asked chan os.Signal }

func newSuspension() suspension { return suspension{} }

func (suspension) close()              {}
func (suspension) Run() error          { return nil }
func (suspension) SetStdin(io.Reader)  {}
func (suspension) SetStdout(io.Writer) {}
func (suspension) SetStderr(io.Writer) {}
