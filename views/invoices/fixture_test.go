package invoices_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/invoices"
)

// server holds invoices in memory, newest first, and records its requests.
type server struct {
	snapshot.Source // nil: other requests panic
	invoices        []apiclient.Invoice
	feed            []apiclient.Event
	requests        []string
	fail, failFeed  error
	document        string
	name            string // file name of the PDF
}

func (s *server) Invoices(_ context.Context, f apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	s.requests = append(s.requests, fmt.Sprintf("%s %d", f.Status, f.Limit))
	var out []apiclient.Invoice
	for _, i := range s.invoices {
		if (f.Status == "" || i.Status == f.Status) && len(out) < f.Limit {
			out = append(out, i)
		}
	}
	return out, s.fail
}

func (s *server) Invoice(_ context.Context, id string) (*apiclient.Invoice, error) {
	s.requests = append(s.requests, id)
	if s.fail != nil {
		return nil, s.fail
	}
	for _, i := range s.invoices {
		if i.ID == id {
			return &i, nil
		}
	}
	return nil, &apiclient.Error{Status: 404, Message: "no such invoice"}
}

func (s *server) InvoicePDF(_ context.Context, id string, w io.Writer) (apiclient.PDF, error) {
	s.requests = append(s.requests, id+" pdf")
	if s.fail != nil {
		return apiclient.PDF{}, s.fail
	}
	n, err := io.WriteString(w, s.document)
	return apiclient.PDF{Bytes: int64(n), FileName: s.name}, err
}

func (*server) BooksRevision(context.Context) (string, error) { return "", nil }

func (s *server) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if q.StartingAfter != "" {
		return &apiclient.EventPage{}, s.failFeed
	}
	return &apiclient.EventPage{Data: s.feed}, s.failFeed
}

// addEvent adds an event to the feed.
func (s *server) addEvent(kind apiclient.EventType) {
	e := apiclient.Event{
		ID:      fmt.Sprintf("evt_%d", len(s.feed)),
		Type:    kind,
		Version: 1,
		Data:    json.RawMessage(`{"invoice_id":"inv_1"}`),
	}
	s.feed = append([]apiclient.Event{e}, s.feed...)
}

func date(day string) *time.Time {
	at, err := time.Parse(time.DateTime, day+" 00:00:00")
	if err != nil {
		panic(err)
	}
	return &at
}

// testInvoices returns n invoices, cycling through all statuses.
func testInvoices(n int) []apiclient.Invoice {
	statuses := []apiclient.InvoiceStatus{
		apiclient.InvoiceDraft, apiclient.InvoiceSent, apiclient.InvoiceOverdue, apiclient.InvoicePaid,
		apiclient.InvoiceVoided,
	}
	who := []string{"Northwind Traders", "株式会社トラベル", "Müller & Söhne"}
	var out []apiclient.Invoice
	for k := range n {
		created := date("2026-11-10").Add(9*time.Hour - time.Duration(k)*31*time.Hour)
		sent, due := created.Add(26*time.Hour), created.Truncate(24*time.Hour).AddDate(0, 0, 14)
		i := apiclient.Invoice{
			ID: fmt.Sprintf("inv_%d", n-k), Number: fmt.Sprintf("INV-%06d", n-k), Status: statuses[k%5],
			Description: "Consulting", RecipientName: who[k%3], RecipientEmail: "billing@example.com",
			Subtotal: apiclient.NewAmount(int64(k+1)*123_456, "USD"), Tax: apiclient.NewAmount(0, "USD"),
			Total: apiclient.NewAmount(int64(k+1)*123_456, "USD"), CreatedAt: created, UpdatedAt: sent, DueDate: &due,
		}
		if i.Status != apiclient.InvoiceDraft {
			i.SentAt = &sent
		}
		switch i.Status {
		case apiclient.InvoicePaid:
			due = due.AddDate(0, 0, -9)
			paid := due.Add(50 * time.Hour)
			i.PaidAt = &paid
		case apiclient.InvoiceVoided:
			i.VoidedAt = &sent
		case apiclient.InvoiceOverdue:
			i.DueDate = date("2026-10-04")
			i.SentAt, i.CreatedAt = date("2026-09-08"), *date("2026-09-07")
		case apiclient.InvoiceSent:
			i.DueDate = date("2026-11-25")
		}
		out = append(out, i)
	}
	return out
}

// fixture is a screen with its fake server and the messages that the screen sent to the root model.
type fixture struct {
	*invoices.Screen
	t      testing.TB
	server *server
	data   *snapshot.Snapshot
	at     time.Time
	dir    string
	said   []string
	copied []views.Copy
	visits []views.Visit
}

func build(t testing.TB, n int, change ...func(*views.Env)) *fixture {
	t.Helper()
	d := &fixture{
		t: t, dir: t.TempDir(),
		server: &server{invoices: testInvoices(n), document: "%PDF-1.7", name: "INV-9.pdf"},
	}
	d.at = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	now := func() time.Time { return d.at }
	d.data = snapshot.New(t.Context(), d.server, snapshot.Options{Now: now, Timeout: time.Minute})
	o := views.Env{
		Context: t.Context(), Snapshot: d.data, Now: now, Timeout: time.Minute,
		Theme: theme.New(true), Places: export.Directories{Documents: d.dir},
	}
	for _, c := range change {
		c(&o)
	}
	d.Screen = invoices.New(o, d.server)
	d.SetSize(120, 24)
	return d
}

func open(t testing.TB, n int, change ...func(*views.Env)) *fixture {
	t.Helper()
	d := build(t, n, change...)
	d.run(d.Init())
	return d
}

// run runs a command, delivers its message to the screen, and repeats this with the command that
// the screen returns.
func (d *fixture) run(cmd tea.Cmd) {
	d.t.Helper()
	queue := []tea.Cmd{cmd}
	for n := 0; len(queue) > 0; n++ {
		if n > 50 {
			d.t.Fatal("the screen asks without end")
		}
		next := queue[0]
		queue = queue[1:]
		if next == nil {
			continue
		}
		switch msg := next().(type) {
		case tea.BatchMsg:
			queue = append(queue, msg...)
		case views.Notice:
			d.said = append(d.said, msg.Text)
		case views.Copy:
			d.copied = append(d.copied, msg)
		case views.Visit:
			d.visits = append(d.visits, msg)
		default:
			queue = append(queue, d.Update(msg))
		}
	}
}

// poll fetches new events, as the root model does.
func (d *fixture) poll() {
	d.t.Helper()
	answer := d.data.Load(snapshot.Events)()
	d.data.Update(answer)
	d.run(d.Update(answer))
}

// advanceClock advances the clock.
func (d *fixture) advanceClock(by time.Duration) {
	d.t.Helper()
	d.at = d.at.Add(by)
	d.run(d.Update(views.Tick{Now: d.at}))
}

func (d *fixture) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.run(d.Update(press(k)))
	}
}

func (d *fixture) write(text string) {
	for _, r := range text {
		d.press(string(r))
	}
}

var press = sample.Press

func (d *fixture) text() string { return sample.Text(d) }

func (d *fixture) shows(want ...string) { d.t.Helper(); sample.CheckText(d.t, d, want...) }

func (d *fixture) hides(not ...string) { d.t.Helper(); sample.CheckNoText(d.t, d, not...) }

// helpLists reports whether the help lists a key.
func (d *fixture) helpLists(name string) bool {
	for _, group := range d.Help() {
		for _, b := range group.Bindings {
			if b.Enabled() && b.Help().Key == name {
				return true
			}
		}
	}
	return false
}
