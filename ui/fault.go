package ui

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Fault is a panic of the program, told without what it says and without the values
// on its stack: those are names, amounts, tokens.
type Fault struct {
	Kind   string   // the type of what was panicked with
	Places []string // functions and their lines, the innermost first
}

// Error returns one line that can be shown to anybody.
func (f *Fault) Error() string {
	return fmt.Sprintf("a fault in the program ended it: %s at %s; please report this line, which holds no data of yours",
		f.Kind, strings.Join(f.Places, " < "))
}

// mostPlaces is how far up the stack a Fault tells.
const mostPlaces = 6

// FaultOf describes the panic that its caller, a deferred function, has recovered.
func FaultOf(recovered any) *Fault {
	f := &Fault{Kind: fmt.Sprintf("%T", recovered)}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for more := true; more && len(f.Places) < mostPlaces; {
		var frame runtime.Frame
		frame, more = frames.Next()
		name, own := strings.CutPrefix(frame.Function, "tarmac/")
		// What broke is told whoever's it is, what led there only where it is ours.
		if strings.HasPrefix(name, "runtime.") || !own && len(f.Places) > 0 {
			continue
		}
		f.Places = append(f.Places, fmt.Sprintf("%s:%d", name, frame.Line))
	}
	return f
}

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
	_, broken := context.Cause(g.ctx).(*Fault)
	return broken
}

// caught is to be deferred.
func (g guarded) caught() {
	if r := recover(); r != nil {
		g.end(FaultOf(r))
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
