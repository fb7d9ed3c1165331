// Package runway is the page that shows how long the company's cash lasts: the server's estimates,
// past and expected cash, the monthly sums, and the plan.
package runway

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/answers"
	"tarmac/views/parts/billlist"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/invoicelist"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/page"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/reading"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Runway, Digit: "2", Title: "Runway", Short: "Run",
		Needs:   []snapshot.Part{snapshot.Account, snapshot.Cash, snapshot.Aging, snapshot.Months, snapshot.History},
		Entries: []views.Entry{{Label: "Thirteen weeks ahead", Target: views.RunwayTarget{Weeks: true}}},
		New:     func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Screen is the runway page. It takes most figures from the snapshot, and labels everything that
// depends on the plan as hypothetical.
type Screen struct {
	*page.Page

	actions actions
	form    *lineForm
	confirm *confirmation
	removal *removal
	file    planText
	planned
	planBasis    planBasis // inputs of planned
	planning     bool      // planned is being computed
	column       string    // case of the plan that the weeks include; "" for the plan itself
	arranged     arrangement
	footnotes    []string // lines at the bottom that say why figures are incomplete
	section      section  // the list with the cursor
	months       list
	monthScales  monthScales
	monthMarks   mark.Places
	planTable    list
	againstTable list
	openRows     *openRows // transactions of a row of againstTable; nil if none are open
	weekTable    list
	weekMarks    mark.Places
	open         open
	invoices     *page.Data[collections.List]
	bills        *page.Data[*payables.Payables]
	weekly       weekly
	reading      *reading.History
	answers      *answers.Answers
	chart        chart.Cache
	chartUnit    string // unit of the amounts in the chart; "" without a chart
	laidOut      bool   // the lists show the current figures
	moved        bool   // the last key only moved a cursor
}

// New returns the page with the figures that env.Snapshot has so far. If source is nil, the
// forecast doesn't use invoices or bills.
func New(env views.Env, source collections.Source) *Screen {
	s := &Screen{Page: page.New(env), reading: reading.New(env)}
	s.answers = answers.New(env, true, why.Lasts, why.PastDue, why.Used, why.Changed, why.Worse)
	s.invoices = invoicelist.Data(env.Snapshot, source, func() tea.Cmd { return nil })
	s.invoices.When, s.invoices.Secondary = func() bool { return source != nil }, false
	billSource, hasBills := source.(payables.Source)
	s.bills = billlist.Data(env, billSource, s.billsLoaded)
	s.bills.When = func() bool { return hasBills }
	s.form, s.confirm, s.removal = newLineForm(s), newConfirmation(s), newRemoval(s)
	if s.file.store = env.Plan; s.file.store == nil {
		s.file.store = &plan.Memory{}
	}
	s.actions = s.newActions()
	keys := slices.Concat(s.actions.page, s.actions.plan, s.actions.sentences)
	s.Declare(page.Spec{
		Title: "Runway", Body: body{s}, Data: []page.Source{s.invoices, s.bills},
		Keys: func() views.Actions { return keys }, Before: s.reading.Answer, Help: s.help,
		Layers: views.Layers{s.form, s.confirm, s.removal},
		On:     s.on, Show: s.show, Due: s.due, Sync: s.sync,
		Themed: func() { s.chart, s.laidOut = chart.Cache{}, false },
		Kept:   func() views.Kept { return views.Kept{Shown: state.Shown{Part: parts()[s.section]}} },
		Restore: func(k views.Kept) {
			if at := slices.Index(parts(), k.Shown.Part); at > 0 {
				s.goTo(section(at))
			}
		},
		State: func(is *views.State) { is.Places, is.Work = s.places, s.work() },
	})
	return s
}

// parts returns the names of the lists in saved state. The name of the default list is "".
func parts() []string { return []string{weekList: "weeks", planList: "plan", againstList: "against"} }

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.laidOut = false
	s.Page.SetSize(width, height)
}

// show selects the forecast of thirteen weeks for a views.RunwayTarget, or shows the basis of the
// figures if the page is visible already.
func (s *Screen) show(target any) (tea.Cmd, bool) {
	t, ok := target.(views.RunwayTarget)
	switch {
	case ok && t.Weeks:
		s.goTo(weekList)
		s.open = open{}
	case ok && t.Basis && s.Visible:
		s.showBasis()
	default:
		return nil, false
	}
	return nil, true
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if s.Visible && s.answers.Refresh() {
		s.laidOut = false
	}
	showsAges := s.Snapshot.Cash.Err() != nil || s.Snapshot.Months.Err() != nil
	if _, tick := msg.(views.Tick); tick && s.Visible && s.laidOut && !showsAges {
		return s.Init() // fetches what is due without drawing the page again
	}
	return s.Page.Update(msg)
}

// on handles a message. Only a tick and a moved cursor leave the lists as they are.
func (s *Screen) on(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	switch msg := msg.(type) {
	case views.Tick:
	case tea.KeyPressMsg:
		s.laidOut = s.laidOut && s.moved
		s.moved = false
	case snapshot.Result:
		s.figuresChanged()
	case page.Answer, tea.PasteMsg, views.Restore:
		s.laidOut = false
	case answers.Computed:
		s.answers.Store(msg)
		s.laidOut = false
	case estimateMsg:
		s.storeEstimate(msg)
		s.figuresChanged()
	case planReadMsg:
		s.storeRead(msg)
		s.figuresChanged()
	case planWrittenMsg:
		cmd = s.storeWritten(msg)
		s.figuresChanged()
	case plannedMsg:
		s.storePlanned(msg)
		s.figuresChanged()
	default:
		return nil, false
	}
	return cmd, true
}

// due returns the commands that compute what is out of date on the visible page, and that read the
// plan again.
func (s *Screen) due() tea.Cmd {
	if !s.Visible {
		return nil
	}
	return tea.Batch(s.estimateDue(), s.answers.Due(), s.readDue(), s.planDue())
}

// figuresChanged discards the drawn chart, and reopens the open week with its new rows.
func (s *Screen) figuresChanged() {
	s.chart, s.laidOut = chart.Cache{}, false
	s.reopen()
}

// sync lays the page out if anything but a cursor has changed.
func (s *Screen) sync() {
	if !s.laidOut {
		s.layOut()
	}
}

// layOut divides the page among its panels and fills the lists.
func (s *Screen) layOut() {
	s.laidOut, s.chartUnit = true, ""
	if line, reason := s.cashChart(); reason == "" {
		s.chartUnit = line.Unit()
	}
	s.setRoom()
	s.footnotes = s.drawFootnotes()
	s.arranged = s.arrange(len(s.sentenceLines()), s.Height-len(s.footnotes))
	for _, p := range s.arranged.lists {
		width, height := s.inner(p)
		height -= len(s.above(p.section, width))
		switch {
		case p.section == monthList:
			s.fillMonths(width, height)
		case p.section == planList:
			s.fillPlan(width, height)
		case p.section == againstList:
			s.fillAgainst(width, height)
		case s.open.level == closed:
			s.fillWeeks(width, min(height, forecast.Weeks+1))
		default:
			s.fillOpen(width, height)
		}
	}
}

// places returns where else the month under the cursor is.
func (s *Screen) places() []views.Place {
	months := s.Snapshot.MonthFigures()
	if s.section != monthList || s.months.cursor >= len(months) {
		return nil
	}
	return views.PlacesOfMonth(months[len(months)-1-s.months.cursor].First, civil.Of(s.Now()))
}

// body is the page's page.Body.
type body struct{ screen *Screen }

func (body) Arrange(int, int) {}

func (body) SetTheme(theme.Theme) {}

func (b body) Lines(width, height int) []string {
	return b.screen.Question.Below(panel.Box(b.screen.draw(), width, height), width)
}

// Click selects the clicked row of a list, or opens it if it is already selected.
func (b body) Click(x, y int) tea.Cmd {
	s := b.screen
	if s.reading.Asking() {
		return nil
	}
	for _, p := range s.arranged.lists {
		if x < p.x || x >= p.x+p.width || y < p.y || y >= p.y+p.height {
			continue
		}
		previous := s.section
		s.section = p.section
		s.layOut()
		l := s.activeList()
		width, _ := s.inner(p)
		top := p.y + 1 + len(s.above(p.section, width))
		if l == nil || s.readsBasis() {
			break
		}
		side := 2
		if s.arranged.open {
			side = 0
		}
		row, ok := l.At(x-p.x-side, y-top)
		switch {
		case ok && previous == p.section && row == l.cursor:
			s.laidOut = false
			return s.Enter()
		case ok:
			l.moveTo(row)
		}
		break
	}
	return nil
}

// Back closes the innermost open part of the page.
func (b body) Back() bool {
	s := b.screen
	s.laidOut = false
	switch {
	case s.answers.IsFocused():
		s.answers.Unfocus()
	case s.section == againstList && s.openRows != nil:
		s.goTo(againstList)
	default:
		return s.backInWeeks()
	}
	return true
}
