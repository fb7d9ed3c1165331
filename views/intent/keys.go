package intent

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/listdetail"
)

func (s *Screen) newActions() views.Actions {
	chosen := func() bool { return s.id != "" }
	return views.Actions{
		{Key: "esc", Help: "back", Do: func() tea.Cmd { return nil }}, // the dashboard handles it
		{Key: "i", Do: func() tea.Cmd { s.prompt.Ask(""); return nil }, Says: func() string {
			if chosen() {
				return "another id"
			}
			return "enter an id"
		}},
		{Key: "y", Help: "copy id", When: chosen, Do: func() tea.Cmd {
			return views.PutOnClipboard("the payment intent's id", s.id)
		}},
	}
}

func (s *Screen) newPrompt() *listdetail.Asked {
	return listdetail.NewAsked(listdetail.Wanted{
		Title: "Id", Label: "Id  ", Hint: "pi_…", Enter: "look up", Limit: 200,
		Use: func(id string) (tea.Cmd, error) {
			if id == "" {
				return nil, nil
			}
			return s.Show(views.IntentTarget{ID: id}), nil
		},
	})
}

// Help returns the keys that work now.
func (s *Screen) Help() []views.HelpGroup {
	if s.prompt.Open() {
		return s.prompt.Help()
	}
	return []views.HelpGroup{s.actions.Help("Payment intent"), s.nav.Help("Text", s.shown)}
}
