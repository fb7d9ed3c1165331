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

// Env is what a command sees of its process. Tests replace it.
type Env struct {
	Stdin    *os.File
	Stdout   io.Writer
	Stderr   io.Writer
	Environ  []string
	Getenv   func(string) string
	Now      func() time.Time
	Contract []byte              // content of openapi.yaml
	Keyring  secretstore.Keyring // nil to store tokens in files

	// OwnProcess is true if the process runs nothing but this command. Only then may the command
	// change settings of the whole process, such as those of the garbage collector.
	OwnProcess bool
}

// fileLike is implemented by files, and by writers that convert the text for a terminal.
type fileLike interface{ Fd() uintptr }

// IsTerminal reports whether a file, such as the process's standard output, is a terminal.
func IsTerminal(file any) bool {
	f, ok := file.(fileLike)
	return ok && term.IsTerminal(f.Fd())
}

// TerminalSize returns the number of columns and rows of a terminal. If file is not a terminal or
// the size is unknown, it returns 0, 0.
func TerminalSize(file any) (columns, rows int) {
	if f, ok := file.(fileLike); ok {
		if columns, rows, err := term.GetSize(f.Fd()); err == nil {
			return columns, rows
		}
	}
	return 0, 0
}
