package cli

import (
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// hideInput makes a terminal stop showing what is typed. Lines end with enter as before. The
// function show ends this.
func hideInput(fd uintptr) (show func(), err error) {
	before, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	hidden := *before
	hidden.Mode &^= windows.ENABLE_ECHO_INPUT
	if err := term.SetState(fd, &hidden); err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(fd, before) }, nil
}
