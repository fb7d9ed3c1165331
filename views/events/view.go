package events

import (
	"strings"

	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views/parts/panel"
)

// SetVisible updates the rows: another page may have learned a counterparty's name.
func (s *Screen) SetVisible(bool) {
	s.table.Invalidate()
	s.arrange()
}

// SetSize sets the size of the screen in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.arrange()
	if s.tail.following {
		s.table.SetCursor(s.newestRow())
	}
}

// SetTheme sets the theme.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.table.SetTheme(t)
	s.detail.setTheme(t)
	s.detail.shown = ""
	s.prompt.SetTheme(t)
	s.file.SetTheme(t)
	s.arrange()
}

// arrange sizes the list and the detail, and fills the detail.
func (s *Screen) arrange() {
	body := s.height - s.above()
	_, listed := s.current()
	s.detail.open = s.detail.open && listed
	s.frame.Arrange(s.width, body, s.detail.open, true)
	s.prompt.SetWidth(s.width)
	s.file.SetWidth(s.width)
	s.enable()
	if e, ok := s.event(s.table.Cursor()); ok && s.detail.open && e.Identity() != s.detail.shown {
		s.detail.shown = e.Identity()
		s.detail.show(s.inFull(e))
	}
}

// above returns the height of the feed line: 1, or 0 on a very small screen.
func (s *Screen) above() int {
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
	if s.above() > 0 {
		lines = append(lines, panel.Box([]string{s.feedLine()}, s.width, 1)...)
	}
	return strings.Join(append(lines, s.body(s.height-len(lines))...), "\n")
}

func (s *Screen) body(height int) []string {
	state := s.data.Feed.State()
	if state.HasFigures() && len(s.shown) == 0 {
		state.Status = resource.Empty
	}
	if s.mode == picking {
		return s.drawPicker(height)
	}
	if !state.HasFigures() {
		empty := "No events yet. They appear here as they happen."
		if len(s.seen) > 0 {
			empty = s.noMatch()
		}
		frame := panel.Frame{Title: "Events", EmptyText: empty, Width: s.width, Height: height}
		return panel.Draw(s.theme, frame, state, s.env.Now())
	}
	return s.frame.Lines()
}
