// Package terminal runs a Bubble Tea model on a terminal. It draws few frames and sends few bytes,
// pauses the renderer while nothing happens, suspends the program, and ends it cleanly on signals
// and panics. It does not depend on the model's contents.
package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options configure the terminal of a program.
type Options struct {
	In      io.Reader
	Out     io.Writer
	Environ []string
	// NoColor removes colours; bold, faint and reverse stay.
	NoColor bool
}

// Model is what Run shows. Update must change it in place: the model that Update returns is
// ignored.
type Model interface {
	tea.Model
	// Leaving reports whether the next frame is the last.
	Leaving() bool
	// Close saves unsaved data. It is called once, after the program and its context have ended.
	Close() error
}

// Leave asks the model to end the program as if the person had quit.
type Leave struct{}

// Suspend stops the program until a shell resumes it. A model sends it for ctrl+z.
type Suspend struct{}

// framesPerSecond limits how often the screen is drawn. Nothing is drawn without a change, and the
// first change after a pause is drawn at once (see pause).
const framesPerSecond = 120

// Run shows the model until the person quits or ctx ends. newModel receives the context of the
// model's commands. Run returns nil if the person quit.
func Run(ctx context.Context, o Options, newModel func(context.Context) Model) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	model := paced{
		guarded: guarded{model: newModel(ctx), ctx: ctx, end: cancel, suspension: newSuspension()},
		frames:  &frames{now: time.Now},
		pause:   &pause{},
	}
	defer func() {
		cancel(nil) // first, so that pending requests end
		model.suspension.close()
		err = errors.Join(err, model.close())
	}()

	// With TEA_TRACE Bubble Tea would log every key and frame to a file, including tokens and
	// signing secrets.
	if err := os.Unsetenv("TEA_TRACE"); err != nil {
		return err
	}
	program := newProgram(model, o)
	context.AfterFunc(ctx, model.pause.end)
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { endProgram(program, ended) })
	go forwardStops(ctx, program, model.suspension)
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
		// Signals end ctx, so that the program ends the same way for all of them.
		tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(), // guarded catches them
	}
	if o.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	file, isFile := o.Out.(terminalFile)
	if isFile {
		model.halves = halvesAreOneCell()
		options = append(options, tea.WithOutput(output{file, model.pause, model.halves}), tea.WithFilter(model.filter))
	}
	program := tea.NewProgram(model, options...)
	model.frames.sendRedraw = func(wait time.Duration) {
		time.AfterFunc(wait, func() { program.Send(redraw{}) })
	}
	if isFile {
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

// timeToLeave limits an orderly end, because a terminal that accepts no more output, as after a
// lost connection, must not block the program.
const timeToLeave = 2 * time.Second

// endProgram makes the program end as if the person had quit, since a killed program would leave
// its last frame on the screen.
func endProgram(program *tea.Program, ended <-chan struct{}) {
	go program.Send(Leave{})
	select {
	case <-ended:
	case <-time.After(timeToLeave):
		program.Kill()
	}
}

// forwardStops suspends the program when another process asks it to stop.
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
