package plain

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/proposal"
	"tarmac/client/record"
)

// send sends the proposal once. It first marks the draft on disk as sent, so that the program looks
// for the invoice after a crash. The parameter again says that the response to an earlier request
// was lost. The result why is the reason for an unknown outcome.
func (s *session) send(what apiclient.InvoiceProposal, again bool) (outcome proposal.Outcome, why string) {
	p := &s.proposal
	p.MarkSent(s.Now())
	invoice, err := requestOnce(s, func(ctx context.Context) (*apiclient.Invoice, error) {
		return proposal.Send(ctx, s.server.Client, what, p.Draft.Key, s.writeDraft, p.sendUnsaved || again)
	})
	if unsaved := (*proposal.NotSavedError)(nil); errors.As(err, &unsaved) {
		p.sendUnsaved, p.Draft.SentAt = true, time.Time{}
		s.say("%s %s Type yes again to send anyway.", unsaved.Error(), problem.Sentence(unsaved.Err.Error()))
		return proposal.Refused, ""
	}
	switch outcome = proposal.OutcomeOf(err, again); {
	case outcome == proposal.Created:
		s.finish(what, invoice)
		return outcome, ""
	case outcome == proposal.Unknown && again:
		return outcome, proposal.StillUnknown(err)
	case outcome == proposal.Unknown:
		return outcome, problem.Of(err).Detail
	}
	p.Draft.SentAt = time.Time{}
	s.sayUnsaved(s.writeDraft())
	s.say("%s", proposal.Refusal(err))
	return proposal.Refused, ""
}

// finish deletes the draft, because its invoice now exists. It prints the invoice and the line
// items of the proposal.
func (s *session) finish(sent apiclient.InvoiceProposal, i *apiclient.Invoice) {
	s.dropDraft()
	if i.Status == apiclient.InvoiceDraft {
		s.say("Draft %s created. Nothing was sent to the customer and nothing was charged.", cmp.Or(i.Number, i.ID))
	} else {
		s.say("Invoice %s created; its status is %s.", cmp.Or(i.Number, i.ID), i.Status)
	}
	s.say("%s:", proposal.LinesLabel)
	s.sayLines(sent)
	for _, sum := range proposal.Sums(*i) {
		s.say("  %s: %s.", sum.Label, amountInWords(sum.Amount))
	}
	if text := proposal.Difference(sent, *i); text != "" {
		s.say("%s", text)
	}
	s.say("For %s. Type invoices to list it.", cmp.Or(i.RecipientName, "no recipient"))
}

// resolve helps the user to find out whether a proposal became an invoice. It sends the proposal
// again only if the user asks for that.
func (s *session) resolve(why string) error {
	p := &s.proposal
	p.unknownReason = why
	what, _ := proposal.Read(p.Draft, s.today())
	sent := proposal.Unanswered{Proposal: what, SentAt: p.Draft.SentAt, Reason: why}
	for _, line := range []string{sent.UnknownText(), sent.SentText(), sent.DuplicateWarning(s.Now())} {
		if line != "" {
			s.say("%s", line)
		}
	}
	rows := s.lookForDraft(sent)
	for {
		s.say("look searches again; here with a list number confirms that draft; again resends; cancel decides later.")
		text, err := s.read("Decide")
		if err != nil {
			return err
		}
		word, args, _ := strings.Cut(strings.ToLower(text), " ")
		switch word {
		case "look":
			rows = s.lookForDraft(sent)
		case "here":
			if i, ok := s.pick(args, len(rows)); ok {
				s.finish(what, &rows[i])
				return nil
			}
		case "again":
			ok, err := s.confirm("Resending with the same idempotency key: where it is remembered, no duplicate is created.",
				"yes")
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			switch outcome, why := s.send(what, true); outcome {
			case proposal.Created:
				return nil
			case proposal.Refused:
				return s.review()
			case proposal.Unknown:
				s.say("%s", why)
				rows = s.lookForDraft(sent)
			}
		case wordCancel, wordBack:
			return s.answer("Outcome still unknown. Type propose to come back to it.")
		default:
			s.say("Nothing changed.")
		}
	}
}

// draftsListed is the number of drafts that lookForDraft prints at least, if that many exist.
const draftsListed = 10

// lookForDraft prints the newest drafts. Those that match the proposal come first.
func (s *session) lookForDraft(sent proposal.Unanswered) []apiclient.Invoice {
	among, err := requestWithRetry(s,
		func(ctx context.Context) (proposal.Candidates, error) { return sent.Search(ctx, s.server.Client) })
	if err != nil {
		s.say("The newest drafts: %s", errorInWords(err))
		return nil
	}
	s.say("%s", among.Text())
	rows := among.Drafts[:min(len(among.Drafts), max(among.Likely, draftsListed))]
	for i := range rows {
		d := &rows[i]
		mark := ""
		if i < among.Likely {
			mark = "likely, "
		}
		s.say("  %d: %s%s, created %s, %s, %s.", i+1, mark, cmp.Or(d.Number, d.ID), record.Minute(d.CreatedAt),
			cmp.Or(d.RecipientName, "no recipient"), amountInWords(d.Total))
	}
	return rows
}
