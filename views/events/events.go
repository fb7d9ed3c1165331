// Package events is the screen of the event feed: a live list that can be paused and filtered
// by type and text, and the details of an event (docs/api.md, Event envelope, Event types).
//
// The snapshot polls the feed without gaps or duplicates. The screen shows the events in the order
// of the feed, newest or oldest first.
package events

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/invoicelist"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Screen is the page of events.
type Screen struct {
	views.Base

	data   *snapshot.Snapshot
	events []apiclient.Event // oldest first; a paused list leaves out events received since the pause
	shown  []apiclient.Event // events that pass the filters
	list   list
	filter filter

	theme         theme.Theme
	inks          inks
	width, height int
	nav           views.Navigation
	actions       views.Actions
	table         *table.Table
	detail        detail
	frame         listdetail.Frame
	picker        *picker
	search        *listdetail.Filter
	question      *masked.Question
	file          *saveas.Line
	layers        views.Layers // question, file, search and picker

	invoices       invoicelist.List // whose customers the rows name
	counterparties counterparties   // of payments
	visible        bool

	env views.Env
}

// list says in which order events are listed, and whether the list follows new events.
type list struct {
	newestFirst bool
	following   bool // the cursor moves to each new event
	paused      bool
	pausedAt    uint64 // value of Feed.TotalReceived when the list was paused
}

// filter is the type filter and the text filter. Both must match for an event to be shown.
type filter struct {
	choice string // type filter, one of the values of choices
	search string // text filter; "" matches all events
}

// detail is the pane that shows one event.
type detail struct {
	pane
	open    bool
	shown   string  // result of Identity for the event in the pane
	subject subject // of the event in the pane
}

// New returns the screen, with the events that env.Snapshot has so far.
func New(env views.Env) *Screen {
	s := &Screen{
		env: env, data: env.Snapshot, nav: views.NewNavigation(), filter: filter{choice: allTypes},
		list:     list{following: true, newestFirst: true},
		question: masked.NewQuestion(), file: saveas.New(env.Places),
	}
	if env.Client != nil {
		s.invoices, s.counterparties = invoicelist.New(env, env.Client), newCounterparties(env.Client)
	} else {
		s.invoices = invoicelist.New(env, nil)
	}
	s.picker = newPicker(s)
	s.search = listdetail.NewFilter("type, number, counterparty, id or data",
		func() string { return s.filter.search }, s.setSearch)
	s.layers = views.Layers{s.question, s.file, s.search, s.picker}
	s.actions = s.newActions()
	s.nameEnds()
	s.table = table.New(columns(), s)
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(env.Theme)
	s.updateFromFeed()
	return s
}

// Update handles keys, pastes, ticks and new data of the snapshot.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		s.layers.Paste(msg)
	case saveas.Written:
		cmd = s.file.Take(msg)
	case snapshot.Result:
		if s.invoices.CheckEvents(msg); msg.Part == snapshot.Events {
			s.updateFromFeed()
		}
	case invoicelist.Response:
		s.invoices.Store(msg)
		s.applyFilters() // the text filter searches the names
		s.table.Invalidate()
	case counterpartyResponse:
		s.storeCounterparty(msg)
	case views.Tick:
		s.counterparties.tick()
		s.table.Invalidate() // rows name counterparties, which other pages may have fetched meanwhile
	default:
		return nil
	}
	s.holdFeed()
	s.arrange()
	return tea.Batch(cmd, s.fetchCustomers(), s.fetchCounterparty())
}

// SetVisible tells the page whether it is visible. A hidden page does not fetch names.
func (s *Screen) SetVisible(visible bool) {
	s.visible = visible
	s.table.Invalidate() // other pages may have fetched names meanwhile
	s.arrange()
}

// Init returns the command that fetches the invoices whose customers the rows name.
func (s *Screen) Init() tea.Cmd { return s.fetchCustomers() }

// fetchCustomers returns the command that fetches the invoices if that is due, once there are
// events about them. Without the names, rows show the invoices' numbers.
func (s *Screen) fetchCustomers() tea.Cmd {
	if !s.visible || len(s.events) == 0 || !s.invoices.HasSource() {
		return nil
	}
	return s.invoices.FetchDue()
}

// updateFromFeed updates the list from the feed. The cursor stays on its event, or moves to the
// newest event if the list follows the feed.
func (s *Screen) updateFromFeed() {
	events := s.data.Feed.Events()
	if s.list.paused {
		events = upTo(events, s.events)
	}
	if !sameEvents(s.events, events) {
		s.table.Widen(aboutColumn, widestNumber(events))
		s.table.Widen(amountColumn, widestAmount(events))
	}
	s.events = events
	s.applyFilters()
}

// sameEvents reports whether two parts of the feed are equal. It compares only their first and last
// events, because the feed has no gaps.
func sameEvents(a, b []apiclient.Event) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return a[0].Identity() == b[0].Identity() && a[len(a)-1].Identity() == b[len(b)-1].Identity()
}

// upTo returns the events that a paused list shows now, given the previous ones, which it has shown
// so far. The result is the feed up to the last of the previous events. It may include older events
// fetched since the pause. If the feed has dropped the first or last of the previous events, upTo
// returns those unchanged.
func upTo(feed, previous []apiclient.Event) []apiclient.Event {
	if len(previous) == 0 {
		return nil
	}
	from, to := position(feed, previous[0].Identity()), position(feed, previous[len(previous)-1].Identity())
	if from < 0 || to < 0 {
		return previous
	}
	return feed[:to+1]
}

func position(events []apiclient.Event, identity string) int {
	return slices.IndexFunc(events, func(e apiclient.Event) bool { return e.Identity() == identity })
}

// event returns the event in a row of the table, or false if there is none.
func (s *Screen) event(row int) (*apiclient.Event, bool) {
	if row < 0 || row >= len(s.shown) {
		return nil, false
	}
	if s.list.newestFirst {
		row = len(s.shown) - 1 - row
	}
	return &s.shown[row], true
}

func (s *Screen) newestRow() int {
	if s.list.newestFirst {
		return 0
	}
	return max(0, len(s.shown)-1)
}

// newSincePause returns how many events the feed has received since the list was paused.
func (s *Screen) newSincePause() uint64 { return s.data.Feed.TotalReceived() - s.list.pausedAt }

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := s.layers.Press(press); taken {
		return cmd
	}
	if cmd, taken := s.actions.Press(press); taken {
		return cmd
	}
	switch {
	case !s.canMove():
	case s.detail.open && s.scrollDetail(press):
	case s.table.Update(press, s.nav):
		s.list.following = s.table.Cursor() == s.newestRow()
		return s.older()
	}
	return nil
}

func (s *Screen) export() tea.Cmd {
	choice := either(s.filter.choice != allTypes, s.filter.choice, "")
	return s.file.Ask(s.listedTable, "tarmac events list", "events", choice, s.filter.search)
}

// older returns the command that fetches older events, or nil unless the cursor is near the oldest
// event and such a request is due.
func (s *Screen) older() tea.Cmd {
	if !s.nearOldest() || s.list.following && len(s.shown) > 1 {
		return nil
	}
	if state, _ := s.data.Feed.Older(); !resource.Due(state, s.env.Now(), resource.Policy{Changed: true}) {
		return nil
	}
	return views.Fetch(s.data.LoadOlder())
}

// nearOldest reports whether the cursor is within one screen of the oldest shown event.
func (s *Screen) nearOldest() bool {
	fromOldest := s.table.Cursor()
	if s.list.newestFirst {
		fromOldest = len(s.shown) - 1 - fromOldest
	}
	return fromOldest < s.table.Height()
}

func (s *Screen) pause(on bool) {
	s.list.paused = on
	if on {
		s.list.pausedAt = s.data.Feed.TotalReceived()
		return
	}
	s.updateFromFeed()
}

// reverse switches between newest first and oldest first. The cursor stays on its event.
func (s *Screen) reverse() {
	at := len(s.shown) - 1 - s.table.Cursor()
	s.list.newestFirst = !s.list.newestFirst
	s.nameEnds()
	s.table.Invalidate()
	s.table.SetCursor(at)
}

func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	lines, ok := s.nav.PageMove(press, s.detail.rows())
	s.detail.scroll(lines)
	return ok
}

// Typing reports whether keys go to a prompt, a question or the list of types, so that the root
// model's keys are disabled.
func (s *Screen) Typing() bool { return s.layers.Open() }

// Back closes what was opened last: a question or prompt, the list of types, the detail pane, or
// else the text filter. It reports whether anything was open.
func (s *Screen) Back() bool {
	switch {
	case s.layers.Cancel():
	case s.detail.open:
		s.detail.open = false
		s.list.following = s.table.Cursor() == s.newestRow()
	case s.filter.search != "":
		s.setSearch("")
	default:
		return false
	}
	s.holdFeed()
	s.arrange()
	return true
}
