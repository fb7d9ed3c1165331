package proposal

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// Unanswered is a proposal that was sent and whose outcome is unknown.
type Unanswered struct {
	Proposal apiclient.InvoiceProposal
	SentAt   time.Time
	Reason   string // why the outcome is unknown
}

// Interrupted is the value of Reason if the program ended before the response arrived.
const Interrupted = "the program ended before the answer"

// UnknownText says in a sentence that the outcome is unknown, and why.
func (u Unanswered) UnknownText() string {
	return "Unknown whether the draft was created: " + strings.TrimRight(termtext.Line(u.Reason), ".") + "."
}

// SentText says in a sentence what was sent and when.
func (u Unanswered) SentText() string {
	return fmt.Sprintf("Sent %s UTC: %s to %s <%s>. It is not resent automatically.",
		u.SentAt.UTC().Format("2006-01-02 15:04"), Total(u.Proposal),
		termtext.Line(u.Proposal.RecipientName), termtext.Line(u.Proposal.RecipientEmail))
}

// DuplicateWarning returns a warning that sending the proposal again may create a second invoice.
// It returns "" as long as the server remembers the idempotency key (see KeyLife).
func (u Unanswered) DuplicateWarning(now time.Time) string {
	if now.Sub(u.SentAt) <= KeyLife {
		return ""
	}
	return "That is more than a day ago: the idempotency key may be forgotten, " +
		"so resending may create a duplicate."
}

// NewestDrafts selects as many of the newest drafts as the API can list.
var NewestDrafts = apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: 200}

// clockTolerance is how far the server's clock may be behind the clock of this machine. The
// creation time of the invoice may be before SentAt by as much.
const clockTolerance = 10 * time.Minute

// Candidates are the newest drafts, one of which may be the invoice of a proposal. The user decides
// which, if any.
type Candidates struct {
	Drafts []apiclient.Invoice // the drafts that match the proposal, then the others; both newest first
	Likely int                 // number of drafts that match
	// Unreadable is the number of further drafts, which could not be decoded. Each of them may be
	// the invoice.
	Unreadable int
	cut        bool // the list is as long as the API allows, so there may be more drafts
}

// Lister lists invoices. *apiclient.Client implements it.
type Lister interface {
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
}

// Search fetches the newest drafts and returns them as candidates.
func (u Unanswered) Search(ctx context.Context, from Lister) (Candidates, error) {
	drafts, err := from.Invoices(ctx, NewestDrafts)
	if err != nil {
		return Candidates{}, err
	}
	return u.Candidates(drafts), nil
}

// Candidates sorts drafts: those that may be the invoice of the proposal come first.
func (u Unanswered) Candidates(drafts []apiclient.Invoice) Candidates {
	c := Candidates{cut: len(drafts) >= NewestDrafts.Limit}
	c.Unreadable, _ = apiclient.CountUnreadable(drafts)
	var others []apiclient.Invoice
	for _, draft := range apiclient.Readable(drafts) {
		if u.matches(draft) {
			c.Drafts = append(c.Drafts, draft)
		} else {
			others = append(others, draft)
		}
	}
	c.Likely = len(c.Drafts)
	c.Drafts = append(c.Drafts, others...)
	return c
}

// matches reports whether the invoice has the recipient and the total of the proposal and was
// created after the proposal was sent. It compares the names after cleaning, because the server's
// names are cleaned too.
func (u Unanswered) matches(invoice apiclient.Invoice) bool {
	total, err := u.Proposal.Total()
	minor, known := invoice.Total.Minor()
	return err == nil && known && minor == total &&
		cmp.Or(invoice.Total.Currency(), apiclient.InvoiceCurrency) == apiclient.InvoiceCurrency &&
		normalized(invoice.RecipientName) == normalized(u.Proposal.RecipientName) &&
		strings.EqualFold(normalized(invoice.RecipientEmail), normalized(u.Proposal.RecipientEmail)) &&
		!invoice.CreatedAt.Before(u.SentAt.Add(-clockTolerance))
}

func normalized(text string) string { return strings.TrimSpace(termtext.Line(text)) }

// Text says how many drafts match and how many could not be read. Even if none matches, the invoice
// may exist.
func (c Candidates) Text() string {
	left := money.Count(int64(c.Unreadable))
	switch {
	case c.Unreadable == 0:
		return c.matching()
	case len(c.Drafts) == 0 && c.Unreadable == 1:
		return "The only draft could not be read; it may be this proposal."
	case len(c.Drafts) == 0:
		return "None of the newest " + left + " drafts could be read; one of them may be this proposal."
	case c.Unreadable == 1:
		return c.matching() + " 1 more draft could not be read; it may be this proposal."
	}
	return c.matching() + " " + left + " more drafts could not be read; one of them may be this proposal."
}

func (c Candidates) matching() string {
	const unlike, underWay = " the recipient, total and time sent. ", "The request may still be in progress."
	n := money.Count(int64(len(c.Drafts)))
	switch {
	case c.Likely == 1:
		return "One of the newest drafts has the same recipient and total and was created after sending."
	case c.Likely > 1:
		return money.Count(int64(c.Likely)) + " of the newest drafts have the same recipient and total " +
			"and were created after sending."
	case len(c.Drafts) == 0:
		return "The organization has no drafts. " + underWay
	case c.cut:
		return "None of the newest " + n + " drafts matches" + unlike +
			"No more drafts are listed; the request may still be in progress."
	case len(c.Drafts) == 1 && c.Unreadable > 0:
		return "The only draft that could be read does not match" + unlike + underWay
	case len(c.Drafts) == 1:
		return "The only draft does not match" + unlike + underWay
	}
	return "None of the " + n + " drafts matches" + unlike + underWay
}
