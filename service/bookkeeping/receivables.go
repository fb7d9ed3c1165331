package bookkeeping

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/receivables"
	"tarmac/service/store"
)

// matchPayments finds out which payments pay open invoices: the invoices of imported lists, and the
// organization's own invoices.
func (mt *matching) matchPayments() (err error) {
	mt.receipts = map[string]bool{}
	applied := map[string]int64{} // minor units of each payment that earlier imports applied
	for _, r := range mt.recorded {
		applied[r.Transaction] += r.Minor
		mt.receipts[r.Transaction] = true
	}
	if len(mt.lists)+len(mt.invoices) == 0 {
		return nil
	}
	if err := mt.findSettlements(); err != nil {
		return err
	}
	own, payments := mt.ownInvoices(), mt.payments(applied)
	mt.receivables, err = bookrules.OpenReceivables(mt.books.work, mt.lists, own, payments, mt.books.paymentAnswers())
	for _, application := range mt.receivables.Applied {
		mt.receipts[application.Payment] = true
	}
	return err
}

// payments returns the inflows that may pay open invoices, nothing if there are none. The amounts
// in applied, by transaction, have already paid invoices and are subtracted.
func (mt *matching) payments(applied map[string]int64) []bookrules.Payment {
	if len(mt.lists)+len(mt.invoices) == 0 {
		return nil
	}
	var payments []bookrules.Payment
	for flow := range mt.inflowTransactions() {
		m := &mt.movements[flow.movement]
		p := bookrules.Payment{
			ID: mt.id(flow), Day: m.Day, Minor: m.Minor - applied[mt.id(flow)], Currency: mt.own[m.Account].Currency,
			Payer: flow.payer, Text: flow.payer + " " + flow.text,
		}
		if p.Minor > 0 {
			payments = append(payments, p)
		}
	}
	return payments
}

// ownInvoices returns the organization's own invoices with the amounts that are open. A payment
// whose import was undone does not reduce the amount, unless it completed the invoice. Paid and
// voided invoices, and those that are settled now, are included with the amount 0, so that items of
// imported lists with the numbers of these invoices do not count as open.
func (mt *matching) ownInvoices() []bookrules.OwnInvoice {
	gone := map[string]int64{}
	for _, r := range mt.goneUnfinished() {
		gone[r.Invoice] += r.Minor
	}
	own := make([]bookrules.OwnInvoice, len(mt.invoices))
	for n, inv := range mt.invoices {
		own[n] = bookrules.OwnInvoice{
			ID: inv.ID, Number: inv.Number(), Customer: inv.RecipientName, Email: inv.RecipientEmail,
			Currency: inv.Currency, TotalMinor: inv.TotalCents,
			Minor: inv.OutstandingCents() + gone[inv.ID], Issued: issued(inv), Due: inv.DueDate,
		}
		if _, settled := mt.settled[inv.ID]; settled {
			own[n].Minor = 0
		}
	}
	return own
}

// issued returns the day on which an invoice was sent.
func issued(inv invoicing.Invoice) civil.Date {
	if inv.SentAt != nil {
		return civil.Of(*inv.SentAt)
	}
	return civil.Of(inv.CreatedAt)
}

// paymentIDs returns the ids of the transactions that bring money in, and of the payments that
// providers of invoices name.
func (mt *matching) paymentIDs() map[string]bool {
	there := map[string]bool{}
	for _, id := range mt.settlementIDs {
		there[id] = true
	}
	for flow := range mt.inflowTransactions() {
		there[mt.id(flow)] = true
	}
	return there
}

// goneUnfinished returns the recorded payments that are not in the books any more and whose invoice
// is still open. The API has not reported them in an event yet, so they can be taken back.
func (mt *matching) goneUnfinished() []store.BookInvoicePayment {
	if len(mt.recorded) == 0 { // saves collecting the ids of all payments
		return nil
	}
	there := mt.paymentIDs()
	open := map[string]bool{}
	for _, inv := range mt.invoices {
		open[inv.ID] = inv.Status.Open()
	}
	return slices.DeleteFunc(slices.Clone(mt.recorded), func(r store.BookInvoicePayment) bool {
		return there[r.Transaction] || !open[r.Invoice]
	})
}

// orphans returns the numbers of the paid invoices whose payment is not in the books any more. They
// stay paid.
func (mt *matching) orphans() (numbers []string) {
	there, lost := mt.paymentIDs(), map[string]bool{}
	for _, r := range mt.recorded {
		lost[r.Invoice] = lost[r.Invoice] || r.Booked && !there[r.Transaction]
	}
	for _, inv := range mt.invoices {
		if inv.Status == invoicing.Paid && lost[inv.ID] {
			numbers = append(numbers, inv.Number())
		}
	}
	return numbers
}

// payInvoices applies the payments to the organization's own invoices, and returns the numbers of
// the invoices that are completely paid by them. It records each payment, so that the payment is
// not applied again.
func (p *publisher) payInvoices() (paid []string, err error) {
	transitions := lifecycle.New(p.tx, p.matching.books.IDs, p.matching.books.Now())
	if err := p.updateRecorded(transitions); err != nil {
		return nil, err
	}
	for _, application := range p.matching.receivables.Applied {
		if application.Item.Invoice == "" {
			continue
		}
		inv, err := transitions.PayInvoice(p.matching.books.Org, application.Item.Invoice, application.Minor)
		if err != nil {
			return nil, err
		}
		err = p.tx.SetBookInvoicePayment(p.matching.books.Org, store.BookInvoicePayment{
			Invoice: inv.ID, Transaction: application.Payment, Minor: application.Minor, Booked: true,
		})
		if err != nil {
			return nil, err
		}
		if inv.Status == invoicing.Paid {
			paid = append(paid, inv.Number())
		}
	}
	settled, err := p.settleInvoices(transitions)
	return append(paid, settled...), err
}

// updateRecorded undoes the recorded payments of open invoices that are not in the books any more.
// For the other recorded payments, it stores whether they are in the books.
func (p *publisher) updateRecorded(transitions lifecycle.Transitions) error {
	if len(p.matching.recorded) == 0 {
		return nil
	}
	there, unfinished := p.matching.paymentIDs(), map[store.BookInvoicePayment]bool{}
	for _, r := range p.matching.goneUnfinished() {
		unfinished[r] = true
	}
	for _, r := range p.matching.recorded {
		switch {
		case unfinished[r]:
			if _, err := transitions.TakeBackPayment(p.matching.books.Org, r.Invoice, r.Minor); err != nil {
				return err
			}
			r.Minor = 0 // removes the record
		case r.Booked == there[r.Transaction]:
			continue
		default:
			r.Booked = !r.Booked
		}
		if err := p.tx.SetBookInvoicePayment(p.matching.books.Org, r); err != nil {
			return err
		}
	}
	return nil
}

// setReceivables replaces the receivables of the API with the items of the imported lists: open
// ones, and those that were paid. The API adds the organization's own invoices itself.
func (p *publisher) setReceivables() error {
	var failed error
	err := p.tx.ReplaceReceivables(p.matching.books.Org, func(yield func(receivables.ImportedItem) bool) {
		for _, item := range p.matching.receivables.Open {
			if item.Invoice != "" {
				continue
			}
			var imported receivables.ImportedItem
			if failed != nil {
				return
			}
			if imported, failed = p.matching.books.openItem(item); failed != nil || !yield(imported) {
				return
			}
		}
		for _, item := range p.matching.receivables.Paid {
			imported := importedItem(item.Receivable)
			if imported.Paid = item.Paid.Date(); !yield(imported) {
				return
			}
		}
	})
	return cmp.Or(failed, err)
}

// openItem returns an open item with its amounts in US dollars and the reporting currency.
func (l *ledgerBooks) openItem(item bookrules.Receivable) (imported receivables.ImportedItem, err error) {
	rates, err := l.ratesOn(item.AsOf, item.Currency)
	if err != nil {
		return imported, err
	}
	imported = importedItem(item)
	imported.USDCents, imported.USDKnown = bookrules.Convert(item.Minor, item.Currency, bookrules.USD, item.AsOf, rates)
	if !imported.USDKnown {
		imported.USDCents = 0
	}
	if l.currency != bookrules.USD {
		imported.ReportingMinor, imported.ReportingKnown = bookrules.Convert(
			item.Minor, item.Currency, l.currency, item.AsOf, rates)
		if !imported.ReportingKnown {
			imported.ReportingMinor = 0
		}
	}
	return imported, nil
}

func importedItem(r bookrules.Receivable) receivables.ImportedItem {
	return receivables.ImportedItem{
		Number: r.Number, CustomerKey: strings.ToLower(r.Party), CustomerName: r.Party, Currency: r.Currency,
		OpenMinor: r.Minor, Issued: r.Issued, Due: r.Due,
	}
}
