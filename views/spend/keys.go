package spend

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/annotate"
	"tarmac/views/parts/listdetail"
)

func (s *Screen) keys() views.Actions {
	chips := func() bool { return len(s.chips()) > 0 }
	enter := views.Open(func() bool { return s.listed() && !s.list().Opened }, func() tea.Cmd { s.open(); return nil })
	enter.Says = func() string {
		if s.rows != nil {
			return "details"
		}
		return "transactions"
	}
	do := func(change func()) func() tea.Cmd {
		return func() tea.Cmd { change(); return nil }
	}
	actions := views.Actions{
		views.Back(func() bool { return s.rows != nil }, s.Back),
		enter,
		{Key: "]", Also: []string{"tab"}, Help: "next figures", When: s.showsTabs,
			Do: do(func() { s.showTab((s.tab + 1) % transactions) })},
		{Key: "d", Help: "direction", When: func() bool { return s.showsTabs() && s.tab != changes },
			Do: do(func() { s.setDirection(otherDirection(s.choice.direction)) })},
		{Key: "f", Help: "dates", When: func() bool { return s.showsFigures() && s.tab != recurring },
			Do: do(s.chooseMonths)},
		{Key: "c", Help: "by category", Says: func() string {
			return "by " + s.groupName("category", "counterparty")
		}, When: func() bool { return s.showsFigures() && s.tab == counterparties && s.figures.categorized },
			Do: do(func() { s.setCategory(!s.choice.category) })},
		{Key: "<", Help: "a month back", When: func() bool { return s.comparesMonths(-1) },
			Do: do(func() { s.moveMonths(-1) })},
		{Key: ">", Help: "a month on", When: func() bool { return s.comparesMonths(1) },
			Do: do(func() { s.moveMonths(1) })},
		{Key: "S", Help: "sort", When: func() bool { return s.listed() && s.list().count() > 1 }, Do: do(s.nextOrder)},
		{Key: "/", Help: "filter", When: func() bool { return s.hasFigures() && s.list().count() > 0 },
			Do: do(func() { s.input.filter.AskWith(s.list().content.hint(), s.list().Text) })},
		{Key: "y", Help: "copy", When: s.listed, Do: s.copy},
		{Key: "e", Help: "export", When: s.listed, Do: s.export},
		{Key: "x", Also: []string{"backspace"}, Help: "remove last filter", When: chips, Do: do(s.removeLastChip)},
		{Key: "X", Help: "remove all filters", When: chips, Do: do(func() {
			for chips() {
				s.removeLastChip()
			}
		})},
		{Key: "[", Also: []string{"shift+tab"}, Help: "previous figures", When: s.showsTabs,
			Do: do(func() { s.showTab((s.tab + transactions - 1) % transactions) })},
	}
	return append(actions, s.input.annotate.Actions(s.selectedRow)...)
}

// showsTabs reports whether the page shows a list of figures, or is loading it.
func (s *Screen) showsTabs() bool { return s.rows == nil }

// showsFigures reports whether one of the lists of figures is shown.
func (s *Screen) showsFigures() bool { return s.hasFigures() && s.showsTabs() }

// listed reports whether the shown list has a row.
func (s *Screen) listed() bool { return s.hasFigures() && s.list().Table.Reach() > 0 }

// comparesMonths reports whether the compared months are shown and can move by a number of months.
func (s *Screen) comparesMonths(by int) bool {
	return s.showsFigures() && s.tab == changes && s.canMove(by)
}

func (s *Screen) nextOrder() {
	l := s.list()
	s.setOrder(l, (l.order+1)%len(l.content.orders()))
}

func (s *Screen) removeLastChip() { s.removeChip(len(s.chips()) - 1) }

// input holds the prompts, closed or open.
type input struct {
	filter, months *listdetail.Asked
	annotate       *annotate.Editor
}

func (s *Screen) newInput() (i input) {
	i.filter = listdetail.NewAsked(listdetail.Wanted{
		Title: "Filter", Label: "Filter   ", Enter: "apply", Limit: 200,
		Use: func(text string) (tea.Cmd, error) { s.list().SetText(text); return nil, nil },
	})
	i.months = listdetail.NewAsked(listdetail.Wanted{
		Title: "Months", Label: "Months   ", Enter: "apply", Limit: 40,
		Use: func(text string) (tea.Cmd, error) { return nil, s.applyMonths(text) },
	})
	i.annotate = annotate.New(s.known, s.categories)
	return i
}
