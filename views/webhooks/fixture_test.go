package webhooks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

var start = time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)

const signing = apiclient.Secret("svc_whsec_5up3rS3cretKeyMaterial0123456789abcdefXYZ")

// server keeps endpoints and deliveries in memory. failWrite fails the next writes; failList and
// failLog fail every read.
type server struct {
	endpoints []apiclient.Webhook // newest first
	log       map[string][]apiclient.WebhookDelivery
	failList  error
	failLog   error
	failWrite error
	carryOut  bool // a failing write still takes effect
	requests  []string
	patch     apiclient.WebhookPatch
	at        *time.Time
}

func (s *server) Webhooks(context.Context) ([]apiclient.Webhook, error) {
	s.requests = append(s.requests, "list")
	return slices.Clone(s.endpoints), s.failList
}

func (s *server) WebhookDeliveries(_ context.Context, id string) ([]apiclient.WebhookDelivery, error) {
	s.requests = append(s.requests, "log "+id)
	return slices.Clone(s.log[id]), s.failLog
}

// write records a write. It reports whether to carry it out, and the error to return.
func (s *server) write(what string) (do bool, err error) {
	s.requests = append(s.requests, what)
	return s.failWrite == nil || s.carryOut, s.failWrite
}

func (s *server) find(id string) *apiclient.Webhook {
	for i := range s.endpoints {
		if s.endpoints[i].ID == id {
			return &s.endpoints[i]
		}
	}
	return &apiclient.Webhook{}
}

func (s *server) CreateWebhook(
	_ context.Context,
	url string,
	types []apiclient.EventType,
) (*apiclient.CreatedWebhook, error) {
	do, err := s.write("create " + url)
	w := apiclient.Webhook{ID: "wh_01NEWNEWNEWAAAAAA", URL: url, EventTypes: types, Status: apiclient.WebhookActive}
	if do {
		s.endpoints = append([]apiclient.Webhook{w}, s.endpoints...)
	}
	if err != nil {
		return nil, err
	}
	return &apiclient.CreatedWebhook{Webhook: w, Secret: signing}, nil
}

func (s *server) UpdateWebhook(_ context.Context, id string, patch apiclient.WebhookPatch) (*apiclient.Webhook, error) {
	do, err := s.write("update " + id)
	s.patch = patch
	if w := s.find(id); do && patch.Status != nil {
		w.Status, w.DisabledReason, w.DisabledAt = *patch.Status, "", nil
	} else if do && patch.URL != nil {
		w.URL = *patch.URL
	}
	return s.find(id), err
}

func (s *server) DeleteWebhook(_ context.Context, id string) error {
	do, err := s.write("delete " + id)
	if do {
		s.endpoints = slices.DeleteFunc(s.endpoints, func(w apiclient.Webhook) bool { return w.ID == id })
	}
	return err
}

func (s *server) RotateWebhookSecret(_ context.Context, id string) (*apiclient.RotatedSecret, error) {
	do, err := s.write("rotate " + id)
	until := s.at.Add(24 * time.Hour)
	if do {
		s.find(id).PreviousSecretExpiresAt = &until
	}
	if err != nil {
		return nil, err
	}
	return &apiclient.RotatedSecret{Secret: signing, PreviousSecretExpiresAt: &until}, nil
}

func (s *server) VerifyWebhook(_ context.Context, id string) (*apiclient.QueuedTest, error) {
	do, err := s.write("verify " + id)
	if do {
		now := *s.at
		s.log[id] = append([]apiclient.WebhookDelivery{{
			ID: "whd_test", EventID: "evt_test", EventType: apiclient.EventTest, Status: apiclient.DeliveryPending,
			Attempts: ptr(int64(0)), NextRetryAt: &now, CreatedAt: &now,
		}}, s.log[id]...)
	}
	if err != nil {
		return nil, err
	}
	return &apiclient.QueuedTest{EventID: "evt_test", DeliveryID: "whd_test"}, nil
}

// fixture is a screen with a fake server and a manual clock.
type fixture struct {
	*Screen
	t       testing.TB
	server  *server
	at      time.Time
	notices []string
	copied  []string
}

// newServer returns a server with one endpoint in each status.
func newServer(at *time.Time) *server {
	ago := func(d time.Duration) *time.Time { t := start.Add(-d); return &t }
	in := func(d time.Duration) *time.Time { t := start.Add(d); return &t }
	return &server{at: at, log: map[string][]apiclient.WebhookDelivery{
		"wh_01ACTIVEACTIVEABCDEF": {
			{
				ID:               "whd_3",
				EventID:          "evt_3",
				EventType:        apiclient.EventInvoicePaid,
				Status:           apiclient.DeliveryPending,
				Attempts:         ptr(int64(3)),
				LastResponseCode: ptr(int64(503)),
				LastError:        "http_status",
				NextRetryAt:      in(249 * time.Second),
				CreatedAt:        ago(6 * time.Minute),
				LastAttemptAt:    ago(time.Minute),
			},
			{
				ID:               "whd_2",
				EventID:          "evt_2",
				EventType:        apiclient.EventPaymentFailed,
				Status:           apiclient.DeliveryDelivered,
				Attempts:         ptr(int64(1)),
				LastResponseCode: ptr(int64(200)),
				CreatedAt:        ago(time.Hour),
				LastAttemptAt:    ago(time.Hour),
				DeliveredAt:      ago(time.Hour),
			},
			{
				ID:            "whd_1",
				EventID:       "evt_1",
				EventType:     apiclient.EventInvoicePaid,
				Status:        apiclient.DeliveryFailed,
				Attempts:      ptr(int64(8)),
				LastError:     "timeout",
				CreatedAt:     ago(40 * time.Hour),
				LastAttemptAt: ago(10 * time.Hour),
				Extra:         []apiclient.Field{{Name: "region", Value: "eu-1"}},
			},
		},
	}, endpoints: []apiclient.Webhook{
		{
			ID:                      "wh_01ACTIVEACTIVEABCDEF",
			URL:                     "https://hooks.example.com/finance",
			EventTypes:              []apiclient.EventType{apiclient.EventInvoicePaid, apiclient.EventPaymentFailed},
			Status:                  apiclient.WebhookActive,
			CreatedAt:               ago(72 * time.Hour),
			UpdatedAt:               ago(2 * time.Hour),
			PreviousSecretExpiresAt: in(21 * time.Hour),
		},
		{
			ID:         "wh_01PAUSEDPAUSEDGHIJKL",
			URL:        "https://staging.example.com:8443/in",
			EventTypes: []apiclient.EventType{apiclient.EventInvoiceSent},
			Status:     apiclient.WebhookPaused,
			CreatedAt:  ago(90 * 24 * time.Hour),
		},
		{
			ID:             "wh_01BROKENBROKENMNOPQR",
			URL:            "https://old.example.com/",
			EventTypes:     []apiclient.EventType{apiclient.EventInvoicePaid},
			Status:         apiclient.WebhookAutoDisabled,
			DisabledReason: "failing",
			DisabledAt:     ago(50 * time.Hour),
			CreatedAt:      ago(200 * 24 * time.Hour),
		},
	}}
}

func open(t testing.TB, change ...func(*server)) *fixture { return openAs(t, views.Env{}, change...) }

func openAs(t testing.TB, o views.Env, change ...func(*server)) *fixture {
	t.Helper()
	d := &fixture{t: t, at: start}
	d.server = newServer(&d.at)
	for _, c := range change {
		c(d.server)
	}
	o.Context, o.Now, o.Timeout, o.Theme = t.Context(), func() time.Time { return d.at }, time.Minute, theme.New(true)
	d.Screen = New(o, d.server)
	d.SetSize(110, 30)
	d.run(d.Init())
	d.Update(views.Visible(true))
	return d
}

// run executes a command and all commands that follow from it.
func (d *fixture) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case views.Notice:
		d.notices = append(d.notices, msg.Text)
	case views.Copy:
		d.copied = append(d.copied, msg.Text)
	default:
		d.run(d.Update(msg))
	}
}

// press presses keys and draws a frame after each.
func (d *fixture) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.run(d.Update(press(k)))
		d.View()
	}
}

func (d *fixture) write(text string) {
	d.t.Helper()
	for _, r := range text {
		d.run(d.Update(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
	d.View()
}

// pass advances the clock second by second and draws a frame after each.
func (d *fixture) pass(seconds int) {
	d.t.Helper()
	for range seconds {
		d.at = d.at.Add(time.Second)
		d.run(d.Update(views.Tick{Now: d.at}))
		d.View()
	}
}

// requests returns the requests sent since the last call.
func (d *fixture) requests() []string {
	out := d.server.requests
	d.server.requests = nil
	return out
}

func (d *fixture) text() string {
	lines := strings.Split(ansi.Strip(d.View()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// flat returns the screen's text without frames and line breaks.
func (d *fixture) flat() string {
	text := strings.NewReplacer("│", " ", "\n", " ").Replace(d.text())
	return strings.Join(strings.Fields(text), " ")
}

func (d *fixture) shows(wanted ...string) {
	d.t.Helper()
	text := d.flat()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			d.t.Errorf("no %q in\n%s", want, d.text())
		}
	}
}

func (d *fixture) hides(unwanted ...string) {
	d.t.Helper()
	text := d.flat()
	for _, not := range unwanted {
		if strings.Contains(text, not) {
			d.t.Errorf("there is %q in\n%s", not, d.text())
		}
	}
}

var press = sample.Press

var errLost = &apiclient.NetworkError{
	Method:         "POST",
	Route:          "/webhooks",
	Attempts:       1,
	Err:            context.DeadlineExceeded,
	OutcomeUnknown: true,
}

var errDown = errors.New("the server cannot be reached")

func ptr[T any](v T) *T { return &v }

// Where the navigation keys move.
const (
	onEndpoints = iota
	onDeliveries
	onDelivery
)

func (d *fixture) focus() int {
	switch {
	case d.deliveries.Opened:
		return onDelivery
	case d.pair.Inside:
		return onDeliveries
	}
	return onEndpoints
}
