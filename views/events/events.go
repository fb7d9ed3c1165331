// Package events is the screen of the event feed: a live list that can be paused and filtered
// by type and text, and the details of an event (docs/api.md, Event envelope, Event types).
//
// The snapshot polls the feed without gaps or duplicates. The screen shows the events in the order
// of the feed, newest or oldest first.
package events

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/filters"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/invoicelist"
	"tarmac/views/parts/page"
	"tarmac/views/parts/saveas"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Events, Digit: "6", Title: "Events", Short: "Ev",
		Needs: []snapshot.Part{snapshot.Events},
		New:   func(env views.Env) views.Screen { return New(env) },
	}
}

// Screen is the page of events.
type Screen struct {
	*page.Page

	list     *page.List[apiclient.Event]
	events   []apiclient.Event // oldest first; a paused list lacks the events received since the pause
	paused   bool
	pausedAt uint64 // value of Feed.TotalReceived when the list was paused
	choice   string // type filter, one of the values of choices
	picker   *picker
	inks     inks

	customers      *page.Data[collections.List] // whose names the rows have
	counterparties counterparties               // of payments
}

// At widths in cells of at least wide, the event under the cursor is always shown next to the list.
// From leastTime on, the list has room for whole times and for types. From leastSentence on,
// narrower lists say instead who did what.
const (
	wide          = 160
	leastTime     = 100
	leastSentence = 64
)

// New returns the screen, with the events that env.Snapshot has so far.
func New(env views.Env) *Screen {
	s := &Screen{Page: page.New(env), choice: allTypes}
	s.customers = invoicelist.Data(env.Snapshot, env.Client, s.named)
	s.customers.When = func() bool { return len(s.events) > 0 && env.Client != nil }
	if env.Client != nil {
		s.counterparties = newCounterparties(env.Client)
	}
	s.picker = newPicker(s)
	s.list = page.NewList(s.Page, page.Listing[apiclient.Event]{
		Title: "Events", Noun: "Event", Hint: "type, number, counterparty, id or data",
		Items: func() []apiclient.Event { return s.events }, State: env.Snapshot.Feed.State,
		ID:     func(e *apiclient.Event) string { return e.Identity() },
		Record: record.Event, Columns: columns(), Row: s.cells, Detail: s.fields, Empty: s.emptyText,
		Matches: func(e *apiclient.Event) bool { return ofType(s.choice, e.Type) }, Finds: s.finds,
		Places:      func(e *apiclient.Event) []views.Place { return views.PlacesOf(s.who(e)) },
		Ticks:       true, // rows name counterparties that other pages may have fetched meanwhile
		DetailWidth: wide, OldestFirst: true, Follows: true, CanMove: s.canMove,
	})
	s.list.Reversed = true
	keys := s.keys()
	s.nameEnds()
	s.Declare(page.Spec{
		Title: "Events", Keys: func() views.Actions { return keys }, Head: s.head,
		Lists: []page.Lister{s.list}, Body: body{s.list, s}, Layers: views.Layers{s.picker},
		Data: []page.Source{s.customers}, Due: s.fetchCounterparty, Moved: s.older, On: s.on, Sync: s.sync,
		Chips: []page.Chip{{Label: s.chosen, Off: func() { s.choose(allTypes) }}, s.list.Chip()},
		Kept:  s.kept, Restore: s.restore, Themed: func() { s.inks = newInks(s.Theme) },
		State: func(is *views.State) { // the root model polls for new events
			older, _ := s.Snapshot.Feed.Older()
			is.Fetched = []resource.State{older}
		},
	})
	s.updateFromFeed()
	return s
}

// body is the list, or the open list of types.
type body struct {
	*page.List[apiclient.Event]
	screen *Screen
}

func (b body) Lines(width, height int) []string {
	if b.screen.picker.Open() {
		return b.screen.drawPicker(height)
	}
	return b.List.Lines(width, height)
}

func (s *Screen) keys() views.Actions {
	open := views.Open(func() bool {
		return s.list.HasCurrent() && (!s.list.Opened || subjectOf(s.list.Current()).name != "")
	}, func() tea.Cmd {
		if s.list.Opened {
			return subjectOf(s.list.Current()).open
		}
		s.list.Opened = true
		return nil
	})
	open.Says = func() string {
		if !s.list.Opened {
			return "open"
		}
		return "open " + subjectOf(s.list.Current()).name
	}
	return views.Actions{
		s.list.BackKey(),
		open,
		s.list.FilterKey(s.hasFigures),
		{Key: typesKey, Help: "types", When: s.hasFigures, Do: views.Do(func() { s.picker.ask() })},
		{Key: "space", When: func() bool { return s.hasFigures() || s.Snapshot.Feed.State().Status == resource.Empty },
			Says: func() string { return either(s.paused, "resume", "pause") }, Do: views.Do(s.pause)},
		s.list.ExportKey(func() saveas.Table { return saveas.List(s.list.All(), record.Event, "event") },
			"tarmac events list", func() []string { return []string{"events", s.chosen(), s.list.Text} }),
		s.RemoveKey(nil),
		s.list.CopyKey("y", "copy id", "the event's id", func(e *apiclient.Event) string { return termtext.Line(e.ID) }),
		{Key: "o", When: s.list.HasCurrent, Do: views.Do(s.reverse),
			Says: func() string { return either(s.list.Reversed, "oldest first", "newest first") }},
		{Key: "Y", Help: "copy JSON", When: func() bool {
			e := s.list.Current()
			return e != nil && e.Omitted == 0 && e.Unreadable == nil
		}, Do: s.copyJSON},
	}
}

const typesKey = "f"

func (s *Screen) hasFigures() bool { return s.Snapshot.Feed.State().HasFigures() }

// canMove reports whether the movement keys have an effect. With no match yet, they still read
// older events.
func (s *Screen) canMove() bool {
	_, atOldest := s.Snapshot.Feed.Older()
	return s.list.HasCurrent() || s.hasFigures() && len(s.events) > 0 && !atOldest
}

func (s *Screen) on(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case snapshot.Result:
		if msg.Part == snapshot.Events {
			s.updateFromFeed()
		}
	case counterpartyResponse:
		s.storeCounterparty(msg)
		return nil, true
	case views.Tick:
		s.counterparties.tick()
	case views.Visible:
		s.list.Table.Invalidate()
	}
	return nil, false
}

// named shows names that have become known. The text filter searches them.
func (s *Screen) named() tea.Cmd {
	s.list.Fill()
	return nil
}

// sync makes the feed keep old events while the user may be reading them, and chooses the columns.
func (s *Screen) sync() {
	s.Snapshot.Feed.SetReading(s.paused || !s.list.Following || s.Filtered())
	s.list.Table.Hide(timeColumn, s.Width < leastTime)
	s.list.Table.Hide(shortTimeColumn, s.Width >= leastTime)
	s.list.Table.Hide(typeColumn, leastSentence <= s.Width && s.Width < leastTime)
}

// updateFromFeed updates the list from the feed.
func (s *Screen) updateFromFeed() {
	events := s.Snapshot.Feed.Events()
	if s.paused {
		events = upTo(events, s.events)
	}
	if !sameEvents(s.events, events) {
		s.list.Table.Widen(aboutColumn, widestNumber(events))
		s.list.Table.Widen(amountColumn, widestAmount(events))
	}
	s.events = events
}

// sameEvents reports whether two parts of the feed are equal. It compares only their first and last
// events, because the feed is complete between them.
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
	position := func(of *apiclient.Event) int {
		return slices.IndexFunc(feed, func(e apiclient.Event) bool { return e.Identity() == of.Identity() })
	}
	from, to := position(&previous[0]), position(&previous[len(previous)-1])
	if from < 0 || to < 0 {
		return previous
	}
	return feed[:to+1]
}

// older returns the command that fetches older events, or nil unless the cursor is near the oldest
// event and such a request is due.
func (s *Screen) older() tea.Cmd {
	if !s.nearOldest() || s.list.Following && s.list.Len() > 1 {
		return nil
	}
	if state, _ := s.Snapshot.Feed.Older(); !resource.Due(state, s.Now(), resource.Policy{Changed: true}) {
		return nil
	}
	return views.Fetch(s.Snapshot.LoadOlder())
}

// nearOldest reports whether the cursor is within one screen of the oldest shown event.
func (s *Screen) nearOldest() bool {
	fromOldest := s.list.Table.Cursor()
	if s.list.Reversed {
		fromOldest = s.list.Len() - 1 - fromOldest
	}
	return fromOldest < s.list.Table.Height()
}

func (s *Screen) pause() {
	if s.paused = !s.paused; s.paused {
		s.pausedAt = s.Snapshot.Feed.TotalReceived()
		return
	}
	s.updateFromFeed()
}

// reverse switches between newest first and oldest first.
func (s *Screen) reverse() {
	s.list.Reverse()
	s.nameEnds()
}

// chosen returns the type filter, or "" if all types are listed.
func (s *Screen) chosen() string { return either(s.choice != allTypes, s.choice, "") }

func (s *Screen) choose(choice string) {
	s.choice = choice
}

const oldestFirst = "oldest first"

// kept returns the filters and the order of the events.
func (s *Screen) kept() views.Kept {
	return views.Kept{
		Filter: filters.Filter{Text: s.list.Text, Type: s.chosen()},
		Shown:  state.Shown{Order: either(s.list.Reversed, "", oldestFirst)},
	}
}

func (s *Screen) restore(k views.Kept) {
	if k.Filter != (filters.Filter{}) {
		s.list.Text = k.Filter.Text
		s.choose(cmp.Or(k.Filter.Type, allTypes))
	}
	if k.Shown.Order == oldestFirst && s.list.Reversed {
		s.reverse()
	}
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// The keys that move to the newest and to the oldest event.
func (s *Screen) newestKey() string { return either(s.list.Reversed, "g", "G") }
func (s *Screen) oldestKey() string { return either(s.list.Reversed, "G", "g") }

// nameEnds names the ends of the list in the help.
func (s *Screen) nameEnds() {
	s.Nav.Top.SetHelp("g", either(s.list.Reversed, "newest", "oldest"))
	s.Nav.Bottom.SetHelp("G", either(s.list.Reversed, "oldest", "newest"))
}

func (s *Screen) copyJSON() tea.Cmd {
	text, whole := envelope(s.list.Current())
	if !whole {
		return views.Warn("The event is too large to copy; fetch it by its id through the API.")
	}
	return s.Question.Copy(s.Theme, "the event as JSON", text)
}
