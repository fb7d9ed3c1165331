package ui

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/snapshot"
	"tarmac/views/welcome"
)

// Update routes a message: the keys that always work, then what the terminal
// reports, then answers, then whoever is in front.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if m.schedule.unwatched { // a terminal that has not said so
			return m, tea.Batch(m.focus(true), m.key(msg))
		}
		return m, m.key(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.resize()
		return m, nil
	case tea.BackgroundColorMsg:
		m.looks.dark = msg.IsDark()
		m.relook()
		return m, nil
	case tea.PasteMsg:
		return m, m.paste(msg)
	case tea.MouseWheelMsg:
		return m, m.wheel(msg)
	case turned:
		return m, m.turn()
	case tea.MouseClickMsg:
		return m, m.click(msg)
	case tea.MouseReleaseMsg, tea.MouseMotionMsg:
		return m, nil
	case tea.FocusMsg:
		return m, m.focus(true)
	case tea.BlurMsg:
		return m, m.focus(false)
	case leave:
		return m, m.leave()
	case views.Tick:
		return m, tea.Batch(m.tick(msg), everySecond())
	case connected:
		return m, m.connected(msg)
	case welcome.ChooseDemo:
		return m, m.connect(m.options.StartDemo)
	case welcome.ChooseServer:
		return m, m.connect(connectTo(m.options.Connect, msg))
	case views.Visit:
		return m, m.goTo(msg)
	case views.Notice:
		m.notice.show(msg, m.options.Now())
		return m, nil
	case views.Copy:
		return m, m.copy(msg)
	case unheld:
		return m, m.copyThroughTerminal(msg.copy)
	case snapshot.Answer:
		return m, m.answer(msg)
	}
	return m, m.broadcast(msg)
}

// leave ends the program with an empty frame, which takes the company's figures off
// the screen: some terminals keep lines of what was shown when they were resized
// meanwhile.
func (m *Model) leave() tea.Cmd {
	m.leaving = true
	return tea.Quit
}

func (m *Model) tick(msg views.Tick) tea.Cmd {
	m.notice.expire(m.options.Now())
	if m.session == nil {
		if m.options.Progress != nil {
			m.welcome.SetProgress(m.options.Progress())
		}
		return nil
	}
	return tea.Batch(m.schedule.tick(m.session.data, m.options.Now()), m.broadcast(msg))
}

// answer gives a snapshot's answer to the snapshot first, so that the screens
// find the new figures when the message comes to them.
func (m *Model) answer(msg snapshot.Answer) tea.Cmd {
	if m.session == nil {
		return nil
	}
	data := m.session.data
	failures, arrived := data.Feed.Failures(), data.Feed.Arrived()
	known := len(data.Feed.Events()) > 0
	if !data.Update(msg) {
		return nil
	}
	news := known && data.Feed.Arrived() > arrived
	return tea.Batch(
		m.schedule.answered(data, msg, failures, news, m.options.Now()),
		m.broadcast(msg),
	)
}

// connected opens the screens, or tells the welcome page why it could not.
func (m *Model) connected(msg connected) tea.Cmd {
	switch {
	case msg.err != nil:
		m.welcome.Failed(msg.err)
		return nil
	case m.session != nil:
		return nil
	}
	return m.open(msg.connection)
}

// broadcast hands a message to every screen, whether it was opened yet or not.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	if m.session == nil {
		return m.welcome.Update(msg)
	}
	var cmds []tea.Cmd
	for _, p := range m.session.pages {
		cmds = append(cmds, p.screen.Update(msg))
	}
	return tea.Batch(cmds...)
}

// paste hands pasted text to whoever is being typed into.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case m.session == nil:
		return m.welcome.Update(msg)
	case m.palette.open:
		return m.palette.update(msg)
	case m.help.open || !m.front().Typing():
		return nil
	}
	return m.front().Update(msg)
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if key.Matches(msg, m.keys.Abort) {
		return m.leave()
	}
	if key.Matches(msg, m.keys.Suspend) {
		return func() tea.Msg { return suspend{} }
	}
	if m.takesText() {
		return m.act(msg)
	}
	own, ok := m.remap.translate(msg)
	if !ok {
		return nil
	}
	return m.act(own)
}

// takesText reports whether letters are letters now.
func (m *Model) takesText() bool {
	return m.session == nil || m.palette.open || !m.help.open && m.front().Typing()
}

// act does what a key does, by the key that actions have of their own.
func (m *Model) act(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, m.keys.Redraw):
		return tea.ClearScreen
	case m.session == nil:
		if key.Matches(msg, m.keys.Quit) && !m.welcome.Typing() {
			return m.leave()
		}
		return m.welcome.Update(msg)
	case m.palette.open:
		return m.palette.update(msg)
	case m.help.open:
		return m.keyInHelp(msg)
	case m.front().Typing():
		return m.front().Update(msg)
	}
	return m.globalKey(msg)
}

func (m *Model) globalKey(msg tea.KeyPressMsg) tea.Cmd {
	for i, b := range m.keys.Screens {
		if key.Matches(msg, b) {
			return m.visit(i)
		}
	}
	switch {
	case key.Matches(msg, m.keys.Quit):
		return m.leave()
	case key.Matches(msg, m.keys.Help):
		m.help = help{open: true}
		return nil
	case key.Matches(msg, m.keys.Palette):
		m.palette = newPalette(m.entries())
		return nil
	case key.Matches(msg, m.keys.Theme):
		return m.wear(m.nextTheme())
	case key.Matches(msg, m.keys.Mask):
		return m.mask()
	case key.Matches(msg, m.keys.Refresh):
		return m.refresh()
	case key.Matches(msg, m.keys.Back):
		return m.back()
	}
	return m.front().Update(msg)
}

func (m *Model) keyInHelp(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, m.keys.Help, m.keys.Back):
		m.help.open = false
	case key.Matches(msg, m.keys.Quit):
		m.help.open = false
	default:
		total := len(helpLines(m.theme, m.helpGroups(), helpWidth(m.width)))
		m.help.update(msg, m.nav, total, m.bodyHeight())
	}
	return nil
}

// back closes what is open in the screen, else returns to the page before.
func (m *Model) back() tea.Cmd {
	s := m.session
	if m.front().Back() || len(s.trail) == 0 {
		return nil
	}
	last := s.trail[len(s.trail)-1]
	s.trail = s.trail[:len(s.trail)-1]
	return m.show(last)
}

func (m *Model) front() views.Screen { return m.session.pages[m.session.active].screen }

// goTo opens the screen that another one asks for.
func (m *Model) goTo(to views.Visit) tea.Cmd {
	if m.session == nil {
		return nil
	}
	for i, p := range m.session.pages {
		if p.name != to.Screen {
			continue
		}
		opening := m.visit(i)
		if shower, ok := p.screen.(views.Shower); ok && to.Target != nil {
			return tea.Batch(opening, shower.Show(to.Target))
		}
		return opening
	}
	return nil
}

func (m *Model) helpGroups() []views.HelpGroup {
	return m.remap.labels(append(m.front().Help(), m.keys.group()))
}

func connectTo(connect func(context.Context, string, string) (Connection, error), c welcome.ChooseServer) func(context.Context) (Connection, error) {
	return func(ctx context.Context) (Connection, error) { return connect(ctx, c.BaseURL, c.Token) }
}
