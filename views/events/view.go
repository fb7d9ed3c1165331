package events

import (
	"strings"

	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views/parts/panel"
)

// SetSize sets the size of the screen in cells. A list that follows the feed stays at the newest
// event.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.arrange()
	if s.list.following {
		s.table.SetCursor(s.newestRow())
	}
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.table.SetTheme(t)
	s.detail.setTheme(t)
	s.detail.shown = ""
	s.layers.SetTheme(t)
	s.arrange()
}

// wide is the width in cells from which the event under the cursor is shown beside the list
// although nobody has opened it.
const wide = 160

// leastTime is the width in cells from which the list has room for whole times and for types. From
// leastSentence on, narrower lists say instead who did what.
const (
	leastTime     = 100
	leastSentence = 64
)

// arrange sets the sizes of list and detail pane, and fills the pane with the event under the
// cursor. It is called after every change of state.
func (s *Screen) arrange() {
	body := s.height - s.feedLineHeight()
	_, listed := s.current()
	s.detail.open = s.detail.open && listed
	shows := s.detail.open || listed && s.width >= wide
	s.detail.setFocused(s.detail.open)
	s.frame.Arrange(s.width, body, shows, true)
	s.table.Hide(timeColumn, s.width < leastTime)
	s.table.Hide(shortTimeColumn, s.width >= leastTime)
	s.table.Hide(typeColumn, leastSentence <= s.width && s.width < leastTime)
	s.layers.SetWidth(s.width)
	if e, ok := s.event(s.table.Cursor()); ok && shows && e.Identity() != s.detail.shown {
		s.detail.shown, s.detail.subject = e.Identity(), subjectOf(e)
		s.detail.show(s.detailLines(e))
	}
}

// feedLineHeight returns the height of the feed line: 1, or 0 on a very small screen.
func (s *Screen) feedLineHeight() int {
	if s.height >= 3 || s.Typing() {
		return min(1, s.height)
	}
	return 0
}

// View draws the screen.
func (s *Screen) View() string {
	if s.width <= 0 || s.height <= 0 {
		return strings.Repeat("\n", max(0, s.height-1))
	}
	lines := make([]string, 0, s.height)
	if s.feedLineHeight() > 0 {
		lines = append(lines, panel.Box([]string{s.feedLine()}, s.width, 1)...)
	}
	return strings.Join(append(lines, s.body(s.height-len(lines))...), "\n")
}

func (s *Screen) body(height int) []string {
	state := s.data.Feed.State()
	if state.HasFigures() && len(s.shown) == 0 {
		state.Status = resource.Empty
	}
	if s.picker.Open() {
		return s.drawPicker(height)
	}
	if !state.HasFigures() {
		empty := "No events yet. They appear here as they happen."
		if len(s.events) > 0 {
			empty = s.noMatch()
		}
		frame := panel.Frame{
			Title: "Events", EmptyText: empty, Width: s.width, Height: height, Open: panel.IsOpen(s.height),
		}
		return panel.Draw(s.theme, frame, state, s.env.Now())
	}
	return s.frame.Lines()
}
