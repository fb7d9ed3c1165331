// Package events is the event feed's screen: a live tail, newest first, that can be
// paused and filtered by type and by text, and an event in full (docs/api.md, Event
// envelope, Event types).
//
// The feed itself, without gaps and repeats, is the snapshot's; the screen shows
// it as it is, never in another order than one end or the other first.
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

// mode is who gets the keys.
type mode int

const (
	listing   mode = iota
	searching      // a text to filter by is being typed
	picking        // a type is being picked
)

// Screen is the page.
type Screen struct {
	views.Base

	data   *snapshot.Snapshot
	seen   []apiclient.Event // the feed, or what it was when it was paused; oldest first
	shown  []apiclient.Event // those that the filter leaves
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

// tail is how the list goes with the feed.
type tail struct {
	newestFirst bool
	following   bool // the cursor stays on the newest
	paused      bool
	pausedAt    uint64 // how many had arrived then
}

// filter leaves events out.
type filter struct {
	choice   string // of choices
	search   string // only events with this text are shown; "" for all
	previous string // search before the one being typed
}

// detail is the pane with one event in full.
type detail struct {
	pane
	open  bool
	shown string // the Identity of the event in it
}

// New returns the screen.
func New(env views.Env) *Screen {
	s := &Screen{
		env: env, data: env.Snapshot, keys: newKeyMap(), filter: filter{choice: everything}, tail: tail{following: true, newestFirst: true},
		prompt: listdetail.NewPrompt(), question: masked.NewQuestion(), file: saveas.New(env.Places),
	}
	s.table = table.New(columns(), s)
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(env.Theme)
	s.take()
	return s
}

// Update takes a message.
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
		s.table.Invalidate() // a counterparty may have become known on another page
	default:
		return nil
	}
	s.hold()
	s.arrange()
	return cmd
}

// take shows what the feed holds now. The event under the cursor stays under it,
// unless the newest is followed.
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

// sameEnds reports whether two parts of the feed begin and end with the same event:
// between them it has no gaps, so that they are the same then.
func sameEnds(a, b []apiclient.Event) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return a[0].Identity() == b[0].Identity() && a[len(a)-1].Identity() == b[len(b)-1].Identity()
}

// upTo returns the events of the feed up to the last of those that were seen:
// what came later waits, what was read further back is there. When the feed has
// let go of some that were seen, these are shown on.
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

// waiting returns how many events came since the pause.
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
		s.flip()
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

// older asks for what is further back once the cursor is within a screen of the
// oldest event shown.
func (s *Screen) older() tea.Cmd {
	if !s.nearOldest() || s.tail.following && len(s.shown) > 1 {
		return nil
	}
	if state, _ := s.data.Feed.Older(); !resource.Due(state, s.env.Now(), resource.Policy{Changed: true}) {
		return nil
	}
	return views.Fetch(s.data.LoadOlder())
}

// nearOldest reports whether the cursor is within a screen of the oldest event
// shown.
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

// flip turns the list over, with the cursor on the same event.
func (s *Screen) flip() {
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

// Typing reports whether keys are taken for other than commands.
func (s *Screen) Typing() bool { return s.mode != listing || s.file.Open() || s.question.Open() }

// Back closes what is open: the list of types, the filter being typed, the
// detail, and at last the text filter itself.
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
	s.hold()
	s.arrange()
	return true
}
