//go:build !(linux || darwin || freebsd)

package terminal

import (
	"io"
	"os"
)

// CanSuspend reports whether a shell can resume a suspended program.
func CanSuspend() bool { return false }

// suspension does nothing on systems without job control.
type suspension struct{ stops chan os.Signal }

func newSuspension() suspension { return suspension{} }

func (suspension) close()              {}
func (suspension) Run() error          { return nil }
func (suspension) SetStdin(io.Reader)  {}
func (suspension) SetStdout(io.Writer) {}
func (suspension) SetStderr(io.Writer) {}
