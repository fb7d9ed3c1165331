package intent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/intent"
)

var update = sample.UpdateFlag()

// server holds one payment intent and records its requests.
type server struct {
	snapshot.Source // nil, so that other requests panic
	intent          apiclient.PaymentIntent
	feed            []apiclient.Event
	requests        []string
	fail, failFeed  error
}

func (s *server) PaymentIntent(_ context.Context, id string) (*apiclient.PaymentIntent, error) {
	s.requests = append(s.requests, id)
	if s.fail != nil {
		return nil, s.fail
	}
	if id != s.intent.ID {
		return nil, &apiclient.Error{Status: 404, Message: "no such payment intent"}
	}
	p := s.intent
	return &p, nil
}

func (*server) BooksRevision(context.Context) (string, error) { return "", nil }

func (s *server) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if q.StartingAfter != "" {
		return &apiclient.EventPage{}, s.failFeed
	}
	return &apiclient.EventPage{Data: s.feed}, s.failFeed
}

func (s *server) happens(kind apiclient.EventType, id string) {
	e := apiclient.Event{
		ID:      fmt.Sprintf("evt_%d", len(s.feed)),
		Type:    kind,
		Version: 1,
		Data:    json.RawMessage(`{"payment_intent_id":"` + id + `"}`),
	}
	s.feed = append([]apiclient.Event{e}, s.feed...)
}

type desk struct {
	*intent.Screen
	t      testing.TB
	server *server
	data   *snapshot.Snapshot
	at     time.Time
}

func build(t testing.TB) *desk {
	t.Helper()
	created, held := time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC), time.Date(2026, 11, 18, 9, 0, 20, 0, time.UTC)
	d := &desk{t: t, at: time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC), server: &server{intent: apiclient.PaymentIntent{
		ID: "pi_1", Status: apiclient.PaymentHeld, StatusReason: "awaiting_approval",
		Amount:    apiclient.NewAmount(125_000, "USD"),
		Direction: apiclient.Outflow, Description: "Contractor, October", CounterpartyName: "Müller & Söhne",
		CreatedAt: &created, UpdatedAt: &held, HeldAt: &held,
		Extra: []apiclient.Field{{Name: "batch", Value: "b_7"}, {Name: "note"}},
	}}}
	now := func() time.Time { return d.at }
	d.data = snapshot.New(t.Context(), d.server, snapshot.Options{Now: now, Timeout: time.Minute})
	d.Screen = intent.New(views.Env{
		Context: t.Context(), Snapshot: d.data, Now: now, Timeout: time.Minute, Theme: theme.New(true),
	}, d.server)
	d.SetSize(80, 24)
	d.drain(d.Init())
	return d
}

func open(t testing.TB) *desk {
	t.Helper()
	d := build(t)
	d.drain(d.Show(views.IntentTarget{ID: "pi_1"}))
	return d
}

// drain runs a command and those that follow. It returns the last message that the screen does not
// handle.
func (d *desk) drain(cmd tea.Cmd) (last tea.Msg) {
	d.t.Helper()
	for n := 0; cmd != nil; n++ {
		if n > 20 {
			d.t.Fatal("the screen asks without end")
		}
		last = cmd()
		cmd = d.Update(last)
	}
	return last
}

func (d *desk) poll() {
	d.t.Helper()
	answer := d.data.Load(snapshot.Events)()
	d.data.Update(answer)
	d.drain(d.Update(answer))
}

func (d *desk) wait(by time.Duration) {
	d.at = d.at.Add(by)
	d.drain(d.Update(views.Tick{Now: d.at}))
}

func (d *desk) press(keys ...string) (last tea.Msg) {
	for _, k := range keys {
		last = d.drain(d.Update(press(k)))
	}
	return last
}

var press = sample.Press

func (d *desk) says(want ...string) { d.t.Helper(); sample.CheckText(d.t, d, want...) }

func (d *desk) saysNot(not ...string) { d.t.Helper(); sample.CheckNoText(d.t, d, not...) }

func TestEverythingThatIsSentIsShown(t *testing.T) {
	d := open(t)
	d.says(
		"held: waiting for approval or release",
		"awaiting approval",
		"money out",
		"-$1,250.00",
		"Müller & Söhne",
		"Contractor, October",
		"pi_1",
		"2026-11-18 09:00  ● created",
		"● held, immediately",
		"batch             b_7",
		"note              —",
	)
	d.server.intent = apiclient.PaymentIntent{ID: "pi_1", Status: "pondering"}
	d.drain(d.Refresh())
	d.says("pondering", "Amount        —")
	d.saysNot("Timeline", "0.00", "Other fields")
}

func TestAnIDIsTyped(t *testing.T) {
	d := build(t)
	d.says("No payment intent selected. Press i to enter an id")
	d.press("i", "p", "esc")
	if d.Typing() || len(d.server.requests) != 0 {
		t.Errorf("asked %q", d.server.requests)
	}
	d.press("i", "enter")
	if len(d.server.requests) != 0 {
		t.Errorf("nothing was asked for: %q", d.server.requests)
	}
	d.press("i")
	if !d.Typing() {
		t.Error("letters would be commands")
	}
	d.Update(tea.PasteMsg{Content: " pi_1\n"})
	d.press("enter")
	d.says("-$1,250.00")
	if got, want := d.press("y"), (views.Copy{What: "the payment intent's id", Text: "pi_1"}); got != want {
		t.Errorf("y leads to %v", got)
	}
	d.press("i", "p", "i", "_", "2", "enter")
	d.says("No payment intent pi_2.")
	d.wait(time.Hour)
	if want := []string{"pi_1", "pi_2"}; !slices.Equal(d.server.requests, want) {
		t.Errorf("asked %q, want %q", d.server.requests, want)
	}
	if d.press("i"); !d.Back() || d.Back() {
		t.Error("esc leaves the id being typed, once")
	}
	d.Show("something else")
	d.says("No payment intent pi_2.")
}

func TestEventsOfThePaymentRenewIt(t *testing.T) {
	d := open(t)
	d.poll()
	d.server.intent.Status = apiclient.PaymentCompleted
	d.server.happens(apiclient.EventPaymentCompleted, "pi_2")
	d.poll()
	d.says("held:")
	d.server.happens(apiclient.EventPaymentCompleted, "pi_1")
	d.poll()
	d.says("completed: money has moved")
	d.wait(time.Hour)
	if n := len(d.server.requests); n != 2 {
		t.Errorf("asked %q", d.server.requests)
	}
	d.drain(d.Show(views.IntentTarget{ID: "pi_1"}))
	if n := len(d.server.requests); n != 3 {
		t.Errorf("opened anew, it is not read anew: %q", d.server.requests)
	}
}

func TestAnotherPaymentsAnswerIsDropped(t *testing.T) {
	d := build(t)
	late := d.Show(views.IntentTarget{ID: "pi_1"})
	d.drain(d.Show(views.IntentTarget{ID: "pi_2"}))
	d.drain(late)
	d.says("No payment intent pi_2.")
	d.saysNot("1,250")
}

func TestAFailureIsSaidAndTriedAgain(t *testing.T) {
	d := build(t)
	d.server.fail = errors.New("broken pipe")
	d.drain(d.Show(views.IntentTarget{ID: "pi_1"}))
	d.says("Could not load: broken pipe.", "retry in 2s · r now")
	d.server.fail = nil
	d.wait(2 * time.Second)
	d.says("-$1,250.00")
	d.server.fail = &apiclient.Error{Status: 403, Scope: "transactions:read"}
	d.drain(d.Refresh())
	d.says("The token lacks the scope transactions:read.")
	d.saysNot("1,250")
}

func TestItGoesAndComesBackWithTheServer(t *testing.T) {
	for _, away := range []error{&apiclient.NetworkError{Err: errors.New("refused")}, &apiclient.Error{Status: 503}} {
		d := open(t)
		d.server.failFeed = away
		d.poll()
		d.says("◌ stale", "-$1,250.00")
		d.wait(time.Minute)
		if len(d.server.requests) != 1 {
			t.Error("it asks a server that is away")
		}
		d.server.failFeed = nil
		d.poll()
		d.saysNot("stale")
	}
}

func states(t testing.TB) map[string]*desk {
	out := map[string]*desk{
		"open":    open(t),
		"none":    build(t),
		"asking":  build(t),
		"gone":    open(t),
		"stale":   open(t),
		"hostile": build(t),
	}
	out["asking"].press("i")
	out["gone"].drain(out["gone"].Show(views.IntentTarget{ID: strings.Repeat("pi_", 70)}))
	out["stale"].server.fail = errors.New("broken pipe")
	out["stale"].drain(out["stale"].Refresh())
	endless := strings.Repeat("日本e\u0301", 80)
	out["hostile"].server.intent = apiclient.PaymentIntent{
		ID: "pi_1", Status: apiclient.PaymentStatus(endless), StatusReason: endless, CounterpartyName: endless,
		Amount: apiclient.NewAmount(-1<<63, endless), Direction: "sideways", CreatedAt: &time.Time{},
		Extra: []apiclient.Field{{Name: endless, Value: endless}, {Value: endless}},
	}
	out["hostile"].drain(out["hostile"].Show(views.IntentTarget{ID: "pi_1"}))
	return out
}

func TestEverySizeIsFilledExactlyInEveryState(t *testing.T) {
	for name, d := range states(t) {
		t.Run(name, func(t *testing.T) { sample.CheckAllSizes(t, d) })
	}
}

func TestPictures(t *testing.T) {
	for name, d := range states(t) {
		if name == "hostile" {
			continue
		}
		for _, size := range [][2]int{{120, 26}, {80, 21}, {40, 9}} {
			d.SetSize(size[0], size[1])
			sample.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), d.View(), *update)
		}
	}
}

func TestALongOneScrolls(t *testing.T) {
	d := open(t)
	d.SetSize(60, 9)
	d.says("more below", "Status")
	d.press("G")
	d.says("b_7")
	d.saysNot("Status")
	d.press("k", "g")
	d.says("Status")
}

// Esc returns to the previous page. While an ID is typed, esc cancels the typing.
func TestTheKeysThatWorkInEachState(t *testing.T) {
	all := states(t)
	for name, want := range map[string]string{
		"open": "esc back, i another id, y copy id", "stale": "esc back, i another id, y copy id",
		"gone": "esc back, i another id, y copy id", "none": "esc back, i enter an id",
		"asking": "enter look up, esc cancel",
	} {
		var keys []string
		for _, b := range all[name].Help()[0].Bindings {
			if b.Enabled() {
				keys = append(keys, b.Help().Key+" "+b.Help().Desc)
			}
		}
		if got := strings.Join(keys, ", "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNoKeyIsOfferedTwice(t *testing.T) {
	for name, d := range states(t) {
		seen := map[string]bool{}
		for _, group := range d.Help() {
			for _, b := range group.Bindings {
				for _, k := range b.Keys() {
					if b.Enabled() && seen[k] {
						t.Errorf("%s: %s is bound twice", name, k)
					}
					seen[k] = seen[k] || b.Enabled()
				}
			}
		}
	}
}

func TestMaskedNoAmountIsSeen(t *testing.T) {
	d := build(t)
	d.server.intent.Amount = apiclient.NewAmount(1_234_567, "JPY")
	d.server.intent.Extra = []apiclient.Field{
		{Name: "fee_minor", Value: "7654321"},
		{Name: "detail", Value: `{"net":9876543}`},
	}
	d.drain(d.Show(views.IntentTarget{ID: "pi_1"}))
	sample.CheckMasked(t, d, 1_234_567, 7_654_321, 9_876_543)
}

func TestTheCounterpartyIsKnownToOtherPages(t *testing.T) {
	d := open(t)

	if got := d.data.Counterparty("pi_1"); got != "Müller & Söhne" {
		t.Errorf("the counterparty of pi_1 is %q", got)
	}

	d.drain(d.Show(views.IntentTarget{ID: "pi_other"}))

	if got := d.data.Counterparty("pi_other"); got != "" {
		t.Errorf("one that the server does not know is called %q", got)
	}
}
