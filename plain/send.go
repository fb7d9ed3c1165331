package plain

import (
	"cmp"
	"context"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/proposal"
)

// send sends the proposal, once. That it was sent is on the disk before: a program that
// ends meanwhile knows that it has to look. Again is whether one before it had no
// answer; why is for an outcome that is uncertain.
func (s *session) send(what apiclient.InvoiceProposal, again bool) (came proposal.Outcome, why string) {
	p := &s.proposal
	if p.draft.SentAt.IsZero() {
		p.draft.SentAt = s.Now().UTC()
	}
	if err := s.note(); err != nil && !p.insists && !again {
		p.insists, p.draft.SentAt = true, time.Time{}
		s.say("Not sent: that it is sent cannot be noted, and a program that ends meanwhile would not know. %s yes again sends it all the same.", sentence(err.Error()))
		return proposal.Refused, ""
	}
	p.made = true
	invoice, err := once(s, func(ctx context.Context) (*apiclient.Invoice, error) {
		return s.server.Client.ProposeInvoice(ctx, what, apiclient.IdempotencyKey(p.draft.Key))
	})
	switch came = proposal.OutcomeOf(err, again); {
	case came == proposal.Created:
		s.finish(invoice)
		return came, ""
	case came == proposal.Unknown && again:
		return came, proposal.StillUnknown(err)
	case came == proposal.Unknown:
		return came, problem.Of(err).Detail
	}
	p.draft.SentAt = time.Time{}
	if err := s.note(); err != nil {
		s.say("What was typed could not be kept: %s", sentence(err.Error()))
	}
	s.say("%s", proposal.Refusal(err))
	return proposal.Refused, ""
}

// finish closes the draft: its invoice is there.
func (s *session) finish(i *apiclient.Invoice) {
	s.dropDraft()
	if i.Status == apiclient.InvoiceDraft {
		s.say("%s is a draft: nothing was sent to anybody, and nothing is charged.", cmp.Or(i.Number, i.ID))
	} else {
		s.say("%s is there; its status is %s.", cmp.Or(i.Number, i.ID), i.Status)
	}
	s.say("Total %s, for %s. invoices lists it.", worth(i.Total), cmp.Or(i.RecipientName, "no recipient"))
}

// resolve helps a person to find out whether a proposal became an invoice. It is not
// sent again but by their word.
func (s *session) resolve(why string) error {
	p := &s.proposal
	p.doubt = why
	what, _ := proposal.Read(p.draft, s.today())
	sent := proposal.Unanswered{Proposal: what, SentAt: p.draft.SentAt, Reason: why}
	for _, line := range []string{sent.Doubt(), sent.Sent(), sent.Late(s.Now())} {
		if line != "" {
			s.say("%s", line)
		}
	}
	rows := s.lookForDraft(sent)
	for {
		s.say("look looks again, here with a number says that it is that one, again sends it once more, cancel decides later.")
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
				s.finish(&rows[i])
				return nil
			}
		case "again":
			ok, err := s.confirm("It is sent once more, under the same key: a server that remembers it makes no second invoice.", "yes")
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			switch came, why := s.send(what, true); came {
			case proposal.Created:
				return nil
			case proposal.Refused:
				return s.review()
			case proposal.Unknown:
				s.say("%s", why)
				rows = s.lookForDraft(sent)
			}
		case wordCancel, wordBack:
			s.say("It stays undecided; propose comes back to it.")
			return nil
		default:
			s.say("Nothing was done.")
		}
	}
}

// draftsSaid is how many drafts are said where fewer may be the one.
const draftsSaid = 10

// lookForDraft says the newest drafts, those that the proposal may have become first.
func (s *session) lookForDraft(sent proposal.Unanswered) []apiclient.Invoice {
	among, err := ask(s, func(ctx context.Context) (proposal.Candidates, error) { return sent.Search(ctx, s.server.Client) })
	if err != nil {
		s.failed("The newest drafts", err)
		return nil
	}
	s.say("%s", among.Text())
	rows := among.Drafts[:min(len(among.Drafts), max(among.Likely, draftsSaid))]
	for i := range rows {
		d := &rows[i]
		mark := ""
		if i < among.Likely {
			mark = "likely, "
		}
		s.say("  %d: %s%s, made %s, %s, %s.", i+1, mark, cmp.Or(d.Number, d.ID), moment(d.CreatedAt), cmp.Or(d.RecipientName, "no recipient"), worth(d.Total))
	}
	return rows
}
