package history_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/history"
	"tarmac/internal/civil"
)

// pages is a server's answers, in order.
type pages []apiclient.TransactionPage

func (p *pages) TransactionPage(context.Context, apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	if len(*p) == 0 {
		return nil, errors.New("no more pages")
	}
	next := (*p)[0]
	*p = (*p)[1:]
	return &next, nil
}

var october = civil.New(2026, 10, 1)

func rows(n int, cents int64) (all []apiclient.Transaction) {
	for i := range n {
		all = append(all, apiclient.Transaction{
			ID: fmt.Sprint("txn_", i), Date: october.AddDays(i), Direction: apiclient.Outflow,
			USD: apiclient.NewAmount(cents, "USD"),
		})
	}
	return all
}

func sum(rows []apiclient.Transaction) apiclient.Summary {
	s, _ := history.Total(rows)
	return s
}

func TestAMonthIsReadPageByPage(t *testing.T) {
	all := rows(5, 100)
	all[4].USD = apiclient.UnknownAmount("USD")
	server := pages{
		{Data: all[:3], NextCursor: "c", Summary: sum(all)}, {Data: all[3:], Summary: sum(all)},
	}
	read := 0
	m, err := history.ReadMonth(t.Context(), &server, october, func(n int) { read += n })
	if err != nil || !m.IsComplete() || len(m.Rows) != 5 || read != 5 {
		t.Fatalf("%v: %d rows, progress %d, %+v", err, len(m.Rows), read, m.Summary)
	}
	if s := m.Summary; s.OutflowUSDCents != 400 || s.NetUSDCents != -400 || s.UnconvertedCount != 1 {
		t.Errorf("%+v", s)
	}
}

func TestAMonthThatDoesNotAddUpIsReadAgain(t *testing.T) {
	before, after := rows(2, 100), rows(3, 100)
	server := pages{{Data: before, Summary: sum(after)}, {Data: after, Summary: sum(after)}}
	if m, err := history.ReadMonth(t.Context(), &server, october, func(int) {}); err != nil || !m.IsComplete() {
		t.Errorf("%v, %+v", err, m)
	}
	server = pages{{Data: before, Summary: sum(after)}, {Data: before, Summary: sum(after)}}
	if m, err := history.ReadMonth(t.Context(), &server, october, func(int) {}); err != nil || m.IsComplete() {
		t.Errorf("%v, %+v", err, m)
	}
}

func TestRowsOfOtherMonthsAreLeftOut(t *testing.T) {
	all := rows(2, 100)
	all[1].Date = civil.New(1, 1, 1)
	page := apiclient.TransactionPage{Data: all, Summary: sum(all)}
	m, err := history.ReadMonth(t.Context(), &pages{page, page}, october, func(int) {})
	if err != nil || m.IsComplete() || len(m.Rows) != 1 || m.Unreadable != 1 {
		t.Errorf("%v, %+v", err, m)
	}
}

func TestACursorThatCirclesIsAnError(t *testing.T) {
	page := apiclient.TransactionPage{Data: rows(2, 100), NextCursor: "c"}
	if _, err := history.ReadMonth(t.Context(), &pages{page, page, page}, october, func(int) {}); err == nil {
		t.Error("the month was read")
	}
	if _, err := history.ReadIDs(t.Context(), &pages{page, page, page}, "x", history.Span(october)); err == nil {
		t.Error("the ids were read")
	}
}

func TestTheSpanEndsWithTheCurrentMonth(t *testing.T) {
	months := history.Span(civil.New(2026, 11, 22))
	if len(months) != 25 || months[0].String() != "2026-11-01" || months[24].String() != "2024-11-01" {
		t.Errorf("%v", months)
	}
}
