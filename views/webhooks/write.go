package webhooks

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/views"
)

// deed is an operation that changes an endpoint.
type deed int

const (
	none deed = iota
	create
	change
	pause
	activate
	rotate
	remove
	verify
)

// verb returns the operation as an infinitive: "delete it".
func (d deed) verb() string {
	return [...]string{"", "create it", "change it", "pause it", "activate it", "rotate its secret", "delete it", "send a test event"}[d]
}

// done returns the operation as a predicate for the endpoint's name: "was deleted".
func (d deed) done() string {
	return [...]string{"", "was created", "was changed", "was paused", "was activated", "has a new secret", "was deleted", "was sent a test event"}[d]
}

// write is the running write. Only one runs at a time, and it is sent once.
type write struct {
	number uint64
	deed   deed
	host   string
	doubt  doubt // reported if the outcome stays unknown
}

// Written is the response to a write. Its fields are exported so that printing the message uses
// Secret's own String method.
type Written struct {
	Number  uint64
	Secret  apiclient.Secret
	Until   *time.Time
	ID      string
	Changed *apiclient.Webhook // the endpoint after the change
	Test    apiclient.QueuedTest
	Err     error
}

// outcome is the message about the last write, shown until it is closed.
type outcome struct {
	text    string
	problem bool
}

// send starts a write and returns its command, or nil in a read-only session or while another write
// runs.
func (s *Screen) send(d deed, w *apiclient.Webhook, do func(ctx context.Context) Written) tea.Cmd {
	if s.env.ReadOnly || s.writes.pending.deed != none {
		return nil
	}
	number := s.writes.pending.number + 1
	s.writes.pending = write{number: number, deed: d, host: hostOf(w.URL), doubt: s.doubtOf(d, w)}
	s.writes.outcome, s.writes.doubt, s.writes.test = outcome{}, nil, test{}
	parent, timeout := s.env.Context, s.env.Timeout
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		out := do(ctx)
		out.Number = number
		return out
	}
}

func (s *Screen) create(url string, types []apiclient.EventType) tea.Cmd {
	source := s.source
	return s.send(create, &apiclient.Webhook{URL: url}, func(ctx context.Context) Written {
		made, err := source.CreateWebhook(ctx, url, types)
		if err != nil {
			return Written{Err: err}
		}
		return Written{Secret: made.Secret, ID: made.ID}
	})
}

func (s *Screen) update(d deed, w *apiclient.Webhook, patch apiclient.WebhookPatch) tea.Cmd {
	source, id := s.source, w.ID
	return s.send(d, w, func(ctx context.Context) Written {
		changed, err := source.UpdateWebhook(ctx, id, patch)
		return Written{Changed: changed, Err: err}
	})
}

// toggle pauses an active endpoint and activates any other.
func (s *Screen) toggle() (cmd tea.Cmd) {
	s.withChosen(func(w *apiclient.Webhook) {
		d, status := activate, apiclient.WebhookActive
		if w.Status == apiclient.WebhookActive {
			d, status = pause, apiclient.WebhookPaused
		}
		cmd = s.update(d, w, apiclient.WebhookPatch{Status: &status})
	})
	return cmd
}

func (s *Screen) rotate(w *apiclient.Webhook) tea.Cmd {
	source, id := s.source, w.ID
	return s.send(rotate, w, func(ctx context.Context) Written {
		rotated, err := source.RotateWebhookSecret(ctx, id)
		if err != nil {
			return Written{Err: err}
		}
		return Written{Secret: rotated.Secret, Until: rotated.PreviousSecretExpiresAt}
	})
}

func (s *Screen) remove(w *apiclient.Webhook) tea.Cmd {
	source, id := s.source, w.ID
	return s.send(remove, w, func(ctx context.Context) Written {
		return Written{Err: source.DeleteWebhook(ctx, id)}
	})
}

func (s *Screen) sendTest() (cmd tea.Cmd) {
	s.withChosen(func(w *apiclient.Webhook) {
		source, id := s.source, w.ID
		cmd = s.send(verify, w, func(ctx context.Context) Written {
			queued, err := source.VerifyWebhook(ctx, id)
			if err != nil {
				return Written{ID: id, Err: err}
			}
			return Written{ID: id, Test: *queued}
		})
	})
	return cmd
}

// tookWritten handles the response to the running write and ignores any other.
func (s *Screen) tookWritten(msg Written) tea.Cmd {
	if s.writes.pending.deed == none || msg.Number != s.writes.pending.number {
		return nil
	}
	w := s.writes.pending
	s.writes.pending = write{number: w.number}
	switch {
	case errors.Is(msg.Err, apiclient.ErrOutcomeUnknown):
		w.doubt.why = problem.Of(msg.Err).Detail
		s.writes.doubt = &w.doubt
		s.leave()
	case msg.Err != nil:
		s.refused(w, msg.Err)
	default:
		s.succeeded(w, msg)
	}
	cmds := []tea.Cmd{s.readList()}
	if s.logShown() {
		cmds = append(cmds, s.readLog())
	}
	if s.mode == showing && !s.visible {
		cmds = append(cmds, views.Tell("a new signing secret is ready on the Webhooks page; it is shown once"))
	}
	return tea.Batch(cmds...)
}

// refused shows why a write failed, in the form if that is still open.
func (s *Screen) refused(w write, err error) {
	text := problem.Of(err).Text()
	if s.mode == filling && (w.deed == create && s.form.id == "" || w.deed == change && s.form.id == w.doubt.id) {
		s.form.refuse(text)
		return
	}
	s.writes.outcome = outcome{text: "Could not " + w.deed.verb() + " (" + w.host + "): " + text, problem: true}
}

func (s *Screen) succeeded(w write, msg Written) {
	s.writes.outcome = outcome{text: w.host + " " + w.deed.done()}
	s.adopt(msg.Changed)
	switch w.deed {
	case create:
		s.form = newForm()
		s.endpoints.selectNext, s.place = msg.ID, onEndpoints
		s.reveal(msg.Secret, w.host, nil)
	case rotate:
		s.reveal(msg.Secret, w.host, msg.Until)
	case change:
		if s.mode == filling {
			s.leave()
		}
	case verify:
		s.writes.outcome = outcome{}
		s.writes.test = test{endpoint: msg.ID, delivery: msg.Test.DeliveryID, event: msg.Test.EventID, since: s.env.Now()}
		if s.place == onDelivery {
			s.place = onDeliveries
		}
		s.deliveries.table.SetCursor(0)
	}
}

// adopt replaces the listed endpoint by the changed one, so that the next key applies to its
// current state even before the list is read again.
func (s *Screen) adopt(changed *apiclient.Webhook) {
	if changed == nil || changed.ID == "" {
		return
	}
	all, _ := s.endpoints.list.Value()
	if i := slices.IndexFunc(all, func(w apiclient.Webhook) bool { return w.ID == changed.ID }); i >= 0 {
		all[i] = *changed
	}
}
