// Package intent is the page of one payment intent: its status, purpose, timeline and all other
// fields that the server sends (docs/api.md, Payment intent).
package intent

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/table"
)

// Source is the part of *apiclient.Client that the screen uses.
type Source interface {
	PaymentIntent(ctx context.Context, id string) (*apiclient.PaymentIntent, error)
}

// Screen is the page of one payment intent.
type Screen struct {
	views.Base

	data *snapshot.Snapshot

	theme         theme.Theme
	width, height int
	nav           views.Navigation
	actions       views.Actions

	id      string // ID of the chosen payment intent; "" before one is chosen
	state   resource.Resource[*apiclient.PaymentIntent]
	changed bool              // an event about the payment intent arrived after the latest request
	checked uint64            // value of Feed.TotalReceived when events were last checked
	prompt  *listdetail.Asked // asks for the ID of a payment intent
	shown   bool              // the payment intent is on the screen
	detail  table.Detail

	env    views.Env
	source Source
}

type loaded struct {
	request uint64
	intent  *apiclient.PaymentIntent
	err     error
}

// New returns the screen without a payment intent. The user chooses one at the prompt, or another
// page opens one with Show.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, data: env.Snapshot, nav: views.NewNavigation(),
	}
	s.prompt, s.actions = s.newPrompt(), s.newActions()
	s.SetTheme(env.Theme)
	return s
}

// Refresh returns the command that requests the payment intent again, even if the scheduled retry
// is not due yet. It returns nil if no payment intent is chosen or a request is running.
func (s *Screen) Refresh() tea.Cmd {
	if s.id == "" || s.state.Waiting() {
		return nil
	}
	return s.fetch()
}

// Show opens the payment intent that a views.IntentTarget names. It ignores targets of other types.
func (s *Screen) Show(target any) tea.Cmd {
	to, ok := target.(views.IntentTarget)
	if !ok {
		return nil
	}
	s.prompt.Close()
	if to.ID != s.id {
		s.id = to.ID
		s.state.Forget()
		s.detail.Top()
	}
	s.changed = s.id != ""
	s.arrange()
	return s.advance()
}

// Update handles keys, pastes, responses, ticks and new data of the snapshot.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = s.key(msg)
	case tea.PasteMsg:
		s.prompt.Paste(msg)
	case loaded:
		s.loaded(msg)
	case snapshot.Result:
		s.follow(msg)
	case views.Tick:
	default:
		return nil
	}
	s.arrange()
	return tea.Batch(cmd, s.advance())
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if s.prompt.Open() {
		return s.prompt.Press(press)
	}
	cmd, taken := s.actions.Press(press)
	if !taken && s.shown {
		lines, _ := s.nav.LineMove(press, s.detail.Rows())
		s.detail.Scroll(lines)
	}
	return cmd
}

// advance returns the command that fetches the payment intent if it is missing, may have changed,
// or is due for a retry. Otherwise it returns nil.
func (s *Screen) advance() tea.Cmd {
	policy := resource.Policy{Changed: s.changed, Unreachable: s.data.Unreachable()}
	if s.id == "" || !resource.Due(s.state.State(), s.env.Now(), policy) {
		return nil
	}
	return s.fetch()
}

func (s *Screen) fetch() tea.Cmd {
	s.changed = false
	request, id := s.state.Begin(), s.id
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		intent, err := source.PaymentIntent(ctx, id)
		return loaded{request: request, intent: intent, err: err}
	}
}

// loaded stores the response. If the payment intent does not exist, the screen says so and does not
// retry.
func (s *Screen) loaded(msg loaded) {
	condition := resource.Ready
	if errors.Is(msg.err, apiclient.ErrNotFound) {
		msg.intent, msg.err, condition = nil, nil, resource.Empty
	}
	now := s.env.Now()
	retryAt := resource.NextRetry(now, msg.err, s.state.Failures())
	accepted := s.state.Complete(msg.request, msg.intent, condition, msg.err, now, retryAt)
	if accepted && msg.err == nil && msg.intent != nil {
		s.data.SetCounterparty(s.id, msg.intent.CounterpartyName)
	}
}

// follow checks the events that arrived since the last call. An event about this payment intent
// causes a new request.
func (s *Screen) follow(msg snapshot.Result) {
	snapshot.ApplyOutage(s.data, &s.state)
	if msg.Part != snapshot.Events {
		return
	}
	fresh := s.data.Feed.ReceivedSince(s.checked)
	s.checked = s.data.Feed.TotalReceived()
	for _, e := range fresh {
		if d, ok := e.PaymentData(); ok && d.PaymentIntentID == s.id {
			s.changed = true
		}
	}
}

// Typing reports whether the prompt is open.
func (s *Screen) Typing() bool { return s.prompt.Open() }

// Back closes the prompt and reports whether it was open.
func (s *Screen) Back() bool {
	if !s.prompt.Open() {
		return false
	}
	s.prompt.Close()
	s.arrange()
	return true
}
