package alerts

import (
	"fmt"

	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// planMissed finds the lines of the plan, and the raises together, that the last full month came
// out worse than by the limit. It waits for the statements of that month: an older one was told in
// its time, and silent-bank tells of statements that stay away.
func planMissed(a *Alert, r *Reading) look {
	month := civil.Of(r.Now).FirstOfMonth().AddMonths(-1)
	named := figures.YearMonth(month)
	if month.Before(r.Plan.First) {
		return look{state: "the plan begins in " + figures.YearMonth(r.Plan.First)}
	}
	if why := r.History.Coverage.Missing(month, month.LastOfMonth()).Why(); why != "" {
		return look{state: "waits for all days of " + named}
	}
	against := plan.Compare(r.Plan, plan.BasisOf(*r.Cash, r.History, nil), month)
	compared := against.Lines
	if against.Financing.Planned.Minor > 0 {
		compared = append(compared, against.Financing)
	}
	var l look
	notKnown := ""
	for i := range compared {
		c := &compared[i]
		line := "Financing"
		if c.Line != nil {
			line = c.Line.Name
		}
		if !a.concerns(line) {
			continue
		}
		if c.Variance.Unknown {
			notKnown = fmt.Sprintf("what came of %q in %s is not known", name(line), named)
			continue
		}
		if missed := -c.Variance.Minor; missed <= 0 || missed < size(c.Planned.Minor)/100*a.number {
			continue
		}
		l.found = append(l.found, Finding{
			Subject: line + " " + named,
			Text: fmt.Sprintf("%s came to %s in %s, planned was %s (%s %% worse or more).", name(line), c.Actual, named,
				c.Planned, a.Limit),
			Basis: "A plan is hypothetical. " + c.Actual.Why(), Open: "tarmac plan --against " + named,
		})
	}
	if len(l.found) == 0 && notKnown != "" {
		return unknown(notKnown)
	}
	l.state = plural.Count(len(l.found), "line") + " of the plan missed in " + named
	return l
}

func size(minor int64) int64 { return max(minor, -minor) }
