//go:build unix

package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal runs the program in a pseudo-terminal and keeps its screen and output.
type terminal struct {
	t    testing.TB
	cmd  *exec.Cmd
	pty  *os.File
	done chan struct{} // closed when the program has ended and its output is read

	mu      sync.Mutex
	screen  *vt.Emulator
	raw     bytes.Buffer
	changed chan struct{}
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
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		t.Fatalf("starting the program: %v", err)
	}
	term := &terminal{
		t: t, cmd: cmd, pty: file, done: make(chan struct{}),
		screen: vt.NewEmulator(columns, rows), changed: make(chan struct{}, 1),
	}
	// Tell the emulator that it supports synchronized output: it reports a mode as known once it
	// was reset.
	_, _ = io.WriteString(term.screen, ansi.ResetModeSynchronizedOutput)
	go term.answer()
	go term.read()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-term.done
		_ = file.Close()
	})
	return term
}

// answer sends the emulator's replies (background colour, known modes) to the program, as a
// real terminal does.
func (term *terminal) answer() { _, _ = io.Copy(term.pty, term.screen) }

func (term *terminal) read() {
	defer close(term.done)
	buf := make([]byte, 64<<10)
	var (
		frames wholeFrames
		shown  unmarked
	)
	for {
		n, err := term.pty.Read(buf)
		if n > 0 {
			term.mu.Lock()
			term.raw.Write(buf[:n])
			_, _ = term.screen.Write(shown.of(frames.of(buf[:n])))
			term.mu.Unlock()
			select {
			case term.changed <- struct{}{}:
			default:
			}
		}
		if err != nil {
			term.mu.Lock()
			_, _ = term.screen.Write(shown.of(frames.begun)) // the unfinished frame of a killed program
			term.mu.Unlock()
			_ = term.cmd.Wait()
			// Closing the pipe ends answer. The emulator's own Close has a data race with its Read.
			if replies, ok := term.screen.InputPipe().(io.Closer); ok {
				_ = replies.Close()
			}
			return
		}
	}
}

// wholeFrames holds back a frame until it is complete, like terminals with synchronized output.
// A pty passes on a few kilobytes at a time, and half-drawn screens are never visible.
type wholeFrames struct{ begun []byte }

func (w *wholeFrames) of(output []byte) []byte {
	output = append(w.begun, output...)
	w.begun = nil
	begin, end := []byte(ansi.SetModeSynchronizedOutput), []byte(ansi.ResetModeSynchronizedOutput)
	until := len(output)
	if at := bytes.LastIndex(output, begin); at > bytes.LastIndex(output, end) {
		until = at
	} else {
		for n := min(len(begin)-1, len(output)); n > 0; n-- {
			if bytes.HasSuffix(output, begin[:n]) {
				until = len(output) - n
				break
			}
		}
	}
	w.begun = slices.Clone(output[until:])
	return output[:until]
}

// unmarked removes combining marks from the output. The emulator wrongly wraps at a mark in the
// second-to-last column.
type unmarked struct{ begun []byte } // an incomplete character

func (u *unmarked) of(output []byte) []byte {
	output = append(u.begun, output...)
	u.begun = nil
	shown := make([]byte, 0, len(output))
	for len(output) > 0 {
		if !utf8.FullRune(output) {
			u.begun = slices.Clone(output)
			break
		}
		r, size := utf8.DecodeRune(output)
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			shown = append(shown, output[:size]...)
		}
		output = output[size:]
	}
	return shown
}

// text returns the screen as plain lines.
func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.screen.String()
}

// output returns every byte that the program wrote.
func (term *terminal) output() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.raw.String()
}

// until waits for the screen to match every pattern.
func (term *terminal) until(patterns ...string) string {
	term.t.Helper()
	return term.wait(func(screen string) bool {
		for _, p := range patterns {
			if !regexp.MustCompile(p).MatchString(screen) {
				return false
			}
		}
		return true
	}, "to show "+strings.Join(patterns, " and "))
}

// untilGone waits until the screen no longer matches the pattern.
func (term *terminal) untilGone(pattern string) string {
	term.t.Helper()
	return term.wait(func(screen string) bool { return !regexp.MustCompile(pattern).MatchString(screen) },
		"to show no more "+pattern)
}

func (term *terminal) wait(ok func(string) bool, what string) string {
	term.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		screen := term.text()
		if ok(screen) {
			return screen
		}
		select {
		case <-term.changed:
		case <-term.done:
			if screen = term.text(); ok(screen) {
				return screen
			}
			term.t.Fatalf("the program ended; it was %s:\n%s", what, screen)
		case <-deadline.C:
			term.t.Fatalf("the screen never came %s:\n%s", what, screen)
		}
	}
}

// press sends keys as a terminal sends them.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	codes := map[string]string{"enter": "\r", "esc": "\x1b", "down": "\x1b[B", "up": "\x1b[A", "tab": "\t",
		"ctrl+c": "\x03", "ctrl+l": "\x0c"}
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			k = code
		}
		if _, err := io.WriteString(term.pty, k); err != nil {
			term.t.Fatalf("pressing %q: %v", k, err)
		}
	}
}

// resize changes the terminal's size.
func (term *terminal) resize(columns, rows int) {
	term.t.Helper()
	term.mu.Lock()
	term.screen.Resize(columns, rows)
	term.mu.Unlock()
	if err := pty.Setsize(term.pty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		term.t.Fatal(err)
	}
}

// ended waits for the program to exit and returns its exit code.
func (term *terminal) ended() int {
	term.t.Helper()
	select {
	case <-term.done:
	case <-time.After(patience):
		term.t.Fatalf("the program did not end:\n%s", term.text())
	}
	return term.cmd.ProcessState.ExitCode()
}

func (term *terminal) signal(s syscall.Signal) {
	term.t.Helper()
	if err := term.cmd.Process.Signal(s); err != nil {
		term.t.Fatal(err)
	}
}

// blank fails the test unless the program cleared its screen on exit, because terminals may
// keep the content. It requires that the terminal was not resized.
func (term *terminal) blank() {
	term.t.Helper()
	out := term.output()
	shown := vt.NewEmulator(term.screen.Width(), term.screen.Height())
	go func() { _, _ = io.Copy(io.Discard, shown) }() // discard its replies
	_, _ = shown.Write(new(unmarked).of([]byte(out[:max(0, strings.LastIndex(out, "\x1b[?1049l"))])))
	if left := strings.TrimSpace(shown.String()); left != "" {
		term.t.Errorf("the program left this on the screen:\n%s", left)
	}
}

// restored fails the test unless the program restored the terminal: main screen, visible
// cursor, bracketed paste off.
func (term *terminal) restored() {
	term.t.Helper()
	out := term.output()
	for _, pair := range [][2]string{{"\x1b[?1049h", "\x1b[?1049l"}, {"\x1b[?25l", "\x1b[?25h"},
		{"\x1b[?2004h", "\x1b[?2004l"}} {
		if on, off := strings.LastIndex(out, pair[0]), strings.LastIndex(out, pair[1]); on >= 0 && off < on {
			term.t.Errorf("%q was never taken back with %q", pair[0], pair[1])
		}
	}
}

func TestFramesAreShownWhole(t *testing.T) {
	const begin, end = ansi.SetModeSynchronizedOutput, ansi.ResetModeSynchronizedOutput
	whole := "a" + begin + "b\x1b[1;1Hc" + end + "d" + begin + "e" + end
	for at := range len(whole) {
		var frames wholeFrames
		first := string(frames.of([]byte(whole[:at])))
		if opened := strings.LastIndex(first, begin); opened >= 0 && !strings.Contains(first[opened:], end) ||
			strings.HasSuffix(first, "\x1b") {
			t.Errorf("cut at %d: %q is shown", at, first)
		}
		if all := first + string(frames.of([]byte(whole[at:]))); all != whole {
			t.Errorf("cut at %d: %q", at, all)
		}
	}
}
