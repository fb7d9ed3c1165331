package history_test

import (
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

func TestTheSpanEndsWithTheCurrentMonth(t *testing.T) {
	months := history.Span(today)
	if len(months) != 40 || months[0].String() != "2026-11-01" || months[39].String() != "2023-08-01" {
		t.Errorf("%v", months)
	}
}

func TestTheNewestMonthIsThereFirst(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 2, "")
	s.add("2026-10-20", 1, history.InternalTransfers)
	s.add("2026-10-10", 1, history.Financing)
	s.add("2023-08-01", 1, "")
	r := started()

	var sizes []int
	for step := r.Next(); step != nil; step = r.Next() {
		if r.Apply(step(t.Context(), s)); r.Ledger() != nil {
			sizes = append(sizes, len(r.Ledger().Rows))
		}
	}

	if len(sizes) != 21 || sizes[0] != 2 || sizes[1] != 4 || sizes[19] != 4 || sizes[20] != 5 {
		t.Errorf("rows after the newest month, and after each two: %v", sizes)
	}
	if rows := r.Ledger().Rows; rows[2].Purpose != spending.OwnTransfer || rows[3].Purpose != spending.Financing {
		t.Errorf("%+v", rows)
	}
	if p := r.Progress(); p != (history.Progress{
		Rows: 5, AllRows: 5, Months: 40, AllMonths: 40, Since: civil.New(2023, 8, 1), Complete: true,
	}) {
		t.Errorf("%+v", p)
	}
	if len(r.Differences()) > 0 {
		t.Errorf("%v", r.Differences())
	}
}

func TestAHistoryWithoutRowsIsAnEmptyLedger(t *testing.T) {
	r := started()
	if err := readAll(t, r, &server{}); err != nil || r.Ledger() == nil || len(r.Ledger().Rows) != 0 {
		t.Errorf("%v, %v", err, r.Ledger())
	}
}

func TestAReadingContinuesAfterA429Response(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 1000, "")
	refusal := &apiclient.Error{Status: 429}
	s.before = func(q apiclient.TransactionQuery) error {
		if len(s.queries)%2 == 0 {
			return refusal
		}
		return nil
	}
	r := started()

	for range 200 {
		if readAll(t, r, s) == nil {
			break
		}
	}

	again := 0
	for i, q := range s.queries {
		if q.Cursor != "" && i%2 == 0 {
			again++
		}
	}
	if len(r.Ledger().Rows) != 1000 || again != 4 || !r.Progress().Complete {
		t.Errorf("%d rows, %d pages after the first one, %+v", len(r.Ledger().Rows), again, r.Progress())
	}
}

func TestAMonthBeginsAgainAfterARefusedCursor(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 300, "")
	refusals := 1
	s.before = func(q apiclient.TransactionQuery) error {
		if q.Cursor != "" && refusals > 0 {
			refusals--
			return &apiclient.Error{Status: 400}
		}
		return nil
	}
	r := started()

	if err := readAll(t, r, s); err == nil {
		t.Fatal("no error")
	}
	if err := readAll(t, r, s); err != nil || len(r.Ledger().Rows) != 300 || len(r.Differences()) > 0 {
		t.Errorf("%v, %d rows, %v", err, len(r.Ledger().Rows), r.Differences())
	}
}

func TestAMonthThatChangesWhileItIsReadIsReadAgain(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 300, "")
	changes := 1
	s.before = func(q apiclient.TransactionQuery) error {
		if q.Cursor != "" && changes > 0 {
			changes--
			s.rows = s.rows[50:]
		}
		return nil
	}
	r := started()

	if err := readAll(t, r, s); err != nil || len(r.Ledger().Rows) != 250 || len(r.Differences()) > 0 {
		t.Errorf("%v, %d rows, %v", err, len(r.Ledger().Rows), r.Differences())
	}
}

func TestAMonthThatNeverAddsUpIsReadTwiceAndItsDifferenceSaid(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*apiclient.TransactionPage)
		want   string
	}{
		"rows are missing": {
			func(p *apiclient.TransactionPage) { p.Data = p.Data[1:] },
			"2026-10: rows and totals differ: 1 transaction, money out $1.00",
		},
		"a row is dated in another month": {
			func(p *apiclient.TransactionPage) { p.Data[0].Date = civil.New(1, 1, 1) },
			"2026-10: rows and totals differ: 1 transaction, money out $1.00",
		},
		"rows are too many": {
			func(p *apiclient.TransactionPage) { p.Data = append(p.Data, p.Data...); p.NextCursor = "more" },
			"2026-10: rows and totals differ: 2 transactions, money out $2.00",
		},
		"an amount of 9 quintillion cents": {
			func(p *apiclient.TransactionPage) {
				p.Data[0].Reporting, p.Data[1].Reporting = apiclient.NewAmount(9e18, "USD"), apiclient.NewAmount(9e18, "USD")
			},
			"2026-10: the amounts are too large to add up",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, october := &server{}, 0
			s.add("2026-10-20", 2, "")
			s.after = func(q apiclient.TransactionQuery, p *apiclient.TransactionPage) {
				if q.From == civil.New(2026, 10, 1) && q.Limit > 1 && q.Keyword == "" {
					october++
					p.Data = append([]apiclient.Transaction(nil), p.Data...)
					c.change(p)
				}
			}
			r := started()

			err := readAll(t, r, s)

			d := r.Differences()
			if err != nil || october != 2 || len(d) != 1 || d[0].String() != c.want {
				t.Errorf("%v, read %d times, %v", err, october, d)
			}
		})
	}
}

func TestAServerThatRepeatsAPageIsAnError(t *testing.T) {
	for _, keyword := range []string{"", history.Financing} {
		s := &server{}
		s.add("2026-10-20", 2, "")
		s.after = func(q apiclient.TransactionQuery, p *apiclient.TransactionPage) {
			if q.Keyword == keyword && q.Limit > 1 {
				p.Data, p.NextCursor, p.Summary.Count = s.rows, "c", 1000
			}
		}
		if err := readAll(t, started(), s); err == nil {
			t.Errorf("keyword %q: no error", keyword)
		}
	}
}

func TestMonthsReadAgainReplaceTheirRows(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 2, "")
	s.add("2026-10-20", 2, "")
	s.add("2025-10-20", 2, "")
	r := started()
	if err := readAll(t, r, s); err != nil {
		t.Fatal(err)
	}
	first := r.Ledger()
	for i := range s.rows {
		s.rows[i].CounterpartyName = "Renamed"
	}
	s.queries = nil

	r.ReadAgain(history.Span(today), func(first civil.Date) bool { return first == civil.New(2026, 10, 1) })
	if err := readAll(t, r, s); err != nil {
		t.Fatal(err)
	}

	var names []string
	for _, row := range r.Ledger().Rows {
		names = append(names, row.CounterpartyName)
	}
	if got := strings.Join(names, " "); got != "Lantern Lantern Renamed Renamed Lantern Lantern" {
		t.Errorf("%s", got)
	}
	if len(s.queries) != 3 || s.queries[0].From != civil.New(2026, 10, 1) {
		t.Errorf("%+v", s.queries)
	}
	if first.Rows[2].CounterpartyName != "Lantern" {
		t.Error("the first ledger has changed")
	}
}

func TestANewMonthIsAddedAndTheOldestDropped(t *testing.T) {
	s := &server{}
	s.add("2026-12-01", 1, "")
	s.add("2026-11-20", 2, "")
	s.add("2023-08-20", 5, "")
	r := started()
	if err := readAll(t, r, s); err != nil || len(r.Ledger().Rows) != 7 {
		t.Fatalf("%v, %d rows", err, len(r.Ledger().Rows))
	}

	r.ReadAgain(history.Span(civil.New(2026, 12, 1)), func(civil.Date) bool { return false })
	if err := readAll(t, r, s); err != nil || len(r.Ledger().Rows) != 3 || !r.Progress().Complete {
		t.Errorf("%v, %d rows, %+v", err, len(r.Ledger().Rows), r.Progress())
	}
}

func TestAStepOfAnEarlierReadingIsDropped(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 2, "")
	r := started()
	late := r.Next()(t.Context(), s)
	r.ReadAll(history.Span(today))
	r.Apply(late)

	if err := readAll(t, r, s); err != nil || len(r.Ledger().Rows) != 2 {
		t.Errorf("%v, %+v", err, r.Ledger())
	}
	if n := len(s.queries); n != 1+3+40 {
		t.Errorf("%d requests", n)
	}
}

func TestALargeHistoryIsReadOnlyWithConsent(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 20_000, "")
	s.add("2026-10-20", 15_000, "")
	s.add("2026-09-20", 15_000, "")
	s.add("2026-08-20", 1, "")
	r := started()
	if err := readAll(t, r, s); err != nil || r.Ledger() != nil || len(s.queries) != 1 {
		t.Fatalf("%v, %d requests before the question", err, len(s.queries))
	}
	q, open := r.Question(apiclient.Rate{Limit: 60, Window: time.Minute, Remaining: 0})
	if !open || q.Rows != 50_001 || q.Takes < 250*time.Second || q.Takes > 300*time.Second {
		t.Errorf("%t %+v", open, q)
	}

	r.ReadNewest()
	err := readAll(t, r, s)
	if p := r.Progress(); err != nil || !r.IsLimited() || p.Months != 2 || len(r.Ledger().Rows) != 35_000 || p.Complete {
		t.Fatalf("%v, limited %t, %+v", err, r.IsLimited(), p)
	}
	r.ReadAgain(history.Span(today), func(first civil.Date) bool { return first == civil.New(2026, 10, 1) })
	if err := readAll(t, r, s); err != nil || len(r.Ledger().Rows) != 35_000 || !r.IsLimited() {
		t.Fatalf("read again: %v, %d rows", err, len(r.Ledger().Rows))
	}

	r.ReadLarge()
	if err := readAll(t, r, s); err != nil || r.IsLimited() || len(r.Ledger().Rows) != 50_001 {
		t.Errorf("%v, limited %t, %+v", err, r.IsLimited(), r.Progress())
	}
	if _, open := r.Question(apiclient.Rate{}); open {
		t.Error("it asks again")
	}
}

func TestAMonthAloneCanBeTooLarge(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 40_001, "")
	r := started()
	if err := readAll(t, r, s); err != nil {
		t.Fatal(err)
	}
	r.ReadNewest()
	if err := readAll(t, r, s); err != nil || len(r.Ledger().Rows) != 0 || !r.IsLimited() {
		t.Errorf("%v, %+v", err, r.Progress())
	}
}

func TestAServerThatSendsMoreRowsThanItCountedCausesTheQuestion(t *testing.T) {
	s := &server{}
	s.add("2026-11-20", 40_001, "")
	s.after = func(q apiclient.TransactionQuery, p *apiclient.TransactionPage) {
		if q.Limit == 1 {
			p.Summary.Count = 3
		}
	}
	r := started()
	if err := readAll(t, r, s); err != nil {
		t.Fatal(err)
	}
	if q, open := r.Question(apiclient.Rate{}); !open || q.Rows <= history.LargeHistory {
		t.Errorf("%t %+v", open, q)
	}
}
