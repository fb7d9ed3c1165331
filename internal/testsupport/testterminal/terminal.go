//go:build unix

// Package testterminal runs programs in pseudo-terminals, and reads their screens.
package testterminal

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience limits the wait for what a screen should show. Only failing tests reach it.
const patience = time.Minute

// Terminal runs a program in a pseudo-terminal and keeps its screen and output.
type Terminal struct {
	Cmd *exec.Cmd

	t       testing.TB
	pty     *os.File
	mute    bool
	broken  func()
	ended   chan struct{} // closed when the program has ended and its output is read
	changes chan struct{}

	mu     sync.Mutex
	shrunk bool // true after Resize to fewer rows
	screen *vt.Emulator
	raw    bytes.Buffer
}

// Start runs a command in a terminal of the given size. The emulator may crash when a screen
// shrinks during output. The screen is then replaced and drawn again, and the function is called,
// unless it is nil.
func Start(t testing.TB, cmd *exec.Cmd, columns, rows int, broken func()) *Terminal {
	t.Helper()
	return start(t, &Terminal{Cmd: cmd, t: t, broken: broken}, columns, rows)
}

// StartMute runs a command in a terminal of the given size that answers none of its queries.
func StartMute(t testing.TB, cmd *exec.Cmd, columns, rows int) *Terminal {
	t.Helper()
	return start(t, &Terminal{Cmd: cmd, t: t, mute: true}, columns, rows)
}

func start(t testing.TB, term *Terminal, columns, rows int) *Terminal {
	t.Helper()
	cmd := term.Cmd
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		t.Fatalf("starting the program: %v", err)
	}
	term.pty, term.ended, term.changes = file, make(chan struct{}), make(chan struct{}, 1)
	term.open(columns, rows)
	go term.read()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-term.ended
		_ = file.Close()
	})
	return term
}

// Done is closed when the program has ended and its output is read.
func (term *Terminal) Done() <-chan struct{} { return term.ended }

// Changed receives a value after changes of the screen.
func (term *Terminal) Changed() <-chan struct{} { return term.changes }

// Fd returns the file descriptor of the terminal.
func (term *Terminal) Fd() uintptr { return term.pty.Fd() }

// open makes an empty screen. Its replies (background colour, known modes) go to the program, as a
// real terminal's do, unless the terminal is mute.
func (term *Terminal) open(columns, rows int) {
	screen := vt.NewEmulator(columns, rows)
	// Tell the emulator that it supports synchronized output: it reports a mode as known once it
	// was reset.
	_, _ = io.WriteString(screen, ansi.ResetModeSynchronizedOutput)
	replies := io.Writer(term.pty)
	if term.mute {
		replies = io.Discard
	}
	go func() { _, _ = io.Copy(replies, screen) }()
	term.screen = screen
}

// close ends the replies. The emulator's own Close has a data race with its Read.
func (term *Terminal) close() {
	if replies, ok := term.screen.InputPipe().(io.Closer); ok {
		_ = replies.Close()
	}
}

func (term *Terminal) read() {
	defer close(term.ended)
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
			term.draw(shown.of(frames.of(buf[:n])))
			term.mu.Unlock()
			select {
			case term.changes <- struct{}{}:
			default:
			}
		}
		if err != nil {
			term.mu.Lock()
			term.draw(shown.of(frames.begun)) // the unfinished frame of a killed program
			term.mu.Unlock()
			_ = term.Cmd.Wait()
			term.close()
			return
		}
	}
}

// draw writes output to the screen, and replaces a screen that crashes because it has shrunk.
func (term *Terminal) draw(output []byte) {
	defer func() {
		if !term.shrunk || recover() == nil {
			return
		}
		term.close()
		term.open(term.screen.Width(), term.screen.Height())
		go func() { _ = term.Type("\x0c") }() // redraws everything
		if term.broken != nil {
			term.broken()
		}
	}()
	_, _ = term.screen.Write(output)
}

// Text returns the screen as plain lines.
func (term *Terminal) Text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.screen.String()
}

// Output returns every byte that the program wrote.
func (term *Terminal) Output() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.raw.String()
}

// Until waits for the screen to match every pattern.
func (term *Terminal) Until(patterns ...string) string {
	term.t.Helper()
	return term.Wait(func(screen string) bool {
		for _, p := range patterns {
			if !regexp.MustCompile(p).MatchString(screen) {
				return false
			}
		}
		return true
	}, "to show "+strings.Join(patterns, " and "))
}

// UntilGone waits until the screen no longer matches the pattern.
func (term *Terminal) UntilGone(pattern string) string {
	term.t.Helper()
	return term.Wait(func(screen string) bool { return !regexp.MustCompile(pattern).MatchString(screen) },
		"to show no more "+pattern)
}

// Wait waits until the screen is ok. what completes "it was" in the text of a failure.
func (term *Terminal) Wait(ok func(string) bool, what string) string {
	term.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		screen := term.Text()
		if ok(screen) {
			return screen
		}
		select {
		case <-term.changes:
		case <-term.ended:
			if screen = term.Text(); ok(screen) {
				return screen
			}
			term.t.Fatalf("the program ended; it was %s:\n%s", what, screen)
		case <-deadline.C:
			term.t.Fatalf("the screen never came %s:\n%s", what, screen)
		}
	}
}

// Press sends keys as a terminal sends them.
func (term *Terminal) Press(keys ...string) {
	term.t.Helper()
	codes := map[string]string{"enter": "\r", "esc": "\x1b", "down": "\x1b[B", "up": "\x1b[A", "tab": "\t",
		"shift+tab": "\x1b[Z", "ctrl+c": "\x03", "ctrl+l": "\x0c"}
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			k = code
		}
		if err := term.Type(k); err != nil {
			term.t.Fatalf("pressing %q: %v", k, err)
		}
	}
}

// Type sends a text as it is.
func (term *Terminal) Type(text string) error {
	_, err := io.WriteString(term.pty, text)
	return err
}

// Resize changes the terminal's size.
func (term *Terminal) Resize(columns, rows int) {
	term.t.Helper()
	term.mu.Lock()
	term.shrunk = term.shrunk || rows < term.screen.Height()
	term.screen.Resize(columns, rows)
	term.mu.Unlock()
	if err := pty.Setsize(term.pty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		term.t.Fatal(err)
	}
}

// Ended waits for the program to exit and returns its exit code.
func (term *Terminal) Ended() int {
	term.t.Helper()
	select {
	case <-term.ended:
	case <-time.After(patience):
		term.t.Fatalf("the program did not end:\n%s", term.Text())
	}
	return term.Cmd.ProcessState.ExitCode()
}

// Signal sends a signal to the program.
func (term *Terminal) Signal(s syscall.Signal) {
	term.t.Helper()
	if err := term.Cmd.Process.Signal(s); err != nil {
		term.t.Fatal(err)
	}
}

// Blank fails the test unless the program cleared its screen on exit, because terminals may
// keep the content. It requires that the terminal was not resized.
func (term *Terminal) Blank() {
	term.t.Helper()
	out := term.Output()
	shown := vt.NewEmulator(term.screen.Width(), term.screen.Height())
	go func() { _, _ = io.Copy(io.Discard, shown) }() // discard its replies
	_, _ = shown.Write(new(unmarked).of([]byte(out[:max(0, strings.LastIndex(out, "\x1b[?1049l"))])))
	if left := strings.TrimSpace(shown.String()); left != "" {
		term.t.Errorf("the program left this on the screen:\n%s", left)
	}
}

// Restored fails the test unless the program restored the terminal: main screen, visible
// cursor, bracketed paste off.
func (term *Terminal) Restored() {
	term.t.Helper()
	out := term.Output()
	for _, pair := range [][2]string{{"\x1b[?1049h", "\x1b[?1049l"}, {"\x1b[?25l", "\x1b[?25h"},
		{"\x1b[?2004h", "\x1b[?2004l"}} {
		if on, off := strings.LastIndex(out, pair[0]), strings.LastIndex(out, pair[1]); on >= 0 && off < on {
			term.t.Errorf("%q was never taken back with %q", pair[0], pair[1])
		}
	}
}
