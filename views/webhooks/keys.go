package webhooks

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/views"
)

func (s *Screen) newActions() views.Actions {
	open := views.Open(s.canOpen, func() tea.Cmd {
		s.focus++
		s.deliveries.detail.Top()
		return s.fetchDue()
	})
	open.Says = func() string { return [...]string{"deliveries", "delivery details", ""}[s.focus] }
	return slices.Concat(
		views.Actions{
			views.Back(func() bool { return s.focus > onEndpoints }, s.Back),
			open,
			{Key: "/", Help: "filter", When: s.canSearch, Do: views.Do(s.askFilter)},
			{Key: "n", Help: "new endpoint", When: s.canCreate, Do: views.Do(func() { s.form.show(nil) })},
			views.Export(s.env, s.canExport, s.export),
			{Key: "x", Help: "remove last filter", When: s.Filtered, Do: s.removeFilter},
		},
		s.writeActions(),
		views.Actions{
			{Key: "y", Help: "copy id", When: s.canCopy, Do: s.copy},
			{Key: "tab", Also: []string{"shift+tab"}, Help: "switch panel", When: func() bool {
				return s.one() && s.focus != onDelivery
			}, Do: s.switchPanel},
			{Key: "n", Also: []string{"c", "a", "s", "v", "D"}, Hidden: true, When: func() bool {
				return s.forbidden() != ""
			}, Do: func() tea.Cmd { return views.Warn(s.forbidden()) }},
		},
	)
}

// writeActions change the selected endpoint or send it a test event.
func (s *Screen) writeActions() views.Actions {
	ask := func(op endpoint.Operation) func() tea.Cmd {
		return views.Do(func() { s.withSelected(func(w *apiclient.Webhook) { s.confirm.ask(op, w) }) })
	}
	pause := func() string {
		if w := s.chosen(); w != nil && w.Status != apiclient.WebhookActive {
			return "activate"
		}
		return "pause"
	}
	return views.Actions{
		{Key: "v", Help: "send test event", When: s.canChange, Do: s.sendTest},
		{Key: "a", Says: pause, When: s.canChange, Do: s.toggle},
		{Key: "c", Help: "change", When: s.canChange, Do: views.Do(func() { s.withSelected(s.form.show) })},
		{Key: "s", Help: "rotate secret", When: s.canChange, Do: ask(endpoint.Rotate)},
		{Key: "D", Help: "delete", When: s.canChange, Do: ask(endpoint.Delete)},
	}
}

// chosen returns the endpoint under the cursor, or nil if there is none.
func (s *Screen) chosen() *apiclient.Webhook { return s.endpoint(s.endpoints.table.Cursor()) }

// nameOf returns what messages call the endpoint.
func (s *Screen) nameOf(w *apiclient.Webhook) string {
	all, _ := s.endpoints.list.Value()
	return endpoint.Name(w, all)
}

// one reports whether the endpoint under the cursor can be named in a request.
func (s *Screen) one() bool { return s.chosen() != nil && s.chosen().ID != "" }

// listed reports whether there is a delivery under the cursor.
func (s *Screen) listed() bool {
	_, ok := s.delivery(s.deliveries.table.Cursor())
	return ok
}

// idle reports whether no write is running.
func (s *Screen) idle() bool { return s.writes.pending.operation == endpoint.None }

func (s *Screen) canCreate() bool {
	_, known := s.endpoints.list.Value()
	return s.forbidden() == "" && s.idle() && known
}

func (s *Screen) canChange() bool { return s.canCreate() && s.one() && s.chosen().Unreadable == nil }

func (s *Screen) canCopy() bool { return s.one() && (s.focus == onEndpoints || s.listed()) }

func (s *Screen) canOpen() bool {
	return s.one() && (s.focus == onEndpoints || s.focus == onDeliveries && s.listed())
}

func (s *Screen) canSearch() bool {
	all, _ := s.deliveries.log.Value()
	listed, _ := s.endpoints.list.Value()
	return s.focus == onEndpoints && len(listed) > 0 && s.endpoints.list.State().HasFigures() ||
		s.focus == onDeliveries && len(all) > 0 && s.deliveries.log.State().HasFigures()
}

func (s *Screen) canExport() bool {
	return s.one() && len(s.filter.deliveries) > 0 && s.deliveries.log.State().HasFigures() && s.deliveriesShown()
}

// canMove reports whether the movement keys have an effect.
func (s *Screen) canMove() bool {
	return s.focus == onEndpoints && s.chosen() != nil || s.focus != onEndpoints && s.listed()
}

// Help returns the keys of the open form, prompt or secret, or else those of the lists.
func (s *Screen) Help() []views.HelpGroup {
	if keys, open := s.layers.Help(); open {
		return keys
	}
	return []views.HelpGroup{s.actions.Help("Webhooks"), s.nav.Help("List", s.canMove())}
}
