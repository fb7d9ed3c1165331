package answer

import (
	"context"
	"slices"

	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// PlanParams name a plan.
type PlanParams struct {
	Read func() (*plan.Plan, error) // returns the plan, which isn't nil without an error
	File string                     // path of the plan in JSON; may be ""
}

// Planned is a plan with the data that its figures are computed from.
type Planned struct {
	*plan.Plan
	Basis plan.Basis
	past  *Past
}

// ReadPlan reads a plan and the data that its figures are computed from.
func ReadPlan(ctx context.Context, s Source, in PlanParams) (p Planned, err error) {
	if p.Plan, err = in.Read(); err != nil {
		return p, err
	}
	position, err := cash.Read(ctx, s)
	if err != nil {
		return p, err
	}
	if p.past, err = s.History(ctx, history.Months); err != nil {
		return p, err
	}
	p.Basis, err = plan.ReadBasis(ctx, s, p.Plan, position, p.past.Ledger)
	return p, err
}

// Plan returns how long the cash lasts with a plan, and by when money is needed.
func Plan(ctx context.Context, s Source, in PlanParams) (*Doc, error) {
	p, err := ReadPlan(ctx, s, in)
	if err != nil {
		return nil, err
	}
	o := plan.Evaluate(p.Plan, p.Basis)
	d := list(tableOf(record.PlanColumn(&plan.Outlook{}), o.Columns, record.PlanColumn))
	d.Title = "The plan, hypothetical, as of " + o.Basis.Day.String() + "."
	d.Object = record.Plan(o, in.File)
	section := &d.Sections[0]
	section.Revealing, section.Text = []string{o.Decision.Text}, slices.Clone(o.Notes)
	for i := range o.Columns {
		for _, why := range [...]string{o.Columns[i].Reason, o.Columns[i].Cash[0].Why()} {
			if why != "" && !slices.Contains(section.Text, why) {
				section.Text = append(section.Text, why)
			}
		}
	}
	if n := len(plan.ConfirmCandidates(p.Plan, p.Basis)); n > 0 {
		section.Text = append(section.Text, plural.Count(n, "payment")+
			" may be what the plan says; `tarmac plan confirm` asks.")
	}
	p.past.noteRead(d)
	return d, nil
}

// PlanMonthParams select a month to compare with a plan.
type PlanMonthParams struct {
	PlanParams
	Month civil.Date // its first day
	// MaxUnplanned is the number of counterparties without a line of the plan that have a row of
	// their own; 0 for no limit.
	MaxUnplanned int
}

// ParseMonth parses a month such as "october" or "2026-10". The parameter that it belongs to has
// the given name.
func ParseMonth(name, text string, today civil.Date) (civil.Date, error) {
	period, err := civil.ParsePeriod(text, today)
	if month, ok := period.Month(); err == nil && ok {
		return month, nil
	}
	return civil.Date{}, &InputError{name, "must be a month such as october or 2026-10"}
}

// PlanMonth compares a month with a plan.
func PlanMonth(ctx context.Context, s Source, in PlanMonthParams) (*Doc, error) {
	p, err := ReadPlan(ctx, s, in.PlanParams)
	if err != nil {
		return nil, err
	}
	against := plan.Compare(p.Plan, p.Basis, in.Month)
	compared := against
	if in.MaxUnplanned > 0 {
		compared = against.Shortened(in.MaxUnplanned)
	}
	d := list(&Table{Columns: record.PlanCompared(&plan.Compared{})})
	for _, row := range record.PlanRows(compared) {
		shown := Row{Object: row.Object}
		if name := row.Get("name"); len(row.Rows) > 0 {
			shown.Open = p.past.behind(name.Text(), row.Rows)
		}
		d.Table.Rows = append(d.Table.Rows, shown)
	}
	d.Title = figures.YearMonth(in.Month) + " against the plan. Money out is minus."
	d.Object = record.PlanAgainst(against, p.past.IDs)
	section := &d.Sections[0]
	section.Text = slices.Clone(against.Notes)
	if why := against.Net.Why(); why != "" {
		section.Text = append(section.Text, why)
	}
	p.past.noteMonths(d, func(first civil.Date) bool { return first == in.Month })
	return d, nil
}
