package transactions

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/seek"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
)

// ledger is a fake server that computes its rows from a number of rows per day, newest day first.
// It checks cursors as strictly as the real server (docs/api.md, Keyset cursor).
type ledger struct {
	snapshot.Source
	newest  civil.Date
	ends    []int // ends[i] is the number of rows on the newest i+1 days
	queries []apiclient.TransactionQuery
	fail    error
	bad     func(row int) bool // reports the rows that cannot be decoded, not even their date
}

// newLedger returns a ledger with perDay(i) rows on the day i days before the newest.
func newLedger(days int, perDay func(int) int) *ledger {
	l := &ledger{newest: civil.MustParse("2026-11-20")}
	sum := 0
	for i := range days {
		sum += perDay(i)
		l.ends = append(l.ends, sum)
	}
	return l
}

func (l *ledger) total() int { return l.ends[len(l.ends)-1] }

// newer returns the number of rows dated after a day.
func (l *ledger) newer(day civil.Date) int {
	n := l.newest.DaysSince(day)
	switch {
	case n <= 0:
		return 0
	case n > len(l.ends):
		return l.total()
	}
	return l.ends[n-1]
}

func (l *ledger) date(row int) civil.Date {
	return l.newest.AddDays(-sort.SearchInts(l.ends, row+1))
}

// id returns a row's ID: its day, and the number of rows below it on that day.
func (l *ledger) id(row int) string {
	day := sort.SearchInts(l.ends, row+1)
	return fmt.Sprintf("tx_%05d_%07d", day, l.ends[day]-row)
}

// add inserts n rows above the existing rows of a day.
func (l *ledger) add(day civil.Date, n int) {
	for i := range l.ends {
		if i >= l.newest.DaysSince(day) {
			l.ends[i] += n
		}
	}
}

func (l *ledger) TransactionPage(_ context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	l.queries = append(l.queries, q)
	if l.fail != nil {
		return nil, l.fail
	}
	from, end := 0, l.total()
	if !q.To.IsZero() {
		from = l.newer(q.To)
	}
	if !q.From.IsZero() {
		end = l.newer(q.From.AddDays(-1))
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.From.After(q.To) {
		return nil, &apiclient.Error{Status: 400, Message: "from must not be after to"}
	}
	at := from
	if q.Cursor != "" {
		id, bound, _ := strings.Cut(q.Cursor, "|")
		var day, below int
		if _, err := fmt.Sscanf(id, "tx_%d_%d", &day, &below); err != nil || bound != fmt.Sprint(q.From, q.To) {
			return nil, &apiclient.Error{Status: 400, Message: "invalid cursor"}
		}
		at = l.ends[day] - below + 1
	}
	page := &apiclient.TransactionPage{Summary: apiclient.Summary{Currency: "USD", Count: int64(max(0, end-from))}}
	for ; at < end && len(page.Data) < q.Limit; at++ {
		t := transaction(l.id(at))
		t.Date = l.date(at)
		if l.bad != nil && l.bad(at) {
			t = apiclient.Transaction{
				ID:         t.ID,
				Unreadable: &apiclient.ContractError{Field: "data[0].date", Problem: "is missing"},
			}
		}
		page.Data = append(page.Data, t)
	}
	if at < end && len(page.Data) > 0 {
		page.NextCursor = l.id(at-1) + "|" + fmt.Sprint(q.From, q.To)
	}
	return page, nil
}

// reader is a screen that shows a ledger.
type reader struct {
	*Screen
	ledger *ledger
	clock  *clock
}

// fatal is the part of testing.TB that *rapid.T implements too.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

func read(t testing.TB, l *ledger) *reader {
	t.Helper()
	r := &reader{ledger: l, clock: &clock{at: time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)}}
	r.Screen = New(views.Env{
		Context: context.Background(), Now: r.clock.now, Timeout: time.Minute, Theme: theme.New(true),
		Snapshot: snapshot.New(context.Background(), l, snapshot.Options{Now: r.clock.now, Timeout: time.Minute}),
	}, l)
	r.SetSize(120, 30)
	r.drain(t, r.Init())
	return r
}

func (r *reader) drain(t fatal, cmd tea.Cmd) {
	t.Helper()
	for n := 0; cmd != nil; n++ {
		if n > 300 {
			t.Fatalf("the screen asks without end")
		}
		cmd = r.Update(cmd())
	}
}

func (r *reader) press(t fatal, keys ...string) {
	t.Helper()
	for _, k := range keys {
		r.drain(t, r.Update(press(k)))
	}
}

// to jumps to a typed position and returns the number of requests until the seek ended.
func (r *reader) to(t fatal, text string) (asked int) {
	t.Helper()
	r.press(t, "t")
	for _, c := range text {
		r.press(t, string(c))
	}
	return r.onTheWay(t, "enter")
}

func (r *reader) onTheWay(t fatal, key string) (asked int) {
	t.Helper()
	cmd := r.Update(press(key))
	for r.seek != nil && cmd != nil {
		asked++
		cmd = r.Update(cmd())
	}
	r.drain(t, cmd)
	return asked
}

// right checks that every row in memory has its correct number, including the row under the
// cursor, and that memory is bounded.
func (r *reader) right(t fatal) {
	t.Helper()
	if r.store.total != r.ledger.total() {
		t.Fatalf("%d rows in all, not %d", r.store.total, r.ledger.total())
	}
	held := 0
	for _, p := range r.store.pages {
		held += len(p.rows)
		for i := range p.rows {
			if at := r.store.base + p.start + i; p.rows[i].ID != r.ledger.id(at) {
				t.Fatalf("row %d is %s, not %s", at, p.rows[i].ID, r.ledger.id(at))
			}
		}
	}
	if held > (keptPages+1)*5*seek.PageRows {
		t.Fatalf("%d rows are in memory", held)
	}
	if _, ok := r.store.row(r.list.Table.Cursor()); !ok {
		t.Fatalf("row %d, which the cursor is on, is not there (%d..%d)", r.list.Table.Cursor(), r.store.base, r.store.end())
	}
}

func (r *reader) text() string { return ansi.Strip(r.View()) }
