package events

import (
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views/parts/panel"
)

// picker is the open list of event types. Its entries stay the same while it is open, so that none
// moves away from under the cursor.
type picker struct {
	choices []string
	at      int
}

func (s *Screen) openPicker() {
	s.mode = picking
	s.picker.choices = s.choices()
	s.picker.at = max(0, slices.Index(s.picker.choices, s.filter.choice))
}

func (s *Screen) pickerKey(press tea.KeyPressMsg) {
	all := s.picker.choices
	switch {
	case key.Matches(press, s.keys.Types), key.Matches(press, s.keys.Down):
		s.picker.at = (s.picker.at + 1) % len(all)
	case key.Matches(press, s.keys.Up):
		s.picker.at = (s.picker.at + len(all) - 1) % len(all)
	case key.Matches(press, s.keys.Apply):
		s.mode, s.filter.choice = listing, all[s.picker.at]
		s.applyFilters()
	case key.Matches(press, s.keys.Cancel):
		s.mode = listing
	}
}

// drawPicker draws the list of event types with the number of fetched events of each.
func (s *Screen) drawPicker(height int) []string {
	frame := panel.Frame{
		Title: "Event type", Note: plural.Count(int64(len(s.events)), "event") + " read",
		Width: s.width, Height: height, Focused: true,
	}
	frame.Body = func(width, rows int) []string {
		all := s.picker.choices
		from := max(0, min(s.picker.at-rows/2, len(all)-rows))
		var lines []string
		for i := from; i < min(len(all), from+rows); i++ {
			name, count := termtext.Fit(termtext.Line(all[i]), 20), fmt.Sprintf("%6s", money.Count(int64(s.count(all[i]))))
			if i == s.picker.at {
				lines = append(lines, s.theme.Selected.Render("> "+name+"  "+count+" "))
			} else {
				lines = append(lines, "  "+name+"  "+s.theme.Faint.Render(count))
			}
		}
		return lines
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, time.Time{})
}

// count returns the number of fetched events that choice, an entry of the type list, includes.
func (s *Screen) count(choice string) int {
	n := 0
	for i := range s.events {
		if ofType(choice, s.events[i].Type) {
			n++
		}
	}
	return n
}
