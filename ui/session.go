package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/filters"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/views"
)

// session is a connection with its own snapshot and screens. Figures of one organization are
// therefore never drawn for another.
type session struct {
	ctx        context.Context // parent of the contexts of all commands and of the connection
	cancel     context.CancelFunc
	connection Connection
	profile    *Profile // nil for a connection to a typed address
	readOnly   bool
	drafts     state.Folder // folder of drafts, plans and filters; nil if they are not saved
	filters    savedFilters

	annotations annotated

	data        *snapshot.Snapshot
	visiblePage stage
	pages       []page
	active      int                         // index of the page in front
	shownLater  bool                        // the page in front shows its Later parts too
	visible     int                         // index of the page that became visible last; noPage if none
	history     []int                       // indexes of the pages to which esc returns
	retried     map[snapshot.Part]time.Time // when a part was last retried because the user returned to a page
	asking      asking                      // the refresh under way
	index       index                       // what the palette finds
	trimming    trimming
	openAlerts  []string // alerts whose limits are crossed
}

// noPage is an index that stands for the root model, or for no page at all.
const noPage = -1

// answer wraps the message of a command with the session and the page that issued the command. The
// message must reach only that page, because pages and sessions number their requests
// independently.
type answer struct {
	session *session
	page    int // noPage if the root model issued the command
	msg     tea.Msg
}

// address returns a command that wraps the messages of cmd in an answer for the page. All commands
// of screens and of the snapshot pass through address.
func (s *session) address(page int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case nil:
			return nil
		case tea.BatchMsg:
			addressed := make(tea.BatchMsg, len(msg))
			for i, c := range msg {
				addressed[i] = s.address(page, c)
			}
			return addressed
		default:
			return answer{s, page, msg}
		}
	}
}

// update passes a message to the screen of a page.
func (s *session) update(page int, msg tea.Msg) tea.Cmd {
	return s.address(page, s.pages[page].screen.Update(msg))
}

// open replaces the session with one for a new connection, and starts to fetch its figures.
func (m *Model) open(a *dial, c Connection) tea.Cmd {
	s := &session{
		ctx: a.ctx, cancel: a.cancel, connection: c, profile: a.profile, readOnly: m.options.ReadOnly || c.ReadOnly,
		visible: noPage, drafts: c.draftsIn(m.options.Drafts),
	}
	s.annotations.file = c.annotationsIn(s.drafts)
	s.data = snapshot.New(s.ctx, c.Client, snapshot.Options{Now: m.options.Now, Timeout: m.options.Timeout})
	s.pages, s.retried = newPages(m, s), map[snapshot.Part]time.Time{}
	unwatched := m.schedule.unwatched
	m.session, m.schedule = s, newSchedule(m.options.Refresh)
	m.schedule.unwatched = unwatched
	m.keys = m.newKeys(s.pages)
	m.restorePages()
	m.palette, m.question = palette{}, nil
	if !m.notice.stays {
		m.notice = notice{}
	}
	m.resize()
	first := m.show(0)
	return tea.Batch(s.address(noPage, m.schedule.start(s.data)), first)
}

// flush saves unsaved input of all screens.
func (s *session) flush() (err error) {
	for _, p := range s.pages {
		if saver, ok := p.screen.(views.Saver); ok {
			err = errors.Join(err, saver.Flush())
		}
	}
	return err
}

// end ends a session whose input is saved. It returns the command that closes the connection.
func (m *Model) end(s *session) tea.Cmd {
	s.cancel()
	for _, p := range s.pages {
		if saver, ok := p.screen.(views.Saver); ok {
			_ = saver.Release() // unlocks the draft for the next session
		}
	}
	return m.closeConnection(s.connection)
}

// closeConnection returns the command that closes a connection.
func (m *Model) closeConnection(c Connection) tea.Cmd {
	return func() tea.Msg {
		m.connections.end(c)
		return nil
	}
}

// unfinished says what would be lost if the session ended now: unfinished work and, with a
// temporary server, all that the user has made. It returns "" if nothing would be lost.
func (s *session) unfinished() string {
	for _, p := range s.pages {
		if what := p.screen.State().Unfinished; what != "" {
			return what
		}
	}
	if !s.connection.Temporary {
		return ""
	}
	var work []string
	for _, p := range s.pages {
		work = append(work, p.screen.State().Work...)
	}
	if slices.ContainsFunc(s.pages, func(p page) bool { return p.screen.State().Kept.Filter != (filters.Filter{}) }) {
		work = append(work, "your filters")
	}
	if s.annotations.file.Changes() > 0 {
		work = append(work, "your categories and notes")
	}
	if len(work) == 0 {
		return ""
	}
	return "leaving the " + s.connection.Profile + " deletes " + strings.Join(work, ", ")
}

// filtered returns the titles of the pages that have a filter.
func (s *session) filtered() (titles []string) {
	for _, p := range s.pages {
		if p.screen.State().Filtered {
			titles = append(titles, p.Title)
		}
	}
	return titles
}

// show brings a page to the front. When a page is shown for the first time, it starts to fetch its
// own data.
func (m *Model) show(i int) tea.Cmd {
	s := m.session
	s.active = i
	s.visiblePage.front.Store(s.pages[i].Name)
	s.data.Show(s.pages[i].Needs...)
	s.shownLater = false
	history := s.address(noPage, m.schedule.readHistory(s.data, m.options.Now()))
	if s.pages[i].opened {
		return history
	}
	s.pages[i].opened = true
	return tea.Batch(history, s.address(i, s.pages[i].screen.Init()))
}

// showLater starts fetching the parts that the visible page shows later, once those that it needs
// are loaded.
func (m *Model) showLater() {
	s := m.session
	p := &s.pages[s.active]
	if s.shownLater || len(p.Later) == 0 || m.options.Remote {
		return
	}
	for _, part := range p.Needs {
		if s.data.State(part).Status == resource.Loading {
			return
		}
	}
	s.shownLater = true
	s.data.Show(slices.Concat(p.Needs, p.Later)...)
}

// longestHistory is the maximum number of pages to which esc can return.
const longestHistory = 50

// visit shows another page and remembers the current one for esc.
func (m *Model) visit(i int) tea.Cmd {
	s := m.session
	if i == s.active {
		return nil
	}
	s.history = append(s.history, s.active)
	if len(s.history) > longestHistory {
		s.history = s.history[1:]
	}
	return m.show(i)
}

// openPage shows a page that the user chose directly.
func (m *Model) openPage(i int) tea.Cmd { return tea.Batch(m.visit(i), m.retryFailed()) }

// goTo opens the page that a screen asks for.
func (m *Model) goTo(to views.Visit) tea.Cmd {
	if m.session == nil {
		return nil
	}
	i := m.session.indexOf(to.Screen)
	if i < 0 {
		return nil
	}
	opening := m.visit(i)
	if to.Target != nil {
		opening = tea.Batch(opening, m.session.address(i, m.session.pages[i].screen.Show(to.Target)))
	}
	return tea.Batch(opening, m.retryFailed())
}

// indexOf returns the index of the page with the name, or noPage if the session does not have it.
func (s *session) indexOf(name string) int {
	return slices.IndexFunc(s.pages, func(p page) bool { return p.Name == name })
}

// back closes what is open on the visible screen. If nothing is open, it returns to the previous
// page.
func (m *Model) back() tea.Cmd {
	s := m.session
	if m.front().Back() || len(s.history) == 0 {
		return nil
	}
	last := s.history[len(s.history)-1]
	s.history = s.history[:len(s.history)-1]
	return tea.Batch(m.show(last), m.retryFailed())
}

func (m *Model) front() views.Screen { return m.session.pages[m.session.active].screen }

// updateVisible sends views.Visible to two screens if another page has become visible. It returns
// their commands.
func (m *Model) updateVisible() tea.Cmd {
	s := m.session
	if s == nil {
		return nil
	}
	seen := s.active
	if m.choosingServer {
		seen = noPage
	}
	if seen == s.visible {
		return nil
	}
	var cmds []tea.Cmd
	if s.visible != noPage {
		cmds = append(cmds, s.update(s.visible, views.Visible(false)))
	}
	if s.visible = seen; seen != noPage {
		cmds = append(cmds, s.update(seen, views.Visible(true)))
	}
	return tea.Batch(cmds...)
}

// toFront passes a message to the visible screen.
func (m *Model) toFront(msg tea.Msg) tea.Cmd { return m.session.update(m.session.active, msg) }

// broadcast passes a message to all screens, including those not opened yet.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for i := range m.session.pages {
		cmds = append(cmds, m.session.update(i, msg))
	}
	return tea.Batch(cmds...)
}
