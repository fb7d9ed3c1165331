package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Terminal is where the dashboard is shown.
type Terminal struct {
	In      io.Reader
	Out     io.Writer
	Environ []string
	// NoColor leaves out colours; bold, faint and reverse stay.
	NoColor bool
}

// framesPerSecond is how often the screen is drawn at most. Nothing is drawn
// when nothing changed, and what comes after a while is drawn at once (see rest).
const framesPerSecond = 120

// Run shows the dashboard until the person leaves it or ctx ends. It returns
// nil when the person left it.
func Run(ctx context.Context, t Terminal, o Options) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	model := paced{
		guarded: guarded{model: New(ctx, o), ctx: ctx, end: cancel, suspension: newSuspension()},
		frames:  &frames{now: time.Now},
		rest:    &rest{},
	}
	defer func() {
		cancel(nil) // first: what is being started ends with it
		model.suspension.close()
		err = errors.Join(err, model.close())
	}()

	// Bubble Tea would write every key and frame into the file that this names, tokens
	// and signing secrets with them.
	if err := os.Unsetenv("TEA_TRACE"); err != nil {
		return err
	}
	program := newProgram(model, t)
	context.AfterFunc(ctx, model.rest.end)
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { endProgram(program, ended) })
	go suspendWhenAsked(ctx, program, model.suspension)
	err = model.run(program)
	close(ended)
	if !stop() {
		return context.Cause(ctx)
	}
	return err
}

// newProgram returns a program that shows the model.
func newProgram(model paced, t Terminal) *tea.Program {
	options := []tea.ProgramOption{
		tea.WithInput(t.In),
		tea.WithOutput(t.Out),
		tea.WithEnvironment(t.Environ),
		tea.WithFPS(framesPerSecond),
		// Signals end ctx: the program ends the same way for all of them.
		tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(), // guarded does it
	}
	if t.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	terminal, ok := t.Out.(terminalFile)
	if ok {
		model.halves = halvesWork()
		options = append(options, tea.WithOutput(screen{terminal, model.rest, model.halves}), tea.WithFilter(model.filter))
	}
	program := tea.NewProgram(model, options...)
	model.frames.later = func(wait time.Duration) {
		time.AfterFunc(wait, func() { program.Send(frameDue{}) })
	}
	if ok {
		model.frames.tell = func(wait time.Duration) {
			if wait <= 0 {
				go program.Send(drawn{})
				return
			}
			time.AfterFunc(wait, func() { program.Send(drawn{}) })
		}
		model.rest.again = func() { go program.Send(markDue{}) }
		model.rest.again()
	}
	return program
}

// timeToLeave is how long the program may take to leave in order. A terminal that
// takes no more output, such as that of a dead connection, must not hold it.
const timeToLeave = 2 * time.Second

// endProgram makes the program leave as if the person had: a program that is
// killed leaves its last frame behind.
func endProgram(program *tea.Program, ended <-chan struct{}) {
	go program.Send(leave{})
	select {
	case <-ended:
	case <-time.After(timeToLeave):
		program.Kill()
	}
}

// suspend asks the program to stop until a shell wakes it.
type suspend struct{}

// suspendWhenAsked passes on what others than the person at the terminal ask for.
func suspendWhenAsked(ctx context.Context, program *tea.Program, s suspension) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.asked:
			program.Send(suspend{})
		}
	}
}
