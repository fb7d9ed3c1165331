package sample

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/history"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
)

// LoadHistory reads the history to its end or to the first error, and returns the results for
// a screen. Show must have been called with snapshot.History.
func (o *Organization) LoadHistory(s *snapshot.Snapshot) (answers []snapshot.Result) {
	for s.HistoryIsDue() {
		request := s.Load(snapshot.History)
		if request == nil {
			break // a question is open
		}
		answer := request()
		s.Update(answer)
		answers = append(answers, answer)
		if s.State(snapshot.History).Err != nil {
			break
		}
	}
	return answers
}

// SnapshotWithHistory returns a snapshot that has fetched all parts and the history.
func (o *Organization) SnapshotWithHistory(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	s := o.Snapshot(t)
	s.Show(snapshot.History)
	o.LoadHistory(s)
	return s
}

// SortRows orders Rows newest first. Tests that add rows call it.
func (o *Organization) SortRows() {
	slices.SortStableFunc(o.Rows, func(a, b apiclient.Transaction) int { return b.Date.Compare(a.Date) })
}

// history fills Rows with 25 months: payroll twice a month, rent, a subscription whose price has
// risen, one that was cancelled, usage, two customers, one without a USD amount, an own transfer
// and financing.
func (o *Organization) history() {
	today := civil.Of(Now)
	add := func(day civil.Date, who string, dollars int64, memo string) {
		t := apiclient.Transaction{
			ID: fmt.Sprintf("txn_h%03d", len(o.Rows)), Date: day, Direction: apiclient.Outflow, CounterpartyName: who,
			Memo: memo, Source: apiclient.SourceLinkedBank, SourceLabel: "Checking",
		}
		if dollars > 0 {
			t.Direction = apiclient.Inflow
		}
		t.Reporting = apiclient.NewAmount(max(dollars, -dollars)*100, "USD")
		if dollars == 0 {
			t.Amount, t.Reporting = apiclient.NewAmount(900_00, "GEL"), apiclient.UnknownAmount("USD")
		} else {
			t.Amount = t.Reporting
		}
		t.USD = t.Reporting
		if !day.After(today) {
			o.Rows = append(o.Rows, t)
		}
	}
	for i, first := range history.Span(today)[:25] {
		back := int64(i)
		add(first, "Harbor Properties", -14_200, "rent")
		add(first.AddDays(14), "Gusto", -118_500, "payroll")
		add(first.LastOfMonth(), "Gusto", -118_500, "payroll")
		lantern := int64(-120)
		if i < 8 {
			lantern = -150
		}
		add(first.AddDays(6), []string{"Lantern", "LANTERN, Inc."}[i%2], lantern, "subscription")
		add(first.AddDays(2), "Amazon Web Services", -21_000+back*313-back%3*700, "usage")
		if i > 5 {
			add(first.AddDays(9), "Quillbot Pro", -89, "subscription")
		}
		add(first.AddDays(11), "Northwind Traders", 96_000-back*900, "invoice")
		add(first.AddDays(17), "Contoso", 48_000, "invoice")
		add(first.AddDays(12), "Tbilisi Office", 0, "")
	}
	add(today.AddDays(-40), "Savings", -50_000, history.InternalTransfers)
	add(today.AddDays(-200), "Series A", 2_000_000, history.Financing)
	o.SortRows()
}

// historyPage answers a query of the history from Rows.
func (o *Organization) historyPage(q apiclient.TransactionQuery) *apiclient.TransactionPage {
	var found []apiclient.Transaction
	for _, t := range o.Rows {
		if !t.Date.Before(q.From) && !t.Date.After(q.To) && strings.Contains(t.Memo, q.Keyword) {
			found = append(found, t)
		}
	}
	page := &apiclient.TransactionPage{}
	page.Summary, _ = history.Total(found)
	at, _ := strconv.Atoi(q.Cursor)
	next := min(at+q.Limit, len(found))
	page.Data = found[min(at, next):next]
	if next < len(found) {
		page.NextCursor = strconv.Itoa(next)
	}
	return page
}
