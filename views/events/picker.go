package events

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// picker is the list of event types, a views.Layer. Its entries stay the same while it is open, so
// that none moves away from under the cursor.
type picker struct {
	views.BaseLayer
	screen  *Screen
	choices []string // nil if the list is closed
	at      int
	actions views.Actions
}

func newPicker(s *Screen) *picker {
	p := &picker{screen: s}
	p.actions = views.PromptActions("apply", p.choose, p.Cancel)
	return p
}

// ask opens the list.
func (p *picker) ask() {
	p.choices = p.screen.choices()
	p.at = max(0, slices.Index(p.choices, p.screen.choice))
}

// choose applies the type under the cursor.
func (p *picker) choose() tea.Cmd {
	choice := p.choices[p.at]
	p.Cancel()
	p.screen.choose(choice)
	return nil
}

func (p *picker) Open() bool { return p.choices != nil }
func (p *picker) Cancel()    { p.choices = nil }

func (p *picker) Press(press tea.KeyPressMsg) tea.Cmd {
	step := p.screen.Nav.Step(press)
	if press.String() == typesKey {
		step = 1
	}
	if step != 0 {
		p.at = (p.at + step + len(p.choices)) % len(p.choices)
		return nil
	}
	cmd, _ := p.actions.Press(press)
	return cmd
}

func (p *picker) Help() []views.HelpGroup {
	keys := p.actions.Help("Types")
	keys.Bindings = append(p.screen.Nav.Moves()[:2], keys.Bindings...) // up and down
	return []views.HelpGroup{keys}
}

// Draw returns "", because drawPicker draws the list of types instead of the events.
func (p *picker) Draw() string { return "" }

// drawPicker draws the list of event types with the number of fetched events of each.
func (s *Screen) drawPicker(height int) []string {
	frame := panel.Frame{
		Title: "Event type", Note: plural.Count(int64(len(s.events)), "event") + " read",
		Width: s.Width, Height: height, Focused: true,
	}
	frame.Body = func(width, rows int) []string {
		all := s.picker.choices
		from := max(0, min(s.picker.at-rows/2, len(all)-rows))
		var lines []string
		for i := from; i < min(len(all), from+rows); i++ {
			name, count := termtext.Fit(termtext.Line(all[i]), 20), fmt.Sprintf("%6s", money.Count(int64(s.count(all[i]))))
			if i == s.picker.at {
				lines = append(lines, s.Theme.Selected.Render("> "+name+"  "+count+" "))
			} else {
				lines = append(lines, "  "+name+"  "+s.Theme.Faint.Render(count))
			}
		}
		return lines
	}
	return panel.Draw(s.Theme, frame, resource.State{Status: resource.Ready}, time.Time{})
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
