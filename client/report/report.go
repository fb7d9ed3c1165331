// Package report makes the report of a month for a board: a page of HTML, a text for mail, or JSON.
// A Report has the figures, which the rules of other packages compute. The three forms show the
// same Report.
package report

import (
	"time"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/history"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Months is the largest number of months that a report lists.
const Months = 12

// Input is what was read for a report.
type Input struct {
	Company string     // name in the title
	Month   civil.Date // first day of the month that is reported
	Now     time.Time
	History History
	Cash    Part[*apiclient.CashPosition]
	Aging   Part[*apiclient.ReceivablesAging]
	Bills   Part[*payables.Payables]
	Plan    Part[*plan.Plan] // its value is nil if there is none
	// Invoices has the newest invoices, from which the habits of customers are derived.
	Invoices Part[collections.List]
	// Category returns the category of a transaction, or "". It is nil if no category is known.
	Category func(*apiclient.Transaction) string
}

// History has the transactions of the past months and the server's totals of each month.
type History struct {
	Ledger      *spending.Ledger
	Months      []figures.Month      // newest first, without gaps; the first one is the current month
	Differences []history.Difference // months whose rows do not add up to the totals
}

// Part is an answer of the server. If the token may not read it, Problem says so, and the other
// figures are reported without it.
type Part[T any] struct {
	Value   T
	Problem string // "" if the server sent the value
}

// Known reports whether the server sent the value.
func (p Part[T]) Known() bool { return p.Problem == "" }

// Report has the figures of a month.
type Report struct {
	Input
	Last      civil.Date // last day of the month that is counted: today in the current month
	Months    []Month    // the months up to the reported one, oldest first, without those before the ledger begins
	Bridge    spending.Bridge
	HasBridge bool // false if there is no month before, or a sum overflowed
	Spend     Spend
	Income    Spend
	// Categories is what was spent by category; nil if no transaction of the month has one.
	Categories *Spend
	Recurring  Recurring
	Overdue    []collections.Customer // customers with overdue invoices, those to remind first
	Forecast   *forecast.Forecast     // nil if there is none; ForecastProblem says why
	Alive      *forecast.Alive        // nil if there is no answer; AliveProblem says why
	Planned    *plan.Outcome          // what the plan comes to today; nil without a plan or cash
	Against    *plan.Against          // the month against the plan; nil before the plan begins, or without Planned

	ForecastProblem, AliveProblem error
	suspected                     map[int]bool // indices of rows of the ledger that may be transfers between own accounts
}

// Month has the totals of a month.
type Month struct {
	First civil.Date
	Name  string // such as "2026-10", or "2026-11 until 12 Nov"
	figures.Flows
	Count int64         // number of transactions
	End   figures.Total // cash at the end of the month, or today's cash in the current month
}

// New computes the figures of a report.
func New(in Input) *Report {
	coverage := figures.CoverageOf(in.Cash.Value)
	ledger := *in.History.Ledger
	ledger.Coverage = coverage
	in.History.Ledger = &ledger
	in.History.Months = coverage.Cover(in.History.Months)
	r := &Report{Input: in, Last: in.Month.LastOfMonth(), suspected: map[int]bool{}}
	if today := civil.Of(in.Now); r.IsPartial() {
		r.Last = today
	}
	for _, p := range in.History.Ledger.SuspectedTransfers(func(civil.Date) bool { return true }) {
		r.suspected[p.Out], r.suspected[p.In] = true, true
	}
	r.Months = r.months()
	before := in.Month.AddMonths(-1)
	oldest := in.History.Months[len(in.History.Months)-1].First
	if l := in.History.Ledger; !before.Before(oldest) && len(l.Rows) > 0 && l.Begins().Before(in.Month) {
		r.Bridge, r.HasBridge = l.Bridge(before, in.Month)
	}
	r.Spend = spendOf(in.History.Ledger, apiclient.Outflow, in.Month, mostCosts, in.History.Ledger.Counterparties)
	r.Income = spendOf(in.History.Ledger, apiclient.Inflow, in.Month, mostCustomers, in.History.Ledger.Counterparties)
	r.setCategories()
	r.Recurring = recurringOf(in.History.Ledger, r.Last)
	r.setOverdue()
	r.setForecast()
	r.setPlan()
	return r
}

// cashFigures returns the figures of the cash position, which is known.
func (r *Report) cashFigures() figures.Cash {
	return figures.CashOf(r.Cash.Value, figures.WindowOfMonths(r.Cash.Value, r.History.Months))
}

// setOverdue finds the customers with overdue invoices. If the invoices are unknown, these are the
// customers that the aging names.
func (r *Report) setOverdue() {
	if !r.Aging.Known() {
		return
	}
	today := civil.Of(r.Now)
	customers := collections.Customers(r.Invoices.Value.Invoices, today)
	for _, c := range collections.WithAging(customers, r.Aging.Value, today) {
		if c.OverdueCount() > 0 {
			r.Overdue = append(r.Overdue, c)
		}
	}
}

// setForecast estimates the weeks after today.
func (r *Report) setForecast() {
	l, today := r.History.Ledger, civil.Of(r.Now)
	r.Forecast, r.ForecastProblem = forecast.New(l, r.Invoices.Value, r.Cash.Value, today)
	if r.Forecast != nil {
		r.Forecast, r.ForecastProblem = r.Forecast.WithBills(l, r.Bills.Value)
	}
	r.Alive, r.AliveProblem = forecast.NewAlive(l, r.Cash.Value, today)
}

// IsPartial reports whether the reported month is the current one, which is not over.
func (r *Report) IsPartial() bool { return figures.IsCurrentMonth(r.Month, r.Now) }

// This returns the totals of the reported month.
func (r *Report) This() Month { return r.Months[len(r.Months)-1] }

// months returns the totals of the last months up to the reported one, oldest first. It leaves out
// the months before the first transaction.
func (r *Report) months() (months []Month) {
	all := r.History.Months
	newest := max(0, all[0].First.MonthsSince(r.Month))
	oldest := min(newest+Months, len(all)) - 1
	for oldest > newest && all[oldest].Summary.Count == 0 {
		oldest--
	}
	upToNow := make([]figures.Month, oldest+1) // oldest first
	for i := range upToNow {
		upToNow[i] = all[oldest-i]
	}
	ends := r.monthEnds(upToNow)
	for i, m := range upToNow[:oldest-newest+1] {
		months = append(months, Month{
			First: m.First, Name: m.Name(r.Now), Flows: m.Flows(), Count: m.Summary.Count, End: ends[i],
		})
	}
	return months
}

// monthEnds returns the cash at the ends of months, which are ordered oldest first and end with the
// current one. They are unknown if today's cash is unknown or belongs to another month.
func (r *Report) monthEnds(months []figures.Month) []figures.Total {
	unknown := make([]figures.Total, len(months))
	for i := range unknown {
		unknown[i] = figures.UnknownTotal(r.History.Ledger.Currency, figures.Balance, "")
	}
	if !r.Cash.Known() || !figures.IsCurrentMonth(months[len(months)-1].First, r.Cash.Value.AsOf) {
		return unknown
	}
	if ends, ok := figures.MonthEnds(r.cashFigures().OnHand, months); ok {
		return ends
	}
	return unknown
}
