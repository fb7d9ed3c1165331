package terminal

import (
	"context"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/panics"
)

// guarded catches the panics of a model and of its commands, because Bubble Tea would print the
// values in them. The first panic ends the program in the same way as a signal.
type guarded struct {
	model      Model
	ctx        context.Context
	end        context.CancelCauseFunc // cancels ctx
	suspension suspension
}

// broken reports whether a panic was caught. After that, the model is no longer called.
func (g guarded) broken() bool {
	_, broken := context.Cause(g.ctx).(*panics.Fault)
	return broken
}

// catch recovers from a panic and cancels the context with it. Call it only with defer.
func (g guarded) catch() {
	if r := recover(); r != nil {
		g.end(panics.Describe(r))
	}
}

func (g guarded) Init() (cmd tea.Cmd) {
	defer g.catch()
	return g.guard(g.model.Init())
}

func (g guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	if g.broken() {
		return g, tea.Quit
	}
	if _, ok := msg.(Suspend); ok && g.suspension != (suspension{}) {
		if !CanSuspend() {
			return g, nil
		}
		return g, tea.Exec(g.suspension, nil)
	}
	return g, g.update(msg)
}

func (g guarded) update(msg tea.Msg) (cmd tea.Cmd) {
	defer g.catch()
	_, cmd = g.model.Update(msg)
	return g.guard(cmd)
}

func (g guarded) View() (v tea.View) {
	v.AltScreen = true // after a panic, an empty frame removes the figures from the screen
	defer g.catch()
	if g.broken() {
		return v
	}
	return g.model.View()
}

// run runs the program. It also catches panics in Bubble Tea itself.
func (g guarded) run(program *tea.Program) (err error) {
	defer func() {
		if g.broken() {
			program.Kill() // restores the terminal if that has not happened yet
		}
	}()
	defer g.catch()
	_, err = program.Run()
	return err
}

// close calls Close of the model and catches its panics.
func (g guarded) close() (err error) {
	defer g.catch()
	return g.model.Close()
}

// guard wraps a command so that its panics, and those of the commands that it returns, are caught.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.catch()
		msg = cmd()
		// Batches and sequences are slices of commands. Bubble Tea does not export the type of
		// sequences.
		list := reflect.ValueOf(msg)
		if msg == nil || list.Kind() != reflect.Slice || list.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
			return msg
		}
		for i := range list.Len() {
			list.Index(i).Set(reflect.ValueOf(g.guard(list.Index(i).Interface().(tea.Cmd))))
		}
		return msg
	}
}
