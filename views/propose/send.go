package propose

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/proposal"
	"tarmac/views"
)

// attempt is the request that proposes the invoice.
type attempt struct {
	number  uint64 // of the request, to recognize late responses
	made    bool   // the current draft was sent with its key
	sent    reading
	insists bool      // send even if the draft cannot be saved first
	repeats bool      // the running request repeats one without a response
	waitTo  time.Time // the server asked to wait until then
	doubt   string    // why the outcome is unknown
}

// answered is the response to the request.
type answered struct {
	number  uint64
	invoice *apiclient.Invoice
	err     error
}

// unnoted says that the proposal was not sent because the draft could not be saved first. If the
// program ended then, its next start would not know of the request.
type unnoted struct{ err error }

func (u unnoted) Error() string { return u.err.Error() }

// fire carries out an action after its second press.
func (s *Screen) fire(what action) tea.Cmd {
	switch {
	case what == propose && s.stage == reviewing:
		s.attempt.sent = s.form.read(s.today())
		if !s.attempt.sent.sound() {
			s.stage = filling
			return nil
		}
		return s.send()
	case what == again && s.stage == uncertain:
		return s.send()
	case what == isThere && s.stage == uncertain:
		if invoice, ok := s.search.chosen(); ok {
			return s.finish(invoice)
		}
	}
	return nil
}

// send returns the command that sends the proposal once. It first saves that the draft is sent, so
// that the next start searches for the invoice if the program ends meanwhile.
func (s *Screen) send() tea.Cmd {
	a := &s.attempt
	a.repeats = s.stage == uncertain
	s.stage, s.problem = sending, ""
	a.number++
	a.made = true
	if s.keeping.draft.SentAt.IsZero() {
		s.keeping.draft.SentAt = s.env.Now().UTC()
	}
	store, org, turn, d := s.turn()
	number, what, source := a.number, a.sent.proposal, s.source
	parent, timeout, insists := s.env.Context, s.env.Timeout, a.insists || a.repeats
	return func() tea.Msg {
		if err := write(store, org, turn, d, false); err != nil && !insists {
			return answered{number, nil, unnoted{err}}
		}
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoice, err := source.ProposeInvoice(ctx, what, apiclient.IdempotencyKey(d.Key))
		return answered{number, invoice, err}
	}
}

// answered handles the response: an invoice, a refusal, or an unknown outcome.
func (s *Screen) answered(msg answered) tea.Cmd {
	if msg.number != s.attempt.number || s.stage != sending {
		return nil
	}
	var u unnoted
	switch {
	case errors.As(msg.err, &u):
		s.attempt.insists = true
		s.problem = "Not sent: the draft file could not be updated, so a crash while sending would go unnoticed. Propose again to send anyway."
		s.stage, s.keeping.draft.SentAt = reviewing, time.Time{}
		s.keeping.failure, s.keeping.dirty = u.err, true
	case msg.err == nil && msg.invoice != nil:
		return s.finish(*msg.invoice)
	case proposal.OutcomeOf(msg.err, s.attempt.repeats) == proposal.Unknown:
		s.wait(msg.err)
		if s.attempt.repeats {
			s.stage, s.problem = uncertain, proposal.StillUnknown(msg.err)
			return s.look()
		}
		return s.doubt(problem.Of(msg.err).Detail)
	default:
		return s.refused(msg.err)
	}
	return nil
}

// refused shows why the server refused the proposal: in the form, if it refused a field, else on
// the review.
func (s *Screen) refused(err error) tea.Cmd {
	s.stage = reviewing
	s.keeping.draft.SentAt = time.Time{}
	s.keeping.dirty = true
	s.wait(err)
	var api *apiclient.Error
	var broken *apiclient.ProposalError
	switch {
	case errors.As(err, &api) && errors.Is(err, apiclient.ErrInvalid) && s.form.refuse(api.Message, s.attempt.sent.items):
		s.stage = filling
		s.problem = "The server refused a field; no draft was created."
	case errors.As(err, &broken):
		s.stage, s.form.checked = filling, true
	default:
		s.problem = proposal.Refusal(err)
	}
	return s.save()
}

// wait records how long the server asked to wait.
func (s *Screen) wait(err error) {
	var api *apiclient.Error
	if errors.As(err, &api) && api.RetryAfter > 0 {
		s.attempt.waitTo = s.env.Now().Add(api.RetryAfter)
	}
}

// finish shows the created invoice and discards the draft.
func (s *Screen) finish(invoice apiclient.Invoice) tea.Cmd {
	forget := s.discard()
	s.stage, s.invoice, s.problem, s.restored, s.offset = finished, invoice, "", "", 0
	s.form = newForm()
	s.attempt = attempt{number: s.attempt.number}
	s.search.clear()
	return tea.Batch(forget, func() tea.Msg { return views.InvoiceCreated{ID: invoice.ID} })
}

// unanswered returns the sent proposal while its outcome is unknown.
func (s *Screen) unanswered() proposal.Unanswered {
	return proposal.Unanswered{Proposal: s.attempt.sent.proposal, SentAt: s.keeping.draft.SentAt, Reason: s.attempt.doubt}
}

// doubt shows that the outcome is unknown, and starts the search for the invoice.
func (s *Screen) doubt(why string) tea.Cmd {
	s.stage, s.attempt.doubt = uncertain, why
	s.search.clear() // its rows belong to an earlier proposal
	return s.look()
}
