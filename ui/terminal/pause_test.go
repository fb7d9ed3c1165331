package terminal

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// fakeTerminal records its output and has no input.
type fakeTerminal struct {
	closed chan struct{}
	mu     sync.Mutex
	got    strings.Builder
}

func (*fakeTerminal) Fd() uintptr { return ^uintptr(0) }

func (f *fakeTerminal) Read([]byte) (int, error) { <-f.closed; return 0, io.EOF }

func (f *fakeTerminal) Close() error { return nil }

func (f *fakeTerminal) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.got.Write(p)
}

// take returns the output since its last call.
func (f *fakeTerminal) take() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.got.Reset()
	return f.got.String()
}

// page shows the number of pressed keys and ticks once a second.
type page struct{ keys int }

type tick struct{}

func everySecond() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tick{} })
}

func (*page) Init() tea.Cmd { return everySecond() }

func (p *page) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.KeyPressMsg:
		p.keys++
	case tick:
		return p, everySecond()
	}
	return p, nil
}

func (p *page) View() tea.View { return tea.NewView(fmt.Sprintf("%d keys", p.keys)) }
func (*page) Leaving() bool    { return false }
func (*page) Close() error     { return nil }

// shown runs a page on a fake terminal in a synctest bubble. looks returns how often the renderer
// has checked for something to draw.
func shown(t *testing.T, f func(t *testing.T, program *tea.Program, terminal *fakeTerminal, looks func() int64)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		model := paced{
			guarded: guarded{model: &page{}, ctx: ctx, end: cancel},
			frames:  &frames{now: time.Now},
			pause:   &pause{},
		}
		terminal := &fakeTerminal{closed: make(chan struct{})}
		program := newProgram(model, Options{In: terminal, Out: terminal, Environ: []string{"TERM=xterm-256color"}})
		var looked atomic.Int64
		queueMark := model.pause.queueMark
		model.pause.queueMark = func() { looked.Add(1); queueMark() }
		ended := make(chan error, 1)
		go func() {
			_, err := program.Run()
			ended <- err
		}()
		synctest.Wait() // the program has reported a window without a size
		program.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		time.Sleep(time.Second / 2) // between two ticks of the model
		synctest.Wait()
		f(t, program, terminal, looked.Load)
		program.Quit()
		synctest.Wait()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Error("the program had to be waited for")
			<-ended
		}
		if out := terminal.take(); strings.Contains(out, mark) {
			t.Errorf("the terminal is sent the mark: %q", out)
		}
		cancel(nil)
		close(terminal.closed)
		time.Sleep(2 * time.Second) // the model's last tick passes
	})
}

func TestNobodyLooksForSomethingToDrawWhileNothingHappens(t *testing.T) {
	shown(t, func(t *testing.T, _ *tea.Program, terminal *fakeTerminal, looks func() int64) {
		if !strings.Contains(terminal.take(), "keys") {
			t.Error("nothing was shown")
		}
		before := looks()
		time.Sleep(time.Minute)
		synctest.Wait()
		// The model ticks once a second.
		if n := looks() - before; n < 60 || n > 2*60 {
			t.Errorf("the renderer looked %d times in a minute", n)
		}
		if out := terminal.take(); out != "" {
			t.Errorf("it was sent %q", out)
		}
	})
}

func TestAKeyThatComesAloneIsDrawnAtOnce(t *testing.T) {
	shown(t, func(t *testing.T, program *tea.Program, terminal *fakeTerminal, _ func() int64) {
		terminal.take()
		for range 20 {
			program.Send(tea.KeyPressMsg{Code: tea.KeyDown})
			synctest.Wait()
			if terminal.take() == "" {
				t.Error("the key was not drawn when it had been taken in")
			}
			time.Sleep(frameTime)
			synctest.Wait()
			program.Send(tea.KeyPressMsg{Code: tea.KeyUp})
			synctest.Wait()
			if terminal.take() == "" {
				t.Error("the key was not drawn a frame later")
			}
			time.Sleep(time.Second / 3)
			synctest.Wait()
		}
	})
}

func TestEveryStateIsDrawnAFrameLaterAtMost(t *testing.T) {
	shown(t, func(t *testing.T, program *tea.Program, terminal *fakeTerminal, _ func() int64) {
		terminal.take()
		for i := range 200 {
			for range 1 + i%5 {
				program.Send(tea.KeyPressMsg{Code: tea.KeyDown})
				time.Sleep(time.Duration(i*37%3000) * time.Microsecond)
			}
			time.Sleep(2 * frameTime)
			synctest.Wait()
			terminal.take()
			time.Sleep(2 * frameTime)
			synctest.Wait()
			if late := terminal.take(); late != "" {
				t.Errorf("%q was shown after two frames", late)
			}
		}
	})
}

// Terminal requests and replies of Bubble Tea are sent while the renderer is paused.
func TestWhatIsQueuedForTheTerminalIsNotKeptBack(t *testing.T) {
	shown(t, func(t *testing.T, program *tea.Program, terminal *fakeTerminal, _ func() int64) {
		for range 5 {
			terminal.take()
			program.Send(tea.RequestBackgroundColor())
			program.Send(tea.RawMsg{Msg: "\x1b]52;c;Zm91bmQ=\a"})
			time.Sleep(2 * frameTime)
			synctest.Wait()
			out := terminal.take()
			if !strings.Contains(out, "\x1b]11;?") || !strings.Contains(out, "\x1b]52;c;Zm91bmQ=") {
				t.Errorf("the terminal was sent %q", out)
			}
			time.Sleep(time.Second)
		}
	})
}

// Bubble Tea may wait for its renderer for a reason that the pause does not see.
func TestARestEndsByItselfInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pause{queueMark: func() {}}
		began := time.Now()
		p.wait()
		if took := time.Since(began); took != longestPause {
			t.Errorf("it took %v", took)
		}
		p.draw()
		p.wait()
		p.disable()
		p.draw()
		p.wait()
		p.wait()
		if took := time.Since(began); took != longestPause {
			t.Errorf("a rest of %v with a frame due, or after the end", took-longestPause)
		}
	})
}

// Commands may return nil.
func TestAMessageThatIsNoneIsPassedOver(t *testing.T) {
	shown(t, func(t *testing.T, program *tea.Program, terminal *fakeTerminal, _ func() int64) {
		terminal.take()
		program.Send(nil)
		synctest.Wait()
		if out := terminal.take(); out != "" {
			t.Errorf("the terminal is sent %q", out)
		}
		program.Send(tea.KeyPressMsg{Code: tea.KeyDown})
		synctest.Wait()
		if terminal.take() == "" {
			t.Error("a key after it is not drawn")
		}
	})
}
