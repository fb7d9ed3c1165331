//go:build !(linux || darwin || freebsd)

package terminal

import (
	"io"
	"os"
)

// CanSuspend reports whether there is a shell to resume a suspended program.
func CanSuspend() bool { return false }

// suspension does nothing: no signal stops a program here.
type suspension struct{ stops chan os.Signal }

func newSuspension() suspension { return suspension{} }

func (suspension) close()              {}
func (suspension) Run() error          { return nil }
func (suspension) SetStdin(io.Reader)  {}
func (suspension) SetStdout(io.Writer) {}
func (suspension) SetStderr(io.Writer) {}
