package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/views"
)

// remap is the keys that a person has set for actions in the place of their own.
// Screens and root know the actions by their own keys only.
type remap struct {
	stands map[string]string // what a key that was set stands for: an action's own key
	shown  map[string]string // what is shown in the place of an action's own key
}

// newRemap takes the keys by the name of the action, as the settings have them. A
// key that is set for two actions is the first one's.
func newRemap(keys map[string][]string) remap {
	r := remap{stands: map[string]string{}, shown: map[string]string{}}
	for _, a := range settings.Actions() {
		for i, name := range keys[a.Name] {
			if _, taken := r.stands[name]; !taken {
				r.stands[name] = a.Keys[0]
			}
			if i > 0 {
				continue
			}
			for _, own := range a.Keys {
				r.shown[own] = name
			}
		}
	}
	return r
}

// translate returns the key that one stands for, and false for a key whose action
// has others now.
func (r remap) translate(msg tea.KeyPressMsg) (tea.KeyPressMsg, bool) {
	name := msg.String()
	if own, ok := r.stands[name]; ok {
		return press(own), true
	}
	_, gone := r.shown[name]
	return msg, !gone
}

// label returns a binding as it is reached now. One that is not reached any more,
// because its keys stand for something else, is disabled.
func (r remap) label(b key.Binding) key.Binding {
	if len(r.stands) == 0 || len(b.Keys()) == 0 {
		return b
	}
	first := b.Keys()[0]
	name, set := r.shown[first]
	if !set {
		reached := slices.IndexFunc(b.Keys(), func(k string) bool { own, other := r.stands[k]; return !other || slices.Contains(b.Keys(), own) })
		switch {
		case reached < 0:
			b.SetEnabled(false)
			return b
		case reached == 0:
			return b
		}
		name = b.Keys()[reached]
	}
	shown := strings.Fields(b.Help().Key) // some are pressed twice: "y y"
	for i := range shown {
		shown[i] = name
	}
	b.SetHelp(strings.Join(shown, " "), b.Help().Desc)
	return b
}

func (r remap) labels(groups []views.HelpGroup) []views.HelpGroup {
	if len(r.stands) == 0 {
		return groups
	}
	out := slices.Clone(groups)
	for i := range out {
		out[i].Bindings = slices.Clone(out[i].Bindings)
		for j, b := range out[i].Bindings {
			out[i].Bindings[j] = r.label(b)
		}
	}
	return out
}
