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

// attempt describes the request that proposes the invoice.
type attempt struct {
	number      uint64     // number of the latest request; responses with other numbers are ignored
	sent        parsedForm // the form when it was sent
	sendUnsaved bool       // send the next request even if the draft cannot be saved first
	retry       bool       // the running request repeats one whose outcome is unknown
	notBefore   time.Time  // when the server accepts the next request at the earliest
	reason      string     // why the outcome of the request is unknown
}

// response is the server's response to the request that proposes the invoice.
type response struct {
	number  uint64
	invoice *apiclient.Invoice
	err     error
}

// runAction runs a confirmed action, unless the page has moved to another step since the first
// press.
func (s *Screen) runAction(what action) tea.Cmd {
	switch {
	case what == propose && s.step == reviewing:
		s.attempt.sent = s.form.parse(s.today())
		if !s.attempt.sent.valid() {
			s.step = filling
			return nil
		}
		return s.send()
	case what == resend && s.step == uncertain:
		return s.send()
	case what == adopt && s.step == uncertain:
		if invoice, ok := s.search.chosen(); ok {
			return s.finish(invoice)
		}
	}
	return nil
}

// send returns the command that sends the proposal once. Before sending, the command saves the
// draft with the time SentAt. If the program ends before the response, the next start therefore
// searches for the invoice.
func (s *Screen) send() tea.Cmd {
	a := &s.attempt
	a.retry = s.step == uncertain
	s.step, s.problem = sending, ""
	a.number++
	s.saving.MarkSent(s.env.Now())
	number, what, source := a.number, a.sent.proposal, s.source
	key, write, sendUnsaved := s.saving.Draft.Key, s.beginWrite(), a.sendUnsaved || a.retry
	parent, timeout := s.env.Context, s.env.Timeout
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		invoice, err := proposal.Send(ctx, source, what, key, write, sendUnsaved)
		return response{number, invoice, err}
	}
}

// handleResponse shows the created invoice, the server's refusal, or that the outcome is unknown.
func (s *Screen) handleResponse(msg response) tea.Cmd {
	if msg.number != s.attempt.number || s.step != sending {
		return nil
	}
	var unsaved *proposal.NotSavedError
	switch {
	case errors.As(msg.err, &unsaved):
		s.attempt.sendUnsaved = true
		s.problem = unsaved.Error() + " Propose again to send anyway."
		s.step, s.saving.Draft.SentAt = reviewing, time.Time{}
		s.saving.failure, s.saving.dirty = unsaved.Err, true
	case msg.err == nil && msg.invoice != nil:
		return s.finish(*msg.invoice)
	case proposal.OutcomeOf(msg.err, s.attempt.retry) == proposal.Unknown:
		s.noteRetryAfter(msg.err)
		if s.attempt.retry {
			s.step, s.problem = uncertain, proposal.StillUnknown(msg.err)
			return s.searchDrafts()
		}
		return s.outcomeUnknown(problem.Of(msg.err).Detail)
	default:
		return s.refused(msg.err)
	}
	return nil
}

// refused shows why the server refused the proposal: in the form if the message names a field,
// otherwise on the review.
func (s *Screen) refused(err error) tea.Cmd {
	s.step = reviewing
	s.saving.Draft.SentAt = time.Time{}
	s.saving.dirty = true
	s.noteRetryAfter(err)
	var api *apiclient.Error
	var broken *apiclient.ProposalError
	switch {
	case errors.As(err, &api) && errors.Is(err, apiclient.ErrInvalid) &&
		s.form.showRefusal(api.Message, s.attempt.sent.items):
		s.step = filling
		s.problem = "A field was refused; no draft was created."
	case errors.As(err, &broken):
		s.step, s.form.checked = filling, true
	default:
		s.problem = proposal.Refusal(err)
	}
	return s.save()
}

// noteRetryAfter blocks requests until the Retry-After time in err has passed.
func (s *Screen) noteRetryAfter(err error) {
	var api *apiclient.Error
	if errors.As(err, &api) && api.RetryAfter > 0 {
		s.attempt.notBefore = s.env.Now().Add(api.RetryAfter)
	}
}

// finish shows the created invoice. It returns the command that deletes the draft and sends a
// views.InvoiceCreated.
func (s *Screen) finish(invoice apiclient.Invoice) tea.Cmd {
	remove := s.discard()
	s.created++
	s.step, s.invoice, s.problem, s.restored, s.offset = finished, invoice, "", "", 0
	s.form, s.sent = newForm(), s.attempt.sent.proposal
	s.attempt = attempt{number: s.attempt.number}
	s.search.clear()
	return tea.Batch(remove, func() tea.Msg { return views.InvoiceCreated{ID: invoice.ID} })
}

// unanswered returns the proposal that was sent, when it was sent, and why its outcome is unknown.
func (s *Screen) unanswered() proposal.Unanswered {
	return proposal.Unanswered{Proposal: s.attempt.sent.proposal, SentAt: s.saving.Draft.SentAt, Reason: s.attempt.reason}
}

// outcomeUnknown shows why the outcome is unknown and returns the command that searches for the
// invoice.
func (s *Screen) outcomeUnknown(why string) tea.Cmd {
	s.step, s.attempt.reason = uncertain, why
	s.search.clear() // the drafts listed so far were found for an earlier proposal
	return s.searchDrafts()
}
