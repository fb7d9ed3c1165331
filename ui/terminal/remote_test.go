package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/panics"
)

// remoteModel shows a line with an arrow and the size of its window.
type remoteModel struct {
	page
	width   int
	leaving bool
}

func (*remoteModel) Init() tea.Cmd { return nil }

func (m *remoteModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width = msg.Width
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+z" {
			return m, func() tea.Msg { return Suspend{} }
		}
	case Leave:
		m.leaving = true
		return m, tea.Quit
	}
	return m, nil
}

func (m *remoteModel) View() tea.View {
	if m.width == 0 { // the size is not known yet
		return tea.NewView("")
	}
	v := tea.NewView("→ " + strings.Repeat("=", m.width) + "|")
	v.AltScreen = true
	return v
}

func (m *remoteModel) Leaving() bool { return m.leaving }

// connection is a terminal at the other end of a connection.
type connection struct {
	io.Reader
	typed  *io.PipeWriter
	sizes  chan [2]int
	active atomic.Int64
	mu     sync.Mutex
	shown  strings.Builder
}

func (c *connection) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown.Write(p)
}

func (c *connection) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.shown.Reset()
	return c.shown.String()
}

func (c *connection) nextSize(ctx context.Context) (tea.Msg, error) {
	select {
	case size := <-c.sizes:
		return tea.WindowSizeMsg{Width: size[0], Height: size[1]}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// remote runs a model on a connection in a synctest bubble.
func remote(t *testing.T, environ []string, f func(*testing.T, *connection)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		input, typed := io.Pipe()
		c := &connection{Reader: input, typed: typed, sizes: make(chan [2]int)}
		ended := make(chan error, 1)
		go func() {
			ended <- Run(ctx, Options{
				In: c, Out: c, Environ: append([]string{"TERM=xterm-256color"}, environ...),
				Remote: &Remote{Width: 12, Height: 3, Next: c.nextSize, Active: func() { c.active.Add(1) }},
			}, func(context.Context) Model { return &remoteModel{} })
		}()
		c.settle()
		f(t, c)
		cancel()
		c.settle()
		if err := typed.Close(); err != nil {
			t.Error(err)
		}
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("it does not end")
		}
	})
}

func (*connection) settle() {
	time.Sleep(time.Second)
	synctest.Wait()
}

func (c *connection) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(c.typed, keys); err != nil {
		t.Error(err)
	}
	c.settle()
}

// brokenReader panics in the goroutine that decodes input.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { panic("Acme LLC owes 1,234.56") }

// A process serves many remote terminals, so no goroutine of one may end the process.
func TestAPanicInAnyGoroutineOfARemoteTerminalEndsItAlone(t *testing.T) {
	waits := func(ctx context.Context) (tea.Msg, error) { <-ctx.Done(); return nil, ctx.Err() }
	for name, c := range map[string]struct {
		in     io.Reader
		remote Remote
	}{
		"input":    {brokenReader{}, Remote{Next: waits}},
		"messages": {iotest.ErrReader(io.EOF), Remote{Next: func(context.Context) (tea.Msg, error) { panic("Acme LLC") }}},
		"activity": {strings.NewReader("j"), Remote{Next: waits, Active: func() { panic("Acme LLC") }}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.remote.Width, c.remote.Height = 12, 3
				err := Run(t.Context(), Options{
					In: c.in, Out: io.Discard, Environ: []string{"TERM=xterm-256color"}, Remote: &c.remote,
				}, func(context.Context) Model { return &remoteModel{} })

				if _, isFault := errors.AsType[*panics.Fault](err); !isFault || strings.Contains(err.Error(), "Acme") {
					t.Errorf("it ended with %v", err)
				}
			})
		})
	}
}

func TestARemoteTerminalHasTheSizeThatItReports(t *testing.T) {
	remote(t, nil, func(t *testing.T, c *connection) {
		if shown := c.take(); !strings.Contains(shown, "→ =========") {
			t.Errorf("the first frame is %q", shown)
		}
		c.sizes <- [2]int{6, 2}
		c.settle()
		if shown := c.take(); !strings.Contains(shown, "====") {
			t.Errorf("after the change of its size: %q", shown)
		}
	})
}

func TestOnlyWhatAPersonDoesKeepsASessionActive(t *testing.T) {
	remote(t, nil, func(t *testing.T, c *connection) {
		c.press(t, "\x1b[I\x1b[O\x1b[?62;4c\x1b]11;rgb:0000/0000/0000\x07")
		if n := c.active.Load(); n != 0 {
			t.Errorf("reports of the terminal count as %d", n)
		}
		c.press(t, "j")
		c.press(t, "\x1b[<0;3;2M")
		c.press(t, "\x1b[200~text\x1b[201~")
		if n := c.active.Load(); n != 3 {
			t.Errorf("a key, a click and a paste count as %d", n)
		}
	})
}

func TestARemoteTerminalGetsTheCharactersOfItsOwnLocale(t *testing.T) {
	for locale, arrow := range map[string]string{"LANG=de_DE.UTF-8": "→", "LC_ALL=C": ">"} {
		remote(t, []string{locale}, func(t *testing.T, c *connection) {
			if shown := c.take(); !strings.Contains(shown, arrow+" ==") {
				t.Errorf("%s: %q", locale, shown)
			}
		})
	}
}

func TestASessionAsksForNoModesAndDoesNotStopTheProcess(t *testing.T) {
	remote(t, nil, func(t *testing.T, c *connection) {
		if shown := c.take(); strings.Contains(shown, "?2026$p") || strings.Contains(shown, mark) {
			t.Errorf("the terminal is asked: %q", shown)
		}
		c.press(t, "\x1a") // a process that stopped itself here would not continue
		c.press(t, "j")
		if n := c.active.Load(); n != 2 {
			t.Errorf("it has seen %d keys", n)
		}
	})
}

// A terminal that can tell escape from the beginning of a sequence is asked to, and no longer after
// the session.
func TestARemoteTerminalIsAskedToTellKeysApart(t *testing.T) {
	var shown string
	remote(t, nil, func(t *testing.T, c *connection) {
		shown = c.take()
		t.Cleanup(func() { shown += c.take() })
	})
	rest := shown
	for _, next := range []string{
		"\x1b[?1049h\x1b[>4;2m\x1b[>1u\x1b[?u", "\x1b[>4m\x1b[<1u\x1b[?1049l",
	} {
		var found bool
		if _, rest, found = strings.Cut(rest, next); !found {
			t.Fatalf("%q is not sent in its place: %q", next, shown)
		}
	}
	if strings.Count(shown, "\x1b[>1u") != 1 || strings.Count(shown, "\x1b[<1u") != 1 {
		t.Errorf("it is asked more than once: %q", shown)
	}
}

// Nothing behind ssh returns to the left edge at a newline, as the driver of a local terminal does.
func TestALineOfARemoteTerminalBeginsAtItsLeftEdge(t *testing.T) {
	remote(t, nil, func(t *testing.T, c *connection) {
		c.sizes <- [2]int{8, 3}
		c.settle()
		if shown := c.take(); strings.Count(shown, "\n") != strings.Count(shown, "\r\n") {
			t.Errorf("a newline is alone: %q", shown)
		}
	})
	var out strings.Builder
	if _, err := (remoteWriter{&out}).Write([]byte("a\nb")); err != nil || out.String() != "a\r\nb" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
