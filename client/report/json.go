package report

import (
	"io"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// WriteJSON writes the report as one JSON object with the field names of the API. Every derived
// figure has the IDs of its transactions.
func (r *Report) WriteJSON(w io.Writer) error {
	o := record.Object{
		record.Text("company", "", r.Company),
		record.Text("month", "", figures.YearMonth(r.Month)),
		record.Flag("month_is_over", "", !r.IsPartial()),
		record.Time("made_at", "", &r.Now),
		partField("cash_position", r.Cash, func(*apiclient.CashPosition) record.Object {
			return record.CashPosition(r.cashFigures())
		}),
		partField("aging", r.Aging, record.Aging),
		r.billsField(),
		r.planField(),
		record.List("months", record.DescribeAll(r.Months, describeMonth)),
		record.List("bridge", r.describeBridge()),
		record.List("spend", r.describeSpend(&r.Spend, false)),
		record.List("income", r.describeSpend(&r.Income, false)),
		record.List("spend_by_category", r.describeSpend(r.Categories, true)),
		record.Nested("recurring", r.describeRecurring()),
		record.List("overdue_customers", record.DescribeAll(r.Overdue, func(c collections.Customer) record.Object {
			return record.Customer(&c)
		})),
		record.Nested("forecast", r.describeForecast()),
		record.Nested("default_alive", record.Alive(r.Alive, r.AliveProblem)),
		record.List("incomplete_months", record.DescribeAll(r.History.Differences, func(d history.Difference) record.Object {
			return record.Object{record.Text("month", "", figures.YearMonth(d.First)), record.Text("difference", "", d.String())}
		})),
	}
	return o.WriteJSON(w)
}

// billsField describes the bills to pay; null if nothing is known about them.
func (r *Report) billsField() record.Field {
	if r.Bills.Value == nil || !r.Bills.Value.Known() {
		return record.Null("bills")
	}
	p := r.Bills.Value
	vendors := record.DescribeAll(p.Vendors, func(v payables.Vendor) record.Object { return record.Vendor(&v) })
	return record.Nested("bills", append(record.Payables(p, payables.Week), record.List("vendors", vendors)))
}

func partField[T any](name string, p Part[T], describe func(T) record.Object) record.Field {
	if !p.Known() {
		return record.Null(name)
	}
	return record.Nested(name, describe(p.Value))
}

func describeMonth(m Month) record.Object { return record.Month(m.First, m.Count, m.Flows, m.End) }

// describeBridge returns the parts of the bridge, or nil if there is none.
func (r *Report) describeBridge() (parts []record.Object) {
	if !r.HasBridge {
		return nil
	}
	for _, c := range r.Bridge.Parts() {
		if c.Kind == spending.KindNet {
			c.RowsBefore, c.RowsAfter = nil, nil // the IDs of all rows are in the other parts
		}
		parts = append(parts, record.BridgePart(&c, c.Name, string(c.Kind), r.rows(c.RowsBefore), r.rows(c.RowsAfter)))
	}
	return parts
}

// describeSpend returns the parts of what was spent or received, or nil if s is nil.
func (r *Report) describeSpend(s *Spend, ofCategories bool) (rows []record.Object) {
	if s == nil {
		return nil
	}
	add := func(name string, c *Counterparty) {
		rows = append(rows, record.CounterpartyOfMonth(name, ofCategories, c.Month, c.Average, r.rows(c.Rows)))
	}
	for i := range s.Named {
		add(s.Named[i].Name, s.Named[i])
	}
	if s.Count > 0 {
		add(plural.Count(s.Count, "other"), &s.Rest)
	}
	add("Total", &s.Total)
	return rows
}

func (r *Report) describeForecast() record.Object {
	if r.ForecastProblem != nil {
		return record.NoForecast(civil.Of(r.Now), "", r.ForecastProblem)
	}
	return record.Forecast(r.Forecast, r.History.Ledger.IDs, "", nil)
}

func (r *Report) describeRecurring() record.Object {
	describe := func(one spending.Recurring) record.Object {
		payments := make([]int, len(one.Payments))
		for i, p := range one.Payments {
			payments[i] = p.Row
		}
		return record.Recurring(&one, r.rows(payments), r.Recurring.Begins, r.Recurring.Day)
	}
	found := &r.Recurring
	return append(record.RecurringCosts(found.Day, int64(found.Count), found.Yearly),
		record.List("new", record.DescribeAll(found.New, describe)),
		record.List("risen", record.DescribeAll(found.Risen, describe)),
		record.List("stopped", record.DescribeAll(found.Stopped, describe)))
}

// rows returns the IDs of the transactions with the given indices in the ledger.
func (r *Report) rows(rows []int) record.Rows {
	return record.RowsOf(r.History.Ledger, r.suspected, rows)
}
