// Package webhooks is the page of webhook endpoints. It lists the endpoints and their deliveries,
// and can create, change, test and delete endpoints (docs/api.md, Webhook endpoint, Delivery
// record).
//
// A signing secret is shown once, on a page of its own that takes every key. Closing that page
// clears the secret from the model. No message or model of this package prints a secret.
//
// A write, which is a request that changes an endpoint or sends a test event, is sent once. If its
// outcome is unknown, the page says so, fetches the endpoints again and compares them with those
// before the write. The user decides what to do next.
package webhooks

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/client/record"
	"tarmac/internal/plural"
	"tarmac/views"
	"tarmac/views/parts/page"
	"tarmac/views/parts/saveas"
)

// Source lists the API requests of the page. *apiclient.Client implements it.
type Source interface {
	Webhooks(ctx context.Context) ([]apiclient.Webhook, error)
	WebhookDeliveries(ctx context.Context, id string) ([]apiclient.WebhookDelivery, error)
	CreateWebhook(ctx context.Context, url string, types []apiclient.EventType) (*apiclient.CreatedWebhook, error)
	UpdateWebhook(ctx context.Context, id string, patch apiclient.WebhookPatch) (*apiclient.Webhook, error)
	DeleteWebhook(ctx context.Context, id string) error
	RotateWebhookSecret(ctx context.Context, id string) (*apiclient.RotatedSecret, error)
	VerifyWebhook(ctx context.Context, id string) (*apiclient.QueuedTest, error)
}

// Page returns the page's name, key and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: "webhooks", Digit: "7", Title: "Webhooks", Short: "Hooks",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Maximum ages of the lists. Older lists are fetched again while the page is visible.
const (
	endpointsMaxAge  = 15 * time.Second
	deliveriesMaxAge = 5 * time.Second
	dueMaxAge        = 2 * time.Second
	// followTime is how long the page polls faster after a delivery became due or was sent.
	followTime = 30 * time.Second
	// unfocusedAge is the maximum age of the lists while the terminal does not have the focus.
	unfocusedAge = time.Minute
)

// Screen is the page of webhook endpoints and their deliveries.
type Screen struct {
	*page.Page

	all        page.Data[[]apiclient.Webhook]
	log        page.Data[[]apiclient.WebhookDelivery] // of the endpoint under the cursor, whose ID is its Key
	endpoints  *page.List[apiclient.Webhook]
	deliveries *page.List[apiclient.WebhookDelivery]
	pair       page.Pair[apiclient.Webhook, apiclient.WebhookDelivery] // of these lists

	inks    inks
	form    *editor
	confirm *confirm
	secret  *secret
	// minAge is how old a list must be to be fetched again: unfocusedAge while the terminal doesn't
	// have the focus, otherwise 0.
	minAge time.Duration
	writes writes
	source Source
}

// writes holds the running write and what the page says about the latest one.
type writes struct {
	pending    write
	outcome    outcome
	unanswered *unanswered // the latest write, if its outcome is unknown; otherwise nil
	testEvent  testEvent
	created    int // number of endpoints created in this session
}

// New returns the screen. Its first request is sent by Init.
func New(env views.Env, source Source) *Screen {
	s := &Screen{Page: page.New(env), source: source}
	s.all = page.Records("endpoint", func(ctx context.Context, _ string) ([]apiclient.Webhook, error) {
		return source.Webhooks(ctx)
	})
	s.all.MaxAge, s.all.OnValue = func() time.Duration { return max(endpointsMaxAge, s.minAge) }, s.tookEndpoints
	s.log = page.Records("delivery", source.WebhookDeliveries)
	s.log.When = func() bool { return s.log.Key != "" && s.deliveriesShown() }
	s.log.MaxAge = func() time.Duration { return max(s.deliveriesAge(), s.minAge) }
	s.endpoints = page.NewList(s.Page, page.Listing[apiclient.Webhook]{
		Hint:   "URL, status, event type or id",
		Data:   func() *page.Data[[]apiclient.Webhook] { return &s.all },
		ID:     func(w *apiclient.Webhook) string { return w.ID },
		Record: record.Webhook, Columns: endpointColumns(), Cell: s.endpointCell,
		Searched: []string{"url", "status", "disabled_reason", "event_types", "id"},
	})
	s.deliveries = page.NewList(s.Page, page.Listing[apiclient.WebhookDelivery]{
		Hint:   "event, status, code, error or id",
		Data:   func() *page.Data[[]apiclient.WebhookDelivery] { return &s.log },
		ID:     func(d *apiclient.WebhookDelivery) string { return d.ID },
		Record: record.Delivery, Columns: deliveryColumns(), Cell: s.deliveryCell, Follows: true,
		Searched: []string{"event_type", "status", "last_response_code", "last_error", "id", "event_id"},
	})
	s.pair = page.Pair[apiclient.Webhook, apiclient.WebhookDelivery]{
		Outer: s.endpoints, Inner: s.deliveries, Chosen: s.log.ChooseAtCursor,
		MayEnter: func() bool { return s.log.Key != "" },
	}
	s.form, s.confirm, s.secret = newEditor(s), newConfirm(s), newSecret(s)
	keys := s.keys()
	s.Declare(page.Spec{
		Title: "Webhooks", Keys: func() views.Actions { return keys }, Head: s.head, Body: body{s},
		Data: []page.Source{&s.all, &s.log}, Lists: []page.Lister{s.endpoints, s.deliveries},
		Dialogs: views.Layers{s.secret, s.confirm, s.form}, On: s.on, Sync: s.sync,
		Themed: func() { s.inks = newInks(s.Theme) },
		Chips:  []page.Chip{s.endpoints.ChipOf("endpoints"), s.deliveries.ChipOf("deliveries")},
		State: func(is *views.State) {
			is.Unfinished = s.unfinished()
			if s.writes.created > 0 {
				is.Work = []string{plural.Count(s.writes.created, "webhook endpoint")}
			}
		},
	})
	return s
}

func (s *Screen) on(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case views.Visible:
		s.markSecretShown()
	case tea.BlurMsg:
		s.minAge = unfocusedAge
	case tea.FocusMsg:
		s.minAge = 0
	case Written:
		return s.finishWrite(msg), true
	default:
		return nil, false
	}
	return nil, true
}

// sync shows the deliveries of the endpoint under the cursor.
func (s *Screen) sync() {
	s.pair.Sync()
	s.endpoints.Table.Invalidate()
	s.deliveries.Table.Invalidate() // its countdowns change every second
}

// deliveriesAge returns the age after which the deliveries are fetched again. The age is lower
// while a delivery is about to change: one second for the test event, dueMaxAge for a retry that is
// due.
func (s *Screen) deliveriesAge() time.Duration {
	now := s.Now()
	if s.writes.testEvent.isFor(s.log.Key) && s.writes.testEvent.changesSoon(s, now) {
		return time.Second
	}
	all, _ := s.log.Value()
	for i := range all {
		at := all[i].NextRetryAt
		if all[i].Status == apiclient.DeliveryPending && at != nil &&
			!now.Before(*at) && now.Before(at.Add(followTime)) {
			return dueMaxAge
		}
	}
	return deliveriesMaxAge
}

// tookEndpoints shows the fetched endpoints. A filter must not hide one that was just created.
func (s *Screen) tookEndpoints() tea.Cmd {
	all, _ := s.all.Value()
	if s.writes.unanswered != nil && !s.writes.unanswered.reloaded {
		s.writes.unanswered.reloaded = true
		if created := s.writes.unanswered.Created(all); created != nil {
			s.endpoints.NextID = created.ID
			s.writes.created++
		}
	}
	if s.endpoints.NextID != "" {
		s.endpoints.Text = ""
	}
	return nil
}

// unfinished returns a warning if leaving would lose a signing secret: the shown secret, if it has
// not been copied, or one that a pending response may contain. Otherwise it returns "".
func (s *Screen) unfinished() string {
	switch {
	case s.secret.Open() && !s.secret.copied:
		return "the signing secret will not be shown again"
	case s.writes.pending.operation == endpoint.Create || s.writes.pending.operation == endpoint.Rotate:
		return "a signing secret is still being created"
	}
	return ""
}

func (s *Screen) keys() views.Actions {
	open := views.Open(func() bool {
		return s.one() && (!s.pair.Inside || s.deliveries.HasCurrent() && !s.deliveries.Opened)
	}, views.Do(func() {
		s.pair.Inside, s.deliveries.Opened = true, s.pair.Inside
		s.deliveries.Pane.Top()
	}))
	open.Says = func() string {
		if s.pair.Inside {
			return "delivery details"
		}
		return "deliveries"
	}
	log := func() bool { return s.pair.Inside && !s.deliveries.Opened && len(s.log.Known()) > 0 }
	return slices.Concat(
		views.Actions{
			s.pair.BackKey(),
			open,
			s.endpoints.FilterKey(func() bool { return !s.pair.Inside && len(s.all.Known()) > 0 }),
			s.deliveries.FilterKey(log),
			{Key: "n", Help: "new endpoint", When: s.canCreate, Do: views.Do(func() { s.form.show(nil) })},
			views.Export(s.Env, func() bool {
				return s.one() && s.deliveries.Len() > 0 && s.log.State().HasFigures() && s.deliveriesShown()
			}, s.export),
			s.RemoveKey(nil),
		},
		s.writeActions(),
		views.Actions{
			{Key: "y", Help: "copy id", Do: s.copy,
				When: func() bool { return s.one() && (!s.pair.Inside || s.deliveries.HasCurrent()) }},
			{Key: "tab", Also: []string{"shift+tab"}, Help: "switch panel",
				When: func() bool { return s.one() && !s.deliveries.Opened },
				Do:   views.Do(func() { s.pair.Inside = !s.pair.Inside })},
			{Key: "n", Also: []string{"c", "a", "s", "v", "D"}, Hidden: true, When: func() bool {
				return s.forbidden() != ""
			}, Do: func() tea.Cmd { return views.Warn(s.forbidden()) }},
		},
	)
}

// writeActions change the selected endpoint or send it a test event.
func (s *Screen) writeActions() views.Actions {
	with := func(do func(*apiclient.Webhook) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return do(s.chosen()) }
	}
	ask := func(op endpoint.Operation) func() tea.Cmd {
		return with(func(w *apiclient.Webhook) tea.Cmd { s.confirm.ask(op, w); return nil })
	}
	pause := func() string {
		if w := s.chosen(); w != nil && w.Status != apiclient.WebhookActive {
			return "activate"
		}
		return "pause"
	}
	return views.Actions{
		{Key: "v", Help: "send test event", When: s.canChange, Do: with(s.sendTest)},
		{Key: "a", Says: pause, When: s.canChange, Do: with(s.toggle)},
		{Key: "c", Help: "change", When: s.canChange,
			Do: with(func(w *apiclient.Webhook) tea.Cmd { s.form.show(w); return nil })},
		{Key: "s", Help: "rotate secret", When: s.canChange, Do: ask(endpoint.Rotate)},
		{Key: "D", Help: "delete", When: s.canChange, Do: ask(endpoint.Delete)},
	}
}

// export asks for a file for the deliveries that are listed now, even if another endpoint is
// selected before it is written.
func (s *Screen) export() tea.Cmd {
	shown, listed := s.chosen(), s.deliveries.All()
	return s.File.Ask(func() saveas.Table { return saveas.List(listed, record.Delivery, "delivery") },
		"tarmac webhooks deliveries "+shown.ID, "deliveries", s.nameOf(shown), s.deliveries.Text)
}

// copy returns the command that copies the id of the selected record to the clipboard.
func (s *Screen) copy() tea.Cmd {
	if !s.pair.Inside {
		return views.PutOnClipboard("the endpoint's id", s.log.Key)
	}
	if d := s.deliveries.Current(); d != nil && d.ID != "" {
		return views.PutOnClipboard("the delivery's id", d.ID)
	}
	return nil
}

// chosen returns the endpoint under the cursor, or nil.
func (s *Screen) chosen() *apiclient.Webhook { return s.endpoints.Current() }

// nameOf returns what messages call the endpoint.
func (s *Screen) nameOf(w *apiclient.Webhook) string {
	all, _ := s.all.Value()
	return endpoint.Name(w, all)
}

// one reports whether the endpoint under the cursor can be named in a request.
func (s *Screen) one() bool { return s.chosen() != nil && s.chosen().ID != "" }

// idle reports whether no write is running.
func (s *Screen) idle() bool { return s.writes.pending.operation == endpoint.None }

func (s *Screen) canCreate() bool {
	_, known := s.all.Value()
	return s.forbidden() == "" && s.idle() && known
}

func (s *Screen) canChange() bool { return s.canCreate() && s.one() && s.chosen().Unreadable == nil }
