package terminal

import (
	"context"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/panics"
)

// guarded is a model whose panics are caught, and those of its commands: Bubble Tea
// would print their values. The first panic ends the program as a signal does.
type guarded struct {
	model      Model
	ctx        context.Context
	end        context.CancelCauseFunc // of ctx
	suspension suspension
}

// broken reports whether something panicked. The model is not called any more then.
func (g guarded) broken() bool {
	_, broken := context.Cause(g.ctx).(*panics.Fault)
	return broken
}

// catch ends the context with the panic of the function that defers it.
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

// run runs the program. A panic in Bubble Tea itself ends it too.
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

// close closes the model, which may be broken.
func (g guarded) close() (err error) {
	defer g.catch()
	return g.model.Close()
}

// guard returns the command with its panics caught, and those of the commands that it
// returns.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.catch()
		msg = cmd()
		// Batches and sequences, whose type is not exported, are lists of commands.
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
