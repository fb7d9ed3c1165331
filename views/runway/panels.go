package runway

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/client/why"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// sentenceLines returns the sentences at the top of the page.
func (s *Screen) sentenceLines() []string {
	if s.tooSmall() || s.dialog() != nil {
		return nil
	}
	return s.answers.Lines()
}

// setRoom gives the sentences at most a quarter of the height of the page. On a low page, they are
// how long the cash lasts and what changed that, so that the chart has room.
func (s *Screen) setRoom() {
	const part, most, low = 4, 6, 3
	room := min(most, s.Height/part)
	s.answers.Limit()
	if _, changed := s.answers.About(why.Changed); changed && panel.IsOpen(s.Height) {
		s.answers.Limit(why.Lasts, why.Changed)
		room = min(room, low)
	}
	s.answers.SetRoom(s.Theme, s.Width, room)
}

func (s *Screen) draw() []string {
	if layer := s.dialog(); layer != nil {
		return append(strings.Split(layer.Draw(), "\n"), s.footnotes...)
	}
	if s.tooSmall() {
		height := s.Height - len(s.footnotes)
		return append(panel.Box(s.plainFigures(height), s.Width, height), s.footnotes...)
	}
	above := s.sentenceLines()
	height := max(0, s.Height-len(above)-len(s.footnotes))
	lines := append([]string{}, above...)
	lines = append(lines, panel.Box(s.panels(len(above), height), s.Width, height)...)
	return append(lines, s.footnotes...)
}

// dialog returns the form or the question that replaces the page, or nil.
func (s *Screen) dialog() views.Layer {
	switch {
	case s.form.Open():
		return s.form
	case s.confirm.Open():
		return s.confirm
	case s.removal.Open():
		return s.removal
	}
	return nil
}

// tooSmall reports whether the page is too small for panels and shows only figures.
func (s *Screen) tooSmall() bool { return s.Height < smallHeight || s.Width < smallWidth }

// drawFootnotes draws the lines at the bottom of the page, which say why figures are incomplete.
func (s *Screen) drawFootnotes() []string {
	m := fact.Missing{Currency: s.Snapshot.Currency()}
	if s.comparing() && s.outcome.Plan.NeedsOverdue() {
		m.Receivables = s.outcome.Basis.Overdue.Excluded
	}
	if s.tooSmall() || s.dialog() != nil {
		return m.Lines(s.Theme, s.Width, s.Height)
	}
	if s.Snapshot.Months.State().HasFigures() {
		m.OfMonths(s.Snapshot.MonthFigures())
	}
	if f := s.weeks(); f != nil && s.showsWeeks() {
		m.OfTotal(f.Figures(0).Cash)
	}
	if c, ok := s.Snapshot.CashFigures(); ok {
		m.OfCash(c)
	}
	return m.Lines(s.Theme, s.Width, s.Height)
}

// showsWeeks reports whether the forecast is on the page.
func (s *Screen) showsWeeks() bool {
	return s.section == weekList || s.section == monthList && s.Width >= chartWidth && s.Height >= bothHeight
}

func (s *Screen) asOf() string {
	if c, ok := s.Snapshot.Cash.Value(); ok {
		return figures.WithTime("as of", &c.AsOf, s.Now())
	}
	return ""
}

func (s *Screen) facts() []fact.Fact {
	cash, _ := s.Snapshot.CashFigures()
	f := fact.CashOf(s.Theme, cash)
	return []fact.Fact{f.OnHand, f.Spendable, f.NetBurn, f.Runway, f.ZeroCash}
}

// basisPanel draws the text about the figures.
func (s *Screen) basisPanel(width, height int) []string {
	return panel.Draw(s.Theme, panel.Frame{
		Title: "Basis and tests", Width: width, Height: height, Open: s.arranged.open,
		Body: func(width, height int) (lines []string) {
			for _, sentence := range s.sentences() {
				lines = append(lines, fact.Wrap(s.Theme, sentence, width)...)
			}
			if more := len(lines) - height; more > 0 {
				lines = fact.FirstLines(s.Theme, lines, height)
			}
			return lines
		},
	}, s.Snapshot.Cash.State(), s.Now())
}

// plainFigures draws the figures without panels, or one panel that says why they are missing.
func (s *Screen) plainFigures(height int) []string {
	now := s.Now()
	state := s.Snapshot.Cash.State()
	if !state.HasFigures() {
		return panel.Draw(s.Theme, panel.Frame{Title: "Runway", Width: s.Width, Height: height}, state, now)
	}
	c, _ := s.Snapshot.CashFigures()
	lines := fact.Lines(s.Theme, s.facts(), s.Width)
	if s.comparing() {
		lines = append(append(lines, s.Theme.Faint.Render(planTitle)), fact.Lines(s.Theme, s.compareFacts(), s.Width)...)
	}
	if notice := panel.NoticeWithin(state, now, s.Width-2); notice != "" {
		lines = append(lines, s.Theme.Caution.Render("◌ "+notice))
	} else if c.Caveat() == "" {
		lines = append(lines, s.Theme.Faint.Render(s.asOf()))
	}
	note := fact.Note(s.Theme, c, s.Width-2, height-len(lines))
	if c.Note() == "" {
		note = fact.FirstLines(s.Theme, fact.Wrap(s.Theme, c.Reason, s.Width-2), height-len(lines))
	}
	return append(lines, append(note, s.unanswered(height-len(lines)-len(note))...)...)
}

// unanswered draws, in at most height lines, the open questions that the figures depend on.
func (s *Screen) unanswered(height int) []string {
	c, _ := s.Snapshot.CashFigures()
	return fact.FirstLines(s.Theme, fact.Wrap(s.Theme, c.UnansweredShort(), s.Width), height)
}
