package terminal

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"
)

// emulated is a terminal whose screen can be read. Its emulator stands behind a lock, as it is
// resized and read while the renderer writes.
type emulated struct {
	*fakeTerminal
	mu     sync.Mutex
	screen *vt.Emulator
}

func newEmulated(width, height int) *emulated {
	return &emulated{fakeTerminal: &fakeTerminal{closed: make(chan struct{})}, screen: vt.NewEmulator(width, height)}
}

func (e *emulated) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := remoteWriter{e.screen}.Write(region.ReplaceAllFunc(p, e.clip))
	return len(p), err
}

var region = regexp.MustCompile("\x1b\\[([0-9]+);([0-9]+)r")

// clip limits a scroll region to the screen, as terminals do. The emulator does not and panics.
func (e *emulated) clip(sequence []byte) []byte {
	var top, bottom int
	_, _ = fmt.Sscanf(string(sequence), "\x1b[%d;%dr", &top, &bottom)
	if bottom = min(bottom, e.screen.Height()); top >= bottom {
		return nil // terminals ignore it
	}
	return fmt.Appendf(nil, "\x1b[%d;%dr", top, bottom)
}

func (e *emulated) resize(size tea.WindowSizeMsg) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.screen.Resize(size.Width, size.Height)
}

// lines returns the screen without trailing spaces.
func (e *emulated) lines() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := strings.Split(e.screen.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// feed shows a header, the newest events first, and a footer. Each event scrolls the others down.
type feed struct {
	size   tea.WindowSizeMsg
	events int
}

type event struct{}

func (*feed) Init() tea.Cmd { return nil }

func (f *feed) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		f.size = msg
	case event:
		f.events++
	}
	return f, nil
}

func (f *feed) View() tea.View {
	v := tea.NewView(strings.Join(f.lines(), "\n"))
	v.AltScreen = true
	return v
}

func (f *feed) lines() []string {
	lines := make([]string, f.size.Height)
	for i := range lines {
		lines[i] = fmt.Sprintf("event %d %s|", f.events-i, strings.Repeat("=", (f.events-i)%7))
	}
	if len(lines) > 1 {
		lines[0], lines[len(lines)-1] = fmt.Sprintf("header of %dx%d", f.size.Width, f.size.Height), "q quit  ? help"
	}
	return lines
}

func (*feed) Leaving() bool { return false }
func (*feed) Close() error  { return nil }

// running is a program in a synctest bubble.
type running struct {
	program *tea.Program
	ended   chan error
	cancel  context.CancelCauseFunc
}

// start runs a model on a terminal of 80x24.
func start(t *testing.T, m Model, o Options) running {
	ctx, cancel := context.WithCancelCause(t.Context())
	model := paced{
		guarded: guarded{model: m, ctx: ctx, end: cancel}, frames: &frames{now: time.Now}, pause: &pause{},
	}
	r := running{newProgram(model, o), make(chan error, 1), cancel}
	go func() {
		_, err := r.program.Run()
		r.ended <- err
	}()
	r.settle()
	r.program.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	r.settle()
	return r
}

// settle waits until the latest view is on the terminal.
func (running) settle() {
	time.Sleep(2 * frameTime)
	synctest.Wait()
}

func (r running) end(t *testing.T) {
	r.program.Quit()
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	r.cancel(nil)
}

// A window may change its size while a frame for the earlier size is on its way. Such a frame sets
// a scroll region that does not reach to the end of the new window.
func TestAStormOfResizesLeavesTheScreenWhole(t *testing.T) {
	resizes := 2000
	if testing.Short() {
		resizes /= 10
	}
	synctest.Test(t, func(t *testing.T) {
		model, terminal := &feed{events: 1000}, newEmulated(80, 24)
		go func() { _, _ = io.Copy(io.Discard, terminal.screen) }() // its replies
		shown := start(t, model, Options{In: terminal, Out: terminal, Environ: []string{"TERM=xterm-256color"}})

		rng := rand.New(rand.NewPCG(16, 1))
		wrong := 0
		for range resizes {
			size := tea.WindowSizeMsg{Width: 30 + rng.IntN(30), Height: 8 + rng.IntN(22)}
			terminal.resize(size)
			shown.program.Send(event{}) // is drawn for the earlier size
			shown.settle()
			shown.program.Send(size)
			if rng.IntN(2) == 0 {
				shown.program.Send(event{})
			}
			shown.settle()
			shown.program.Send(event{})
			shown.settle()

			got, want := strings.Join(terminal.lines(), "\n"), strings.Join(model.lines(), "\n")
			if got != want {
				if wrong++; wrong == 1 {
					t.Errorf("after a resize to %dx%d the screen is\n%s", size.Width, size.Height, got)
				}
			}
		}
		if wrong > 0 {
			t.Errorf("the screen was wrong after %d of %d resizes", wrong, resizes)
		}

		shown.end(t)
		close(terminal.closed)
		if replies, ok := terminal.screen.InputPipe().(io.Closer); ok {
			_ = replies.Close()
		}
	})
}
