package webhooks

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/page"
	"tarmac/views/parts/panel"
)

// Screens of at least sharedHeight lines show endpoints and deliveries together. Screens of at
// least factsHeight lines also show the fields of the selected endpoint between them.
const (
	sharedHeight = 14
	factsHeight  = 18
)

// head returns the lines above the lists: messageLines, then the active filters.
func (s *Screen) head() (lines []page.Line) {
	for _, line := range s.messageLines() {
		lines = append(lines, page.Line{Text: line})
	}
	if s.Filtered() && !s.Typing() && s.Height > len(lines) {
		labels, click := s.ChipLine()
		lines = append(lines, page.Line{Text: labels.Line(s.Theme), Click: click})
	}
	return lines
}

// messageLines returns the line of an open prompt, or else the state of the latest change to an
// endpoint. The state takes at most two thirds of the screen's height.
func (s *Screen) messageLines() []string {
	var text []string
	var style lipgloss.Style
	switch {
	case views.Layers{s.secret, s.confirm, s.form}.Open():
		return nil
	case s.Typing():
		return panel.Box([]string{views.Layers{s.File, s.endpoints.Search, s.deliveries.Search}.Top().Draw()}, s.Width, 1)
	case !s.idle():
		w := s.writes.pending
		text, style = []string{w.host + ": waiting for an answer to " + w.operation.Verb() + "…"}, s.Theme.Faint
	case s.writes.unanswered != nil:
		all, _ := s.all.Value()
		text, style = s.writes.unanswered.lines(all), s.Theme.Warning
	case s.writes.testEvent.isFor(s.log.Key):
		words, problem := s.writes.testEvent.statusText(s, s.Now())
		text = []string{words}
		style = s.Theme.Good
		if problem {
			style = s.Theme.Caution
		}
	case s.writes.outcome.problem:
		text, style = []string{"! " + s.writes.outcome.text}, s.Theme.Critical
	case s.writes.outcome.text != "":
		text, style = []string{"✓ " + s.writes.outcome.text}, s.Theme.Good
	default:
		return nil
	}
	var lines []string
	for _, sentence := range text {
		for _, line := range wrap(sentence, s.Width) {
			lines = append(lines, style.Render(line))
		}
	}
	return panel.Box(lines, s.Width, min(len(lines), s.Height*2/3))
}

// body is the part of the page below the messages.
type body struct{ screen *Screen }

func (b body) Lines(_, height int) []string {
	s := b.screen
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

// Arrange sets the sizes of the two tables and of the delivery's detail pane.
func (b body) Arrange(width, height int) {
	s := b.screen
	if width <= 0 || s.Height <= 0 {
		return
	}
	list, facts := s.split(height)
	s.endpoints.Table.SetSize(s.inner(width, list))
	rest := height - list - len(facts)
	left, right := s.deliveryWidths()
	s.deliveries.Table.SetSize(s.inner(left, rest))
	s.deliveries.Pane.SetSize(right, rest)
	failed := func(d apiclient.WebhookDelivery) bool { return d.LastError != "" }
	s.deliveries.Table.Hide(errorColumn, !slices.ContainsFunc(s.deliveries.All(), failed))
	if d := s.deliveries.Current(); d != nil {
		s.deliveries.Pane.SetFocused(s.deliveries.Opened)
		s.deliveries.Pane.Show("Delivery", s.deliveryFields(d))
	}
}

// Click moves the cursor to the clicked endpoint or delivery, or opens the one under the cursor.
func (b body) Click(x, y int) tea.Cmd {
	s := b.screen
	if !s.all.State().HasFigures() {
		return nil
	}
	inner, height := s.inner(s.Width, s.Height-s.HeadHeight())
	x -= (s.Width - inner) / 2
	list, facts := s.split(height + s.frameLines())
	left, _ := s.deliveryWidths()
	inside, _ := s.inner(left, s.Height)
	switch log := y - list - len(facts); {
	case y < list:
		cmd, _ := s.pair.Click(false, x, y-1)
		return cmd
	case log >= 0 && x < inside && s.log.State().HasFigures():
		cmd, _ := s.pair.Click(true, x, log-1)
		return cmd
	}
	return nil
}

// Move moves in the list that has the focus.
func (b body) Move(press tea.KeyPressMsg) bool { return b.screen.pair.Move(press) }

// Help returns the keys that move.
func (b body) Help() []views.HelpGroup {
	return []views.HelpGroup{b.screen.Nav.Help("List", b.screen.pair.HasCurrent())}
}

// Back closes the opened delivery, leaves the deliveries, or removes the message about the latest
// write. It doesn't close a secret, which has keys of its own for that.
func (b body) Back() bool {
	s := b.screen
	w := &s.writes
	switch {
	case s.pair.Back():
	case w.outcome.text != "" || w.unanswered != nil || w.testEvent.isFor(s.log.Key):
		w.outcome, w.unanswered, w.testEvent = outcome{}, nil, testEvent{}
	default:
		return false
	}
	return true
}

// SetTheme sets the colours and styles.
func (b body) SetTheme(t theme.Theme) {
	b.screen.endpoints.SetTheme(t)
	b.screen.deliveries.SetTheme(t)
}

// split divides the height below the lines of head. The result list is the height of the endpoints'
// panel, and facts contains the fields of the selected endpoint as lines. The rest of the height is
// for the deliveries.
func (s *Screen) split(height int) (list int, facts []string) {
	switch {
	case s.chosen() == nil || !s.showsBoth() && !s.pair.Inside:
		return height, nil
	case !s.showsBoth():
		return 0, nil
	}
	frame := s.frameLines()
	list = min(max(frame+3, s.endpoints.Table.Reach()+frame+1), height*2/5)
	if (!s.deliveries.Opened || s.Width >= wide) && s.Height >= factsHeight {
		facts = s.factsPanel((height - list) / 2)
	}
	return list, facts
}

// inner returns the size of the content of a panel.
func (s *Screen) inner(width, height int) (int, int) {
	return panel.InnerOf(panel.IsOpen(s.Height), width, height)
}

// frameLines returns how many lines a panel needs for its frame.
func (s *Screen) frameLines() int {
	if panel.IsOpen(s.Height) {
		return 1
	}
	return 2
}

// Screens at least wide cells wide show the delivery under the cursor next to the list without its
// being opened.
const wide = 100

// deliveryWidths returns the widths of the list of deliveries and of the delivery under its cursor.
// On narrow screens, one of them is 0.
func (s *Screen) deliveryWidths() (list, detail int) {
	switch {
	case !s.deliveries.HasCurrent():
		return s.Width, 0
	case s.Width < wide && s.deliveries.Opened:
		return 0, s.Width
	case s.Width < wide:
		return s.Width, 0
	}
	detail = min(64, s.Width*2/5-1) // at 120 columns the names of events fit into the list
	return s.Width - detail - 1, detail
}

// showsBoth reports whether endpoints and deliveries are shown together.
func (s *Screen) showsBoth() bool { return s.Height >= sharedHeight }

// deliveriesShown reports whether the panel of deliveries or an open delivery is shown.
func (s *Screen) deliveriesShown() bool { return s.showsBoth() || s.pair.Inside }

// dialog draws the form or the confirmation in a frame that fills the screen. It scrolls so that
// the line with the cursor is visible.
func (s *Screen) dialog(title string, draw func(width int) (lines []string, at int)) string {
	frame := panel.Frame{Title: title, Width: s.Width, Height: s.Height, Focused: true}
	frame.Body = func(width, rows int) []string {
		lines, at := draw(width)
		return lines[max(0, min(at-rows+1+(rows-1)/2, len(lines)-rows)):]
	}
	return strings.Join(panel.Draw(s.Theme, frame, resource.State{Status: resource.Ready}, s.Now()), "\n")
}

func (s *Screen) listPanel(height int) []string {
	empty := "No webhook endpoints."
	if !s.ReadOnly {
		empty += " Press n to create one; it then receives events as they happen."
	}
	loadedAt := s.all.LoadedAt()
	frame := panel.Frame{
		Title: "Endpoints", EmptyText: empty, Width: s.Width, Height: height, Open: panel.IsOpen(s.Height),
		Focused: !s.pair.Inside, Note: figures.WithTime("updated", &loadedAt, s.Now()),
		Body: func(int, int) []string { return s.endpoints.Table.Lines() },
	}
	state := s.all.State()
	if state.HasFigures() && s.endpoints.Len() == 0 {
		state.Status, frame.EmptyText = resource.Empty, "No endpoints match. x removes the last filter."
	}
	return panel.Draw(s.Theme, frame, state, s.Now())
}

// factsPanel draws the fields of the selected endpoint in at most the given number of lines.
func (s *Screen) factsPanel(most int) []string {
	w := s.chosen()
	width, _ := s.inner(s.Width, most)
	var lines []string
	const label = 9
	for _, f := range s.endpointFields(w) {
		name := f.Label
		for _, line := range wrap(f.Text, width-label) {
			lines = append(lines, s.Theme.Faint.Render(ansi.Truncate(name, label-1, "…"))+
				strings.Repeat(" ", max(1, label-ansi.StringWidth(ansi.Truncate(name, label-1, "…"))))+f.Ink.Render(line))
			name = ""
		}
	}
	height := min(len(lines)+s.frameLines(), most)
	note := ""
	if hidden := len(lines) - (height - s.frameLines()); hidden > 0 {
		note = strconv.Itoa(hidden) + " more"
	}
	frame := panel.Frame{
		Title: s.nameOf(w), Note: note, Width: s.Width, Height: height, Open: panel.IsOpen(s.Height),
		Body: func(int, int) []string { return lines },
	}
	return panel.Draw(s.Theme, frame, resource.State{Status: resource.Ready}, s.Now())
}

// deliveriesPanel draws the list of deliveries, the delivery under its cursor, or both.
func (s *Screen) deliveriesPanel(height int) []string {
	left, right := s.deliveryWidths()
	if left == 0 {
		return s.deliveries.Pane.Lines()
	}
	lines := s.deliveryList(left, height)
	if right > 0 {
		for i, line := range s.deliveries.Pane.Lines() {
			lines[i] += " " + line
		}
	}
	return lines
}

func (s *Screen) deliveryList(width, height int) []string {
	state := s.log.State()
	empty := "No deliveries yet. Events appear here as they are sent."
	if s.log.Key == "" {
		state = resource.State{Status: resource.Empty}
		empty = "This endpoint has no id, so its deliveries cannot be listed."
	}
	note := ""
	all, _ := s.log.Value()
	switch {
	case s.deliveries.Text != "":
		note = money.Count(int64(s.deliveries.Len())) + " of the latest " + money.Count(int64(len(all)))
	case len(all) >= latest:
		note = "the latest " + money.Count(int64(len(all)))
	}
	if state.HasFigures() && s.deliveries.Len() == 0 {
		state.Status, empty = resource.Empty, "No deliveries match. x removes the last filter."
	}
	title := "Deliveries"
	if s.Height < factsHeight {
		title += " to " + s.nameOf(s.chosen()) // which no panel above names
	}
	frame := panel.Frame{
		Title: title, Note: note, EmptyText: empty,
		Width: width, Height: height, Focused: s.pair.Inside && !s.deliveries.Opened, Open: panel.IsOpen(s.Height),
		Body: func(int, int) []string { return s.deliveries.Table.Lines() },
	}
	return panel.Draw(s.Theme, frame, state, s.Now())
}

// latest is the maximum number of deliveries that the service returns (docs/api.md, Delivery
// record).
const latest = 100

// wrap breaks a text into lines of at most width cells.
func wrap(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(1, width), ""), "\n")
}
