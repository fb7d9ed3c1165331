// Package command holds what all commands share: their environment, errors of wrong
// usage, and checks of arguments.
package command

import (
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"tarmac/client/secretstore"
)

// Env is what a command takes from its process. Tests give it another one.
type Env struct {
	Stdin    *os.File
	Stdout   io.Writer
	Stderr   io.Writer
	Environ  []string
	Getenv   func(string) string
	Now      func() time.Time
	Contract []byte              // openapi.yaml
	Keyring  secretstore.Keyring // nil for none: tokens are then kept in files
}

// descriptor is implemented by files, and by what converts text for a terminal.
type descriptor interface{ Fd() uintptr }

// IsTerminal reports whether a file, such as standard output, is a terminal.
func IsTerminal(file any) bool {
	f, ok := file.(descriptor)
	return ok && term.IsTerminal(f.Fd())
}

// TerminalSize returns the size of the terminal that a file is, in cells. Both numbers
// are 0 where it is no terminal or does not know.
func TerminalSize(file any) (columns, rows int) {
	if f, ok := file.(descriptor); ok {
		if columns, rows, err := term.GetSize(f.Fd()); err == nil {
			return columns, rows
		}
	}
	return 0, 0
}
