// Package command holds what all commands share: their environment, usage errors and checks of
// arguments.
package command

import (
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"tarmac/client/secretstore"
)

// Env is a command's view of its process. Tests replace it.
type Env struct {
	Stdin    *os.File
	Stdout   io.Writer
	Stderr   io.Writer
	Environ  []string
	Getenv   func(string) string
	Now      func() time.Time
	Contract []byte              // openapi.yaml
	Keyring  secretstore.Keyring // nil stores tokens in files
}

// descriptor is implemented by files and by wrappers that convert a terminal's text.
type descriptor interface{ Fd() uintptr }

// IsTerminal reports whether a file, such as standard output, is a terminal.
func IsTerminal(file any) bool {
	f, ok := file.(descriptor)
	return ok && term.IsTerminal(f.Fd())
}

// TerminalSize returns the columns and rows of a terminal, or 0, 0 if the file is not a
// terminal or its size is unknown.
func TerminalSize(file any) (columns, rows int) {
	if f, ok := file.(descriptor); ok {
		if columns, rows, err := term.GetSize(f.Fd()); err == nil {
			return columns, rows
		}
	}
	return 0, 0
}
