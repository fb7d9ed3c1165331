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

// attempt is the request for the invoice.
type attempt struct {
	number  uint64 // of the request, so that a late answer is told from another's
	made    bool   // the draft was sent with its key, as it is now
	sent    reading
	insists bool      // it is sent also where that cannot be noted on the disk
	repeats bool      // the request under way is a second one, after a first without an answer
	waitTo  time.Time // the server asked not to be asked before
	doubt   string    // why it is not known what became of it
}

// answered is what came of the request.
type answered struct {
	number  uint64
	invoice *apiclient.Invoice
	err     error
}

// unnoted is why nothing was sent: a program that ends meanwhile would not know of it.
type unnoted struct{ err error }

func (u unnoted) Error() string { return u.err.Error() }

// fire does what took two presses.
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

// send returns the command that sends the proposal, once. That it was sent is on the
// disk before: a program that ends meanwhile knows that it has to look.
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

// answered takes what came of the request: an invoice, a refusal, or nothing that
// says which.
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

// refused leads back to what was typed, with the reason beside its field where it is
// about one.
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

// wait notes how long the server asked to be left alone.
func (s *Screen) wait(err error) {
	var api *apiclient.Error
	if errors.As(err, &api) && api.RetryAfter > 0 {
		s.attempt.waitTo = s.env.Now().Add(api.RetryAfter)
	}
}

// finish closes the draft: its invoice is there.
func (s *Screen) finish(invoice apiclient.Invoice) tea.Cmd {
	forget := s.discard()
	s.stage, s.invoice, s.problem, s.restored, s.offset = finished, invoice, "", "", 0
	s.form = newForm()
	s.attempt = attempt{number: s.attempt.number}
	s.search.clear()
	return tea.Batch(forget, func() tea.Msg { return views.InvoiceCreated{ID: invoice.ID} })
}

// unanswered is what was sent, while its outcome is unknown.
func (s *Screen) unanswered() proposal.Unanswered {
	return proposal.Unanswered{Proposal: s.attempt.sent.proposal, SentAt: s.keeping.draft.SentAt, Reason: s.attempt.doubt}
}

// doubt asks the person to find out whether the invoice is there.
func (s *Screen) doubt(why string) tea.Cmd {
	s.stage, s.attempt.doubt = uncertain, why
	s.search.clear() // of what was found for another one
	return s.look()
}
