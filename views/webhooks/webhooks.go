// Package webhooks is the page of webhook endpoints. It lists the endpoints and their deliveries,
// and can create, change, test and delete endpoints (docs/api.md, Webhook endpoint, Delivery
// record).
//
// A signing secret is shown once on its own page, which takes every key. Leaving the page clears
// the secret from the model. No message or model of this package prints a secret.
//
// A write is sent once. If its outcome is unknown, the page says what may have happened, reads the
// endpoints again and shows what they tell. The user decides what to do next.
package webhooks

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Source is the part of the API client that the screen uses. *apiclient.Client implements it.
type Source interface {
	Webhooks(ctx context.Context) ([]apiclient.Webhook, error)
	WebhookDeliveries(ctx context.Context, id string) ([]apiclient.WebhookDelivery, error)
	CreateWebhook(ctx context.Context, url string, types []apiclient.EventType) (*apiclient.CreatedWebhook, error)
	UpdateWebhook(ctx context.Context, id string, patch apiclient.WebhookPatch) (*apiclient.Webhook, error)
	DeleteWebhook(ctx context.Context, id string) error
	RotateWebhookSecret(ctx context.Context, id string) (*apiclient.RotatedSecret, error)
	VerifyWebhook(ctx context.Context, id string) (*apiclient.QueuedTest, error)
}

// mode says which part of the page takes the keys.
type mode int

const (
	browsing   mode = iota
	filling         // the form is open
	confirming      // the confirmation prompt is open
	showing         // a secret is shown
)

// place is the list or detail that the navigation keys move in.
type place int

const (
	onEndpoints place = iota
	onDeliveries
	onDelivery // one delivery in full
)

// Screen is the page of webhook endpoints.
type Screen struct {
	views.Base

	endpoints  endpoints
	deliveries deliveries
	filter     filter
	place      place

	theme         theme.Theme
	inks          inks
	width, height int
	keys          keyMap
	mode          mode
	form          form
	confirm       confirm
	secret        secret
	file          saveas.Line

	visible bool
	minAge  time.Duration // the configured minimum age before a refresh
	writes  writes

	env    views.Env
	source Source
}

// endpoints is the upper list.
type endpoints struct {
	list       resource.Resource[[]apiclient.Webhook]
	table      *table.Table
	selected   string // the id of the endpoint under the cursor
	selectNext string // the id that the cursor moves to once it is listed
}

// deliveries is the lower list, of the selected endpoint.
type deliveries struct {
	log    resource.Resource[[]apiclient.WebhookDelivery]
	table  *table.Table
	detail table.Detail
	cancel context.CancelFunc // cancels the running request
}

// writes holds the running write and the outcome of the last one.
type writes struct {
	pending write
	outcome outcome // of the last write
	doubt   *doubt  // set while the last write's outcome is unknown
	test    test
}

// New returns the screen.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, keys: newKeyMap(), form: newForm(), file: saveas.New(env.Places),
		filter: filter{prompt: listdetail.NewPrompt()}, deliveries: deliveries{cancel: func() {}},
	}
	s.endpoints.table = table.New(endpointColumns(), endpointRows{s})
	s.deliveries.table = table.New(deliveryColumns(), deliveryRows{s})
	s.SetTheme(env.Theme)
	return s
}

// Init returns the command that fetches the endpoints.
func (s *Screen) Init() tea.Cmd { return s.readList() }

// Refresh returns the command that fetches endpoints and deliveries.
func (s *Screen) Refresh() tea.Cmd { return tea.Batch(s.readList(), s.readLog()) }

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		cmd = s.typed(msg)
	case views.Tick:
		cmd = s.renew()
	case tea.BlurMsg:
		s.minAge = unwatched
	case tea.FocusMsg:
		s.minAge = 0
	case listed:
		cmd = s.tookList(msg)
	case delivered:
		s.tookLog(msg)
	case Written:
		cmd = s.tookWritten(msg)
	case saveas.Written:
		cmd = s.file.Take(msg)
	default:
		return nil
	}
	s.settle()
	return cmd
}

// SetVisible says whether the screen is shown. Hidden screens fetch nothing.
func (s *Screen) SetVisible(visible bool) {
	s.visible = visible
	s.lookAtSecret()
	s.settle()
}

// SetSize sets the size of the screen in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.file.SetWidth(s.width)
	s.filter.prompt.SetWidth(s.width)
	s.settle()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.endpoints.table.SetTheme(t)
	s.deliveries.table.SetTheme(t)
	s.deliveries.detail.SetTheme(t)
	s.file.SetTheme(t)
	s.filter.prompt.SetTheme(t)
	s.settle()
}

// settle updates tables, sizes and enabled keys after a change of state.
func (s *Screen) settle() {
	s.endpoints.table.Invalidate()
	s.deliveries.table.Invalidate() // its countdowns change with time
	if s.place > onEndpoints && s.endpoints.selected == "" {
		s.place = onEndpoints
	}
	s.apply()
	reach := len(s.filter.deliveries)
	if s.place == onEndpoints {
		reach = 0 // only the active list shows a cursor
	}
	s.deliveries.table.SetRows(reach, len(s.filter.deliveries))
	if s.place == onDelivery {
		if d, ok := s.delivery(s.deliveries.table.Cursor()); ok {
			s.deliveries.detail.Show("Delivery", s.deliveryFields(d))
		} else {
			s.place = onDeliveries
		}
	}
	s.arrange()
	s.enable()
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	switch s.mode {
	case filling:
		return s.keyInForm(press)
	case confirming:
		return s.keyInConfirm(press)
	case showing:
		return s.keyAtSecret(press)
	}
	if s.file.Open() {
		return s.file.Press(press)
	}
	if s.filter.prompt.Typing() {
		return s.keyInFilter(press)
	}
	k := &s.keys
	switch {
	case key.Matches(press, k.Create):
		s.openForm(nil)
	case key.Matches(press, k.Change):
		s.withChosen(func(w *apiclient.Webhook) { s.openForm(w) })
	case key.Matches(press, k.Delete):
		s.withChosen(func(w *apiclient.Webhook) { s.ask(remove, w) })
	case key.Matches(press, k.Rotate):
		s.withChosen(func(w *apiclient.Webhook) { s.ask(rotate, w) })
	case key.Matches(press, k.Switch):
		return s.toggle()
	case key.Matches(press, k.Test):
		return s.sendTest()
	case key.Matches(press, k.Search):
		s.askFilter()
	case key.Matches(press, k.Remove):
		return s.removeFilter()
	case key.Matches(press, k.Copy):
		return s.copy()
	case key.Matches(press, k.Export):
		s.file.Ask(s.table(), "deliveries", hostOf(s.endpoint(s.endpoints.table.Cursor()).URL), s.filter.texts[onDeliveries])
	case key.Matches(press, k.Other):
		if s.place = (s.place + 1) % onDelivery; s.place == onDeliveries {
			return s.renew()
		}
	case key.Matches(press, k.Open):
		s.place++
		s.deliveries.detail.Top()
		return s.renew()
	case key.Matches(press, k.Back):
		s.Back()
	default:
		return s.move(press)
	}
	return nil
}

// move passes navigation keys to the active list or detail.
func (s *Screen) move(press tea.KeyPressMsg) tea.Cmd {
	switch s.place {
	case onEndpoints:
		if s.endpoints.table.Update(press, s.keys.Navigation) {
			return s.choose()
		}
	case onDeliveries:
		s.deliveries.table.Update(press, s.keys.Navigation)
	case onDelivery:
		s.scroll(press)
	}
	return s.tellWhy(press)
}

func (s *Screen) scroll(press tea.KeyPressMsg) {
	lines, _ := s.keys.Lines(press, s.deliveries.detail.Rows())
	s.deliveries.detail.Scroll(lines)
}

// copy copies the id of the selected record to the clipboard.
func (s *Screen) copy() tea.Cmd {
	if s.place == onEndpoints {
		return views.PutOnClipboard("the endpoint's id", s.endpoints.selected)
	}
	if d, ok := s.delivery(s.deliveries.table.Cursor()); ok && d.ID != "" {
		return views.PutOnClipboard("the delivery's id", d.ID)
	}
	return nil
}

// Typing reports whether the page takes all keys as text or answers.
func (s *Screen) Typing() bool {
	return s.mode != browsing || s.file.Open() || s.filter.prompt.Typing()
}

// Back closes the innermost open part: the delivery, the deliveries, then the outcome of the last
// write. It reports whether anything was open. A secret is closed only by its own keys.
func (s *Screen) Back() bool {
	switch {
	case s.mode == showing:
		return true
	case s.mode != browsing:
		s.leave()
	case s.file.Open():
		s.file.Close()
	case s.filter.prompt.Typing():
		s.cancelFilter()
	case s.place > onEndpoints:
		s.place--
	case s.writes.outcome.text != "" || s.writes.doubt != nil || s.writes.test.at(s.endpoints.selected):
		s.writes.outcome, s.writes.doubt, s.writes.test = outcome{}, nil, test{}
	default:
		return false
	}
	s.settle()
	return true
}

// leave closes the form or the confirmation. The form keeps its text.
func (s *Screen) leave() {
	s.mode = browsing
	s.confirm = confirm{}
	s.form.url.Blur()
}

func (s *Screen) typed(msg tea.PasteMsg) tea.Cmd {
	switch s.mode {
	case browsing:
		s.file.Paste(msg)
		if s.filter.prompt.Typing() {
			s.filter.prompt.Paste(msg)
			return s.setFilter(s.place, s.filter.prompt.Text())
		}
	case filling:
		s.form.take(msg)
	case confirming:
		s.confirm.in.Update(msg)
	}
	return nil
}
