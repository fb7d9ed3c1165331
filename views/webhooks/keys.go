package webhooks

import (
	"charm.land/bubbles/v2/key"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	Other, Create, Change, Switch, Rotate, Test, Delete, Copy, Export key.Binding
	Search, Remove                                                    key.Binding

	Next, Previous, Pick, All, Submit, Send, Cancel key.Binding // keys of the form and the confirmation
	CopySecret, LeaveSecret                         key.Binding
}

func newKeyMap(env views.Env) keyMap {
	return keyMap{
		Navigation: views.NewNavigation(),
		Other:      key.NewBinding(key.WithKeys("tab", "shift+tab"), key.WithHelp("tab", "switch panel")),
		Create:     key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new endpoint")),
		Change:     key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "change")),
		Switch:     key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "pause")),
		Rotate:     key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "rotate secret")),
		Test:       key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "send test event")),
		Delete:     key.NewBinding(key.WithKeys("D"), key.WithHelp("D", "delete")),
		Search:     key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "filter")),
		Remove:     key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "remove last filter")),
		Copy:       key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy id")),
		Export:     views.ExportKey(env),

		Next:     key.NewBinding(key.WithKeys("down", "tab"), key.WithHelp("↓", "down")),
		Previous: key.NewBinding(key.WithKeys("up", "shift+tab"), key.WithHelp("↑", "up")),
		Pick:     key.NewBinding(key.WithKeys("space"), key.WithHelp("space", "select")),
		All:      key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "select all or none")),
		Submit:   key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "next")),
		Send:     key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "create")),
		Cancel:   key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),

		CopySecret:  key.NewBinding(key.WithKeys("y"), key.WithHelp("y y", "copy")),
		LeaveSecret: key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc esc", "leave; not shown again")),
	}
}

// writes returns the keys that change an endpoint or send a test event.
func (k *keyMap) writes() []*key.Binding {
	return []*key.Binding{&k.Create, &k.Change, &k.Switch, &k.Rotate, &k.Test, &k.Delete}
}

// enable enables exactly the keys that have an effect in the current state.
func (s *Screen) enable() {
	k := &s.keys
	chosen := s.endpoint(s.endpoints.table.Cursor())
	one := chosen != nil && chosen.ID != ""
	_, known := s.endpoints.list.Value()
	may := s.forbidden() == "" && s.writes.pending.operation == endpoint.None && known
	for _, b := range k.writes() {
		b.SetEnabled(may && (one && chosen.Unreadable == nil || b == &k.Create))
	}
	k.Switch.SetHelp("a", "pause")
	if chosen != nil && chosen.Status != apiclient.WebhookActive {
		k.Switch.SetHelp("a", "activate")
	}
	_, some := s.delivery(s.deliveries.table.Cursor())
	k.Copy.SetEnabled(one && (s.focus == onEndpoints || some))
	all, _ := s.deliveries.log.Value()
	listed, _ := s.endpoints.list.Value()
	k.Search.SetEnabled(s.focus == onEndpoints && len(listed) > 0 && s.endpoints.list.State().HasFigures() ||
		s.focus == onDeliveries && len(all) > 0 && s.deliveries.log.State().HasFigures())
	k.Remove.SetEnabled(s.Filtered())
	k.Export.SetEnabled(one && len(s.filter.deliveries) > 0 &&
		s.deliveries.log.State().HasFigures() && s.deliveriesShown())
	k.Other.SetEnabled(one && s.focus != onDelivery)
	k.Open.SetEnabled(one && (s.focus == onEndpoints || s.focus == onDeliveries && some))
	k.Open.SetHelp("enter", [...]string{"deliveries", "delivery details", ""}[s.focus])
	k.Back.SetEnabled(s.focus > onEndpoints)
	k.EnableMoves(s.focus == onEndpoints && chosen != nil || s.focus != onEndpoints && some)

	onURL := s.form.at == 0
	k.Pick.SetEnabled(!onURL)
	k.All.SetEnabled(!onURL)
	verb := "create"
	if s.form.id != "" {
		verb = "change"
	}
	k.Send.SetHelp("ctrl+s", verb)
	k.Send.SetEnabled(s.writes.pending.operation == endpoint.None)
	k.Submit.SetEnabled(onURL || s.writes.pending.operation == endpoint.None)
	switch {
	case s.mode == confirming:
		k.Submit.SetHelp("enter", s.confirm.operation.Verb())
		k.Submit.SetEnabled(s.confirm.matches())
	case s.filter.prompt.Typing():
		k.Submit.SetHelp("enter", "apply")
		k.Submit.SetEnabled(true)
	case onURL:
		k.Submit.SetHelp("enter", "next")
	default:
		k.Submit.SetHelp("enter", verb)
	}
}

// Help returns the keys of the current mode, grouped for the help page.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	switch s.mode {
	case filling:
		return []views.HelpGroup{{Title: "Endpoint", Bindings: []key.Binding{
			k.Submit, k.Send, k.Cancel, k.Pick, k.All, k.Next, k.Previous,
		}}}
	case confirming:
		return []views.HelpGroup{{Title: "Sure?", Bindings: []key.Binding{k.Submit, k.Cancel}}}
	case showing:
		return []views.HelpGroup{{Title: "Secret", Bindings: []key.Binding{k.CopySecret, k.LeaveSecret}}}
	}
	if s.file.Open() {
		return s.file.Help()
	}
	if s.filter.prompt.Typing() {
		return []views.HelpGroup{{Title: "Filter", Bindings: []key.Binding{k.Submit, k.Cancel}}}
	}
	return []views.HelpGroup{
		{Title: "Webhooks", Bindings: []key.Binding{
			k.Back, k.Open, k.Search, k.Create, k.Export, k.Remove,
			k.Test, k.Switch, k.Change, k.Rotate, k.Delete, k.Copy, k.Other,
		}},
		{Title: "List", Bindings: k.Moves()},
	}
}
