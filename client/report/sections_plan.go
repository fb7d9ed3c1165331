package report

import (
	"tarmac/client/plan"
	"tarmac/client/record"
)

// setPlan computes what the plan comes to today, and compares the reported month with it.
func (r *Report) setPlan() {
	p := r.Plan.Value
	if p == nil || !r.Cash.Known() {
		return
	}
	basis := plan.BasisOf(r.cashFigures(), r.History.Ledger, r.Aging.Value)
	r.Planned = plan.Evaluate(p, basis)
	if !r.Month.Before(p.First) {
		r.Against = plan.Compare(p, basis, r.Month)
	}
}

// hasPlan reports whether there is a plan, or one that could not be read.
func (r *Report) hasPlan() bool { return r.Plan.Value != nil || !r.Plan.Known() }

// planSection shows how long the cash lasts with the plan, and the month against it.
func (r *Report) planSection(f format) section {
	s := section{ID: "plan", Title: "The plan today, hypothetical"}
	switch {
	case !r.Plan.Known():
		return s.note(f.text(r.Plan.Problem))
	case r.Planned == nil:
		return s.note(r.Cash.Problem)
	}
	columns := record.DescribeAll(r.Planned.Columns, func(o plan.Outlook) record.Object { return record.PlanColumn(&o) })
	s.Tables = []table{f.table("", columns)}
	s = s.note(f.sentence(r.Planned.Decision.Text))
	for i := range r.Planned.Columns {
		s = s.note(f.text(r.Planned.Columns[i].Reason)).note(f.sentence(r.Planned.Columns[i].Cash[0].Why()))
	}
	for _, note := range r.Planned.Notes {
		s = s.note(f.text(note))
	}
	if r.Against == nil {
		return s
	}
	rows := record.DescribeAll(record.PlanRows(r.Against.Shortened(mostUnplanned)),
		func(row record.PlanRow) record.Object { return row.Object })
	against := f.table(monthName(r.Month)+" against the plan", rows)
	against.Rows[len(against.Rows)-1].Total = true
	s.Tables[0].Title = "How long the cash lasts"
	s.Tables = append(s.Tables, against)
	for _, note := range r.Against.Notes {
		s = s.note(f.text(note))
	}
	return s.note(f.sentence(r.Against.Net.Why()))
}

// mostUnplanned is the largest number of counterparties without a line that a report names.
const mostUnplanned = 5

// table returns the fields of records that have a column in tables.
func (f format) table(title string, records []record.Object) table {
	t := table{Title: title}
	for _, one := range records {
		var cells []string
		for i := range one {
			field := &one[i]
			if !field.Column.InTable {
				continue
			}
			if len(t.Rows) == 0 {
				t.Columns = append(t.Columns, column{
					Title: field.Label, Number: field.AlignsRight() || field.Kind == record.KindDecimal,
					Wide: field.Column.DropOrder > 0,
				})
			}
			cells = append(cells, f.cell(field))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return t
}

// cell returns the text of a field in a table.
func (f format) cell(field *record.Field) string {
	if t, ok := field.Total(); ok && field.Kind == record.KindAmount {
		return f.total(t)
	}
	if field.Column.Truncated {
		return name(f.text(field.Text()))
	}
	return f.months(field.TextOrDash())
}

// planField describes the plan and the month against it; null if there is none.
func (r *Report) planField() record.Field {
	if r.Planned == nil {
		return record.Null("plan")
	}
	described := record.Plan(r.Planned, "").Without("plan_file")
	if r.Against == nil {
		return record.Nested("plan", append(described, record.Null("against")))
	}
	return record.Nested("plan", append(described,
		record.Nested("against", record.PlanAgainst(r.Against, r.History.Ledger.IDs))))
}
