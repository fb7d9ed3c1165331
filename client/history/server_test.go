package history_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/history"
	"tarmac/internal/civil"
)

// server is a server in memory. before is called before each answer, if it is set; its error is the
// answer.
type server struct {
	rows   []apiclient.Transaction // newest first
	before func(apiclient.TransactionQuery) error
	// after changes a page, if it is set.
	after   func(apiclient.TransactionQuery, *apiclient.TransactionPage)
	queries []apiclient.TransactionQuery
	one     sync.Mutex // answers one request at a time
}

func (s *server) TransactionPage(_ context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	s.one.Lock()
	defer s.one.Unlock()
	s.queries = append(s.queries, q)
	if s.before != nil {
		if err := s.before(q); err != nil {
			return nil, err
		}
	}
	first, _ := slices.BinarySearchFunc(s.rows, q.To, func(t apiclient.Transaction, d civil.Date) int {
		return d.Compare(t.Date)
	})
	end, _ := slices.BinarySearchFunc(s.rows, q.From.AddDays(-1), func(t apiclient.Transaction, d civil.Date) int {
		return d.Compare(t.Date)
	})
	found := s.rows[first:end]
	if q.Keyword != "" {
		found = slices.DeleteFunc(slices.Clone(found), func(t apiclient.Transaction) bool {
			return !strings.Contains(t.Memo, q.Keyword)
		})
	}
	page := &apiclient.TransactionPage{}
	page.Summary, _ = history.Total(found)
	at, _ := strconv.Atoi(q.Cursor)
	next := min(at+q.Limit, len(found))
	page.Data = found[min(at, next):next]
	if next < len(found) {
		page.NextCursor = strconv.Itoa(next)
	}
	if s.after != nil {
		s.after(q, page)
	}
	return page, nil
}

// add adds n rows of a day, which must not be after those of earlier calls.
func (s *server) add(day string, n int, memo string) {
	for range n {
		s.rows = append(s.rows, apiclient.Transaction{
			ID: fmt.Sprint("txn_", len(s.rows)), Date: civil.MustParse(day), Direction: apiclient.Outflow, Memo: memo,
			Reporting: apiclient.NewAmount(100, "USD"), CounterpartyName: "Lantern",
		})
	}
}

var today = civil.New(2026, 11, 22)

// readAll reads a history from a server to its end or to the first error.
func readAll(t *testing.T, r *history.Reader, s *server) error {
	t.Helper()
	for step := r.Next(); step != nil; step = r.Next() {
		o := step(t.Context(), s)
		r.Apply(o)
		if o.Err != nil {
			return o.Err
		}
	}
	return nil
}

// started returns a reader that is to read the span that ends today.
func started() *history.Reader {
	r := history.NewReader()
	r.ReadAll(history.Span(today))
	return r
}
