package assistant

import (
	"context"
	"errors"
	"io/fs"

	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/internal/civil"
)

// MaxUnplanned is the largest number of rows in PlanMonth for counterparties that no line plans.
const MaxUnplanned = 20

// PlanInput selects a month to compare with the plan.
type PlanInput struct {
	Month string `json:"month,omitempty" jsonschema:"compare this month with the plan, such as 2026-10 or october"`
}

// Plan is what the company's plan comes to. All of it is hypothetical.
type Plan struct {
	Kind     string        `json:"kind" jsonschema:"always hypothetical"`
	Reason   string        `json:"reason,omitempty" jsonschema:"why there is no plan"`
	Decision *PlanDecision `json:"decision" jsonschema:"by when money must be there and signed for"`
	Columns  []PlanColumn  `json:"columns" jsonschema:"as things are, with the plan, without raises, and each case"`
	Lines    []PlanLine    `json:"lines"`
	Month    *PlanMonth    `json:"month" jsonschema:"the month that was asked for, against the plan"`
	Notes    []Untrusted   `json:"notes"`
}

// PlanDecision says by when money must be there. Days are nil if there are none.
type PlanDecision struct {
	Text     Untrusted `json:"text"`
	ZeroCash *string   `json:"zero_cash_day" jsonschema:"first day below the floor, without raises"`
	MoneyBy  *string   `json:"money_by"`
	SignBy   *string   `json:"sign_by"`
}

// PlanColumn is how long the cash lasts by a column of the plan.
type PlanColumn struct {
	Name         Untrusted `json:"name"`
	Cash         []Ahead   `json:"cash"`
	RunwayMonths string    `json:"runway_months" jsonschema:"estimate; a dash if unknown or none"`
	ZeroCash     string    `json:"zero_cash" jsonschema:"the month, or why there is none"`
}

// Ahead is the cash in some months.
type Ahead struct {
	Months int    `json:"months"`
	Cash   Amount `json:"cash"`
}

// PlanLine is a line of the plan.
type PlanLine struct {
	Line int       `json:"line"`
	Text Untrusted `json:"text"`
}

// PlanMonth is a month against the plan. Its rows add up to the net of the month.
type PlanMonth struct {
	Month string          `json:"month"`
	Rows  []PlanMonthLine `json:"rows"`
	Net   Amount          `json:"net" jsonschema:"of all transactions of the month"`
}

// PlanMonthLine is a line of the plan in a month, or money that no line plans.
type PlanMonthLine struct {
	Name     Untrusted `json:"name"`
	Planned  Amount    `json:"planned"`
	Actual   Amount    `json:"actual"`
	Variance Amount    `json:"variance" jsonschema:"actual less planned"`
}

// PlanReader reads a plan. plan.Store implements it.
type PlanReader interface {
	Read() (p *plan.Plan, text string, err error)
}

// GetPlan computes what the plan comes to, and compares a month with it if one is asked for. today
// is the current day in UTC. plans is nil if no plan can be kept.
func GetPlan(ctx context.Context, source Source, plans PlanReader, today civil.Date, in PlanInput) (*Plan, error) {
	month, err := planMonth(in.Month, today)
	if err != nil {
		return nil, err
	}
	out := &Plan{Kind: "hypothetical", Columns: []PlanColumn{}, Lines: []PlanLine{}, Notes: []Untrusted{}}
	if plans == nil {
		out.Reason = "There is no plan."
		return out, nil
	}
	p, _, err := plans.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out.Reason = "There is no plan. A person can begin one with `tarmac plan add`."
		return out, nil
	case err != nil:
		out.Reason = "The plan cannot be read; `tarmac plan check` says where it is wrong."
		return out, nil
	}
	position, err := cash.Read(ctx, source)
	if err != nil {
		return nil, err
	}
	ledger, err := sourceOf(source, today).History(ctx, history.Months)
	if err != nil {
		return nil, err
	}
	basis, err := plan.ReadBasis(ctx, source, p, position, ledger.Ledger)
	if err != nil {
		return nil, err
	}
	out.describe(plan.Evaluate(p, basis))
	if !month.IsZero() {
		out.compare(plan.Compare(p, basis, month))
	}
	for _, note := range ledger.Incomplete() {
		out.Notes = append(out.Notes, untrustedUpTo(note, 4*MaxText))
	}
	return out, nil
}

// planMonth returns the first day of a month; zero for "".
func planMonth(text string, today civil.Date) (civil.Date, error) {
	if text == "" {
		return civil.Date{}, nil
	}
	period, err := civil.ParsePeriod(text, today)
	month, whole := period.Month()
	if err != nil || !whole {
		return civil.Date{}, &InputError{Text: "month must be a month such as october or 2026-10"}
	}
	return month, nil
}

func (p *Plan) describe(o *plan.Outcome) {
	d := &o.Decision
	p.Decision = &PlanDecision{
		Text: untrustedUpTo(d.Text, 4*MaxText), ZeroCash: dayOrNil(d.Zero), MoneyBy: dayOrNil(d.MoneyBy),
		SignBy: dayOrNil(d.SignBy),
	}
	for i := range o.Columns {
		described := record.PlanColumn(&o.Columns[i])
		runway, zero := described.Get("runway_months"), described.Get("zero_cash_month")
		column := PlanColumn{
			Name: untrusted(o.Columns[i].Name), RunwayMonths: runway.TextOrDash(), ZeroCash: zero.TextOrDash(),
		}
		for n, months := range plan.CashMonths {
			column.Cash = append(column.Cash, Ahead{months, totalOf(o.Columns[i].Cash[n])})
		}
		p.Columns = append(p.Columns, column)
	}
	for _, l := range o.Plan.Lines {
		p.Lines = append(p.Lines, PlanLine{l.Number, untrusted(l.Text(o.Plan))})
	}
	for _, note := range o.Notes {
		p.Notes = append(p.Notes, untrustedUpTo(note, 4*MaxText))
	}
}

func (p *Plan) compare(a *plan.Against) {
	p.Month = &PlanMonth{Month: figures.YearMonth(a.Month), Net: totalOf(a.Net), Rows: []PlanMonthLine{}}
	rows := record.PlanRows(a.Shortened(MaxUnplanned))
	for _, row := range rows[:len(rows)-1] { // without the net
		name, planned := row.Get("name"), row.Get("planned_cents")
		line := PlanMonthLine{
			Name: untrusted(name.Text()), Planned: sumIn(planned), Actual: sumIn(row.Get("actual_cents")),
			Variance: sumIn(row.Get("variance_cents")),
		}
		if !planned.Known() && planned.Why() == "" {
			line.Planned = unknown(a.Currency, "no line of the plan has it")
			line.Variance = line.Planned
		}
		p.Month.Rows = append(p.Month.Rows, line)
	}
	for _, note := range a.Notes {
		p.Notes = append(p.Notes, untrustedUpTo(note, 4*MaxText))
	}
}

// sumIn returns the sum in a field of a record.
func sumIn(f record.Field) Amount {
	sum, _ := f.Total()
	return totalOf(sum)
}

func dayOrNil(day civil.Date) *string {
	if day.IsZero() {
		return nil
	}
	text := day.String()
	return &text
}
