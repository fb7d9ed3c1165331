package terminal

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// Remote describes a terminal that is reached over a connection. Run then handles no signals of
// this process and does not suspend it, and Options.Environ, which names the terminal and its
// locale, decides about colors and characters.
type Remote struct {
	Width, Height int // size of the window at the start, in cells
	// Next waits for the next message to the model, for example a tea.WindowSizeMsg. It returns an
	// error when ctx has ended.
	Next func(ctx context.Context) (tea.Msg, error)
	// Active is called when the person has pressed a key, used the mouse or pasted a text. It must
	// not block.
	Active func()
}

// prepare returns o with an output in the characters of the terminal.
func (r *Remote) prepare(o Options) Options {
	o.Out = newlineWriter{o.Out}
	if ASCIIOnly("linux", o.getenv) {
		o.Out = &asciiWriter{terminal: o.Out}
	}
	// With SSH_TTY, Bubble Tea does not ask the terminal for modes. The answer might arrive after
	// the session, where it would be typed into the person's shell.
	o.Environ = append(slices.Clip(o.Environ), "SSH_TTY=remote")
	return o
}

// newlineWriter writes a carriage return before each newline. Bubble Tea expects that a terminal
// which is not one of this machine does so by itself, but ssh puts it into raw mode.
type newlineWriter struct{ terminal io.Writer }

func (w newlineWriter) Write(p []byte) (int, error) {
	if _, err := w.terminal.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// getenv returns a variable of the environment, or "".
func (o Options) getenv(name string) string {
	for _, variable := range o.Environ {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}

// programOptions returns the options of a program on the terminal. The program then asks neither
// the system for the size of the window, nor a database of terminals for colors.
func (r *Remote) programOptions(ctx context.Context, o Options) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithInput(noInput{ctx}), tea.WithWindowSize(r.Width, r.Height)}
	if !o.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.Env(o.Environ)))
	}
	return options
}

// noInput is an input on which nothing arrives before ctx ends. Bubble Tea reads from it, because
// without an input it would not ask the terminal to tell keys apart better.
type noInput struct{ ctx context.Context }

func (i noInput) Read([]byte) (int, error) {
	<-i.ctx.Done()
	return 0, io.EOF
}

// forwardInput decodes the input of the terminal and sends it to the program until the input ends.
// Bubble Tea's own goroutine for this would wait for ever if the program ended during an event, and
// would end the process if the decoder had a bug.
func forwardInput(g guarded, o Options, program *tea.Program) {
	events := make(chan uv.Event)
	go func() {
		defer close(events)
		defer g.catch()
		input := guardedReader{g, &inputFilter{in: o.In, now: time.Now}}
		_ = uv.NewTerminalReader(input, o.getenv("TERM")).StreamEvents(g.ctx, events) // its end is the end of the session
	}()
	for event := range events {
		program.Send(event) // does nothing after the program's end
	}
}

// guardedReader catches the panics of a reader. The decoder reads in a goroutine of its own.
type guardedReader struct {
	guarded
	in io.Reader
}

func (r guardedReader) Read(p []byte) (n int, err error) {
	err = io.EOF // after a panic
	defer r.catch()
	return r.in.Read(p)
}

// forwardMessages sends the program the messages of Next until its context ends.
func (r *Remote) forwardMessages(g guarded, program *tea.Program) {
	defer g.catch()
	for {
		msg, err := r.Next(g.ctx)
		if err != nil {
			return
		}
		program.Send(msg)
	}
}
