package welcome

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// newActions returns the keys of each stage, in the order in which the page shows them.
func (s *Screen) newActions(o Options) [stages]views.Actions {
	quit := views.Action{Key: "q", Help: "quit", Do: o.Quit}
	hidden := quit
	hidden.Hidden = true
	choose := views.Actions{
		{Key: "up", Also: []string{"k"}, Shown: "↑/k", Help: "up", Do: views.Do(func() { s.move(-1) })},
		{Key: "down", Also: []string{"j", "tab"}, Shown: "↓/j", Help: "down", Do: views.Do(func() { s.move(1) })},
		{Key: "enter", Help: "choose", Do: s.choose},
		quit,
	}
	if o.Profiles != nil {
		choose = append(choose, views.Action{Key: "p", Help: "profiles", Do: o.Profiles})
		if len(s.organizations) > 0 {
			choose[len(choose)-1].Hidden = true
		}
	}
	return [stages]views.Actions{
		choosing: choose,
		typing: {
			{Key: "tab", Also: []string{"down", "shift+tab", "up"}, Help: "next field", Do: func() tea.Cmd {
				return s.focus(1 - s.field)
			}},
			{Key: "enter", Help: "connect", Do: s.submit},
			{Key: "esc", Help: "back", Do: s.leaveForm},
		},
		waiting: {{Key: "esc", Help: "cancel", Do: s.giveUp}, hidden},
	}
}

// send returns the command that sends a message.
func send(msg tea.Msg) tea.Cmd {
	return func() tea.Msg { return msg }
}

// move moves the cursor by a number of choices. The first follows the last, and vice versa.
func (s *Screen) move(by int) {
	n := int(choices)
	if len(s.organizations) > 0 {
		n = len(s.organizations)
	}
	s.choice = Choice((int(s.choice) + by + n) % n)
}

// leaveForm closes the form. If Ask opened it, it forgets the token and leaves the page.
func (s *Screen) leaveForm() tea.Cmd {
	if s.asked {
		s.fields[1].Reset()
		return send(Leave{})
	}
	s.stage, s.problem = choosing, ""
	return nil
}

func (s *Screen) giveUp() tea.Cmd {
	s.stage = s.back
	return send(GiveUp{Attempt: s.attempt})
}
