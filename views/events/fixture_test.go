package events

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

// server is a fake API that serves an event feed from memory.
type server struct {
	snapshot.Source                   // nil: other requests panic
	feed            []apiclient.Event // oldest first
	fail            error
	requests        int
	intents         []string // IDs of the payment intents that were requested
	failIntents     error
	onPage          func(apiclient.EventQuery)
}

func (*server) BooksRevision(context.Context) (string, error) { return "", nil }

func (s *server) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	s.requests++
	if s.onPage != nil {
		s.onPage(q)
	}
	if s.fail != nil {
		return nil, s.fail
	}
	limit, end := q.Limit, len(s.feed)
	if limit == 0 {
		limit = 50
	}
	for i := range s.feed {
		if s.feed[i].ID == q.StartingAfter && q.StartingAfter != "" {
			end = i
		}
	}
	page := &apiclient.EventPage{Data: []apiclient.Event{}}
	for i := end - 1; i >= 0 && len(page.Data) < limit; i-- {
		page.Data = append(page.Data, s.feed[i])
	}
	for i := len(page.Data) - 1; i >= 0 && end > len(page.Data) && page.NextCursor == ""; i-- {
		page.NextCursor = page.Data[i].ID
	}
	return page, nil
}

func (s *server) grow(n int) {
	for range n {
		i := len(s.feed)
		e := apiclient.Event{
			ID:         fmt.Sprintf("evt_%05d", i),
			Version:    1,
			OccurredAt: time.Date(2026, 11, 20, 12, 0, i, 0, time.UTC),
		}
		switch i % 4 {
		case 0:
			e.Type = apiclient.EventInvoicePaid
			e.Data = json.RawMessage(
				fmt.Sprintf(
					`{"invoice_id":"inv_%d","number":"INV-%04d","status":"paid","total_cents":123456,"currency":"EUR"}`,
					i,
					i,
				),
			)
		case 1:
			e.Type = apiclient.EventPaymentFailed
			e.Data = json.RawMessage(fmt.Sprintf(`{"payment_intent_id":"pi_%d","amount_cents":5000,"currency":"USD"}`, i))
		case 2:
			e.Type = apiclient.EventTest
			e.Data = json.RawMessage(`{"message":"hello 株式会社"}`)
		default:
			e.Type = "new.kind"
			e.Data = json.RawMessage(fmt.Sprintf(`{"what":{"deep":[%d]}}`, i))
		}
		s.feed = append(s.feed, e)
	}
}

// PaymentIntent returns a payment to the counterparty "Payee of" and the ID.
func (s *server) PaymentIntent(_ context.Context, id string) (*apiclient.PaymentIntent, error) {
	s.intents = append(s.intents, id)
	if s.failIntents != nil {
		return nil, s.failIntents
	}
	return &apiclient.PaymentIntent{ID: id, CounterpartyName: "Payee of " + id}, nil
}

type fixture struct {
	*Screen
	t      *testing.T
	server *server
	at     time.Time
	data   *snapshot.Snapshot
}

func open(t *testing.T, events int) *fixture {
	t.Helper()
	d := &fixture{t: t, server: &server{}, at: time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)}
	now := func() time.Time { return d.at }
	d.server.grow(events)
	d.data = snapshot.New(t.Context(), d.server, snapshot.Options{Now: now, Timeout: time.Minute})
	d.Screen = New(views.Env{Snapshot: d.data, Now: now, Theme: theme.New(true)})
	d.SetSize(110, 20)
	if cmd := d.Init(); cmd != nil {
		t.Fatal("the feed is read by the root, not by the screen")
	}
	d.poll()
	return d
}

// poll fetches new events, as the root model does.
func (d *fixture) poll() { d.t.Helper(); d.run(views.Fetch(d.data.Load(snapshot.Events))) }

func (d *fixture) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	answer, ok := cmd().(snapshot.Result)
	if !ok {
		d.t.Fatal("the command does not return an answer")
	}
	d.data.Update(answer)
	if next := d.Update(answer); next != nil {
		d.t.Fatal("an answer leads to another question")
	}
}

func (d *fixture) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.run(d.Update(press(k)))
	}
}

var press = sample.Press

func (d *fixture) write(text string) {
	for _, r := range text {
		d.press(string(r))
	}
}

func (d *fixture) text() string { return sample.Text(d) }

func (d *fixture) shows(want ...string) { d.t.Helper(); sample.CheckText(d.t, d, want...) }

// currentID returns the ID of the event under the cursor.
func (d *fixture) currentID() string {
	e, ok := d.event(d.list.Table.Cursor())
	if !ok {
		return ""
	}
	return e.ID
}

// event returns the event in a row of the list.
func (d *fixture) event(row int) (*apiclient.Event, bool) {
	e := d.list.Item(row)
	return e, e != nil
}

// shown returns the shown events, the oldest first.
func (d *fixture) shown() []apiclient.Event {
	all := d.list.All()
	if d.list.Reversed {
		slices.Reverse(all)
	}
	return all
}
