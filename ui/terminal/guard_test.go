package terminal

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/panics"
)

// carryOut runs a command and then the commands that it returns.
func carryOut(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if several, ok := cmd().(tea.BatchMsg); ok {
		for _, c := range several {
			carryOut(c)
		}
	}
}

// The report of a panic has its location but not its value.
func TestAPanicEndsTheProgramAndReportsNoData(t *testing.T) {
	broken := func() tea.Msg { panic("Acme LLC owes 1,234.56") }
	whole := func() tea.Msg { return nil }
	for name, cmd := range map[string]tea.Cmd{
		"a command":                 broken,
		"one of several":            tea.Batch(whole, broken, whole),
		"one of several of several": tea.Batch(whole, tea.Batch(whole, broken)),
	} {
		ctx, end := context.WithCancelCause(t.Context())
		g := guarded{model: &page{}, ctx: ctx, end: end}
		carryOut(g.guard(cmd))
		var f *panics.Fault
		if !errors.As(context.Cause(ctx), &f) || !g.broken() {
			t.Errorf("%s: it goes on (%v)", name, context.Cause(ctx))
			continue
		}
		text := f.Error()
		if !strings.Contains(text, "string at ui/terminal.TestAPanic") || strings.Contains(text, "Acme") ||
			strings.Contains(text, "1,234") || strings.Contains(text, "\n") {
			t.Errorf("%s: it says %q", name, text)
		}
		if _, cmd := g.Update(Leave{}); cmd == nil || cmd() != (tea.QuitMsg{}) {
			t.Errorf("%s: it does not quit", name)
		}
		if v := g.View(); v.Content != "" || !v.AltScreen {
			t.Errorf("%s: it is still drawn: %+v", name, v)
		}
	}
}

// A sequence is a list of commands of an unexported type.
func TestTheCommandsOfASequenceAreGuardedToo(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	g := guarded{ctx: ctx, end: end}
	ran := 0
	one := func() tea.Msg { ran++; return nil }
	program := tea.NewProgram(oneCommand{g.guard(tea.Sequence(one, func() tea.Msg { panic("x") }, one, tea.Quit))},
		tea.WithInput(nil), tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	if _, err := program.Run(); err != nil {
		t.Error(err)
	}
	if !g.broken() || ran != 2 {
		t.Errorf("broken %t, %d commands ran of 2", g.broken(), ran)
	}
}

// oneCommand is a model that runs one command.
type oneCommand struct{ first tea.Cmd }

func (m oneCommand) Init() tea.Cmd                       { return m.first }
func (m oneCommand) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (m oneCommand) View() tea.View                      { return tea.View{} }
