package terminal

import (
	"context"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
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
	o.Out = remoteWriter{o.Out}
	if ASCIIOnly("linux", o.getenv) {
		o.Out = &asciiWriter{terminal: o.Out}
	}
	// With SSH_TTY, Bubble Tea does not ask the terminal for modes. The answer might arrive after
	// the session, where it would be typed into the person's shell.
	o.Environ = append(slices.Clip(o.Environ), "SSH_TTY=remote")
	return o
}

// remoteWriter writes to a terminal on another machine and does two things for it that Bubble Tea
// leaves out there: it writes a carriage return before each newline, because ssh puts the terminal
// into raw mode, and it asks the terminal to report the escape key unlike an escape sequence.
type remoteWriter struct{ terminal io.Writer }

var remoteSequences = strings.NewReplacer(
	"\n", "\r\n",
	ansi.SetModeAltScreenSaveCursor, ansi.SetModeAltScreenSaveCursor+
		ansi.SetModifyOtherKeys2+ansi.PushKittyKeyboard(ansi.KittyDisambiguateEscapeCodes)+ansi.RequestKittyKeyboard,
	// The terminal has a stack of settings for each of its screens.
	ansi.ResetModeAltScreenSaveCursor, ansi.ResetModifyOtherKeys+ansi.PopKittyKeyboard(1)+
		ansi.ResetModeAltScreenSaveCursor,
)

func (w remoteWriter) Write(p []byte) (int, error) {
	if _, err := remoteSequences.WriteString(w.terminal, string(p)); err != nil {
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
// the system for the size of the window, nor a database of terminals for colors. It reads no input,
// which forwardInput does: Bubble Tea would wait for ever if the program ended during an event,
// would end the process if the decoder had a bug, and keeps a table of keys for each program.
func (r *Remote) programOptions(o Options) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithInput(nil), tea.WithWindowSize(r.Width, r.Height)}
	if !o.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.Env(o.Environ)))
	}
	return options
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
