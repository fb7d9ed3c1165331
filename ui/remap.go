package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/views"
)

// remap translates configured keys. Screens and the root model know each action only by its default
// key.
type remap struct {
	stands map[string]string // maps a configured key to the default key of its action
	shown  map[string]string // maps a default key to the configured keys that are shown instead of it
}

// newRemap returns the translation for the keys in the settings, which are listed by action name. A
// key set for two actions belongs to the first of them.
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

// translate returns the default key for a pressed key. It returns false if the pressed key is the
// default key of an action that now has other keys.
func (r remap) translate(msg tea.KeyPressMsg) (tea.KeyPressMsg, bool) {
	name := msg.String()
	if own, ok := r.stands[name]; ok {
		return keyPress(own), true
	}
	_, gone := r.shown[name]
	return msg, !gone
}

// label returns a copy of the binding b whose help shows the configured keys. It disables the
// binding if other actions have taken all its keys.
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
			return views.Disabled(b)
		case reached == 0:
			return b
		}
		name = b.Keys()[reached]
	}
	shown := strings.Fields(b.Help().Key) // a key that must be pressed twice has two words: "y y"
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
