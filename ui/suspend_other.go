//go:build !unix

package ui

import (
	"io"
	"os"
)

// canSuspend is whether the system's shells take a program to the background.
const canSuspend = false

// suspension is one that nobody asks for.
type suspension struct{ asked chan os.Signal }

func newSuspension() suspension { return suspension{} }

func (suspension) close()              {}
func (suspension) Run() error          { return nil }
func (suspension) SetStdin(io.Reader)  {}
func (suspension) SetStdout(io.Writer) {}
func (suspension) SetStderr(io.Writer) {}
