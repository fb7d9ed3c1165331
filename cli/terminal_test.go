//go:build unix

package cli_test

import (
	"os/exec"
	"syscall"
	"testing"

	"tarmac/internal/testsupport/testterminal"
)

// terminal runs the program in a pseudo-terminal and keeps its screen and output.
type terminal struct {
	*testterminal.Terminal
	t             testing.TB
	cmd           *exec.Cmd
	done, changed <-chan struct{}
}

// startTerminal runs the program in a terminal of the given size. Its environment contains only
// the given variables.
func startTerminal(t testing.TB, columns, rows int, environ []string, args ...string) *terminal {
	t.Helper()
	return runInTerminal(t, program(t, environ, args...), columns, rows)
}

// runInTerminal runs a command in a terminal of the given size.
func runInTerminal(t testing.TB, cmd *exec.Cmd, columns, rows int) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("walks a real terminal")
	}
	term := testterminal.Start(t, cmd, columns, rows, nil)
	return &terminal{term, t, cmd, term.Done(), term.Changed()}
}

func (term *terminal) text() string {
	term.t.Helper()
	return term.Text()
}

func (term *terminal) output() string {
	term.t.Helper()
	return term.Output()
}

func (term *terminal) until(patterns ...string) string {
	term.t.Helper()
	return term.Until(patterns...)
}

func (term *terminal) untilGone(pattern string) string {
	term.t.Helper()
	return term.UntilGone(pattern)
}

func (term *terminal) wait(ok func(string) bool, what string) string {
	term.t.Helper()
	return term.Wait(ok, what)
}

func (term *terminal) press(keys ...string) {
	term.t.Helper()
	term.Press(keys...)
}

func (term *terminal) resize(columns, rows int) {
	term.t.Helper()
	term.Resize(columns, rows)
}

func (term *terminal) ended() int {
	term.t.Helper()
	return term.Ended()
}

func (term *terminal) signal(s syscall.Signal) {
	term.t.Helper()
	term.Signal(s)
}

func (term *terminal) blank() {
	term.t.Helper()
	term.Blank()
}

func (term *terminal) restored() {
	term.t.Helper()
	term.Restored()
}

func (term *terminal) checkState() {
	term.t.Helper()
	term.CheckState()
}

func (term *terminal) checkSettings() {
	term.t.Helper()
	term.CheckSettings()
}
