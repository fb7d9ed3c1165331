// Package events is the event feed's screen: a live tail that can be paused,
// narrowed by type and searched, and an event in full (specification 2.8, 6).
//
// The feed itself, without gaps and repeats, is the snapshot's; the screen shows
// it as it is, never in another order than one end or the other first.
package events

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/export"
	"tarmac/views/listdetail"
	"tarmac/views/masked"
	"tarmac/views/saveas"
	"tarmac/views/snapshot"
	"tarmac/views/table"
)

// Options are the screen's surroundings; Now is the session's clock, Places where
// exports are offered to go.
type Options struct {
	Snapshot *snapshot.Snapshot
	Now      func() time.Time
	Theme    theme.Theme
	Places   export.Places
}

// mode is who gets the keys.
type mode int

const (
	listing   mode = iota
	searching      // a text to search for is being typed
	picking        // a type is being picked
)

// Screen is the page.
type Screen struct {
	data *snapshot.Snapshot
	now  func() time.Time

	theme         theme.Theme
	inks          inks
	width, height int
	keys          keyMap
	mode          mode

	seen        []apiclient.Event // the feed, or what it was when it was paused; oldest first
	shown       []apiclient.Event // those of the chosen types
	newestFirst bool
	following   bool // the cursor stays on the newest
	paused      bool
	pausedAt    uint64 // how many had arrived then
	choice      string // of choices
	picker      picker

	table    *table.Table
	detail   pane
	open     bool
	inPane   string // the id of the event in the detail
	frame    listdetail.Frame
	prompt   listdetail.Prompt
	question masked.Question
	file     saveas.Line
	search   string
	missed   bool // the last search found nothing
}

// New returns the screen.
func New(o Options) *Screen {
	s := &Screen{
		data: o.Snapshot, now: o.Now, keys: newKeyMap(), choice: everything, following: true, prompt: listdetail.NewPrompt(), question: masked.NewQuestion(),
		file: saveas.New(o.Places),
	}
	s.table = table.New(columns(), s)
	s.frame = listdetail.Frame{List: s.table, Detail: &s.detail}
	s.SetTheme(o.Theme)
	s.take()
	return s
}

// Init asks for nothing: the feed is read for all screens.
func (s *Screen) Init() tea.Cmd { return nil }

// Refresh asks for nothing of its own either.
func (s *Screen) Refresh() tea.Cmd { return nil }

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
		}
		return nil
	case saveas.Written:
		cmd = s.file.Take(msg)
	case snapshot.Answer:
		if msg.Part == snapshot.Events {
			s.take()
		}
	case views.Tick:
	default:
		return nil
	}
	// Of few types one looks through many events, also at the newest of them.
	s.data.Feed.Hold(s.paused || !s.following || s.choice != everything)
	s.arrange()
	return cmd
}

// take shows what the feed holds now. The event under the cursor stays under it,
// unless the newest is followed.
func (s *Screen) take() {
	events := s.data.Feed.Events()
	if s.paused {
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
	return a[0].ID == b[0].ID && a[len(a)-1].ID == b[len(b)-1].ID
}

// upTo returns the events of the feed up to the last of those that were seen:
// what came later waits, what was read further back is there. When the feed has
// let go of some that were seen, these are shown on.
func upTo(feed, seen []apiclient.Event) []apiclient.Event {
	if len(seen) == 0 {
		return nil
	}
	from, to := position(feed, seen[0].ID), position(feed, seen[len(seen)-1].ID)
	if from < 0 || to < 0 {
		return seen
	}
	return feed[:to+1]
}

func position(events []apiclient.Event, id string) int {
	return slices.IndexFunc(events, func(e apiclient.Event) bool { return e.ID == id })
}

// choose picks the events of the chosen types out of those seen.
func (s *Screen) choose() {
	current, line := "", 0
	if e, ok := s.event(s.table.Cursor()); ok {
		top, _ := s.table.Visible()
		current, line = e.ID, s.table.Cursor()-top
	}
	s.shown = s.seen
	if s.choice != everything {
		s.shown = nil
		for i := range s.seen {
			if ofType(s.choice, s.seen[i].Type) {
				s.shown = append(s.shown, s.seen[i])
			}
		}
	}
	s.table.Invalidate()
	s.table.SetRows(len(s.shown), len(s.shown))
	s.hold(current, line)
}

// hold puts the cursor back on an event, on the line it was on.
func (s *Screen) hold(id string, line int) {
	at := -1
	if !s.following {
		at = position(s.shown, id)
	}
	switch {
	case s.following, id == "":
		s.table.SetCursor(s.newestRow())
		return
	case at < 0:
		return // it is no longer among those shown: the nearest row is kept
	case s.newestFirst:
		at = len(s.shown) - 1 - at
	}
	top, _ := s.table.Visible()
	s.table.Scroll(at - line - top)
	s.table.SetCursor(at)
}

// event returns the event of a row.
func (s *Screen) event(row int) (*apiclient.Event, bool) {
	if row < 0 || row >= len(s.shown) {
		return nil, false
	}
	if s.newestFirst {
		row = len(s.shown) - 1 - row
	}
	return &s.shown[row], true
}

func (s *Screen) newestRow() int {
	if s.newestFirst {
		return 0
	}
	return max(0, len(s.shown)-1)
}

// waiting returns how many events came since the pause.
func (s *Screen) waiting() uint64 { return s.data.Feed.Arrived() - s.pausedAt }

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
	s.missed = false
	k := &s.keys
	switch {
	case key.Matches(press, k.Pause):
		s.pause(!s.paused)
	case key.Matches(press, k.Order):
		s.flip()
	case key.Matches(press, k.Types):
		s.openPicker()
	case key.Matches(press, k.Search):
		s.mode = searching
		s.prompt.Open("Search  ", "type, id, number or data", 200, s.search)
	case key.Matches(press, k.Next):
		s.seek(s.back())
	case key.Matches(press, k.Previous):
		s.seek(-s.back())
	case key.Matches(press, k.Remove):
		s.remove()
	case key.Matches(press, k.CopyID):
		return s.copyID()
	case key.Matches(press, k.CopyJSON):
		return s.copyJSON()
	case key.Matches(press, k.Export):
		s.file.Ask(s.listed, "events", either(s.choice != everything, s.choice, ""))
	case key.Matches(press, k.Open):
		s.open = true
	case key.Matches(press, k.Follow):
		_, step := s.subject()
		return step
	case key.Matches(press, k.Back):
		s.Back()
	case s.open && s.scrollDetail(press):
	case s.table.Update(press, k.Navigation):
		s.following = s.table.Cursor() == s.newestRow()
		return s.older()
	}
	return nil
}

// older asks for what is further back once the cursor is within a screen of the
// oldest event shown.
func (s *Screen) older() tea.Cmd {
	if !s.nearOldest() || s.following && len(s.shown) > 1 {
		return nil
	}
	if state, _, _ := s.data.Feed.Older(); state.Err != nil && s.now().Before(state.RetryAt) {
		return nil
	}
	return s.data.LoadOlder()
}

// nearOldest reports whether the cursor is within a screen of the oldest event
// shown.
func (s *Screen) nearOldest() bool {
	fromOldest := s.table.Cursor()
	if s.newestFirst {
		fromOldest = len(s.shown) - 1 - fromOldest
	}
	return fromOldest < s.table.Height()
}

func (s *Screen) pause(on bool) {
	s.paused = on
	if on {
		s.pausedAt = s.data.Feed.Arrived()
		return
	}
	s.take()
}

// flip turns the list over, with the cursor on the same event.
func (s *Screen) flip() {
	at := len(s.shown) - 1 - s.table.Cursor()
	s.newestFirst = !s.newestFirst
	s.table.Invalidate()
	s.table.SetCursor(at)
}

// back is the step towards older events.
func (s *Screen) back() int {
	if s.newestFirst {
		return 1
	}
	return -1
}

// seek moves to the nearest event in a direction that the search finds, around the
// end of the list.
func (s *Screen) seek(step int) {
	n := len(s.shown)
	for i, row := 0, s.table.Cursor(); i < n; i++ {
		row = (row + step + n) % n
		if e, ok := s.event(row); ok && found(e, s.search) {
			s.table.SetCursor(row)
			s.following = row == s.newestRow() && s.following
			return
		}
	}
	s.missed = true
}

func (s *Screen) typed(press tea.KeyPressMsg) {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.leaveInput()
	case key.Matches(press, s.keys.Apply):
		s.find(s.prompt.Text())
		s.leaveInput()
		if e, ok := s.event(s.table.Cursor()); s.search != "" && !(ok && found(e, s.search)) {
			s.seek(s.back())
		}
	default:
		s.prompt.Press(press)
	}
}

// find marks a text from now on, "" none.
func (s *Screen) find(text string) {
	s.search = text
	s.table.Highlight(text)
	s.detail.highlight(text)
}

// remove takes away what is narrowed down: the search, else the choice of types.
func (s *Screen) remove() {
	if s.search != "" {
		s.find("")
		return
	}
	s.choice = everything
	s.choose()
}

func (s *Screen) leaveInput() {
	s.mode = listing
	s.missed = false
	s.prompt.Close()
}

func (s *Screen) scrollDetail(press tea.KeyPressMsg) bool {
	lines, ok := s.keys.Pages(press, s.detail.rows())
	s.detail.scroll(lines)
	return ok
}

// Typing reports whether keys are taken for other than commands.
func (s *Screen) Typing() bool { return s.mode != listing || s.file.Open() || s.question.Open() }

// Back closes what is open: the list of types, the search being typed, the
// detail, and at last the search itself.
func (s *Screen) Back() bool {
	switch {
	case s.question.Open():
		s.question.Close()
	case s.file.Open():
		s.file.Close()
	case s.mode != listing:
		s.leaveInput()
	case s.open:
		s.open = false
	case s.search != "":
		s.find("")
	default:
		return false
	}
	s.arrange()
	return true
}
