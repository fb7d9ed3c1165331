// Package runway is the page that shows how long the company's cash lasts: the server's estimates,
// past and expected cash, the monthly sums, and the plan.
package runway

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/snapshot"
	"tarmac/client/why"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/answers"
	"tarmac/views/parts/billlist"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/invoicelist"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/reading"
)

// Screen is the runway page. It takes its figures from the snapshot and always labels what follows
// from the plan as hypothetical.
type Screen struct {
	views.Base

	data          *snapshot.Snapshot
	theme         theme.Theme
	width, height int
	nav           views.Navigation
	actions       actions
	question      *masked.Question
	form          *lineForm
	confirm       *confirmation
	layers        views.Layers // question, form and confirmation
	file          planText
	planned                 // what the plan comes to
	planBasis     planBasis // from which planned is computed
	planning      bool      // it is being computed
	column        string    // case of the plan that the weeks show; "" for the plan itself
	arranged      arrangement
	missing       []string // lines about what the figures leave out
	section       section  // list that the keys move in
	months        list
	monthScales   monthScales
	monthMarks    mark.Places
	planTable     list
	againstTable  list
	openRows      *openRows // transactions behind a row of againstTable; nil if none are open
	weekTable     list
	weekMarks     mark.Places
	open          open
	weekly        weekly
	reading       *reading.History
	answers       *answers.Answers
	visible       bool
	chart         chart.Cache
	chartUnit     string // unit of the amounts in the chart; "" without a chart
	cache         panel.Cache

	env views.Env
}

// billsOf returns the source of bills, if a source has them, or nil.
func billsOf(source collections.Source) payables.Source {
	bills, _ := source.(payables.Source)
	return bills
}

// New returns the page with the figures that env.Snapshot has so far. If source is nil, the
// forecast does without invoices and bills.
func New(env views.Env, source collections.Source) *Screen {
	s := &Screen{
		data: env.Snapshot, env: env, theme: env.Theme, nav: views.NewNavigation(), question: masked.NewQuestion(),
		reading: reading.New(env), answers: answers.New(env, true, why.Lasts, why.PastDue, why.Used, why.Changed, why.Worse),
		weekly: weekly{invoices: invoicelist.New(env, source), bills: billlist.New(env, billsOf(source))},
	}
	s.form, s.confirm = newLineForm(s), newConfirmation(s)
	s.layers = views.Layers{s.question, s.form, s.confirm}
	s.actions = s.newActions()
	if s.file.store = env.Plan; s.file.store == nil {
		s.file.store = &plan.Memory{}
	}
	s.syncView()
	return s
}

// Init returns nil: the plan is read when the page is shown, and the snapshot fetches all other
// data.
func (s *Screen) Init() tea.Cmd { return nil }

// Typing reports whether the form or a question is open, so that key presses belong to it.
func (s *Screen) Typing() bool { return s.layers.Open() }

// Back closes the form or the open question, or else what is open in the list of weeks. It reports
// whether it closed anything.
func (s *Screen) Back() bool {
	if s.layers.Cancel() {
		s.syncView()
		return true
	}
	if s.answers.IsFocused() {
		s.answers.Unfocus()
		s.syncView()
		return true
	}
	if s.section == againstList && s.openRows != nil {
		s.show(againstList)
		return true
	}
	return s.backInWeeks()
}

// SetVisible discards the drawn page, because ages and countdowns may have changed while it was
// hidden.
func (s *Screen) SetVisible(visible bool) {
	s.visible = visible
	s.cache.Invalidate()
}

// Show selects the forecast of thirteen weeks for a views.RunwayTarget, or shows what the figures
// are based on if the page is visible already.
func (s *Screen) Show(target any) tea.Cmd {
	t, ok := target.(views.RunwayTarget)
	switch {
	case ok && t.Weeks:
		s.form.Cancel()
		s.section, s.open = weekList, open{}
		s.syncView()
	case ok && t.Basis && s.visible:
		s.form.Cancel()
		s.showBasis()
	}
	return nil
}

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.syncView()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.chart = t, chart.Cache{}
	s.layers.SetTheme(t)
	s.syncView()
}

// Update handles keys, pastes, ticks, outcomes of reading and writing the plan, invoices, computed
// forecasts and plans, and new data of the snapshot.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	cmd := s.handle(msg)
	return tea.Batch(cmd, s.fetchDue(), s.estimateDue(), s.answersDue(), s.readDue(), s.planDue())
}

func (s *Screen) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Result:
		s.weekly.invoices.CheckEvents(msg)
		s.weekly.bills.ApplyOutage()
		s.refreshed()
	case invoicelist.Response:
		s.weekly.invoices.Store(msg)
		s.syncView()
	case billlist.Response:
		s.weekly.bills.Store(msg)
		if p := s.weekly.bills.Payables(); p != nil {
			s.answers.SetPastDue(p.PastDue)
		}
		s.syncView()
	case answers.Computed:
		s.answers.Store(msg)
		s.syncView()
	case estimateMsg:
		s.storeEstimate(msg)
		s.refreshed()
	case planReadMsg:
		s.storeRead(msg)
		s.refreshed()
	case planWrittenMsg:
		cmd := s.storeWritten(msg)
		s.refreshed()
		return cmd
	case plannedMsg:
		s.storePlanned(msg)
		s.refreshed()
	case views.Tick:
		if s.data.Cash.Err() != nil || s.data.Months.Err() != nil {
			s.cache.Invalidate() // ages and countdowns change with time
		}
	case tea.KeyPressMsg:
		return s.press(msg)
	case tea.PasteMsg:
		s.layers.Paste(msg)
		s.syncView()
	}
	return nil
}

// refreshed discards the drawn chart and page after figures have changed.
func (s *Screen) refreshed() {
	s.chart = chart.Cache{}
	s.reopen()
	s.syncView()
}

// syncView discards the drawn page and fills the lists in their size. It is called after every
// change of state.
func (s *Screen) syncView() {
	s.cache.Invalidate()
	s.chartUnit = ""
	if line, reason := s.picture(); reason == "" {
		s.chartUnit = line.Unit()
	}
	s.setRoom()
	s.missing = s.leavesOut()
	s.arranged = s.arrange(len(s.answered()), s.height-len(s.missing))
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

// View draws the page.
func (s *Screen) View() string {
	return s.cache.Text(func() []string {
		return s.question.Below(panel.Box(s.draw(), s.width, s.height), s.width)
	})
}
