package bookkeeping

import (
	"fmt"
	"slices"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/bookrules"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// findSettlements finds the organization's own invoices that are paid according to a provider of
// invoices, and those of which the user must say whether they are.
func (mt *matching) findSettlements() error {
	paid, err := mt.books.BookPaidInvoices(mt.books.Org)
	if err != nil {
		return err
	}
	mt.settled = map[string]bookrules.Settlement{}
	for n := range paid {
		mt.settlementIDs = append(mt.settlementIDs, paid[n].SettlementID())
	}
	for _, s := range bookrules.Settlements(mt.ownInvoices(), paid) {
		if len(s.Differences) == 0 || mt.books.answers[settlementKeyOf(s)] == answeredYes {
			mt.settled[s.Invoice.ID] = s
		} else {
			mt.unsettled = append(mt.unsettled, s)
		}
	}
	return nil
}

// settlementKeyOf returns the key under which the answer to a settlement's question is stored. The
// question asks whether an invoice that was paid at a provider is one of the company's own. The key
// does not contain the connection, so the answer holds after the provider is connected again.
func settlementKeyOf(s bookrules.Settlement) string {
	return settlementKey + s.Invoice.ID + " " + s.Paid.RemoteID
}

func (mt *matching) settlementQuestion(s bookrules.Settlement) question {
	day := s.Paid.Paid
	if day == 0 {
		day = bookrules.DayOf(s.Invoice.Issued)
	}
	number := s.Invoice.Number
	return question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutSettlement,
			Text: fmt.Sprintf("%s says that %s of %s %s is paid; %s from your %s of %s %s to %s. Is it that invoice?",
				mt.books.files[s.Paid.File].Making, number, money.Format(s.Paid.TotalMinor, s.Paid.Currency), s.Paid.Currency,
				differ(s.Differences), number, money.Format(s.Invoice.TotalMinor, s.Invoice.Currency), s.Invoice.Currency,
				s.Invoice.Customer),
			Meanwhile: "The invoice stays open.",
			Choices: []ownbooks.Choice{
				{Answer: "yes", Text: number + " is paid", Stored: answeredYes},
				{Answer: "no", Text: number + " stays open", Stored: answeredNo},
			},
		},
		key: settlementKeyOf(s), file: s.Paid.File, lineGroup: lineGroup{day: day},
	}
}

// differ returns a clause that says what differs, such as "the total and the currency differ".
func differ(words []string) string {
	if len(words) > 1 {
		return plural.List(words, "and") + " differ"
	}
	return words[0] + " differs"
}

// settleInvoices pays the open invoices that are paid according to a provider, and returns their
// numbers. It records each payment, like payInvoices.
func (p *publisher) settleInvoices(transitions lifecycle.Transitions) (paid []string, err error) {
	for _, inv := range p.matching.invoices {
		s, settled := p.matching.settled[inv.ID]
		if !settled {
			continue
		}
		before, err := p.tx.Invoice(p.matching.books.Org, inv.ID)
		if err != nil {
			return nil, err
		}
		if inv, err = transitions.PayInvoice(p.matching.books.Org, inv.ID, 0); err != nil {
			return nil, err
		}
		err = p.tx.SetBookInvoicePayment(p.matching.books.Org, store.BookInvoicePayment{
			Invoice: inv.ID, Transaction: s.Paid.SettlementID(), Minor: inv.PaidCents - before.PaidCents, Booked: true,
		})
		if err != nil {
			return nil, err
		}
		if inv.Status == invoicing.Paid {
			paid = append(paid, inv.Number())
		}
	}
	slices.Sort(paid)
	return paid, nil
}
