package views

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Action is what a key of a screen does. It is declared once: the key press, the footer, the help
// page and the command palette follow from it.
type Action struct {
	Key    string         // the key
	Also   []string       // further keys
	Shown  string         // how the key is shown; "" means Key
	Help   string         // what the key does, for example "copy id"
	Says   func() string  // what it does now; nil means Help
	When   func() bool    // whether the key has an effect now; nil means always
	Do     func() tea.Cmd // may change the screen
	Hidden bool           // the key is not shown

	on, off key.Binding // with and without an effect; built when the key is first shown
}

// Actions are the keys of a screen in the order in which the footer shows them. If several have the
// same key, the first that has an effect is meant.
type Actions []Action

// Do returns the Do of an action that returns no command.
func Do(change func()) func() tea.Cmd {
	return func() tea.Cmd { change(); return nil }
}

// Press carries out the action of a key press. It returns false if none has an effect.
func (a Actions) Press(press tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	name := press.String()
	for i := range a {
		if (a[i].Key == name || slices.Contains(a[i].Also, name)) && a[i].works() {
			return a[i].Do(), true
		}
	}
	return nil, false
}

// Help returns the keys under a title. Those without an effect are disabled.
func (a Actions) Help(title string) HelpGroup {
	group := HelpGroup{Title: title, Bindings: make([]key.Binding, 0, len(a))}
	for i := range a {
		if !a[i].Hidden {
			group.Bindings = append(group.Bindings, a[i].shown())
		}
	}
	return group
}

// Bindings returns the actions with the given keys, as the footer shows them.
func (a Actions) Bindings(keys ...string) []key.Binding {
	var found []key.Binding
	for i := range a {
		if slices.Contains(keys, a[i].Key) {
			found = append(found, a[i].shown())
		}
	}
	return found
}

func (a *Action) works() bool { return a.When == nil || a.When() }

// shown returns the key as the footer shows it now.
func (a *Action) shown() key.Binding {
	if len(a.on.Keys()) == 0 {
		a.on.SetKeys(append([]string{a.Key}, a.Also...)...)
		a.on.SetHelp(cmp.Or(a.Shown, a.Key), a.Help)
		a.off = Disabled(a.on)
	}
	if !a.works() {
		return a.off
	}
	on := a.on
	if a.Says != nil {
		on.SetHelp(cmp.Or(a.Shown, a.Key), a.Says())
	}
	return on
}

// Disabled returns the binding as one without an effect.
func Disabled(b key.Binding) key.Binding {
	key.WithDisabled()(&b)
	return b
}

// Open is the action that opens what the cursor is on.
func Open(when func() bool, do func() tea.Cmd) Action {
	return Action{Key: "enter", Also: []string{"right", "l"}, Help: "open", When: when, Do: do}
}

// Back is the action that closes what was opened last.
func Back(when func() bool, do func() bool) Action {
	return Action{Key: "esc", Also: []string{"left", "h"}, Help: "back", When: when, Do: Do(func() { do() })}
}

// Export is the action that exports the rows of a page. Over SSH it only says how.
func Export(env Env, when func() bool, do func() tea.Cmd) Action {
	a := Action{Key: "e", Help: "export", When: when, Do: do}
	if env.Places.Remote {
		a.Help = "how to export"
	}
	return a
}

// PromptActions are the keys that end a prompt. apply says what enter does.
func PromptActions(apply string, do func() tea.Cmd, cancel func()) Actions {
	return Actions{
		{Key: "enter", Help: apply, Do: do},
		{Key: "esc", Help: "cancel", Do: Do(cancel)},
	}
}
