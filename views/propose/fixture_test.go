package propose

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

var update = sample.UpdateFlag()

// server records requests and returns the responses that a test sets.
type server struct {
	proposed  []apiclient.InvoiceProposal
	answer    error
	drafts    []apiclient.Invoice
	searches  int
	searchErr error
}

func (s *server) ProposeInvoice(
	_ context.Context,
	p apiclient.InvoiceProposal,
	opts ...apiclient.ProposeOption,
) (*apiclient.Invoice, error) {
	if len(opts) != 1 {
		return nil, errors.New("a proposal without its key")
	}
	s.proposed = append(s.proposed, p)
	if s.answer != nil {
		return nil, s.answer
	}
	invoice := created("INV-000131", p, sample.Now)
	return &invoice, nil
}

func (s *server) Invoices(_ context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	s.searches++
	if filter != (apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: 200}) {
		return nil, errors.New("not the newest drafts")
	}
	return s.drafts, s.searchErr
}

// created returns the invoice created from a proposal.
func created(number string, p apiclient.InvoiceProposal, at time.Time) apiclient.Invoice {
	total, err := p.Total()
	if err != nil {
		total = 0
	}
	return apiclient.Invoice{
		ID: "inv_" + number, Number: number, Status: apiclient.InvoiceDraft, Description: p.Description,
		RecipientName:  p.RecipientName,
		RecipientEmail: p.RecipientEmail, CreatedAt: at, UpdatedAt: at,
		Subtotal: apiclient.NewAmount(total, "USD"), Tax: apiclient.NewAmount(0, "USD"),
		Total: apiclient.NewAmount(total, "USD"),
	}
}

// unknown is an error after which it is unknown whether the invoice was created.
var unknown = &apiclient.NetworkError{
	Method:         "POST",
	Route:          "/invoices",
	Attempts:       1,
	Err:            context.DeadlineExceeded,
	OutcomeUnknown: true,
}

// fixture is the page with a fake server, a manual clock and the commands that wait to run.
type fixture struct {
	*Screen
	t       testing.TB
	server  *server
	at      time.Time
	dir     string
	data    *snapshot.Snapshot
	org     *sample.Organization
	pending []tea.Cmd // requests without a response yet
	hold    bool
	due     []saveDue // saves that wait for a pause in typing
	said    []tea.Msg // messages from the page to the program
}

func open(t testing.TB) *fixture {
	t.Helper()
	return openIn(t, t.TempDir(), nil)
}

// openIn opens the page with drafts kept in dir.
func openIn(t testing.TB, dir string, change func(*views.Env)) *fixture {
	t.Helper()
	d := &fixture{t: t, server: &server{}, at: sample.Now, dir: dir, org: sample.New()}
	d.data = d.org.Snapshot(t)
	d.start(change)
	return d
}

// start replaces the page by a new one, as a restart of the program does.
func (d *fixture) start(change func(*views.Env)) {
	d.t.Helper()
	entropy := make([]byte, 256)
	for i := range entropy {
		entropy[i] = byte(i)
	}
	o := views.Env{
		Context: d.t.Context(), Snapshot: d.data, Now: func() time.Time { return d.at }, Timeout: time.Minute,
		Theme: theme.New(true), Drafts: state.Directory(d.dir), Entropy: bytes.NewReader(entropy),
	}
	if change != nil {
		change(&o)
	}
	if d.Screen != nil && d.saving.Store != nil { // as the program does when it ends
		if err := d.saving.Store.Close(); err != nil {
			d.t.Error(err)
		}
	}
	d.Screen = New(o, d.server)
	d.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		if due, ok := msg.(saveDue); ok {
			d.due = append(d.due, due)
			return nil
		}
		return func() tea.Msg { return msg }
	}
	d.SetSize(120, 37)
	d.run(d.Init())
}

// run executes a command and handles its message. Timers fire immediately; requests stay pending
// while hold is set.
func (d *fixture) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	if d.hold && d.step == sending {
		d.pending = append(d.pending, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, each := range msg {
			d.run(each)
		}
	case draftLoaded, saveDue, saveResult, confirmDue, response, searchResult:
		d.run(d.Update(msg))
	default:
		d.said = append(d.said, msg)
	}
}

// respond delivers the responses of all pending requests.
func (d *fixture) respond() {
	d.t.Helper()
	d.hold = false
	held := d.pending
	d.pending = nil
	for _, cmd := range held {
		d.run(cmd)
	}
}

// pause lets the delay before a save pass.
func (d *fixture) pause() {
	d.t.Helper()
	due := d.due
	d.due = nil
	for _, msg := range due {
		d.run(d.Update(msg))
	}
}

// press presses keys one second apart.
func (d *fixture) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.at = d.at.Add(time.Second)
		d.pressNow(k)
	}
}

// pressNow presses a key without advancing the clock. Outside a field it handles esc by calling
// Back, as the program does.
func (d *fixture) pressNow(k string) {
	d.t.Helper()
	if k == "esc" && !d.State().Typing {
		d.Back()
		return
	}
	d.run(d.Update(sample.Press(k)))
}

// write types a text quickly.
func (d *fixture) write(text string) {
	d.t.Helper()
	for _, r := range text {
		d.pressNow(string(r))
	}
}

// fill types a complete proposal, starting at the first field.
func (d *fixture) fill() {
	d.t.Helper()
	for _, text := range []string{"Łukasz & Söhne", "pay@lukasz.example", "Consulting in November", "net 30",
		"call before sending", "Workshop", "1.5", "1,200.50"} {
		d.write(text)
		d.press("tab")
	}
}

// typedProposal returns the proposal that fill types.
func typedProposal() apiclient.InvoiceProposal {
	return apiclient.InvoiceProposal{
		RecipientName: "Łukasz & Söhne", RecipientEmail: "pay@lukasz.example", Description: "Consulting in November",
		Notes:   "call before sending",
		DueDate: civilDate("2026-12-20"),
		LineItems: []apiclient.LineItem{
			{Description: "Workshop", Quantity: apiclient.MustQuantity("1.5"), UnitPriceCents: 120050},
		},
	}
}

// openReview returns a page that shows the review of a complete proposal.
func openReview(t testing.TB) *fixture {
	t.Helper()
	d := open(t)
	d.fill()
	d.press("ctrl+s")
	if d.step != reviewing {
		t.Fatalf("no review:\n%s", d.text())
	}
	return d
}

// openUncertain returns a page that does not know whether its invoice was created.
func openUncertain(t testing.TB, drafts ...apiclient.Invoice) *fixture {
	t.Helper()
	d := openReview(t)
	d.server.answer, d.server.drafts = unknown, drafts
	d.press("enter", "enter")
	if d.step != uncertain {
		t.Fatalf("no doubt:\n%s", d.text())
	}
	return d
}

// saved returns the draft on disk.
func (d *fixture) saved() (draft.Draft, error) {
	return draft.NewStore(state.Directory(d.dir)).Load("org_1", d.at)
}

func (d *fixture) text() string { return sample.Text(d) }

func (d *fixture) says(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if !strings.Contains(strings.Join(strings.Fields(d.text()), " "), strings.Join(strings.Fields(w), " ")) {
			d.t.Errorf("the page does not say %q:\n%s", w, d.text())
		}
	}
}

func (d *fixture) silent(about ...string) { d.t.Helper(); sample.CheckNoText(d.t, d, about...) }
