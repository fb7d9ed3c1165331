package webhooks

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/panel"
)

// sharedHeight is the minimum height, in lines, at which endpoints and deliveries are shown
// together. factsHeight is the minimum height at which the fields of the selected endpoint are
// shown between them.
const (
	sharedHeight = 14
	factsHeight  = 18
)

// View draws the screen.
func (s *Screen) View() string {
	if s.width <= 0 || s.height <= 0 {
		return strings.Repeat("\n", max(0, s.height-1))
	}
	if top := s.dialogs.Top(); top != nil {
		return top.Draw()
	}
	lines := s.head()
	return strings.Join(append(lines, s.body(s.height-len(lines))...), "\n")
}

// head returns the lines above the lists: the lines of messageLines, then the active filters.
func (s *Screen) head() []string {
	lines := s.messageLines()
	chips, _ := s.chips()
	if len(chips) > 0 && !s.Typing() && s.height > len(lines) {
		lines = append(lines, listdetail.Fit(chips.Line(s.theme), s.width))
	}
	return lines
}

// messageLines returns the line of an open prompt, or else the state of the latest change to an
// endpoint. The state takes at most two thirds of the screen's height.
func (s *Screen) messageLines() []string {
	var text []string
	var style lipgloss.Style
	switch {
	case s.dialogs.Open():
		return nil
	case s.prompts.Open():
		return panel.Box([]string{s.prompts.Top().Draw()}, s.width, 1)
	case !s.idle():
		w := s.writes.pending
		text, style = []string{w.host + ": waiting for an answer to " + w.operation.Verb() + "…"}, s.theme.Faint
	case s.writes.unanswered != nil:
		all, _ := s.endpoints.list.Value()
		text, style = s.writes.unanswered.lines(all), s.theme.Warning
	case s.writes.testEvent.isFor(s.endpoints.selected):
		words, problem := s.writes.testEvent.statusText(s, s.env.Now())
		text = []string{words}
		style = s.theme.Good
		if problem {
			style = s.theme.Caution
		}
	case s.writes.outcome.problem:
		text, style = []string{"! " + s.writes.outcome.text}, s.theme.Critical
	case s.writes.outcome.text != "":
		text, style = []string{"✓ " + s.writes.outcome.text}, s.theme.Good
	default:
		return nil
	}
	var lines []string
	for _, sentence := range text {
		for _, line := range wrap(sentence, s.width) {
			lines = append(lines, style.Render(line))
		}
	}
	return panel.Box(lines, s.width, min(len(lines), s.height*2/3))
}

func (s *Screen) body(height int) []string {
	list, facts := s.split(height)
	var lines []string
	if list > 0 {
		lines = s.listPanel(list)
	}
	lines = append(lines, facts...)
	if rest := height - len(lines); rest > 0 {
		lines = append(lines, s.deliveriesPanel(rest)...)
	}
	return lines
}

// split divides the height below the lines of head. The result list is the height of the endpoints'
// panel, and facts contains the fields of the selected endpoint as lines. The rest of the height is
// for the deliveries.
func (s *Screen) split(height int) (list int, facts []string) {
	switch {
	case s.endpoint(s.endpoints.table.Cursor()) == nil || !s.showsBoth() && s.focus == onEndpoints:
		return height, nil
	case !s.showsBoth():
		return 0, nil
	}
	beside := s.beside()
	list = min(max(beside+3, s.endpoints.table.Reach()+beside+1), height*2/5)
	if (s.focus != onDelivery || s.width >= wide) && s.height >= factsHeight {
		facts = s.factsPanel((height - list) / 2)
	}
	return list, facts
}

// inner returns the size of the content of a panel.
func (s *Screen) inner(width, height int) (int, int) {
	return panel.InnerOf(panel.IsOpen(s.height), width, height)
}

// beside returns how many lines a panel has beside its content.
func (s *Screen) beside() int {
	if panel.IsOpen(s.height) {
		return 1
	}
	return 2
}

// arrange sets the sizes of the two tables and of the delivery's detail pane.
func (s *Screen) arrange() {
	if s.width <= 0 || s.height <= 0 {
		return
	}
	height := s.height - len(s.head())
	list, facts := s.split(height)
	s.endpoints.table.SetSize(s.inner(s.width, list))
	rest := height - list - len(facts)
	left, right := s.deliveryWidths()
	s.deliveries.table.SetSize(s.inner(left, rest))
	s.deliveries.detail.SetSize(right, rest)
}

// wide is the width in cells from which the delivery under the cursor is shown beside the list,
// without being opened.
const wide = 100

// deliveryWidths returns the widths of the list of deliveries and of the delivery under its cursor,
// of which one is 0 on narrow screens.
func (s *Screen) deliveryWidths() (list, detail int) {
	switch {
	case !s.listed():
		return s.width, 0
	case s.width < wide && s.focus == onDelivery:
		return 0, s.width
	case s.width < wide:
		return s.width, 0
	}
	detail = min(64, s.width*2/5-1) // at 120 columns the names of events fit into the list
	return s.width - detail - 1, detail
}

// showsBoth reports whether endpoints and deliveries are shown together.
func (s *Screen) showsBoth() bool { return s.height >= sharedHeight }

// deliveriesShown reports whether the panel of deliveries or an open delivery is shown.
func (s *Screen) deliveriesShown() bool { return s.showsBoth() || s.focus > onEndpoints }

// dialog draws the form or the confirmation in a frame that fills the screen. It scrolls so that
// the line with the cursor is visible.
func (s *Screen) dialog(title string, draw func(width int) (lines []string, at int)) string {
	frame := panel.Frame{Title: title, Width: s.width, Height: s.height, Focused: true}
	frame.Body = func(width, rows int) []string {
		lines, at := draw(width)
		return lines[max(0, min(at-rows+1+(rows-1)/2, len(lines)-rows)):]
	}
	return strings.Join(panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now()), "\n")
}

func (s *Screen) listPanel(height int) []string {
	empty := "No webhook endpoints."
	if !s.env.ReadOnly {
		empty += " Press n to create one; it then receives events as they happen."
	}
	loadedAt := s.endpoints.list.LoadedAt()
	frame := panel.Frame{
		Title: "Endpoints", EmptyText: empty, Width: s.width, Height: height, Open: panel.IsOpen(s.height),
		Focused: s.focus == onEndpoints, Note: figures.WithTime("updated", &loadedAt, s.env.Now()),
		Body: func(int, int) []string { return s.endpoints.table.Lines() },
	}
	state := s.endpoints.list.State()
	if state.HasFigures() && len(s.filter.endpoints) == 0 {
		state.Status, frame.EmptyText = resource.Empty, "No endpoints match. x removes the last filter."
	}
	return panel.Draw(s.theme, frame, state, s.env.Now())
}

// factsPanel draws the fields of the selected endpoint in at most the given number of lines.
func (s *Screen) factsPanel(most int) []string {
	w := s.endpoint(s.endpoints.table.Cursor())
	width, _ := s.inner(s.width, most)
	var lines []string
	const label = 9
	for _, f := range s.endpointFields(w) {
		name := f.Label
		for _, line := range wrap(f.Text, width-label) {
			lines = append(lines, s.theme.Faint.Render(ansi.Truncate(name, label-1, "…"))+
				strings.Repeat(" ", max(1, label-ansi.StringWidth(ansi.Truncate(name, label-1, "…"))))+f.Ink.Render(line))
			name = ""
		}
	}
	height := min(len(lines)+s.beside(), most)
	note := ""
	if hidden := len(lines) - (height - s.beside()); hidden > 0 {
		note = strconv.Itoa(hidden) + " more"
	}
	frame := panel.Frame{
		Title: s.nameOf(w), Note: note, Width: s.width, Height: height, Open: panel.IsOpen(s.height),
		Body: func(int, int) []string { return lines },
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
}

// deliveriesPanel draws the list of deliveries, the delivery under its cursor, or both.
func (s *Screen) deliveriesPanel(height int) []string {
	left, right := s.deliveryWidths()
	if left == 0 {
		return s.deliveries.detail.Lines()
	}
	lines := s.deliveryList(left, height)
	if right > 0 {
		for i, line := range s.deliveries.detail.Lines() {
			lines[i] += " " + line
		}
	}
	return lines
}

func (s *Screen) deliveryList(width, height int) []string {
	state := s.deliveries.log.State()
	empty := "No deliveries yet. Events appear here as they are sent."
	if s.endpoints.selected == "" {
		state = resource.State{Status: resource.Empty}
		empty = "This endpoint has no id, so its deliveries cannot be listed."
	}
	note := ""
	all, _ := s.deliveries.log.Value()
	switch {
	case s.filter.texts[onDeliveries] != "":
		note = money.Count(int64(len(s.filter.deliveries))) + " of the latest " + money.Count(int64(len(all)))
	case len(all) >= latest:
		note = "the latest " + money.Count(int64(len(all)))
	}
	if state.HasFigures() && len(s.filter.deliveries) == 0 {
		state.Status, empty = resource.Empty, "No deliveries match. x removes the last filter."
	}
	title := "Deliveries"
	if s.height < factsHeight {
		title += " to " + s.nameOf(s.chosen()) // which no panel above names
	}
	frame := panel.Frame{
		Title: title, Note: note, EmptyText: empty,
		Width: width, Height: height, Focused: s.focus == onDeliveries, Open: panel.IsOpen(s.height),
		Body: func(int, int) []string { return s.deliveries.table.Lines() },
	}
	return panel.Draw(s.theme, frame, state, s.env.Now())
}

// latest is the maximum number of deliveries that the service returns (docs/api.md, Delivery
// record).
const latest = 100

// wrap breaks a text into lines of at most width cells.
func wrap(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(1, width), ""), "\n")
}
