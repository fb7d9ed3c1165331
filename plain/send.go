package plain

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/views/panel"
	"tarmac/views/propose"
)

// outcome is what came of sending a proposal.
type outcome int

const (
	finished  outcome = iota // the invoice is there
	refused                  // it is not
	uncertain                // nobody knows
)

// send sends the proposal, once. That it was sent is on the disk before: a program that
// ends meanwhile knows that it has to look. Again is whether one before it had no
// answer; why is for an outcome that is uncertain.
func (s *session) send(what apiclient.InvoiceProposal, again bool) (came outcome, why string) {
	p := &s.proposal
	if p.draft.SentAt.IsZero() {
		p.draft.SentAt = s.Now().UTC()
	}
	if err := s.note(); err != nil && !p.insists && !again {
		p.insists, p.draft.SentAt = true, time.Time{}
		s.say("Not sent: that it is sent cannot be noted, and a program that ends meanwhile would not know. %s yes again sends it all the same.", sentence(err.Error()))
		return refused, ""
	}
	p.made = true
	invoice, err := once(s, func(ctx context.Context) (*apiclient.Invoice, error) {
		return s.server.Client.ProposeInvoice(ctx, what, apiclient.IdempotencyKey(p.draft.Key))
	})
	switch {
	case err == nil:
		s.finish(invoice)
		return finished, ""
	case isUnknown(err):
		return uncertain, doubt(err)
	case again && !blames(err):
		// That the second one was refused says nothing about the first, unless for what
		// both were.
		return uncertain, "sending it again failed, " + propose.Told(err)
	}
	p.draft.SentAt = time.Time{}
	if err := s.note(); err != nil {
		s.say("What was typed could not be kept: %s", sentence(err.Error()))
	}
	s.say("Not proposed: %s", propose.Told(err))
	return refused, ""
}

// finish closes the draft: its invoice is there.
func (s *session) finish(i *apiclient.Invoice) {
	s.dropDraft()
	if i.Status == apiclient.InvoiceDraft {
		s.say("%s is a draft: nothing was sent to anybody, and nothing is charged.", or(i.Number, i.ID))
	} else {
		s.say("%s is there; its status is %s.", or(i.Number, i.ID), i.Status)
	}
	s.say("Total %s, for %s. invoices lists it.", worth(i.Total), or(i.RecipientName, "no recipient"))
}

func isUnknown(err error) bool { return errors.Is(err, apiclient.ErrOutcomeUnknown) }

// doubt says why it is not known whether a write was carried out.
func doubt(err error) string {
	if errors.Is(err, context.Canceled) {
		return "it was interrupted before the answer came"
	}
	return panel.Why(err)
}

// blames reports whether an error is the server's word on a field of the proposal.
func blames(err error) bool {
	var api *apiclient.Error
	if !errors.As(err, &api) || api.Status != http.StatusBadRequest {
		return false
	}
	name, _, _ := strings.Cut(api.Message, " ")
	return strings.HasPrefix(name, "line_items") || slices.ContainsFunc(entries, func(e entry) bool { return e.name == name })
}

// resolve helps a person to find out whether a proposal became an invoice. It is not
// sent again but by their word.
func (s *session) resolve(why string) error {
	p := &s.proposal
	p.doubt = why
	what, _ := readDraft(p.draft, s.today())
	total := unknown
	if cents, err := what.Total(); err == nil {
		total = usd(cents)
	}
	s.say("Whether the invoice was made is not known: %s", sentence(why))
	s.say("It was sent %s: %s to %s, %s. It is not sent again by itself.", moment(p.draft.SentAt), total, what.RecipientName, what.RecipientEmail)
	if s.Now().Sub(p.draft.SentAt) > keyLife {
		s.say("That is more than a day ago: the server may have forgotten its key, and make a second invoice if it is sent again.")
	}
	rows := s.lookForDraft(what)
	for {
		s.say("look looks again, here with a number says that it is that one, again sends it once more, cancel decides later.")
		text, err := s.read("Decide")
		if err != nil {
			return err
		}
		word, args, _ := strings.Cut(strings.ToLower(text), " ")
		switch word {
		case "look":
			rows = s.lookForDraft(what)
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
			case finished:
				return nil
			case refused:
				return s.review()
			case uncertain:
				s.say("It is still not known: %s", sentence(why))
				rows = s.lookForDraft(what)
			}
		case wordCancel, wordBack:
			s.say("It stays undecided; propose comes back to it.")
			return nil
		default:
			s.say("Nothing was done.")
		}
	}
}

// draftsLookedAt is how many of the newest drafts are looked through, and draftsSaid
// how many are said.
const (
	draftsLookedAt = 200
	draftsSaid     = 10
)

// lookForDraft says the newest drafts, those that the proposal may have become first.
func (s *session) lookForDraft(what apiclient.InvoiceProposal) []apiclient.Invoice {
	drafts, err := ask(s, func(ctx context.Context) ([]apiclient.Invoice, error) {
		return s.server.Client.Invoices(ctx, apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: draftsLookedAt})
	})
	if err != nil {
		s.failed("The newest drafts", err)
		return nil
	}
	var likely, others []apiclient.Invoice
	for _, d := range drafts {
		if propose.Matches(d, what, s.proposal.draft.SentAt) {
			likely = append(likely, d)
		} else {
			others = append(others, d)
		}
	}
	if len(likely) == 0 {
		s.say("None of the newest %s has its recipient and total. It may still be on its way.", plural(int64(len(drafts)), "draft"))
	} else {
		s.say("%d of the newest %s may be it:", len(likely), plural(int64(len(drafts)), "draft"))
	}
	rows := slices.Concat(likely, others)
	rows = rows[:min(len(rows), max(len(likely), draftsSaid))]
	for i := range rows {
		d := &rows[i]
		mark := ""
		if i < len(likely) {
			mark = "likely, "
		}
		s.say("  %d: %s%s, made %s, %s, %s.", i+1, mark, or(d.Number, d.ID), moment(d.CreatedAt), or(d.RecipientName, "no recipient"), worth(d.Total))
	}
	return rows
}
