package record

import (
	"strconv"

	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/internal/civil"
)

// PlanColumn describes how long the cash lasts by a column of a plan.
func PlanColumn(o *plan.Outlook) Object {
	name := o.Name
	if o.IsCase {
		name = "case " + name
	}
	fields := Object{Text("column", "Hypothetical", name).inTable().truncated(), Text("name", "", o.Name).derived()}
	for i, months := range plan.CashMonths {
		cash := total(CashIn(months), "Cash in "+strconv.Itoa(months)+" months", o.Cash[i])
		fields = append(fields, cash.inTable().dropOrder(uint8(len(plan.CashMonths)-i)))
	}
	return append(fields, planRunway(o).inTable(), planZero(o).inTable(), planDay("zero_cash_date", o.Zero),
		Flag("burning", "", o.Burning).phrased(NoPhrase))
}

// CashIn returns the name of the field of PlanColumn for the cash in a number of months.
func CashIn(months int) string { return "cash_in_" + strconv.Itoa(months) + "_months_cents" }

// planRunway describes the runway by a column.
func planRunway(o *plan.Outlook) Field {
	f := Field{
		Name: "runway_months", Label: "Runway in months", Kind: KindDecimal, null: true, Reveals: true,
		Phrase: "runway %s months",
	}
	switch {
	case o.Reason != "":
		unknown := figures.UnknownTotal("", figures.Balance, o.Reason)
		f.figure = &unknown
	case o.Runway != nil:
		f.null, f.text = false, o.Runway.String()
		marked := o.Cash[0]
		marked.Unknown = false
		f.figure = &marked
	}
	return f
}

// planZero describes the month when the cash is gone, or why it lasts, for people.
func planZero(o *plan.Outlook) Field {
	f := Field{
		Name: "zero_cash_month", Label: "Zero-cash (est.)", Derived: true, Reveals: true, text: o.ZeroMonth(),
		Phrase: "zero cash in %s",
	}
	switch {
	case o.Reason != "":
		unknown := figures.UnknownTotal("", figures.Balance, o.Reason)
		f.figure = &unknown
	case !o.Burning:
		f.text, f.Phrase = "not burning", "%s"
	case o.Zero.IsZero():
		f.text, f.Phrase = "over "+strconv.Itoa(plan.Years)+" years", "cash for %s"
	}
	return f
}

func planDay(name string, day civil.Date) Field {
	return nullIfEmpty(name, "", dayOrEmpty(day)).ownText().phrased(NoPhrase)
}

func dayOrEmpty(day civil.Date) string {
	if day.IsZero() {
		return ""
	}
	return day.String()
}

// PlanLine describes a line of a plan.
func PlanLine(p *plan.Plan, l *plan.Line) Object {
	n := int64(l.Number)
	return Object{
		Count("line", "Line", &n).inTable(), nullIfEmpty("case", "Case", l.Case), Text("kind", "Kind", string(l.Kind)),
		nullIfEmpty("name", "Name", l.Name), Text("text", "Text", l.Text(p)).inTable(),
		Flag("confirmed", "Confirmed", !l.Since.IsZero()),
	}
}

// Plan describes a plan and how long the cash lasts with it, for programs.
func Plan(o *plan.Outcome, file string) Object {
	d := &o.Decision
	columns := make([]Object, len(o.Columns))
	for i := range o.Columns {
		columns[i] = PlanColumn(&o.Columns[i])
	}
	lines := make([]Object, len(o.Plan.Lines))
	for i, l := range o.Plan.Lines {
		lines[i] = PlanLine(o.Plan, l)
	}
	return Object{
		Flag("hypothetical", "", true), Text("plan_file", "", file), date("as_of", "", o.Basis.Day.String()),
		Text("currency", "", o.Basis.Currency), Text("first_month", "", figures.YearMonth(o.Plan.First)),
		total("floor_cents", "", o.Floor), List("columns", columns),
		Nested("decision", Object{
			planDay("zero_cash_date", d.Zero), planDay("money_by", d.MoneyBy), planDay("sign_by", d.SignBy),
			Text("text", "", d.Text),
		}),
		List("lines", lines), words("notes", "", o.Notes),
	}
}

// PlanAgainst describes a month against its plan, for programs. The function ids returns the IDs of
// the rows with the given indices.
func PlanAgainst(a *plan.Against, ids func(rows []int) []string) Object {
	lines := make([]Object, len(a.Lines))
	for i := range a.Lines {
		lines[i] = append(PlanCompared(&a.Lines[i]), words("transaction_ids", "", ids(a.Lines[i].Rows)))
	}
	unplanned := make([]Object, len(a.Unplanned))
	for i := range a.Unplanned {
		u := &a.Unplanned[i]
		unplanned[i] = Object{counterpartyName("", u.Name), total("net_cents", "", u.Net),
			words("transaction_ids", "", ids(u.Rows))}
	}
	return Object{
		Text("month", "", figures.YearMonth(a.Month)), Flag("month_is_over", "", a.IsOver), Text("currency", "", a.Currency),
		List("lines", lines), List("unplanned", unplanned), total("unplanned_cents", "", a.UnplannedTotal()),
		total("own_movements_cents", "", a.Own.Net),
		Nested("financing", append(PlanCompared(&a.Financing), words("transaction_ids", "", ids(a.Financing.Rows)))),
		total("net_cents", "", a.Net), words("notes", "", a.Notes),
	}
}

// PlanRow is a row of a month against its plan, with the indices of the ledger's rows behind it.
// Unplanned is the name of the counterparty if no line has planned the row, and otherwise empty.
type PlanRow struct {
	Object
	Rows      []int
	Unplanned string
}

// PlanRows describes a month against its plan for people: its lines, what was not planned, own
// movements, financing, and the net of the month.
func PlanRows(a *plan.Against) (rows []PlanRow) {
	for i := range a.Lines {
		rows = append(rows, PlanRow{Object: PlanCompared(&a.Lines[i]), Rows: a.Lines[i].Rows})
	}
	for i := range a.Unplanned {
		part := &a.Unplanned[i]
		rows = append(rows, PlanRow{planPart(part.Name+" (not planned)", part.Net), part.Rows, part.Name})
	}
	return append(rows, PlanRow{Object: planPart("Own movements", a.Own.Net), Rows: a.Own.Rows},
		PlanRow{Object: PlanCompared(&a.Financing), Rows: a.Financing.Rows},
		PlanRow{Object: planPart("Net of "+figures.YearMonth(a.Month), a.Net)})
}

// PlanCompared describes a line of a plan, or financing, against what came in a month.
func PlanCompared(c *plan.Compared) Object {
	name, number := "Financing", (*int64)(nil)
	if c.Line != nil {
		n := int64(c.Line.Number)
		name, number = c.Line.Name, &n
	}
	return Object{
		countOrNull("line", number), Text("name", "Planned as", name).inTable().truncated(),
		total("planned_cents", "Planned", c.Planned).inTable(), total("actual_cents", "Actual", c.Actual).inTable(),
		total("variance_cents", "Variance", c.Variance).inTable().dropOrder(1),
	}
}

// planPart describes a sum of rows that no line has planned.
func planPart(name string, net figures.Total) Object {
	nothing := figures.UnknownTotal(net.Currency, figures.Net, "")
	return Object{
		Null("line"), Text("name", "Planned as", name).inTable().truncated(),
		total("planned_cents", "Planned", nothing).inTable().phrased(NoPhrase),
		total("actual_cents", "Actual", net).inTable().phrased("%s"),
		total("variance_cents", "Variance", nothing).inTable().dropOrder(1).phrased(NoPhrase),
	}
}
