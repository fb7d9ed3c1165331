package transactions

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

// server is a fake server with rows in memory. It records the queries it gets.
type server struct {
	snapshot.Source // nil, so that requests for anything else panic
	listing
	fail    error
	queries []apiclient.TransactionQuery
	reports string                                       // currency of the totals; "" for US dollars
	alter   func(number int, row *apiclient.Transaction) // changes a row, given the number in its ID; may be nil
}

func (s *server) TransactionPage(_ context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	s.queries = append(s.queries, q)
	if s.fail != nil {
		return nil, s.fail
	}
	if q.Keyword == "nothing" {
		return &apiclient.TransactionPage{Data: []apiclient.Transaction{}}, nil
	}
	if all := civil.MustParse("2026-11-19"); !q.To.IsZero() && q.To.Before(all) && q.Keyword == "" && q.From.IsZero() {
		return &apiclient.TransactionPage{Data: []apiclient.Transaction{}}, nil
	}
	page := s.page(q.Cursor)
	for i := range page.Data {
		page.Data[i] = transaction(page.Data[i].ID)
		if s.alter != nil {
			number, _ := strconv.Atoi(strings.TrimPrefix(page.Data[i].ID, "tx_"))
			s.alter(number, &page.Data[i])
		}
	}
	page.Summary.InflowMinor, page.Summary.OutflowMinor, page.Summary.NetMinor = 123_456_789, 23_456_789,
		100_000_000
	page.Summary.UnconvertedCount = 12
	if s.reports == "" {
		return page, nil
	}
	page.Summary.Currency = s.reports
	for i := range page.Data {
		if minor, known := page.Data[i].Reporting.Minor(); known {
			page.Data[i].Reporting = apiclient.NewAmount(minor, s.reports)
		}
	}
	return page, nil
}

// transaction returns a transaction with an ID. The last character of the ID decides about its
// direction, currency and unknown fields.
func transaction(id string) apiclient.Transaction {
	t := apiclient.Transaction{
		ID: id, Date: civil.MustParse("2026-11-19"), Direction: apiclient.Outflow,
		Amount: apiclient.NewAmount(123456, "USD"), Reporting: apiclient.NewAmount(123456, "USD"),
		USD:              apiclient.NewAmount(123456, "USD"),
		CounterpartyName: "Cloud Hosting Ltd", Source: apiclient.SourceLinkedBank, SourceLabel: "Linked bank",
		Memo: "servers " + id, Method: "card",
	}
	switch id[len(id)-1] % 4 {
	case 1:
		t.Direction, t.CounterpartyName, t.HasReceipt = apiclient.Inflow, "株式会社トラベル", true
		t.Amount = apiclient.NewAmount(1_500_000, "JPY")
	case 2:
		t.Amount, t.Reporting = apiclient.UnknownAmount("EUR"), apiclient.UnknownAmount("USD")
		t.USD = t.Reporting
		t.CounterpartyName, t.Memo, t.Method = "(unknown)", "", ""
	}
	return t
}

type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// fixture is a screen with its fake server and a manual clock.
type fixture struct {
	*Screen
	t      *testing.T
	server *server
	clock  *clock
	data   *snapshot.Snapshot
}

func open(t *testing.T, rows int) *fixture {
	t.Helper()
	d := &fixture{t: t, server: &server{}, clock: &clock{at: time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)}}
	d.server.insert(0, rows)
	d.data = snapshot.New(t.Context(), d.server, snapshot.Options{Now: d.clock.now, Timeout: time.Minute})
	d.Screen = New(views.Env{
		Context: t.Context(), Snapshot: d.data, Now: d.clock.now, Timeout: time.Minute, Theme: theme.New(true),
	}, d.server)
	d.SetSize(120, 30)
	d.drain(d.Init())
	return d
}

// drain runs a command, delivers its message, and repeats this with the commands that follow.
func (d *fixture) drain(cmd tea.Cmd) {
	d.t.Helper()
	for n := 0; cmd != nil; n++ {
		if n > 300 {
			d.t.Fatal("the screen asks without end")
		}
		cmd = d.Update(cmd())
	}
}

func (d *fixture) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.drain(d.Update(press(k)))
	}
}

var press = sample.Press

func (d *fixture) write(text string) {
	for _, r := range text {
		d.press(string(r))
	}
}

func (d *fixture) text() string { return sample.Text(d) }

func (d *fixture) says(want ...string) { d.t.Helper(); sample.CheckText(d.t, d, want...) }

func (d *fixture) last() apiclient.TransactionQuery { return d.server.queries[len(d.server.queries)-1] }

// latest fetches the newest transactions into the snapshot, as the overview does.
func (d *fixture) latest() {
	d.t.Helper()
	answer := d.data.Load(snapshot.Latest)()
	d.data.Update(answer)
	d.drain(d.Update(answer))
}

func (d *fixture) current() *apiclient.Transaction {
	t, ok := d.row(d.list.Table.Cursor())
	if !ok {
		d.t.Fatal("no row under the cursor")
	}
	return t
}

// EventPage returns the event feed. The snapshot considers the server unreachable if it fails.
func (*server) BooksRevision(context.Context) (string, error) { return "", nil }

func (s *server) EventPage(context.Context, apiclient.EventQuery) (*apiclient.EventPage, error) {
	return &apiclient.EventPage{Data: []apiclient.Event{}}, s.fail
}

// poll fetches the event feed, as the dashboard does regularly, and delivers the response.
func (d *fixture) poll() {
	d.t.Helper()
	answer := d.data.Load(snapshot.Events)()
	d.data.Update(answer)
	d.drain(d.Update(answer))
}
