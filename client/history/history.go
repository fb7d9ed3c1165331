// Package history reads the transactions of the past months, for figures that need all rows, and
// compares them with the server's totals.
package history

import (
	"cmp"
	"context"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Months is the number of months that are read, including the current one. The oldest test of a
// forecast begins fifteen months ago, and compares two years before that day.
const Months = 40

// LargeHistory is the number of rows above which a Reader asks before it reads all of them.
const LargeHistory = 40_000

// Source lists the API requests of this package. *apiclient.Client implements it.
type Source interface {
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
}

// Keywords that find the rows which are neither cost nor income: money that moved between accounts
// of the organization, and money of investors and lenders. No field of the API has the category of
// a row, but a query for a keyword searches the category (docs/api.md, Transaction list).
const (
	InternalTransfers = "internal_transfer"
	Financing         = "financing"
)

// Span returns the first days of the months that end with the month of today, newest first.
func Span(today civil.Date) []civil.Date {
	months := make([]civil.Date, Months)
	for i := range months {
		months[i] = today.FirstOfMonth().AddMonths(-i)
	}
	return months
}

// Total adds up rows as the server does, in the currency of the newest row that has one. It returns
// false if a total overflows.
func Total(rows []apiclient.Transaction) (s apiclient.Summary, ok bool) {
	for i := range rows {
		t := &rows[i]
		s.Count++
		s.Currency = cmp.Or(s.Currency, t.Reporting.Currency())
		cents, known := t.Reporting.Minor()
		if !known {
			s.UnconvertedCount++
			continue
		}
		sum := &s.OutflowMinor
		switch t.Direction {
		case apiclient.Inflow:
			sum = &s.InflowMinor
		case apiclient.Outflow:
		default:
			continue // neither money in nor money out
		}
		if *sum, ok = money.Add(*sum, cents); !ok {
			return s, false
		}
	}
	s.NetMinor = s.InflowMinor - s.OutflowMinor
	return s, true
}
