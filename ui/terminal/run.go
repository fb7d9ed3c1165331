// Package terminal runs a Bubble Tea model on a terminal. It draws few frames, sends few bytes and
// pauses the renderer while nothing happens. It suspends the program, and ends it cleanly on
// signals and panics. It does not depend on what the model shows.
package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"tarmac/internal/quit"
)

// Options configure the program's terminal.
type Options struct {
	In      io.Reader
	Out     io.Writer
	Environ []string
	// NoColor removes colors. Bold, faint and reverse text remain.
	NoColor bool
	// Remote describes a terminal that is not a terminal of this machine, such as that of a client
	// over SSH. Out may then be any writer.
	Remote *Remote
}

// Model is what Run shows. Its Update must change the model in place, because Run ignores the model
// that Update returns.
type Model interface {
	tea.Model
	// Leaving reports whether the program ends after the next frame.
	Leaving() bool
	// Close saves unsaved data. It is called once, after the program and its context have ended.
	Close() error
}

// Leave asks the model to end the program as if the user had quit.
type Leave struct{}

// Suspend asks Run to stop the program until a shell resumes it. The model sends it on ctrl+z.
type Suspend struct{}

// framesPerSecond is the maximum number of frames drawn per second. Without a change nothing is
// drawn, and the first change after a pause is drawn at once (see pause).
const framesPerSecond = 120

// Run shows the model until the user quits or ctx ends. newModel gets the context for the model's
// commands. Run returns nil if the user has quit.
func Run(ctx context.Context, o Options, newModel func(context.Context) Model) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	model := paced{
		guarded: guarded{model: newModel(ctx), ctx: ctx, end: cancel},
		frames:  &frames{now: time.Now},
		pause:   &pause{},
	}
	if o.Remote == nil {
		model.suspension = newSuspension()
	} else {
		o, model.active = o.Remote.prepare(o), o.Remote.Active
	}
	defer func() {
		cancel(nil) // must come first, so that pending requests end
		model.suspension.close()
		err = errors.Join(err, model.close())
	}()

	// If TEA_TRACE is set, Bubble Tea logs every key and frame to a file, including tokens and
	// signing secrets.
	if err := os.Unsetenv("TEA_TRACE"); err != nil {
		return err
	}
	program := newProgram(model, o)
	if o.Remote == nil {
		defer quit.Guard(func() {
			model.pause.disable()
			_ = program.ReleaseTerminal()
		})()
	}
	context.AfterFunc(ctx, model.pause.disable)
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { endProgram(program, ended) })
	go forwardStops(ctx, program, model.suspension)
	if o.Remote != nil {
		go o.Remote.forwardMessages(model.guarded, program)
		// Send does nothing after the program's end.
		go forwardInput(model.guarded, o.In, func(event uv.Event) { program.Send(event) })
	}
	err = model.run(program)
	close(ended)
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// newProgram returns a program that shows the model.
func newProgram(model paced, o Options) *tea.Program {
	options := []tea.ProgramOption{
		tea.WithInput(o.In),
		tea.WithOutput(o.Out),
		tea.WithEnvironment(o.Environ),
		tea.WithFPS(framesPerSecond),
		// Signals cancel ctx, so that all of them end the program in the same way.
		tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(), // the type guarded catches them
	}
	if o.NoColor = o.NoColor || Monochrome(o.getenv("TERM")); o.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	file, isFile := o.Out.(terminalFile)
	paused := isFile || o.Remote != nil
	if paused {
		model.halves = halvesAreOneCell()
		out := output{o.Out, model.pause, model.halves}
		options = append(options, tea.WithOutput(out), tea.WithFilter(model.filter))
		if isFile {
			options = append(options, tea.WithOutput(fileOutput{file, out}))
		}
	}
	if o.Remote != nil {
		options = append(options, o.Remote.programOptions(o)...)
	}
	program := tea.NewProgram(model, options...)
	model.frames.sendRedraw = func(wait time.Duration) {
		time.AfterFunc(wait, func() { program.Send(redraw{}) })
	}
	if paused {
		model.frames.sendDrawn = func(wait time.Duration) {
			if wait <= 0 {
				go program.Send(drawn{})
				return
			}
			time.AfterFunc(wait, func() { program.Send(drawn{}) })
		}
		model.pause.queueMark = func() { go program.Send(markDue{}) }
		model.pause.queueMark()
	}
	return program
}

// timeToLeave limits how long an orderly end may take. A terminal that accepts no more output, for
// example after a lost connection, must not block the program.
const timeToLeave = 2 * time.Second

// endProgram makes the program end as if the user had quit. A killed program would leave its last
// frame on the screen.
func endProgram(program *tea.Program, ended <-chan struct{}) {
	go program.Send(Leave{})
	select {
	case <-ended:
	case <-time.After(timeToLeave):
		program.Kill()
	}
}

// forwardStops suspends the program when another process sends it a stop signal.
func forwardStops(ctx context.Context, program *tea.Program, s suspension) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.stops:
			program.Send(Suspend{})
		}
	}
}
