package proposal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/proposal"
)

var sentAt = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func sent() proposal.Unanswered {
	return proposal.Unanswered{
		Proposal: apiclient.InvoiceProposal{
			RecipientName: "Łukasz & Söhne", RecipientEmail: "pay@lukasz.example", Description: "Consulting",
			LineItems: []apiclient.LineItem{
				{Description: "Workshop", Quantity: apiclient.MustQuantity("1.5"), UnitPriceCents: 120050},
			},
		},
		SentAt: sentAt, Reason: "no answer in time",
	}
}

// draftInvoice returns the invoice that the server makes of the proposal.
func draftInvoice(number string) apiclient.Invoice {
	return apiclient.Invoice{
		ID: "inv_" + number, Number: number, Status: apiclient.InvoiceDraft, RecipientName: "Łukasz & Söhne",
		RecipientEmail: "pay@lukasz.example",
		Total:          apiclient.NewAmount(180075, "USD"), CreatedAt: sentAt,
	}
}

func TestOnlyTheSameRecipientTotalAndTimeAreLikely(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*apiclient.Invoice)
		want   int
	}{
		"the same":                {func(*apiclient.Invoice) {}, 1},
		"letters of the address":  {func(i *apiclient.Invoice) { i.RecipientEmail = "PAY@lukasz.example" }, 1},
		"blanks":                  {func(i *apiclient.Invoice) { i.RecipientName = " Łukasz & Söhne " }, 1},
		"a clock behind":          {func(i *apiclient.Invoice) { i.CreatedAt = sentAt.Add(-9 * time.Minute) }, 1},
		"created before":          {func(i *apiclient.Invoice) { i.CreatedAt = sentAt.Add(-11 * time.Minute) }, 0},
		"another name":            {func(i *apiclient.Invoice) { i.RecipientName = "Lukasz" }, 0},
		"another address":         {func(i *apiclient.Invoice) { i.RecipientEmail = "b@lukasz.example" }, 0},
		"another total":           {func(i *apiclient.Invoice) { i.Total = apiclient.NewAmount(180076, "USD") }, 0},
		"another currency":        {func(i *apiclient.Invoice) { i.Total = apiclient.NewAmount(180075, "EUR") }, 0},
		"a total nobody knows":    {func(i *apiclient.Invoice) { i.Total = apiclient.UnknownAmount("USD") }, 0},
		"a currency nobody named": {func(i *apiclient.Invoice) { i.Total = apiclient.NewAmount(180075, "") }, 1},
	} {
		invoice := draftInvoice("INV-1")
		c.change(&invoice)
		if got := sent().Candidates([]apiclient.Invoice{invoice}).Likely; got != c.want {
			t.Errorf("%s: %d are likely", name, got)
		}
	}
}

// Names from a server are cleaned when read; typed names are not.
func TestANameIsComparedAsItComesBack(t *testing.T) {
	u := sent()
	u.Proposal.RecipientName = "Łukasz\u202e & Söhne"
	invoice := draftInvoice("INV-1")
	invoice.RecipientName = "Łukasz & Söhne"
	if got := u.Candidates([]apiclient.Invoice{invoice}).Likely; got != 1 {
		t.Errorf("%d are likely", got)
	}
}

func TestCandidatesComeFirstAndKeepTheirOrder(t *testing.T) {
	other := draftInvoice("INV-3")
	other.RecipientName = "Contoso"
	got := sent().Candidates([]apiclient.Invoice{other, draftInvoice("INV-2"), draftInvoice("INV-1")})
	var numbers []string
	for _, d := range got.Drafts {
		numbers = append(numbers, d.Number)
	}
	if text := strings.Join(numbers, " "); text != "INV-2 INV-1 INV-3" || got.Likely != 2 {
		t.Errorf("%s, %d likely", text, got.Likely)
	}
}

func TestNoCandidateIsNeverSaidToMeanNoInvoice(t *testing.T) {
	others := make([]apiclient.Invoice, 200)
	for i := range others {
		others[i] = draftInvoice(fmt.Sprint("INV-", i))
		others[i].RecipientName = "Contoso"
	}
	for n, want := range map[int]string{
		0:   "The organization has no drafts. The request may still be in progress.",
		1:   "The only draft does not match the recipient, total and time sent. The request may still be in progress.",
		199: "None of the 199 drafts matches the recipient, total and time sent. The request may still be in progress.",
		200: "None of the newest 200 drafts matches the recipient, total and time sent. No more drafts are listed; " +
			"the request may still be in progress.",
	} {
		if got := sent().Candidates(others[:n]).Text(); got != want {
			t.Errorf("%d drafts: %q", n, got)
		}
	}
	for n, want := range map[int]string{
		1: "One of the newest drafts has the same recipient and total and was created after sending.",
		2: "2 of the newest drafts have the same recipient and total and were created after sending.",
	} {
		alike := make([]apiclient.Invoice, n)
		for i := range alike {
			alike[i] = draftInvoice("INV-1")
		}
		if got := sent().Candidates(append(alike, others[0])).Text(); got != want {
			t.Errorf("%d alike: %q", n, got)
		}
	}
}

func TestWhatAnErrorOfAProposalMeans(t *testing.T) {
	refused := func(status int, message string) error {
		return &apiclient.Error{Status: status, Message: message, Method: "POST", Route: "/invoices"}
	}
	for name, c := range map[string]struct {
		err           error
		first, second proposal.Outcome
	}{
		"an invoice": {nil, proposal.Created, proposal.Created},
		"no answer": {&apiclient.NetworkError{Method: "POST", Err: context.DeadlineExceeded, OutcomeUnknown: true},
			proposal.Unknown, proposal.Unknown},
		"no connection": {&apiclient.NetworkError{Method: "POST", Err: errors.New("connection refused")},
			proposal.Refused, proposal.Unknown},
		"a page": {&apiclient.ContractError{Method: "POST", Route: "/invoices"}, proposal.Unknown,
			proposal.Unknown},
		"busy": {&apiclient.Error{Status: 503, Message: "busy", Method: "POST", OutcomeUnknown: true},
			proposal.Unknown, proposal.Unknown},
		"a field":           {refused(400, "recipient_email must not be empty"), proposal.Refused, proposal.Refused},
		"a line's field":    {refused(400, "line_items[12].quantity must be a decimal"), proposal.Refused, proposal.Refused},
		"a line":            {refused(400, "line_items[0] comes to less than one cent"), proposal.Refused, proposal.Refused},
		"the lines":         {refused(400, "line_items must not be empty"), proposal.Refused, proposal.Refused},
		"no field's name":   {refused(400, "line_items[x] is odd"), proposal.Refused, proposal.Unknown},
		"a proxy":           {refused(400, "the server answered bad request"), proposal.Refused, proposal.Unknown},
		"a field, not 400":  {refused(403, "notes are forbidden"), proposal.Refused, proposal.Unknown},
		"a running request": {refused(409, "a request with this key is still running"), proposal.Refused, proposal.Unknown},
		"the key": {refused(422, "this Idempotency-Key was used with another body or by another token"), proposal.Refused,
			proposal.Unknown},
	} {
		if got := proposal.OutcomeOf(c.err, false); got != c.first {
			t.Errorf("%s: outcome %d, want %d", name, got, c.first)
		}
		if got := proposal.OutcomeOf(c.err, true); got != c.second {
			t.Errorf("%s, repeated: outcome %d, want %d", name, got, c.second)
		}
	}
}

func TestADoubtSaysWhatWasSentAndWhy(t *testing.T) {
	u := sent()
	if got := u.UnknownText(); got != "Unknown whether the draft was created: no answer in time." {
		t.Error(got)
	}
	if got := u.SentText(); got != "Sent 2026-11-20 12:00 UTC: $1,800.75 to Łukasz & Söhne <pay@lukasz.example>. "+
		"It is not resent automatically." {
		t.Error(got)
	}
	if got := u.DuplicateWarning(sentAt.Add(24 * time.Hour)); got != "" {
		t.Error(got)
	}
	got := u.DuplicateWarning(sentAt.Add(25 * time.Hour))
	if !strings.Contains(got, "the idempotency key may be forgotten") {
		t.Error(got)
	}
}

func TestTheKeyIsDrawnFromEntropy(t *testing.T) {
	if got, err := proposal.NewKey(bytes.NewReader(make([]byte, 16))); err != nil ||
		got != "tarmac-00000000000000000000000000000000" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := proposal.NewKey(bytes.NewReader(make([]byte, 15))); err == nil {
		t.Errorf("%q of too little", got)
	}
}

// Unreadable drafts count as drafts too.
func TestDraftsThatCannotBeReadAreNotSaidToBeNone(t *testing.T) {
	bad := apiclient.Invoice{ID: "inv_9", Unreadable: &apiclient.ContractError{Problem: "is missing"}}
	other := draftInvoice("INV-1")
	other.RecipientName = "Contoso"
	for want, drafts := range map[string][]apiclient.Invoice{
		"The only draft could not be read; it may be this proposal.":                   {bad},
		"None of the newest 2 drafts could be read; one of them may be this proposal.": {bad, bad},
		"The only draft that could be read does not match the recipient, total and time sent. " +
			"The request may still be in progress. 1 more draft could not be read; it may be this proposal.": {other, bad},
	} {
		if got := sent().Candidates(drafts).Text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestADraftThatCannotBeReadMayBeTheInvoice(t *testing.T) {
	bad := apiclient.Invoice{ID: "inv_9", Unreadable: &apiclient.ContractError{Problem: "is missing"}}
	for n, want := range map[int]string{
		1: "One of the newest drafts has the same recipient and total and was created after sending. " +
			"1 more draft could not be read; it may be this proposal.",
		2: "One of the newest drafts has the same recipient and total and was created after sending. " +
			"2 more drafts could not be read; one of them may be this proposal.",
	} {
		drafts := []apiclient.Invoice{draftInvoice("INV-1")}
		for range n {
			drafts = append(drafts, bad)
		}

		got := sent().Candidates(drafts)

		if got.Text() != want || len(got.Drafts) != 1 || got.Unreadable != n {
			t.Errorf("%d: %q of %d drafts", got.Unreadable, got.Text(), len(got.Drafts))
		}
	}
}
