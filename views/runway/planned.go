package runway

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/forecast"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// planBasis identifies the inputs of planned.
type planBasis struct {
	of          *plan.Plan
	ledger      *spending.Ledger
	forecast    *forecast.Forecast
	cash, aging time.Time // when they were loaded
	column      string
	month       civil.Date // first day of the compared month
}

// planned are the results of the plan.
type planned struct {
	outcome    *plan.Outcome
	candidates []plan.Candidate
	against    *plan.Against
	compared   []record.PlanRow   // the rows of against
	weeks      *forecast.Forecast // with the lines of the column; nil without a forecast
}

type plannedMsg struct {
	basis planBasis
	planned
}

// planDue returns the command that computes the results of the plan if its inputs are complete and
// have changed. It returns nil while they are being computed.
func (s *Screen) planDue() tea.Cmd {
	c, known := s.Snapshot.CashFigures()
	now := planBasis{
		of: s.file.of, ledger: s.Snapshot.History.Ledger(), forecast: s.weekly.forecast, cash: s.Snapshot.Cash.LoadedAt(),
		aging: s.Snapshot.Aging.LoadedAt(), column: s.column, month: s.comparedMonth(),
	}
	if s.planning || now.of == nil || !known || !s.historyRead() || now == s.planBasis {
		return nil
	}
	s.planning = true
	aging, ok := s.Snapshot.Aging.Value()
	if !ok || !s.Snapshot.Aging.State().HasFigures() {
		aging = nil
	}
	return func() tea.Msg {
		b := plan.BasisOf(c, now.ledger, aging)
		p := planned{
			outcome: plan.Evaluate(now.of, b), candidates: plan.ConfirmCandidates(now.of, b),
			against: plan.Compare(now.of, b, now.month),
		}
		p.compared = record.PlanRows(p.against)
		if now.forecast != nil && len(now.of.Lines) > 0 {
			p.weeks, _ = now.forecast.WithPlan(now.ledger, now.of, now.column, b) // nil for another currency
		}
		return plannedMsg{now, p}
	}
}

func (s *Screen) storePlanned(msg plannedMsg) {
	s.planning, s.planBasis, s.planned, s.openRows = false, msg.basis, msg.planned, nil
}

// comparedMonth returns the first day of the month under the cursor.
func (s *Screen) comparedMonth() civil.Date {
	months := s.Snapshot.MonthFigures()
	if at := len(months) - 1 - s.months.cursor; at >= 0 && at < len(months) {
		return months[at].First
	}
	return civil.Of(s.Now()).FirstOfMonth()
}

// knownColumn returns the name of a case if the plan has it, or else "" for the plan itself.
func (s *Screen) knownColumn(name string) string {
	if s.file.of != nil && slices.Contains(s.file.of.Cases, name) {
		return name
	}
	return ""
}

// nextColumn includes the next case of the plan in the weeks.
func (s *Screen) nextColumn() {
	columns := append([]string{""}, s.file.of.Cases...)
	s.column = columns[(slices.Index(columns, s.column)+1)%len(columns)]
}

// columnName returns the name of a column of the plan on the page.
func columnName(column string) string {
	if column == "" {
		return "the plan"
	}
	return "case " + column
}

// comparing reports whether there is a plan with lines whose results are known.
func (s *Screen) comparing() bool {
	return s.outcome != nil && s.hasLines() && len(s.outcome.Plan.Lines) > 0
}

// weeksHavePlan reports whether the weeks include lines of the plan.
func (s *Screen) weeksHavePlan() bool { return s.hasLines() && (s.column != "" || !s.hasOnlyCases()) }

// hasOnlyCases reports whether all lines of the plan belong to cases.
func (s *Screen) hasOnlyCases() bool { return len(s.file.of.Of("")) == 0 }

// hasLines reports whether there is a plan with lines.
func (s *Screen) hasLines() bool { return s.file.of != nil && len(s.file.of.Lines) > 0 }
