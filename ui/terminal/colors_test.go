package terminal

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// painted shows a bold red word.
type painted struct{ page }

func (*painted) View() tea.View { return tea.NewView("\x1b[1;31moverdue\x1b[m") }

var (
	colored = regexp.MustCompile(`\x1b\[([0-9;:]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;:m]`)
	bold    = regexp.MustCompile(`\x1b\[([0-9;]*;)?1[;m]`)
)

func TestATerminalWithoutColorsIsSentNone(t *testing.T) {
	for _, c := range []struct {
		environ []string
		colors  bool
	}{
		{[]string{"TERM=vt100"}, false},
		{[]string{"TERM=vt102"}, false},
		{[]string{"TERM=vt220"}, false},
		{[]string{"TERM=vt220-8bit"}, false},
		{[]string{"TERM=xterm-mono"}, false},
		{[]string{"TERM=linux-m"}, false},
		{[]string{"TERM=vt100", "COLORTERM=truecolor"}, false},
		{[]string{"TERM=dumb"}, false},
		{[]string{"TERM=xterm-256color", "NO_COLOR=1"}, false},
		{[]string{"TERM=vt525"}, true},
		{[]string{"TERM=vte-256color"}, true},
		{[]string{"TERM=linux"}, true},
		{[]string{"TERM=xterm"}, true},
		{[]string{"TERM=xterm-256color"}, true},
	} {
		t.Run(strings.Join(c.environ, " "), func(t *testing.T) {
			for place, out := range map[string]string{
				"on this machine": firstFrame(t, c.environ, nil),
				"over SSH":        firstFrame(t, c.environ, &Remote{Width: 80, Height: 24}),
			} {
				if !strings.Contains(out, "overdue") {
					t.Fatalf("%s nothing is shown: %q", place, out)
				}
				if colored.MatchString(out) != c.colors {
					t.Errorf("%s colors are %t in %q", place, !c.colors, out)
				}
				if c.environ[0] != "TERM=dumb" && !bold.MatchString(out) {
					t.Errorf("%s the word is not bold in %q", place, out)
				}
			}
		})
	}
}

// firstFrame returns what a terminal with the given environment is sent first.
func firstFrame(t *testing.T, environ []string, remote *Remote) (out string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		terminal := &fakeTerminal{closed: make(chan struct{})}
		// The fake is none that the system knows as a terminal.
		o := Options{In: terminal, Out: terminal, Environ: append(environ, "TTY_FORCE=1"), Remote: remote}
		shown := start(t, &painted{}, o)
		out = terminal.take()
		shown.end(t)
		close(terminal.closed)
		time.Sleep(2 * time.Second) // the model's last tick passes
	})
	return out
}

func TestOldTerminalsAreSentNoAddresses(t *testing.T) {
	for name, want := range map[string]bool{
		"xterm-256color": true, "tmux-256color": true, "xterm-kitty": true, "linux": false, "vt220": false, "": false,
		"dumb": false, "xterm-mono": false, "screen": true,
	} {
		if got := OpensLinks(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
