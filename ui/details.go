package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/mask"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/internal/plural"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// details is the overlay that lists the open alerts and explains the current problems in full.
type details struct {
	open   bool
	offset int
}

// scroll moves a text of total lines on a screen of the given height. It ignores all keys but those
// that scroll.
func (d *details) scroll(msg tea.KeyPressMsg, nav views.Navigation, total, height int) {
	lines, _ := nav.LineMove(msg, max(1, height-1))
	d.offset = max(0, min(d.offset+lines, total-height))
}

// scrollKeys returns the keys that scroll, or none unless on.
func scrollKeys(nav views.Navigation, on bool) views.HelpGroup {
	if !on {
		return views.HelpGroup{}
	}
	return views.HelpGroup{Bindings: []key.Binding{nav.Up, nav.Down, nav.PageUp, nav.PageDown}}
}

// problems returns the states of failed requests, one per distinct error. Failures of the visible
// page come first, then failures of other figures. In both groups, the most serious ones come
// first.
func (m *Model) problems() []resource.State {
	s := m.session
	page := &s.pages[s.active]
	var here, elsewhere []resource.State
	here = append(here, page.screen.State().Fetched...)
	for _, part := range page.Needs {
		here = append(here, s.data.State(part))
	}
	for _, part := range s.data.ByPriority() {
		elsewhere = append(elsewhere, s.data.State(part))
	}
	var found []resource.State
	told := map[string]bool{}
	for _, states := range [][]resource.State{here, elsewhere} {
		slices.SortStableFunc(states, func(a, b resource.State) int { return seriousness(b) - seriousness(a) })
		for _, state := range states {
			if state.Err == nil {
				state.Err = state.Partial.Err // why some records could not be decoded
			}
			if state.Err == nil || told[problem.Line(state.Err)] {
				continue
			}
			told[problem.Line(state.Err)] = true
			found = append(found, state)
		}
	}
	return found
}

// seriousness returns a number that ranks failures: 4 for a rejected token, 3 for missing figures,
// 2 for stale figures, 1 for any other error, 0 for none.
func seriousness(s resource.State) int {
	switch {
	case s.Err == nil:
		return 0
	case errors.Is(s.Err, apiclient.ErrUnauthorized):
		return 4
	case s.Status == resource.Failed:
		return 3
	case s.Status == resource.Stale:
		return 2
	}
	return 1
}

// showDetails opens the overlay. If it would be empty, it returns the command that says so.
func (m *Model) showDetails() tea.Cmd {
	if len(m.session.openAlerts) == 0 && len(m.problems()) == 0 {
		return views.Tell("no alerts, and no problems here: everything loaded")
	}
	m.details = details{open: true}
	return nil
}

// detailsWidth is the preferred width of the overlay, in cells.
const detailsWidth = 84

// detailLines returns the text of the overlay, wrapped to a width.
func (m *Model) detailLines(width int) []string {
	states, now := m.problems(), m.options.Now()
	var lines []string
	for _, text := range m.session.openAlerts {
		if m.theme.Masked {
			text = mask.Text(text)
		}
		lines = append(lines, labelledLines(m.theme, "Alert", text, width)...)
	}
	switch {
	case len(states) == 0 && len(lines) == 0:
		return []string{m.theme.Good.Render("Resolved.")}
	case len(states) == 0:
		return lines
	case len(lines) > 0:
		lines = append(lines, "")
	}
	first := states[0]
	p := problem.Of(first.Err)
	lines = append(lines, styled(problem.Sentence(p.Detail), width, m.theme.Critical.Render)...)
	lines = append(lines, "")
	facts := [][2]string{
		{"What to do", problem.Sentence(p.Advice)},
		{"Request", p.Request},
		{"Request id", p.RequestID},
		{"Since", sinceWords(first)},
	}
	if !first.LoadedAt.IsZero() {
		facts = append(facts, [2]string{"Last update", first.LoadedAt.UTC().Format("2006-01-02 15:04:05 UTC")})
	}
	if !first.RetryAt.IsZero() && !problem.Lasts(first.Err) {
		facts = append(facts, [2]string{"Next try", panel.Countdown(first.RetryAt, now)})
	}
	for _, fact := range facts {
		lines = append(lines, labelledLines(m.theme, fact[0], fact[1], width)...)
	}
	for i, state := range states[1:] {
		also := problem.Of(state.Err)
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, labelledLines(m.theme, "Also", also.Detail+" · "+also.Request, width)...)
	}
	return lines
}

// sinceWords says when the first failure was and how many failures followed. It returns "" if the
// time is unknown.
func sinceWords(s resource.State) string {
	if s.Since.IsZero() {
		return ""
	}
	text := s.Since.UTC().Format("2006-01-02 15:04:05 UTC")
	if s.Failures > 1 {
		text += fmt.Sprintf(", %d times in a row", s.Failures)
	}
	return text
}

const labelWidth = 12

// labelledLines returns text beside its label, wrapped to width. It returns nil if text is empty.
func labelledLines(t theme.Theme, label, text string, width int) []string {
	if text == "" {
		return nil
	}
	lines := styled(text, max(1, width-labelWidth), t.Text.Render)
	for i := range lines {
		head := strings.Repeat(" ", labelWidth)
		if i == 0 {
			head = t.Faint.Render(label) + strings.Repeat(" ", max(1, labelWidth-len(label)))
		}
		lines[i] = head + lines[i]
	}
	return lines
}

func styled(text string, width int, style func(...string) string) []string {
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap(text, max(1, width), ""), "\n") {
		lines = append(lines, style(line))
	}
	return lines
}

// detailsRoom returns the maximum width and height of the overlay's text, in cells.
func (m *Model) detailsRoom() (width, height int) {
	return max(1, min(m.width, detailsWidth)-4), max(1, m.bodyHeight()-2)
}

// detailActions returns the keys of the overlay, without those that scroll it.
func (m *Model) detailActions() views.Actions {
	return views.Actions{
		{Key: "esc", Also: []string{"!", "q"}, Help: "back", Do: views.Do(func() { m.details.open = false })},
		{Key: "y", Help: "copy", Do: func() tea.Cmd {
			width, _ := m.detailsRoom()
			return views.PutOnClipboard("this list", ansi.Strip(strings.Join(m.detailLines(width), "\n")))
		}},
		{Key: "r", Help: "refresh", Do: m.refresh},
	}
}

// detailsView draws the overlay over a screen of the given size.
func (m *Model) detailsView(screen []string, width, height int) []string {
	inner, room := m.detailsRoom()
	lines := m.detailLines(inner)
	w, h := min(width, detailsWidth), min(height, len(lines)+2)
	start := max(0, min(m.details.offset, len(lines)-room))
	title, n := "Problem", len(m.problems())
	if open := len(m.session.openAlerts); open > 0 {
		title = plural.Count(open, "alert")
		if n > 0 {
			title += ", " + plural.Count(n, "problem")
		}
	} else if n > 1 {
		title = plural.Count(n, "problem")
	}
	box := panel.Draw(m.theme, panel.Frame{
		Title: title, Width: w, Height: h, Focused: true,
		Body: func(width, height int) []string { return panel.Box(lines[start:], width, height) },
	}, resource.State{Status: resource.Ready}, time.Time{})
	return overlay(screen, box, (width-w)/2, (height-h)/4, width)
}
