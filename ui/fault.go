package ui

import (
	"context"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/panics"
)

// guarded is the model with its panics caught, and those of its commands: Bubble Tea
// would print them as they are. The first ends the program as a signal does.
type guarded struct {
	model      *Model
	ctx        context.Context
	end        context.CancelCauseFunc // of ctx
	suspension suspension
}

// broken reports whether there was a fault. What is left of the model is not asked
// any more.
func (g guarded) broken() bool {
	_, broken := context.Cause(g.ctx).(*panics.Fault)
	return broken
}

// caught is to be deferred.
func (g guarded) caught() {
	if r := recover(); r != nil {
		g.end(panics.Of(r))
	}
}

func (g guarded) Init() (cmd tea.Cmd) {
	defer g.caught()
	return g.guard(g.model.Init())
}

func (g guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	if g.broken() {
		return g, tea.Quit
	}
	if _, ok := msg.(suspend); ok {
		return g, tea.Exec(g.suspension, nil)
	}
	return g, g.update(msg)
}

func (g guarded) update(msg tea.Msg) (cmd tea.Cmd) {
	defer g.caught()
	_, cmd = g.model.Update(msg)
	return g.guard(cmd)
}

func (g guarded) View() (v tea.View) {
	v.AltScreen = true // for a fault: the empty frame takes the figures off the screen
	defer g.caught()
	if g.broken() {
		return v
	}
	return g.model.View()
}

// run runs the program. A panic of Bubble Tea's own ends it too.
func (g guarded) run(program *tea.Program) (err error) {
	defer func() {
		if g.broken() {
			program.Kill() // gives the terminal back, unless that was done
		}
	}()
	defer g.caught()
	_, err = program.Run()
	return err
}

// close is Close of a model that may be broken.
func (g guarded) close() (err error) {
	defer g.caught()
	return g.model.Close()
}

// guard returns the command with its panics caught, and those of the commands that it
// returns.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.caught()
		msg = cmd()
		// A batch and a sequence, whose type is not exported, are lists of commands.
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
