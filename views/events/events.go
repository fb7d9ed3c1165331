// Package events is the screen of the event feed: a live list that can be paused and filtered
// by type and text, and the details of an event (docs/api.md, Event envelope, Event types).
//
// The snapshot reads the feed without gaps or duplicates. The screen shows it in feed order,
// from either end.
package events

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// mode says what keys act on.
type mode int

const (
	listing   mode = iota
	searching      // a text filter is being typed
	picking        // a type is being picked
)

// Screen is the page of events.
type Screen struct {
	views.Base

	data   *snapshot.Snapshot
	seen   []apiclient.Event // the feed, or its content when it was paused; oldest first
	shown  []apiclient.Event // events that pass the filter
	tail   tail
	filter filter

	theme         theme.Theme
	inks          inks
	width, height int
	keys          keyMap
	mode          mode
	table         *table.Table
	detail        detail
	frame         listdetail.Frame
	picker        picker
	prompt        listdetail.Prompt
	question      masked.Question
	file          saveas.Line

	env views.Env
}

// tail says how the list follows the feed.
type tail struct {
	newestFirst bool
	following   bool // the cursor stays on the newest event
	paused      bool
	pausedAt    uint64 // number of events that had arrived by the pause
}

// filter hides events.
type filter struct {
	choice   string // one of the values of choices
	search   string // shows only events with this text; "" shows all
	previous string // search before the current edit, restored on cancel
}

// detail is the pane that shows one event.
type detail struct {
	pane
	open  bool
	shown string // Identity of the event in it
}

// New returns the screen.
func New(env views.Env) *Screen {
	s := &Screen{
		env: env, data: env.Snapshot, keys: newKeyMap(), filter: filter{choice: everything},
		tail:   tail{following: true, newestFirst: true},
		prompt: listdetail.NewPrompt(), question: masked.NewQuestion(), file: saveas.New(env.Places),
	}
	s.table = table.New(columns(), s)
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(env.Theme)
	s.take()
	return s
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		s.file.Paste(msg)
		if s.mode == searching {
			s.prompt.Paste(msg)
			s.find(s.prompt.Text())
		}
	case saveas.Written:
		cmd = s.file.Take(msg)
	case snapshot.Answer:
		if msg.Part == snapshot.Events {
			s.take()
		}
	case views.Tick:
		s.table.Invalidate() // another page may have learned a counterparty's name
	default:
		return nil
	}
	s.holdFeed()
	s.arrange()
	return cmd
}

// take updates the list from the feed. The cursor stays on its event, unless the list follows
// the newest.
func (s *Screen) take() {
	events := s.data.Feed.Events()
	if s.tail.paused {
		events = upTo(events, s.seen)
	}
	if !sameEnds(s.seen, events) {
		s.table.Widen(aboutColumn, widestNumber(events))
	}
	s.seen = events
	s.choose()
}

// sameEnds reports whether two parts of the feed start and end with the same events. They are
// then equal, because the feed has no gaps.
func sameEnds(a, b []apiclient.Event) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return a[0].Identity() == b[0].Identity() && a[len(a)-1].Identity() == b[len(b)-1].Identity()
}

// upTo returns the feed up to the last seen event, for a paused list. It includes older events
// that were read since. If the feed has dropped seen events, upTo returns seen.
func upTo(feed, seen []apiclient.Event) []apiclient.Event {
	if len(seen) == 0 {
		return nil
	}
	from, to := position(feed, seen[0].Identity()), position(feed, seen[len(seen)-1].Identity())
	if from < 0 || to < 0 {
		return seen
	}
	return feed[:to+1]
}

func position(events []apiclient.Event, identity string) int {
	return slices.IndexFunc(events, func(e apiclient.Event) bool { return e.Identity() == identity })
}

// event returns the event of a row.
func (s *Screen) event(row int) (*apiclient.Event, bool) {
	if row < 0 || row >= len(s.shown) {
		return nil, false
	}
	if s.tail.newestFirst {
		row = len(s.shown) - 1 - row
	}
	return &s.shown[row], true
}

func (s *Screen) newestRow() int {
	if s.tail.newestFirst {
		return 0
	}
	return max(0, len(s.shown)-1)
}

// waiting returns the number of events that have arrived since the pause.
func (s *Screen) waiting() uint64 { return s.data.Feed.Arrived() - s.tail.pausedAt }

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if s.question.Open() {
		return s.question.Answer(press)
	}
	if s.file.Open() {
		return s.file.Press(press)
	}
	switch s.mode {
	case searching:
		s.typed(press)
		return nil
	case picking:
		s.pick(press)
		return nil
	}
	k := &s.keys
	switch {
	case key.Matches(press, k.Pause):
		s.pause(!s.tail.paused)
	case key.Matches(press, k.Order):
		s.reverse()
	case key.Matches(press, k.Types):
		s.openPicker()
	case key.Matches(press, k.Search):
		s.ask()
	case key.Matches(press, k.Remove):
		s.remove()
	case key.Matches(press, k.CopyID):
		return s.copyID()
	case key.Matches(press, k.CopyJSON):
		return s.copyJSON()
	case key.Matches(press, k.Export):
		s.file.Ask(s.listed, "events", either(s.filter.choice != everything, s.filter.choice, ""), s.filter.search)
	case key.Matches(press, k.Open):
		s.detail.open = true
	case key.Matches(press, k.Follow):
		_, step := s.subject()
		return step
	case key.Matches(press, k.Back):
		s.Back()
	case s.detail.open && s.scrollDetail(press):
	case s.table.Update(press, k.Navigation):
		s.tail.following = s.table.Cursor() == s.newestRow()
		return s.older()
	}
	return nil
}

// older returns the command that reads older events if the cursor is near the oldest one.
func (s *Screen) older() tea.Cmd {
	if !s.nearOldest() || s.tail.following && len(s.shown) > 1 {
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
	if s.tail.newestFirst {
		fromOldest = len(s.shown) - 1 - fromOldest
	}
	return fromOldest < s.table.Height()
}

func (s *Screen) pause(on bool) {
	s.tail.paused = on
	if on {
		s.tail.pausedAt = s.data.Feed.Arrived()
		return
	}
	s.take()
}

// reverse reverses the order. The cursor stays on its event.
func (s *Screen) reverse() {
	at := len(s.shown) - 1 - s.table.Cursor()
	s.tail.newestFirst = !s.tail.newestFirst
	s.table.Invalidate()
	s.table.SetCursor(at)
}

func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	lines, ok := s.keys.Pages(press, s.detail.rows())
	s.detail.scroll(lines)
	return ok
}

// Typing reports whether keys are text or answers instead of commands.
func (s *Screen) Typing() bool { return s.mode != listing || s.file.Open() || s.question.Open() }

// Back closes the innermost open part: a question or prompt, the list of types, the detail or
// the text filter.
func (s *Screen) Back() bool {
	switch {
	case s.question.Open():
		s.question.Close()
	case s.file.Open():
		s.file.Close()
	case s.mode == searching:
		s.cancel()
	case s.mode != listing:
		s.mode = listing
	case s.detail.open:
		s.detail.open = false
		s.tail.following = s.table.Cursor() == s.newestRow()
	case s.filter.search != "":
		s.find("")
	default:
		return false
	}
	s.holdFeed()
	s.arrange()
	return true
}
