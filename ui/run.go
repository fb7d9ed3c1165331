package ui

import (
	"context"
	"errors"
	"io"

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
// when nothing changed; a key waits for half a frame on average.
const framesPerSecond = 120

// Run shows the dashboard until the person leaves it or ctx ends. It returns
// nil when the person left it.
func Run(ctx context.Context, t Terminal, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	model := New(ctx, o)
	defer func() {
		cancel() // first: what is being started ends with it
		model.Close()
	}()

	options := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithInput(t.In),
		tea.WithOutput(t.Out),
		tea.WithEnvironment(t.Environ),
		tea.WithFPS(framesPerSecond),
		// Signals end ctx: the program ends the same way for all of them.
		tea.WithoutSignalHandler(),
	}
	if t.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	_, err := tea.NewProgram(model, options...).Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
