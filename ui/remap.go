package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/views"
)

// remap translates configured keys. Screens and the root know each action by its default key only.
type remap struct {
	stands map[string]string // configured key to the default key of its action
	shown  map[string]string // default key to the configured keys that are displayed for it
}

// newRemap takes the configured keys by action name, as in the settings. A key that is set for two
// actions belongs to the first.
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

// translate returns the default key for a pressed key, or false if its action was moved to other
// keys.
func (r remap) translate(msg tea.KeyPressMsg) (tea.KeyPressMsg, bool) {
	name := msg.String()
	if own, ok := r.stands[name]; ok {
		return press(own), true
	}
	_, gone := r.shown[name]
	return msg, !gone
}

// label returns a binding that shows the configured keys. It disables a binding that no key reaches
// because its keys were given to other actions.
func (r remap) label(b key.Binding) key.Binding {
	if len(r.stands) == 0 || len(b.Keys()) == 0 {
		return b
	}
	first := b.Keys()[0]
	name, set := r.shown[first]
	if !set {
		reached := slices.IndexFunc(
			b.Keys(),
			func(k string) bool { own, other := r.stands[k]; return !other || slices.Contains(b.Keys(), own) },
		)
		switch {
		case reached < 0:
			b.SetEnabled(false)
			return b
		case reached == 0:
			return b
		}
		name = b.Keys()[reached]
	}
	shown := strings.Fields(b.Help().Key) // some keys are pressed twice: "y y"
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
