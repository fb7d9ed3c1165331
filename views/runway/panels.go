package runway

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// answered returns the sentences at the top of the page.
func (s *Screen) answered() []string {
	if s.tooSmall() || s.asks() != nil {
		return nil
	}
	return s.answers.Lines()
}

// setRoom gives the sentences at most a quarter of the height of the page.
func (s *Screen) setRoom() {
	const part, most = 4, 6
	s.answers.SetRoom(s.theme, s.width, min(most, s.height/part))
}

func (s *Screen) draw() []string {
	if layer := s.asks(); layer != nil {
		return append(strings.Split(layer.Draw(), "\n"), s.missing...)
	}
	if s.tooSmall() {
		return append(panel.Box(s.unframed(s.height-len(s.missing)), s.width, s.height-len(s.missing)), s.missing...)
	}
	above := s.answered()
	height := max(0, s.height-len(above)-len(s.missing))
	lines := append([]string{}, above...)
	lines = append(lines, panel.Box(s.panels(len(above), height), s.width, height)...)
	return append(lines, s.missing...)
}

// asks returns the field or the question that is in the place of the page, or nil.
func (s *Screen) asks() views.Layer {
	switch {
	case s.form.Open():
		return s.form
	case s.confirm.Open():
		return s.confirm
	}
	return nil
}

// tooSmall reports whether the page is too small for panels, so that it shows only the figures.
func (s *Screen) tooSmall() bool { return s.height < smallHeight || s.width < smallWidth }

// leavesOut draws the lines at the bottom of the page, which say what the figures on it leave out.
func (s *Screen) leavesOut() []string {
	m := fact.Missing{Currency: s.data.Currency()}
	if s.comparing() && s.outcome.Plan.NeedsOverdue() {
		m.Receivables = s.outcome.Basis.Overdue.Excluded
	}
	if s.tooSmall() || s.asks() != nil {
		return m.Lines(s.theme, s.width, s.height)
	}
	if s.data.Months.State().HasFigures() {
		m.OfMonths(s.data.MonthFigures())
	}
	if f := s.weeks(); f != nil && s.showsWeeks() {
		m.OfTotal(f.Figures(0).Cash)
	}
	if c, ok := s.data.CashFigures(); ok {
		m.OfCash(c)
	}
	return m.Lines(s.theme, s.width, s.height)
}

// showsWeeks reports whether the forecast is on the page.
func (s *Screen) showsWeeks() bool {
	return s.section == weekList || s.section == monthList && s.width >= besideWidth && s.height >= bothHeight
}

func (s *Screen) asOf() string {
	if c, ok := s.data.Cash.Value(); ok {
		return figures.WithTime("as of", &c.AsOf, s.env.Now())
	}
	return ""
}

func (s *Screen) facts() []fact.Fact {
	cash, _ := s.data.CashFigures()
	f := fact.CashOf(s.theme, cash)
	return []fact.Fact{f.OnHand, f.Spendable, f.NetBurn, f.Runway, f.ZeroCash}
}

// basisPanel draws the text about the figures.
func (s *Screen) basisPanel(width, height int) []string {
	return panel.Draw(s.theme, panel.Frame{
		Title: "Basis and tests", Width: width, Height: height, Open: s.arranged.open,
		Body: func(width, height int) (lines []string) {
			for _, sentence := range s.sentences() {
				lines = append(lines, fact.Wrap(s.theme, sentence, width)...)
			}
			if more := len(lines) - height; more > 0 {
				lines = fact.FirstLines(s.theme, lines, height)
			}
			return lines
		},
	}, s.data.Cash.State(), s.env.Now())
}

// unframed draws the figures without panels. If there are no figures, it draws one panel that says
// why.
func (s *Screen) unframed(height int) []string {
	now := s.env.Now()
	state := s.data.Cash.State()
	if !state.HasFigures() {
		return panel.Draw(s.theme, panel.Frame{Title: "Runway", Width: s.width, Height: height}, state, now)
	}
	c, _ := s.data.CashFigures()
	lines := fact.Lines(s.theme, s.facts(), s.width)
	if s.comparing() {
		lines = append(append(lines, s.theme.Faint.Render(planTitle)), fact.Lines(s.theme, s.compareFacts(), s.width)...)
	}
	if notice := panel.NoticeWithin(state, now, s.width-2); notice != "" {
		lines = append(lines, s.theme.Caution.Render("◌ "+notice))
	} else if c.Caveat() == "" {
		lines = append(lines, s.theme.Faint.Render(s.asOf()))
	}
	note := fact.Note(s.theme, c, s.width-2, height-len(lines))
	if c.Note() == "" {
		note = fact.FirstLines(s.theme, fact.Wrap(s.theme, c.Reason, s.width-2), height-len(lines))
	}
	return append(lines, append(note, s.unanswered(height-len(lines)-len(note))...)...)
}

// unanswered says in at most height lines on which questions the figures depend.
func (s *Screen) unanswered(height int) []string {
	c, _ := s.data.CashFigures()
	return fact.FirstLines(s.theme, fact.Wrap(s.theme, c.UnansweredShort(), s.width), height)
}
