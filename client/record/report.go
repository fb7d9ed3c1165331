package record

import (
	"slices"

	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Month describes the totals of a month and the estimated cash at its end. count is the number of
// its transactions.
func Month(first civil.Date, count int64, flows figures.Flows, end figures.Total) Object {
	unit := unitOfSums(flows.In.Currency)
	return Object{
		Text("month", "", figures.YearMonth(first)),
		Count("count", "", &count),
		total("inflow_"+unit, "", flows.In),
		total("outflow_"+unit, "", flows.Out),
		total("net_"+unit, "", flows.Net),
		total("month_end_cash_cents", "", end),
		Count("unconverted_count", "", &flows.In.Excluded),
	}
}

// CounterpartyOfMonth describes the sum of a counterparty or a category in a month, and its
// average in the months before. rows has the IDs of the month's transactions.
func CounterpartyOfMonth(name string, isCategory bool, month, average figures.Total, rows Rows) Object {
	return slices.Concat(Object{
		groupName(name, isCategory),
		total("total_cents", "", month),
		total("average_cents", "", average),
	}, leftOut("", month), Object{
		words("transaction_ids", "", rows.IDs),
		words("suspected_transfer_ids", "", rows.SuspectedTransfers),
	})
}

// RecurringCosts describes the recurring costs as they stood on a day: the number of payments that
// go on and their sum in a year.
func RecurringCosts(day civil.Date, count int64, yearly figures.Total) Object {
	return append(Object{
		date("as_of", "", day.String()),
		Count("count", "", &count),
		total("yearly_cents", "", yearly),
	}, leftOut("", yearly)...)
}
