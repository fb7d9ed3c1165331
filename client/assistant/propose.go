package assistant

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
)

// Limits of a proposal by an assistant. They are stricter than the API's, so that a person can read
// the whole proposal before it is sent. Lengths are in characters.
const (
	MaxLines     = 20
	MaxLineText  = 200
	MaxLongText  = 500 // of the description and of the notes
	MaxKeyLength = 64
)

// ProposeInput is an invoice to be proposed.
type ProposeInput struct {
	RecipientName  string      `json:"recipient_name" jsonschema:"customer"`
	RecipientEmail string      `json:"recipient_email" jsonschema:"billing e-mail address"`
	Description    string      `json:"description" jsonschema:"what the invoice is for"`
	DueDate        string      `json:"due_date,omitempty" jsonschema:"YYYY-MM-DD"`
	Notes          string      `json:"notes,omitempty" jsonschema:"internal, not printed on the invoice"`
	LineItems      []LineInput `json:"line_items"`
	IdempotencyKey string      `json:"idempotency_key" jsonschema:"new for each invoice"`
}

// LineInput is a line of a ProposeInput.
type LineInput struct {
	Description string `json:"description"`
	Quantity    string `json:"quantity" jsonschema:"decimal number such as 12.5"`
	UnitPrice   int64  `json:"unit_price_cents" jsonschema:"price in US cents"`
}

// Values of Proposed.Outcome.
const (
	OutcomeCreated = "created"
	OutcomeUnknown = "unknown"
)

// Proposed is the result of sending a proposal.
type Proposed struct {
	Outcome        string    `json:"outcome" jsonschema:"created, or unknown if the draft may exist"`
	Invoice        *Invoice  `json:"invoice" jsonschema:"the draft; null if the outcome is unknown"`
	IdempotencyKey string    `json:"idempotency_key"`
	Candidates     []Invoice `json:"candidates,omitempty" jsonschema:"drafts that may be the invoice"`
	Note           string    `json:"note"`
}

// Proposal returns the proposal that will be sent, as a person sees it: invisible characters and
// line ends are removed. The error is an InputError with all mistakes.
func (in *ProposeInput) Proposal() (apiclient.InvoiceProposal, error) {
	p := apiclient.InvoiceProposal{
		Currency:      apiclient.InvoiceCurrency,
		RecipientName: cleaned(in.RecipientName), RecipientEmail: cleaned(in.RecipientEmail),
		Description: cleaned(in.Description), Notes: cleaned(in.Notes),
	}
	var wrong []string
	if in.DueDate != "" {
		day, err := civil.Parse(in.DueDate)
		if err != nil {
			wrong = append(wrong, "due_date must be a calendar date in the form YYYY-MM-DD")
		}
		p.DueDate = day
	}
	for i, line := range in.LineItems {
		quantity, err := apiclient.ParseQuantity(line.Quantity)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("line_items[%d].quantity %v", i, err))
		}
		p.LineItems = append(p.LineItems, apiclient.LineItem{
			Description: cleaned(line.Description), Quantity: quantity, UnitPriceCents: line.UnitPrice,
		})
	}
	if len(wrong) == 0 {
		for _, mistake := range p.Check() {
			wrong = append(wrong, mistake.Text)
		}
	}
	if len(wrong) > 0 {
		return p, &InputError{Text: "nothing was sent: " + strings.Join(wrong, "; ")}
	}
	return p, nil
}

func cleaned(text string) string { return strings.TrimSpace(termtext.Line(text)) }

// Question asks a person whether to create a draft. It contains everything that will be sent. Texts
// are quoted and end their lines, so that none of them looks like another part of the question.
// today is the current day in UTC.
func Question(p apiclient.InvoiceProposal, today civil.Date) (string, error) {
	if _, err := p.Total(); err != nil { // says which line is wrong
		return "", err
	}
	lines := []string{
		"Create a draft invoice over " + proposal.Total(p).String() + "? Nothing goes to the customer.",
		fmt.Sprintf("Customer: %q", p.RecipientName),
		fmt.Sprintf("E-mail: %q", p.RecipientEmail),
		fmt.Sprintf("For: %q", p.Description),
	}
	for i, item := range p.LineItems {
		lines = append(lines, fmt.Sprintf("Line %d: %s x %s = %s, %q", i+1, item.Quantity, proposal.Price(item),
			proposal.LineAmount(item), item.Description))
	}
	due := "none"
	if !p.DueDate.IsZero() {
		due = p.DueDate.String()
		if p.DueDate.Before(today) {
			due += " (in the past)"
		}
	}
	lines = append(lines, "Due date: "+due)
	if p.Notes != "" {
		lines = append(lines, fmt.Sprintf("Internal notes: %q", p.Notes))
	}
	return strings.Join(lines, "\n"), nil
}

// Proposer sends proposals and lists invoices. *apiclient.Client implements it.
type Proposer interface {
	proposal.Proposer
	proposal.Lister
}

// searchTime is how long Propose looks for a draft whose outcome is unknown.
const searchTime = 15 * time.Second

// Sending is a proposal that a person has agreed to.
type Sending struct {
	Proposal apiclient.InvoiceProposal
	Key      string    // idempotency key
	SentAt   time.Time // when it was sent for the first time
	Repeated bool      // it was sent before with the same key, and the outcome is unknown
}

// Propose sends a proposal once. If the outcome is unknown, it returns the drafts that may be the
// invoice, even if ctx has ended.
func Propose(ctx context.Context, to Proposer, s Sending) (*Proposed, error) {
	p, key := s.Proposal, s.Key
	draft, err := to.ProposeInvoice(ctx, p, apiclient.IdempotencyKey(key))
	switch proposal.OutcomeOf(err, s.Repeated) {
	case proposal.Refused:
		return nil, err
	case proposal.Created:
		invoice := InvoiceOf(*draft)
		return &Proposed{
			Outcome: OutcomeCreated, Invoice: &invoice, IdempotencyKey: key,
			Note: joinSentences("The draft is created. Nothing was sent to the customer and nothing was charged.",
				proposal.Difference(p, *draft)),
		}, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), searchTime)
	defer cancel()
	sent := proposal.Unanswered{Proposal: p, SentAt: s.SentAt, Reason: ReasonOf(err)}
	out := &Proposed{Outcome: OutcomeUnknown, IdempotencyKey: key}
	among, err := sent.Search(ctx, to)
	for _, d := range among.Drafts[:among.Likely] {
		out.Candidates = append(out.Candidates, InvoiceOf(d))
	}
	found := "The newest drafts could not be read either."
	if err == nil {
		found = among.Text()
	}
	out.Note = joinSentences(sent.UnknownText(), found, problem.Sentence("let a person look at the drafts before it is "+
		"sent again; with the same idempotency key no second draft is created where it is remembered"))
	return out, nil
}
