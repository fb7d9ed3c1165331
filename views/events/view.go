package events

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views/panel"
	"tarmac/views/snapshot"
	"tarmac/views/table"
)

// besideWidth is from how many columns on the detail stands beside the list.
const besideWidth = 100

// SetSize sets the room for the screen.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.arrange()
	if s.following {
		s.table.SetCursor(s.newestRow())
	}
}

// SetTheme sets the looks.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.table.SetTheme(t)
	s.detail.SetTheme(t)
	s.inPane = ""
	state := textinput.StyleState{Text: t.Text, Placeholder: t.Faint, Suggestion: t.Faint, Prompt: t.Text}
	s.input.SetStyles(textinput.Styles{Focused: state, Blurred: state})
	s.arrange()
}

// arrange gives list and detail their room, and the detail its event.
func (s *Screen) arrange() {
	body := s.height - s.above()
	left, right := s.width, s.width
	if s.beside() {
		right = min(72, s.width*2/5)
		left = s.width - right - 1
	}
	s.table.SetSize(left, body)
	s.detail.SetSize(right, body)
	s.input.SetWidth(max(1, s.width-10))
	s.open = s.open && len(s.shown) > 0
	subject, _ := s.subject()
	s.keys.enable(s.search != "", len(s.shown) > 0, s.open, s.paused, s.newestFirst, subject)
	if e, ok := s.event(s.table.Cursor()); ok && s.open && e.ID != s.inPane {
		s.inPane = e.ID
		s.detail.Show("Event", s.fields(e))
		s.detail.Top()
	}
}

// above is the line about the feed; a very low screen does without.
func (s *Screen) above() int {
	if s.height >= 3 || s.mode == searching {
		return min(1, s.height)
	}
	return 0
}

func (s *Screen) beside() bool { return s.open && s.width >= besideWidth }

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
		state.Status = panel.Empty
	}
	if s.mode == picking {
		return s.picker(height)
	}
	if !state.HasFigures() {
		empty := "No events yet. They appear here as they happen."
		if len(s.seen) > 0 {
			empty = "No events of the type " + s.choice + " among those read. t chooses another."
		}
		frame := panel.Frame{Title: "Events", EmptyText: empty, Width: s.width, Height: height}
		return panel.Draw(s.theme, frame, state, s.now())
	}
	switch {
	case !s.open:
		return s.table.Lines()
	case !s.beside():
		return s.detail.Lines()
	}
	list, pane := s.table.Lines(), s.detail.Lines()
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i] + " " + pane[i]
	}
	return out
}

func (s *Screen) picker(height int) []string {
	frame := panel.Frame{Title: "Show events of type", Width: s.width, Height: height, Focused: true}
	frame.Body = func(width, rows int) []string {
		all := choices()
		from := max(0, min(s.picked-rows/2, len(all)-rows))
		var lines []string
		for i := from; i < len(all); i++ {
			if i == s.picked {
				lines = append(lines, s.theme.Selected.Render("> "+all[i]+" "))
			} else {
				lines = append(lines, "  "+all[i])
			}
		}
		return lines
	}
	return panel.Draw(s.theme, frame, panel.State{Status: panel.Ready}, time.Time{})
}

// feedLine says how the tail stands: following, paused with how many new, or
// stale; what is shown of it; and when the server last answered.
func (s *Screen) feedLine() string {
	if s.mode == searching {
		return s.theme.KeyName.Render("Search ") + s.input.View()
	}
	t := s.theme
	var parts []string
	switch {
	case s.paused:
		parts = append(parts, t.Caution.Render("paused · "+table.Group(int64(s.waiting()))+" new"))
	case s.following:
		parts = append(parts, "following")
	default:
		parts = append(parts, "▼ not at the newest: "+s.newestKey())
	}
	if s.choice != "all" {
		parts = append(parts, t.Chip.Render("["+s.choice+"]"))
	}
	if s.search != "" {
		parts = append(parts, t.Chip.Render(`["`+s.search+`"]`))
	}
	if s.missed {
		parts = append(parts, t.Caution.Render("found nowhere in what was read"))
	}
	parts = append(parts, s.olderPart()...)
	left := strings.Join(parts, t.Faint.Render(" · "))
	right := s.heard()
	room := s.width - ansi.StringWidth(right) - 2
	switch {
	case right == "":
		return left
	case room < 12 && s.data.Feed.State().Status == panel.Stale:
		return right // that the events are old is what matters most
	case room < 12:
		return left
	}
	return panel.Box([]string{left}, room, 1)[0] + "  " + right
}

func (s *Screen) newestKey() string {
	if s.newestFirst {
		return s.keys.Top.Help().Key
	}
	return s.keys.Bottom.Help().Key
}

// olderPart says how reading further back stands, near the oldest event only.
func (s *Screen) olderPart() []string {
	state, waiting, atOldest := s.data.Feed.Older()
	switch {
	case waiting:
		return []string{s.theme.Faint.Render("reading older events…")}
	case state.Err != nil:
		return []string{s.theme.Caution.Render("older events: " + panel.Why(state.Err) + " · " + panel.Countdown(state.RetryAt, s.now()))}
	case s.data.Feed.Full() && s.nearOldest():
		return []string{s.theme.Faint.Render("no more than the newest " + table.Group(snapshot.HeldEvents) + " are kept")}
	case atOldest && !s.following:
		return []string{s.theme.Faint.Render("the feed goes no further back")}
	}
	return nil
}

func (s *Screen) heard() string {
	if notice := s.data.Feed.State().Notice(s.now()); notice != "" {
		return s.theme.Caution.Render("◌ " + notice)
	}
	at := s.data.Feed.HeardAt()
	if at.IsZero() {
		return ""
	}
	return s.theme.Faint.Render("heard from the server " + at.UTC().Format(time.TimeOnly) + " UTC")
}
