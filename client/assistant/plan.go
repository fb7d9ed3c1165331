package assistant

import (
	"context"
	"errors"
	"io/fs"
	"reflect"

	"tarmac/client/answer"
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

// Plan is how long the cash lasts with the company's plan. All of it is hypothetical.
type Plan struct {
	Kind     string        `json:"kind" jsonschema:"always hypothetical"`
	Reason   string        `json:"reason,omitempty" jsonschema:"why there is no plan"`
	Decision *PlanDecision `json:"decision" jsonschema:"by when money must be there and signed for"`
	Columns  []PlanColumn  `json:"columns" jsonschema:"as things are, with the plan, without raises, and each case"`
	Lines    []PlanLine    `json:"lines"`
	Month    *PlanMonth    `json:"month" jsonschema:"the month that was asked for, against the plan"`
	Notes    []Untrusted   `json:"notes"`
}

// PlanDecision says by when money is needed. Unknown days are nil.
type PlanDecision struct {
	Text     Untrusted `json:"text"`
	ZeroCash *string   `json:"zero_cash_day" jsonschema:"first day below the floor, without raises" from:"zero_cash_date"`
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

// GetPlan returns how long the cash lasts with the plan and, on request, compares a month with it.
// today is the current day in UTC. plans is nil if no plan can be kept.
func GetPlan(ctx context.Context, source Source, plans PlanReader, today civil.Date, in PlanInput) (*Plan, error) {
	var month civil.Date
	if in.Month != "" {
		var err error
		if month, err = answer.ParseMonth("month", in.Month, today); err != nil {
			return nil, err
		}
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
	from, params := sourceOf(source, today), answer.PlanParams{Read: func() (*plan.Plan, error) { return p, nil }}
	d, err := answer.Plan(ctx, from, params)
	if err != nil {
		return nil, err
	}
	out.describe(d)
	if !month.IsZero() {
		d, err := answer.PlanMonth(ctx, from, answer.PlanMonthParams{
			PlanParams: params, Month: month, MaxUnplanned: MaxUnplanned,
		})
		if err != nil {
			return nil, err
		}
		out.compare(d)
	}
	for _, note := range d.Notes {
		out.note(note)
	}
	return out, nil
}

func (p *Plan) note(text string) { p.Notes = append(p.Notes, untrustedUpTo(text, maxSentence)) }

func (p *Plan) describe(d *answer.Doc) {
	p.Decision = &PlanDecision{}
	decision, lines := d.Object.Get("decision"), d.Object.Get("lines")
	fields, _ := decision.Object()
	fill(p.Decision, fields)
	text := fields.Get("text")
	p.Decision.Text = untrustedUpTo(text.Raw(), maxSentence)
	for i := range d.Table.Rows {
		o := d.Table.Rows[i].Object
		name, runway, zero := o.Get("name"), o.Get("runway_months"), o.Get("zero_cash_month")
		column := PlanColumn{Name: untrusted(name.Text()), RunwayMonths: runway.TextOrDash(), ZeroCash: zero.TextOrDash()}
		for _, months := range plan.CashMonths {
			column.Cash = append(column.Cash, Ahead{months, sumIn(o.Get(record.CashIn(months)))})
		}
		p.Columns = append(p.Columns, column)
	}
	fillList(reflect.ValueOf(&p.Lines).Elem(), lines)
	for _, note := range d.Sections[0].Text {
		p.note(note)
	}
}

func (p *Plan) compare(d *answer.Doc) {
	month, net := d.Object.Get("month"), d.Object.Get("net_cents")
	p.Month = &PlanMonth{Month: month.Text(), Net: sumIn(net), Rows: []PlanMonthLine{}}
	for _, row := range d.Table.Rows[:len(d.Table.Rows)-1] { // without the net
		var line PlanMonthLine
		fill(&line, row.Object)
		if planned := row.Get("planned_cents"); !planned.Known() && planned.Why() == "" {
			line.Planned = unknown(line.Actual.Currency, "no line of the plan has it")
			line.Variance = line.Planned
		}
		p.Month.Rows = append(p.Month.Rows, line)
	}
	for _, note := range d.Sections[0].Text {
		p.note(note)
	}
}

// sumIn returns the sum in a field of a record.
func sumIn(f record.Field) Amount {
	sum, _ := f.Total()
	return totalOf(sum)
}
