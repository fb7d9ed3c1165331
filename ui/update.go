package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"tarmac/client/snapshot"
	"tarmac/ui/terminal"
	"tarmac/views"
	"tarmac/views/welcome"
)

// Update handles a message, and then tells the screens which of them is visible.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		m.notice.dismiss()
	}
	cmd := m.update(msg)
	if m.session != nil {
		m.session.endAsking()
	}
	if turned := m.updateVisible(); turned != nil {
		cmd = tea.Batch(cmd, turned)
	}
	return m, cmd
}

// update routes a message. It handles keys and reports of the terminal itself, passes an answer to
// the page that issued the command, passes requests of screens to serve, and all other messages to
// the welcome page.
func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if m.schedule.unwatched { // a key press shows that the terminal has the focus again
			return tea.Batch(m.focus(true), m.key(msg))
		}
		return m.key(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.resize()
		return nil
	case tea.KeyboardEnhancementsMsg:
		m.distinguishesEscape = msg.SupportsKeyDisambiguation()
		return nil
	case tea.BackgroundColorMsg:
		m.appearance.dark = msg.IsDark()
		m.applyAppearance()
		return nil
	case tea.ColorProfileMsg:
		if colourless := msg.Profile <= colorprofile.ASCII; colourless != m.appearance.colourless {
			m.appearance.colourless = colourless
			m.applyAppearance()
		}
		return nil
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case wheelTick:
		return m.scrollByWheel()
	case tea.MouseClickMsg:
		return m.click(msg)
	case tea.MouseReleaseMsg, tea.MouseMotionMsg:
		return nil
	case tea.FocusMsg:
		return m.focus(true)
	case tea.BlurMsg:
		return m.focus(false)
	case Warning:
		m.notice.warn(msg)
		return nil
	case terminal.Leave:
		return m.leave()
	case views.Tick:
		return tea.Batch(m.tick(msg), everySecond())
	case dialResult:
		return m.finishDial(msg)
	case welcome.ChooseDemo:
		return m.connectAsChosen(msg.Attempt, m.options.Demo, m.options.Demo)
	case welcome.ChooseServer:
		return m.connectAsChosen(msg.Attempt, m.profileForAddress(msg), nil)
	case welcome.ChooseBooks:
		m.connectsBank = msg.Connect
		return m.connectAsChosen(msg.Attempt, m.options.Books, m.options.Books)
	case welcome.ChooseOrganization:
		chosen := m.options.Profiles[msg.Index]
		return m.connectAsChosen(msg.Attempt, chosen, chosen)
	case welcome.GiveUp:
		if m.welcome.Cancelled(msg.Attempt) {
			m.cancelDial()
		}
		return nil
	case welcome.Leave:
		m.choosingServer = false
		return nil
	case answer:
		return m.deliver(msg)
	case keptSaved:
		return m.keptNotSaved(msg.err)
	}
	if cmd, ok := m.serve(msg); ok || m.session != nil {
		return cmd
	}
	return m.welcome.Update(msg)
}

// deliver passes the message in an answer to serve, or else to the page that issued the command. It
// drops answers to a session that has ended.
func (m *Model) deliver(a answer) tea.Cmd {
	if a.session != m.session {
		return nil
	}
	if cmd, ok := m.serve(a.msg); ok || a.page == noPage {
		return cmd
	}
	return m.session.update(a.page, a.msg)
}

// serve handles messages in which a screen or the snapshot asks for something, such as a notice or
// a copy. ok says whether msg was such a message.
func (m *Model) serve(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case views.Visit:
		return m.goTo(msg), true
	case views.Notice:
		m.notice.show(msg, m.options.Now())
		return nil, true
	case views.Copy:
		return m.copy(msg), true
	case views.AlertsTold:
		return m.tellAlerts(msg), true
	case clipboardFailed:
		return m.copyThroughTerminal(msg.copy), true
	case views.InvoiceCreated:
		return m.broadcast(msg), true
	case views.LedgerChanged:
		if msg.Company != "" {
			m.session.connection.Profile = msg.Company
		}
		return m.reloadAll(), true
	case askingDue:
		m.session.asking.shown = m.session.asking.end != nil
		return nil, true
	case namesIndexed:
		m.session.index.store(msg)
		if m.palette.open && m.palette.finds != nil {
			m.palette.searchAgain()
		}
		return nil, true
	case views.Annotated:
		return m.broadcast(msg), true
	case annotationsRead:
		return m.annotationsKnown(msg), true
	case filtersRead:
		return m.session.restoreFilters(msg), true
	case filtersSaved:
		return m.session.filtersNotSaved(msg.err), true
	case snapshot.Result:
		return m.applyAnswer(msg), true
	}
	return nil, false
}

func (m *Model) tick(msg views.Tick) tea.Cmd {
	m.notice.expire(m.options.Now())
	if a := m.dial; a != nil && a.to.Progress != nil {
		a.progress = a.to.Progress()
		m.welcome.SetProgress(a.progress)
	}
	if m.session == nil {
		return nil
	}
	m.showLater()
	cmds := []tea.Cmd{m.session.address(noPage, m.schedule.tick(m.session.data, m.options.Now())), m.session.saveFilters(),
		m.saveKept(), m.trim()}
	for i, p := range m.session.pages {
		if i == m.session.visible || p.Background {
			cmds = append(cmds, m.session.update(i, msg))
		}
	}
	return tea.Batch(cmds...)
}

// applyAnswer stores the result in the snapshot before the screens receive the message, so that
// they see the new figures.
func (m *Model) applyAnswer(msg snapshot.Result) tea.Cmd {
	if m.session == nil {
		return nil
	}
	data := m.session.data
	failures, arrived := data.Feed.Failures(), data.Feed.TotalReceived()
	known, revised := len(data.Feed.Events()) > 0, data.Books.Changes()
	if !data.Update(msg) {
		return nil
	}
	if data.Books.Changes() > revised {
		m.schedule.booksChanged(data, m.options.Now())
	}
	news := known && data.Feed.TotalReceived() > arrived
	return tea.Batch(
		m.session.address(noPage, m.schedule.answered(data, msg, failures, news, m.options.Now())),
		m.broadcast(msg),
		m.session.readFilters(),
		m.session.readAnnotations(),
	)
}

// welcoming reports whether the welcome page is shown.
func (m *Model) welcoming() bool { return m.session == nil || m.choosingServer }

// paste passes pasted text to the uppermost layer.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if top := m.top(); top.paste != nil {
		return top.paste(msg)
	}
	return nil
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if m.isEscape(msg) {
		return tea.Batch(m.handleKey(keyPress("esc")), views.Tell(msg.String()+" is treated as esc"))
	}
	return m.handleKey(msg)
}

func (m *Model) handleKey(msg tea.KeyPressMsg) tea.Cmd {
	if m.question == nil {
		if cmd, taken := m.keys.program.Press(msg); taken {
			return cmd
		}
	}
	if m.takesText() {
		return m.runAction(msg)
	}
	own, ok := m.remap.translate(msg)
	if !ok {
		return nil
	}
	return m.runAction(own)
}

// runAction handles a key press that remap has already translated to the default key of its action.
func (m *Model) runAction(msg tea.KeyPressMsg) tea.Cmd {
	if m.question == nil {
		if cmd, taken := m.keys.frame.Press(msg); taken {
			return cmd
		}
	}
	return m.top().press(msg)
}

func (m *Model) helpGroups() []views.HelpGroup {
	return m.remap.labels(append(m.front().Help(), m.keys.group()))
}
