// Package history reads the transactions of the past months, month by month, for figures that need
// all rows.
package history

import (
	"context"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Months is the number of months that are read, including the current one. A yearly bill is paid at
// least twice in 25 months, which shows that it recurs.
const Months = 25

// LargeHistory is the number of rows above which a front end asks before it reads all of them.
const LargeHistory = 40_000

// Source lists the API requests of this package. *apiclient.Client implements it.
type Source interface {
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
}

// Month holds the rows of a calendar month (UTC), newest first, and the server's totals for it.
type Month struct {
	First   civil.Date
	Rows    []apiclient.Transaction
	Summary apiclient.Summary
	// Unreadable is the number of rows that could not be decoded or are dated outside the month.
	// They are not in Rows.
	Unreadable int
}

// Span returns the first days of the months that end with the month of today, newest first.
func Span(today civil.Date) []civil.Date {
	months := make([]civil.Date, Months)
	for i := range months {
		months[i] = today.FirstOfMonth().AddMonths(-i)
	}
	return months
}

// CountRows returns the number of rows in the months, which are ordered newest first.
func CountRows(ctx context.Context, source Source, months []civil.Date) (int64, error) {
	page, err := source.TransactionPage(ctx, apiclient.TransactionQuery{
		From: months[len(months)-1], To: months[0].LastOfMonth(), Limit: 1,
	})
	if err != nil {
		return 0, err
	}
	return page.Summary.Count, nil
}

// ReadMonth reads the rows of the month that begins on first, page by page. After each page, it
// calls progress with the number of rows of the page. If rows change while ReadMonth reads, its
// rows do not add up to the server's totals, and it reads the month a second time. Month.IsComplete
// reports whether the rows of the last reading add up.
func ReadMonth(ctx context.Context, source Source, first civil.Date, progress func(rows int)) (Month, error) {
	m, err := readMonth(ctx, source, first, progress)
	if err == nil && !m.IsComplete() {
		m, err = readMonth(ctx, source, first, func(int) {})
	}
	return m, err
}

func readMonth(ctx context.Context, source Source, first civil.Date, progress func(rows int)) (Month, error) {
	m := Month{First: first}
	q := apiclient.TransactionQuery{From: first, To: first.LastOfMonth(), Limit: 200}
	for {
		page, err := source.TransactionPage(ctx, q)
		if err != nil {
			return m, err
		}
		m.Summary = page.Summary
		for _, t := range page.Data {
			if t.Unreadable != nil || t.Date.FirstOfMonth() != first {
				m.Unreadable++
				continue
			}
			m.Rows = append(m.Rows, t)
		}
		progress(len(page.Data))
		next, more, err := page.Next(q)
		if err != nil || !more {
			return m, err
		}
		q = next
	}
}

// IsComplete reports whether the rows add up to the server's totals.
func (m *Month) IsComplete() bool {
	total, ok := Total(m.Rows)
	return ok && m.Unreadable == 0 && total == m.Summary
}

// Total adds up rows as the server does. It returns false if a total overflows.
func Total(rows []apiclient.Transaction) (s apiclient.Summary, ok bool) {
	for i := range rows {
		t := &rows[i]
		s.Count++
		cents, known := t.USD.Minor()
		if !known {
			s.UnconvertedCount++
			continue
		}
		sum := &s.OutflowUSDCents
		if t.Direction == apiclient.Inflow {
			sum = &s.InflowUSDCents
		}
		if *sum, ok = money.Add(*sum, cents); !ok {
			return s, false
		}
	}
	s.NetUSDCents = s.InflowUSDCents - s.OutflowUSDCents
	return s, true
}

// Keywords that find the rows which are neither cost nor income: money that moved between accounts
// of the organization, and money of investors and lenders. No field of the API has the category of
// a row, but a query for a keyword searches the category (docs/api.md, Transaction list).
const (
	InternalTransfers = "internal_transfer"
	Financing         = "financing"
)

// ReadIDs returns the IDs of the rows that a keyword finds in the months, which are ordered newest
// first.
func ReadIDs(ctx context.Context, source Source, keyword string, months []civil.Date) (map[string]bool, error) {
	ids := map[string]bool{}
	q := apiclient.TransactionQuery{
		From: months[len(months)-1], To: months[0].LastOfMonth(), Keyword: keyword, Limit: 200,
	}
	for {
		page, err := source.TransactionPage(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Data {
			ids[t.ID] = true
		}
		next, more, err := page.Next(q)
		if err != nil || !more {
			return ids, err
		}
		q = next
	}
}
