package terminal

import (
	"context"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/panics"
)

// guarded catches the panics of a model and its commands, since Bubble Tea would print their
// values. The first panic ends the program as a signal does.
type guarded struct {
	model      Model
	ctx        context.Context
	end        context.CancelCauseFunc // of ctx
	suspension suspension
}

// broken reports whether something panicked. After that the model is not called any more.
func (g guarded) broken() bool {
	_, broken := context.Cause(g.ctx).(*panics.Fault)
	return broken
}

// catch cancels the context with the panic of the deferring function.
func (g guarded) catch() {
	if r := recover(); r != nil {
		g.end(panics.Of(r))
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
	if _, ok := msg.(Suspend); ok {
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
	v.AltScreen = true // after a panic the empty frame takes the figures off the screen
	defer g.catch()
	if g.broken() {
		return v
	}
	return g.model.View()
}

// run runs the program and also catches panics in Bubble Tea itself.
func (g guarded) run(program *tea.Program) (err error) {
	defer func() {
		if g.broken() {
			program.Kill() // restores the terminal, unless that was done
		}
	}()
	defer g.catch()
	_, err = program.Run()
	return err
}

// close closes the model, which may have panicked.
func (g guarded) close() (err error) {
	defer g.catch()
	return g.model.Close()
}

// guard wraps a command to catch its panics and those of the commands that it returns.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.catch()
		msg = cmd()
		// Batches and sequences are lists of commands; the type of a sequence is not exported.
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
