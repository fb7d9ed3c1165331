package runway

import (
	"slices"

	"tarmac/client/figures"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/views/parts/chart"
)

// outlook is one column of the comparison: the cash and runway of the server's estimate or of a
// scenario.
type outlook struct {
	scenario.Outlook
	letter rune // letter of the scenario; 0 for the server's estimate
	name   string
}

// start returns the figures with which scenarios begin. It returns false if the server's cash
// position is missing or lacks them.
func (s *Screen) start() (scenario.Baseline, bool) {
	c, ok := s.data.CashFigures()
	if !ok {
		return scenario.Baseline{}, false
	}
	start, err := scenario.BaselineOf(c, s.overdue())
	return start, err == nil
}

// overdue returns the sum of past-due receivables. The sum is unknown if the aging report is
// missing.
func (s *Screen) overdue() figures.Total {
	if aging, ok := s.data.Aging.Value(); ok && s.data.Aging.State().HasFigures() {
		return figures.AgingOf(aging).Overdue
	}
	return figures.Total{Unknown: true}
}

// computeOutlooks returns the server's estimate followed by the scenarios, or nil if the cash
// position is missing.
func (s *Screen) computeOutlooks() []outlook {
	start, ok := s.start()
	if !ok {
		return nil
	}
	c, _ := s.data.CashFigures()
	all := []outlook{{Outlook: scenario.Current(c, start), name: "Current plan"}}
	for i, one := range s.scenarios.Slots {
		if one != nil {
			all = append(all, outlook{one.Outlook(start), scenario.Letter(i), one.Name})
		}
	}
	return all
}

// selectedNotApplied reports whether the amounts of the selected scenario are in another currency
// than the figures.
func (s *Screen) selectedNotApplied() bool {
	return slices.ContainsFunc(s.outlooks, func(o outlook) bool {
		return o.NotApplied && o.letter == scenario.Letter(s.scenarios.Selected)
	})
}

// excludedReceivables returns how many overdue receivables have no exchange rate. A scenario in
// which overdue receivables are paid leaves these out.
func (s *Screen) excludedReceivables() (n int64) {
	for _, o := range s.outlooks {
		n = max(n, o.Excluded)
	}
	return n
}

func (o outlook) title() string {
	if o.letter == 0 {
		return o.name
	}
	return string(o.letter) + " " + o.name
}

// differenceTo returns the text of how many months longer or shorter a scenario's runway is than
// the current plan's. For the current plan itself it returns a dash.
func (o outlook) differenceTo(current outlook) string {
	if o.letter == 0 {
		return money.Dash
	}
	return o.Difference(current.Outlook)
}

// chartBranch returns the scenario's line in the chart, which ends aheadMonths after today.
func (o outlook) chartBranch(today civil.Date) chart.Branch {
	b := chart.Branch{Letter: o.letter}
	end := today.AddMonths(aheadMonths)
	for _, p := range o.Balances {
		if p.Day.After(end) {
			return b
		}
		b.Ahead = append(b.Ahead, chart.Point{Day: p.Day, Cents: p.Cents})
	}
	b.Zero = o.Zero
	return b
}
