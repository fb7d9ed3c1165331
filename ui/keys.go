package ui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"tarmac/ui/terminal"
	"tarmac/views"
)

// globalKeys are the keys that no screen and no overlay declares.
type globalKeys struct {
	program views.Actions // work everywhere, also where letters are text
	frame   views.Actions // work everywhere but where letters are text
	pages   views.Actions // open the pages
	page    views.Actions // work on every page
}

// newKeys returns the global keys for the given pages.
func (m *Model) newKeys(pages []page) (k globalKeys) {
	k.program = views.Actions{m.suspendAction(), {
		Key: "ctrl+c", Also: []string{"ctrl+alt+c"}, Help: "force quit",
		Do: func() tea.Cmd { return m.confirmQuit("ctrl+c") },
	}}
	k.frame = views.Actions{
		{Key: "ctrl+l", Help: "redraw", Do: func() tea.Cmd { return tea.ClearScreen }},
	}
	for i, p := range pages {
		if p.Digit != "" {
			open := func() tea.Cmd { return m.openPage(i) }
			k.pages = append(k.pages, views.Action{Key: p.Digit, Help: p.Title, Do: open})
		}
	}
	k.pages = append(k.pages, m.absentPages(pages)...)
	profiles := "profiles"
	if m.options.Remote {
		profiles = "organizations"
	}
	k.page = views.Actions{
		{Key: ":", Also: []string{"ctrl+k"}, Help: "find", Do: m.find},
		{Key: "esc", Help: "back", Do: m.back},
		{Key: "r", Help: "refresh", Do: m.refresh},
		{Key: "!", Help: "alerts and problems", Do: m.showDetails},
		{Key: "?", Help: "help", Do: m.listKeys},
		{Key: ".", Help: "where else", When: func() bool { return len(m.places()) > 0 }, Do: m.jump},
		{Key: "p", Help: profiles, Do: views.Do(m.listProfiles)},
		{Key: "*", Help: "mask", Do: m.mask},
		{Key: "T", Help: "next theme", Do: func() tea.Cmd { return m.chooseTheme(m.nextTheme()) }},
		{Key: "q", Help: "quit", Do: func() tea.Cmd { return m.confirmQuit("q") }},
	}
	return k
}

// absentPages returns actions that answer the digits of pages that the session does not have.
func (m *Model) absentPages(open []page) (actions views.Actions) {
	for digit := 0; digit <= 9; digit++ {
		key, says := strconv.Itoa(digit), "no page has this digit · : finds pages"
		if slices.ContainsFunc(open, func(p page) bool { return p.Digit == key }) {
			continue
		}
		for _, p := range pages() {
			if p.Digit == key && p.Absent != "" {
				says = p.Absent
			}
		}
		actions = append(actions, views.Action{Key: key, Hidden: true, Do: func() tea.Cmd { return views.Tell(says) }})
	}
	return actions
}

func (m *Model) suspendAction() views.Action {
	a := views.Action{Key: "ctrl+z", Also: []string{"ctrl+alt+z"}, Help: "suspend, resume with fg"}
	if m.options.Remote {
		a.Help = "how to suspend ssh"
		a.Do = func() tea.Cmd { return views.Tell("to suspend ssh on your machine, press enter, ~ and ctrl+z") }
		return a
	}
	a.When = terminal.CanSuspend
	a.Do = func() tea.Cmd { return func() tea.Msg { return terminal.Suspend{} } }
	return a
}

// press carries out a global key of a page.
func (k globalKeys) press(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	if cmd, taken = k.pages.Press(msg); taken {
		return cmd, true
	}
	return k.page.Press(msg)
}

func (k globalKeys) group() views.HelpGroup {
	all := views.HelpGroup{Title: "Everywhere"}
	for _, actions := range []views.Actions{k.pages, k.page, k.frame, k.program} {
		all.Bindings = append(all.Bindings, actions.Help("").Bindings...)
	}
	return all
}
