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
	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
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

// focus is the list or detail pane in which the navigation keys move.
type focus int

const (
	onEndpoints focus = iota
	onDeliveries
	onDelivery // the detail pane of one delivery
)

// Screen is the page of webhook endpoints and their deliveries.
type Screen struct {
	views.Base

	endpoints  endpoints
	deliveries deliveries
	filter     filter
	focus      focus

	theme         theme.Theme
	inks          inks
	width, height int
	nav           views.Navigation
	actions       views.Actions
	form          *editor
	confirm       *confirm
	secret        *secret
	file          *saveas.Line
	search        *listdetail.Filter
	dialogs       views.Layers // secret, confirm and form, which take the whole page
	prompts       views.Layers // file and search
	layers        views.Layers // dialogs and prompts

	visible bool
	// minAge is the minimum age at which a list is fetched again: unfocusedAge while the terminal
	// does not have the focus, otherwise 0.
	minAge time.Duration
	writes writes

	env    views.Env
	source Source
}

// endpoints is the upper list, of all webhook endpoints.
type endpoints struct {
	list       resource.Resource[[]apiclient.Webhook]
	table      *table.Table
	selected   string // the id of the endpoint under the cursor
	selectNext string // id of a new endpoint; the cursor moves to it once it is listed
}

// deliveries is the lower list, of the deliveries to the selected endpoint.
type deliveries struct {
	log    resource.Resource[[]apiclient.WebhookDelivery]
	table  *table.Table
	detail table.Detail
	cancel context.CancelFunc // cancels the running request for deliveries
}

// writes holds the running write and what the page says about the latest one.
type writes struct {
	pending    write
	outcome    outcome
	unanswered *unanswered // the latest write, if its outcome is unknown; otherwise nil
	testEvent  testEvent
	created    int // number of endpoints created in this session
}

// New returns the screen. It fetches nothing until the command of Init runs.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, nav: views.NewNavigation(), file: saveas.New(env.Places),
		deliveries: deliveries{cancel: func() {}},
	}
	s.form, s.confirm, s.secret = newEditor(s), newConfirm(s), newSecret(s)
	s.search = listdetail.NewFilter("", func() string { return s.filter.texts[s.focus] }, func(text string) {
		s.filter.fetch = s.setFilter(s.focus, text)
	})
	s.dialogs, s.prompts = views.Layers{s.secret, s.confirm, s.form}, views.Layers{s.file, s.search}
	s.layers = slices.Concat(s.dialogs, s.prompts)
	s.actions = s.newActions()
	s.endpoints.table = table.New(endpointColumns(), endpointRows{s})
	s.deliveries.table = table.New(deliveryColumns(), deliveryRows{s})
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that fetches the endpoints.
func (s *Screen) Init() tea.Cmd { return s.fetchEndpoints() }

// Refresh returns the command that fetches endpoints and deliveries.
func (s *Screen) Refresh() tea.Cmd { return tea.Batch(s.fetchEndpoints(), s.fetchDeliveries()) }

// Update handles keys, pastes, ticks, changes of the terminal's focus and responses.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		s.layers.Paste(msg)
	case views.Tick:
		cmd = s.fetchDue()
	case tea.BlurMsg:
		s.minAge = unfocusedAge
	case tea.FocusMsg:
		s.minAge = 0
	case endpointsMsg:
		cmd = s.storeEndpoints(msg)
	case deliveriesMsg:
		s.storeDeliveries(msg)
	case Written:
		cmd = s.finishWrite(msg)
	case saveas.Written:
		cmd = s.file.Take(msg)
	default:
		return nil
	}
	s.syncView()
	fetch := s.filter.fetch
	s.filter.fetch = nil
	return tea.Batch(cmd, fetch)
}

// SetVisible tells the screen whether it is visible. A hidden screen fetches nothing.
func (s *Screen) SetVisible(visible bool) {
	s.visible = visible
	s.markSecretShown()
	s.syncView()
}

// SetSize sets the size of the screen in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.layers.SetWidth(s.width)
	s.syncView()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.endpoints.table.SetTheme(t)
	s.deliveries.table.SetTheme(t)
	s.deliveries.detail.SetTheme(t)
	s.layers.SetTheme(t)
	s.syncView()
}

// syncView updates tables and sizes. It is called after every change of state.
func (s *Screen) syncView() {
	s.endpoints.table.Invalidate()
	s.deliveries.table.Invalidate() // its countdowns change every second
	if s.focus > onEndpoints && s.endpoints.selected == "" {
		s.focus = onEndpoints
	}
	s.apply()
	reach := len(s.filter.deliveries)
	if s.focus == onEndpoints {
		reach = 0 // only the focused list shows a cursor
	}
	s.deliveries.table.SetRows(reach, len(s.filter.deliveries))
	failed := func(d *apiclient.WebhookDelivery) bool { return d.LastError != "" }
	s.deliveries.table.Hide(errorColumn, !slices.ContainsFunc(s.filter.deliveries, failed))
	if d, ok := s.delivery(s.deliveries.table.Cursor()); ok {
		s.deliveries.detail.SetFocused(s.focus == onDelivery)
		s.deliveries.detail.Show("Delivery", s.deliveryFields(d))
	} else if s.focus == onDelivery {
		s.focus = onDeliveries
	}
	s.arrange()
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := s.layers.Press(press); taken {
		return cmd
	}
	if cmd, taken := s.actions.Press(press); taken {
		return cmd
	}
	return s.move(press)
}

// move passes a navigation key to the focused list or detail pane.
func (s *Screen) move(press tea.KeyPressMsg) tea.Cmd {
	switch s.focus {
	case onEndpoints:
		if s.endpoints.table.Update(press, s.nav) {
			return s.selectEndpoint()
		}
	case onDeliveries:
		s.deliveries.table.Update(press, s.nav)
	case onDelivery:
		lines, _ := s.nav.LineMove(press, s.deliveries.detail.Rows())
		s.deliveries.detail.Scroll(lines)
	}
	return nil
}

// switchPanel moves the focus to the other list.
func (s *Screen) switchPanel() tea.Cmd {
	if s.focus = (s.focus + 1) % onDelivery; s.focus == onDeliveries {
		return s.fetchDue()
	}
	return nil
}

// export asks for a file for the listed deliveries.
func (s *Screen) export() tea.Cmd {
	shown := s.chosen()
	return s.file.Ask(s.table(), "tarmac webhooks deliveries "+shown.ID,
		"deliveries", s.nameOf(shown), s.filter.texts[onDeliveries])
}

// copy returns the command that copies the id of the selected record to the clipboard.
func (s *Screen) copy() tea.Cmd {
	if s.focus == onEndpoints {
		return views.PutOnClipboard("the endpoint's id", s.endpoints.selected)
	}
	if d, ok := s.delivery(s.deliveries.table.Cursor()); ok && d.ID != "" {
		return views.PutOnClipboard("the delivery's id", d.ID)
	}
	return nil
}

// Typing reports whether key presses belong to a form, a prompt or the secret's page, so that the
// root model's keys are disabled.
func (s *Screen) Typing() bool { return s.layers.Open() }

// Back closes what was opened last: a form or prompt, then the detail pane of a delivery, the list
// of deliveries, or the message about the latest write. It reports whether it closed anything. It
// does not close a secret, which has keys of its own for that.
func (s *Screen) Back() bool {
	switch {
	case s.layers.Cancel():
	case s.focus > onEndpoints:
		s.focus--
		s.deliveries.detail.Top()
	case s.writes.outcome.text != "" || s.writes.unanswered != nil || s.writes.testEvent.isFor(s.endpoints.selected):
		s.writes.outcome, s.writes.unanswered, s.writes.testEvent = outcome{}, nil, testEvent{}
	default:
		return false
	}
	s.syncView()
	return true
}
