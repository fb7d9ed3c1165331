package webhooks

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/client/problem"
	"tarmac/views"
)

// write describes the running write. At most one runs at a time.
type write struct {
	number     uint64
	operation  endpoint.Operation
	host       string
	unanswered endpoint.Unanswered // what the page shows if no response arrives
}

// Written is the response to a write. Its fields are exported so that fmt prints the secret with
// the String method of apiclient.Secret.
type Written struct {
	Number  uint64
	Secret  apiclient.Secret
	Until   *time.Time
	ID      string
	Changed *apiclient.Webhook // the endpoint after the change
	Test    apiclient.QueuedTest
	Err     error
}

// unanswered is a write whose response never arrived.
type unanswered struct {
	endpoint.Unanswered
	reloaded bool // the endpoints have been fetched again since the write
}

// advice holds what the page suggests after a lost response, for each operation that needs it.
var advice = endpoint.Advice{
	Create: "Press r to refresh; if it stays missing, n reopens the form as you left it.",
	Rotate: "press s",
	Delete: "Press D to delete it.",
	Verify: "Press v to send another.",
}

// lines returns the message about the write: what may have happened, what the current list shows,
// and what the user can do.
func (u *unanswered) lines(all []apiclient.Webhook) []string {
	if !u.reloaded {
		return []string{u.UnknownText(), "Reloading the endpoints."}
	}
	return []string{u.UnknownText(), u.Finding(all, advice)}
}

// outcome is the message about the latest write. It is shown until the user closes it or starts
// another write.
type outcome struct {
	text    string
	problem bool
}

// send starts a write: it returns the command that calls request, which sends it. It returns nil in
// a read-only session and while another write is running.
func (s *Screen) send(op endpoint.Operation, w *apiclient.Webhook, request func(ctx context.Context) Written) tea.Cmd {
	if s.ReadOnly || !s.idle() {
		return nil
	}
	number := s.writes.pending.number + 1
	all, _ := s.all.Value()
	s.writes.pending = write{
		number: number, operation: op, host: endpoint.Name(w, all), unanswered: endpoint.Before(op, *w, all),
	}
	s.writes.outcome, s.writes.unanswered, s.writes.testEvent = outcome{}, nil, testEvent{}
	parent, timeout := s.Context, s.Timeout
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		out := request(ctx)
		out.Number = number
		return out
	}
}

func (s *Screen) create(url string, types []apiclient.EventType) tea.Cmd {
	source := s.source
	return s.send(endpoint.Create, &apiclient.Webhook{URL: url}, func(ctx context.Context) Written {
		made, err := source.CreateWebhook(ctx, url, types)
		if err != nil {
			return Written{Err: err}
		}
		return Written{Secret: made.Secret, ID: made.ID}
	})
}

func (s *Screen) update(op endpoint.Operation, w *apiclient.Webhook, patch apiclient.WebhookPatch) tea.Cmd {
	source, id := s.source, w.ID
	return s.send(op, w, func(ctx context.Context) Written {
		changed, err := source.UpdateWebhook(ctx, id, patch)
		return Written{Changed: changed, Err: err}
	})
}

// toggle returns the command that pauses an endpoint if it is active, and activates it otherwise.
func (s *Screen) toggle(w *apiclient.Webhook) tea.Cmd {
	op, status := endpoint.Activate, apiclient.WebhookActive
	if w.Status == apiclient.WebhookActive {
		op, status = endpoint.Pause, apiclient.WebhookPaused
	}
	return s.update(op, w, apiclient.WebhookPatch{Status: &status})
}

func (s *Screen) rotate(w *apiclient.Webhook) tea.Cmd {
	source, id := s.source, w.ID
	return s.send(endpoint.Rotate, w, func(ctx context.Context) Written {
		rotated, err := source.RotateWebhookSecret(ctx, id)
		if err != nil {
			return Written{Err: err}
		}
		return Written{Secret: rotated.Secret, Until: rotated.PreviousSecretExpiresAt}
	})
}

func (s *Screen) remove(w *apiclient.Webhook) tea.Cmd {
	source, id := s.source, w.ID
	return s.send(endpoint.Delete, w, func(ctx context.Context) Written {
		return Written{Err: source.DeleteWebhook(ctx, id)}
	})
}

func (s *Screen) sendTest(w *apiclient.Webhook) tea.Cmd {
	source, id := s.source, w.ID
	return s.send(endpoint.Verify, w, func(ctx context.Context) Written {
		queued, err := source.VerifyWebhook(ctx, id)
		if err != nil {
			return Written{ID: id, Err: err}
		}
		return Written{ID: id, Test: *queued}
	})
}

// finishWrite handles the response to the running write and fetches the endpoints and deliveries
// again. It ignores responses to earlier writes.
func (s *Screen) finishWrite(msg Written) tea.Cmd {
	if s.writes.pending.operation == endpoint.None || msg.Number != s.writes.pending.number {
		return nil
	}
	w := s.writes.pending
	s.writes.pending = write{number: w.number}
	switch {
	case errors.Is(msg.Err, apiclient.ErrOutcomeUnknown):
		w.unanswered.Reason = problem.Of(msg.Err).Detail
		s.writes.unanswered = &unanswered{Unanswered: w.unanswered}
		s.confirm.Cancel()
		s.form.Cancel()
	case msg.Err != nil:
		s.showFailure(w, msg.Err)
	default:
		s.showSuccess(w, msg)
	}
	cmds := []tea.Cmd{s.all.Fetch()}
	if s.log.When() {
		cmds = append(cmds, s.log.Fetch())
	}
	if s.secret.Open() && !s.Visible {
		cmds = append(cmds, views.Tell("a new signing secret is ready on the Webhooks page; it is shown once"))
	}
	return tea.Batch(cmds...)
}

// showFailure shows why a write failed: in the form if that is still open, otherwise above the
// lists.
func (s *Screen) showFailure(w write, err error) {
	text := problem.Of(err).Text()
	if s.form.Open() && (w.operation == endpoint.Create && s.form.id == "" ||
		w.operation == endpoint.Change && s.form.id == w.unanswered.Endpoint.ID) {
		s.form.refuse(text)
		return
	}
	s.writes.outcome = outcome{text: "Could not " + w.operation.Verb() + " (" + w.host + "): " + text, problem: true}
}

func (s *Screen) showSuccess(w write, msg Written) {
	s.writes.outcome = outcome{text: w.host + " " + w.operation.Done()}
	s.replaceEndpoint(msg.Changed)
	switch w.operation {
	case endpoint.Create:
		s.writes.created++
		s.form.form = newForm()
		s.endpoints.NextID, s.pair.Inside = msg.ID, false
		s.showSecret(msg.Secret, w.host, nil)
	case endpoint.Rotate:
		s.showSecret(msg.Secret, w.host, msg.Until)
	case endpoint.Change:
		s.form.Cancel()
	case endpoint.Verify:
		s.writes.outcome = outcome{}
		s.writes.testEvent = testEvent{
			endpoint: msg.ID,
			delivery: msg.Test.DeliveryID,
			event:    msg.Test.EventID,
			since:    s.Now(),
		}
		s.deliveries.Opened = false
		s.deliveries.Table.SetCursor(0)
	}
}

// replaceEndpoint replaces a listed endpoint with its changed record. The next key press then
// applies to the new status even before the list is fetched again.
func (s *Screen) replaceEndpoint(changed *apiclient.Webhook) {
	if changed == nil || changed.ID == "" {
		return
	}
	all, _ := s.all.Value()
	if i := slices.IndexFunc(all, func(w apiclient.Webhook) bool { return w.ID == changed.ID }); i >= 0 {
		all[i] = *changed
		s.endpoints.Fill()
	}
}
