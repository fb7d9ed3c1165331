package demodata

import (
	"slices"
	"strings"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
)

const (
	// leanFrom is the drift at which only what brings cash back happens.
	leanFrom = 40_000 * dollar
	// largestReceipt is the most that a customer pays in a step.
	largestReceipt = 26_000 * dollar
	// floorCents stay in a feed whatever happens.
	floorCents = 30_000 * dollar
	// An organization in its stride has so many open invoices and payments.
	fewestInvoices  = 18
	mostInvoices    = 45
	mostPayouts     = 8
	mostCollections = 3
)

// action is something that can happen. do reports false when there was no
// occasion for it.
type action struct {
	weight int
	lean   int // what it does to cash: -1 takes, +1 brings, 0 neither
	do     func(*step) (bool, error)
}

func actions() []action {
	return []action{
		{24, -1, (*step).purchase},
		{14, +1, (*step).usage},
		{12, +1, (*step).payInvoice},
		{4, +1, (*step).partPayment},
		{12, 0, (*step).sendInvoice},
		{1, 0, (*step).voidInvoice},
		{11, 0, (*step).requestPayment},
		{8, 0, (*step).decidePayment},
		{12, -1, (*step).settlePayment},
		{3, 0, (*step).collect},
		{4, +1, (*step).settleCollection},
		{4, 0, (*step).topUp},
	}
}

// act makes one thing happen. When nothing that was drawn has an occasion, it is
// somebody buying something.
func (s *step) act() error {
	possible := slices.DeleteFunc(actions(), func(a action) bool {
		drift := s.drift[0] + s.drift[1]
		return drift < -leanFrom && a.lean < 0 || drift > leanFrom && a.lean > 0
	})
	for len(possible) > 0 {
		total := 0
		for _, a := range possible {
			total += a.weight
		}
		at, n := 0, s.rng.IntN(total)
		for n >= possible[at].weight {
			n -= possible[at].weight
			at++
		}
		if done, err := possible[at].do(s); done || err != nil {
			return err
		}
		possible = slices.Delete(possible, at, at+1)
	}
	_, err := s.usage()
	return err
}

// purchase is a card payment.
func (s *step) purchase() (bool, error) {
	source := s.feed(+1)
	if s.spare(source) < floorCents {
		return false, nil
	}
	// Asking for more rows than one lets the row be of any kind; the quota itself
	// is not kept.
	q := quota{rows: 1 + s.rng.IntN(3)*7, cents: -(3*dollar + s.rng.Int64N(180*dollar))}
	var t ledger.Transaction
	s.small.next(&q, source, &t)
	return true, s.addRow(t)
}

// usage is a metered customer paying by card.
func (s *step) usage() (bool, error) {
	q := quota{rows: 1, cents: 5*dollar + s.rng.Int64N(240*dollar)}
	var t ledger.Transaction
	s.small.next(&q, s.feed(-1), &t)
	return true, s.addRow(t)
}

// topUp moves what the service account has gained over the bank to it, half of
// the difference: balances move and the ledger does not.
func (s *step) topUp() (bool, error) {
	cents := (s.drift[ledger.ServiceAccount] - s.drift[ledger.LinkedBank]) / 2 / transferStep * transferStep
	if cents < transferStep || s.spare(ledger.ServiceAccount)-cents < floorCents {
		return false, nil
	}
	s.transferred = cents
	if err := lifecycle.New(s.tx, s.ids.events, s.now).TransferToBank(s.org, operatingAccount, cents); err != nil {
		return false, err
	}
	return true, s.loadBalances()
}

// feed returns either feed, or where their drifts have come far apart the one
// with more (+1) or less (-1).
func (s *step) feed(want int64) ledger.Source {
	switch apart := want * (s.drift[ledger.ServiceAccount] - s.drift[ledger.LinkedBank]); {
	case apart > leanFrom:
		return ledger.ServiceAccount
	case apart < -leanFrom:
		return ledger.LinkedBank
	}
	return ledger.Sources[s.rng.IntN(len(ledger.Sources))]
}

// spare returns what could leave a feed.
func (s *step) spare(source ledger.Source) int64 {
	if source == ledger.LinkedBank {
		return s.operating.USDCents
	}
	return s.balance.AvailableCents
}

// owed returns the open invoices that may be paid in a step and that no payment
// is under way for.
func (s *step) owed() []invoicing.Invoice {
	return slices.DeleteFunc(slices.Clone(s.invoices), func(inv invoicing.Invoice) bool {
		collected := func(p payments.Intent) bool { return p.Description == collectionOf+inv.Number() }
		return inv.OutstandingCents() > largestReceipt || slices.ContainsFunc(s.underWay, collected)
	})
}

func (s *step) payInvoice() (bool, error) {
	owed := s.owed()
	if len(s.invoices) < fewestInvoices || len(owed) == 0 {
		return false, nil
	}
	inv := pick(s.rng, owed)
	return true, s.receive(&inv, inv.OutstandingCents(), ledger.ServiceAccount, pick(s.rng, []string{"ach", "wire"}))
}

func (s *step) partPayment() (bool, error) {
	owed := slices.DeleteFunc(s.owed(), func(inv invoicing.Invoice) bool { return inv.PaidCents > 0 || inv.TotalCents < 10*dollar })
	if len(owed) == 0 {
		return false, nil
	}
	inv := pick(s.rng, owed)
	return true, s.receive(&inv, inv.TotalCents*int64(25+s.rng.IntN(50))/100, ledger.ServiceAccount, "ach")
}

// receive applies money to an open invoice, which is paid when that was all.
func (s *step) receive(inv *invoicing.Invoice, cents int64, source ledger.Source, method string) error {
	memo := "Payment of " + inv.Description
	if cents < inv.TotalCents {
		memo = "Part payment of " + inv.Description
	}
	t := invoiceReceipt(*inv, cents, source, method, memo)
	t.AmountKnown = true
	t.USDCents, t.USDKnown = usdCents(cents, inv.Currency)
	if err := s.addRow(t); err != nil {
		return err
	}
	inv.PaidCents += cents
	if inv.PaidCents < inv.TotalCents {
		// A part of the money moves no status and has no event (docs/api.md, Invoice
		// status).
		inv.UpdatedAt = s.now
		return s.tx.UpdateInvoice(s.org, *inv)
	}
	inv.Status, inv.PaidAt = invoicing.Paid, &s.now
	return s.updateInvoice(inv)
}

var work = [...]struct {
	description string
	cents       int64
}{
	{"Consulting, hours", 180_00}, {"Additional seats", 45_00}, {"Data export, per gigabyte", 12_00}, {"Priority support, days", 420_00},
}

// sendInvoice bills a customer for work.
func (s *step) sendInvoice() (bool, error) {
	if len(s.invoices) >= mostInvoices {
		return false, nil
	}
	who, what := pick(s.rng, customerNames[:]), pick(s.rng, work[:])
	item := line(what.description, int64(6+s.rng.IntN(60)), what.cents)
	inv := invoicing.Invoice{
		Status: invoicing.Sent, Currency: "USD", Description: what.description, RecipientName: who.name, RecipientEmail: who.email(),
		SubtotalCents: item.AmountCents, TotalCents: item.AmountCents, LineItems: []invoicing.LineItem{item},
		DueDate: s.today.AddDays([...]int{14, 30, 30, 45}[s.rng.IntN(4)]), CreatedAt: s.now, UpdatedAt: s.now, SentAt: &s.now,
	}
	var err error
	if inv.ID, err = s.ids.invoices.New(ids.Invoice, s.now); err != nil {
		return false, err
	}
	if inv, err = s.tx.InsertInvoice(s.org, inv); err != nil {
		return false, err
	}
	return true, s.tell(func(id string) (events.Event, error) { return events.ForInvoice(id, s.now, inv) })
}

func (s *step) voidInvoice() (bool, error) {
	owed := slices.DeleteFunc(s.owed(), func(inv invoicing.Invoice) bool { return inv.PaidCents > 0 })
	if len(s.invoices) < fewestInvoices || len(owed) == 0 {
		return false, nil
	}
	inv := pick(s.rng, owed)
	inv.Status, inv.VoidedAt = invoicing.Voided, &s.now
	return true, s.updateInvoice(&inv)
}

// requestPayment asks for money to be sent to a vendor; a large amount waits for
// approval.
func (s *step) requestPayment() (bool, error) {
	if s.open(ledger.Outflow) >= mostPayouts || s.spare(ledger.ServiceAccount) < 10*floorCents {
		return false, nil
	}
	bill := pick(s.rng, oneOffs[:])
	p := payments.Intent{
		Status: payments.Processing, AmountCents: bill.cents/2 + s.rng.Int64N(bill.cents), Currency: "USD", Direction: ledger.Outflow.String(),
		Description: bill.description, Counterparty: bill.counterparty, CreatedAt: s.now,
	}
	if p.AmountCents >= approvalCents {
		p.Status, p.StatusReason, p.HeldAt = payments.Held, payments.AwaitingApproval, &s.now
	}
	return true, s.addIntent(p)
}

// open returns how many payments of a direction are under way or waiting.
func (s *step) open(dir ledger.Direction) (n int) {
	for _, p := range slices.Concat(s.waiting, s.underWay) {
		if p.Direction == dir.String() {
			n++
		}
	}
	return n
}

// addIntent writes a new payment.
func (s *step) addIntent(p payments.Intent) error {
	p.CreatedAt, p.UpdatedAt = s.now, s.now
	var err error
	if p.ID, err = s.ids.intents.New(ids.PaymentIntent, s.now); err != nil {
		return err
	}
	if err := s.tx.InsertPaymentIntent(s.org, p); err != nil {
		return err
	}
	if p.Status != payments.Held {
		s.underWay = append(s.underWay, p)
		return nil
	}
	s.waiting = append(s.waiting, p)
	return s.tell(func(id string) (events.Event, error) { return events.ForPayment(id, s.now, p) })
}

// decidePayment has a held payment approved, or now and then canceled.
func (s *step) decidePayment() (bool, error) {
	if len(s.waiting) == 0 {
		return false, nil
	}
	at := s.rng.IntN(len(s.waiting))
	p := s.waiting[at]
	s.waiting = slices.Delete(s.waiting, at, at+1)
	p.Status, p.StatusReason = payments.Processing, ""
	if s.rng.IntN(5) == 0 {
		p.Status, p.CanceledAt = payments.Canceled, &s.now
	} else {
		s.underWay = append(s.underWay, p)
	}
	return true, s.updateIntent(p)
}

// settlePayment completes a payment to a vendor; now and then it fails.
func (s *step) settlePayment() (bool, error) {
	at := slices.IndexFunc(s.underWay, func(p payments.Intent) bool { return p.Direction == ledger.Outflow.String() })
	if at < 0 {
		return false, nil
	}
	p := s.underWay[at]
	s.underWay = slices.Delete(s.underWay, at, at+1)
	if s.rng.IntN(7) == 0 {
		p.Status, p.FailedAt, p.StatusReason = payments.Failed, &s.now, "the receiving bank refused the payment"
		return true, s.updateIntent(p)
	}
	p.Status, p.CompletedAt = payments.Completed, &s.now
	t := payout(p)
	t.AmountKnown = true
	t.USDCents, t.USDKnown = usdCents(p.AmountCents, p.Currency)
	if err := s.addRow(t); err != nil {
		return false, err
	}
	return true, s.updateIntent(p)
}

// collect starts fetching what a customer owes.
func (s *step) collect() (bool, error) {
	owed := slices.DeleteFunc(s.owed(), func(inv invoicing.Invoice) bool { return inv.Currency != "USD" })
	if len(owed) == 0 || s.open(ledger.Inflow) >= mostCollections {
		return false, nil
	}
	inv := pick(s.rng, owed)
	return true, s.addIntent(payments.Intent{
		Status: payments.Processing, AmountCents: inv.OutstandingCents(), Currency: inv.Currency, Direction: ledger.Inflow.String(),
		Description: collectionOf + inv.Number(), Counterparty: inv.RecipientName,
	})
}

// settleCollection completes a collection: the invoice is paid by it. It is
// canceled when the invoice is not open for that amount any more.
func (s *step) settleCollection() (bool, error) {
	at := slices.IndexFunc(s.underWay, func(p payments.Intent) bool { return strings.HasPrefix(p.Description, collectionOf) })
	if at < 0 {
		return false, nil
	}
	p := s.underWay[at]
	s.underWay = slices.Delete(s.underWay, at, at+1)
	owed := slices.IndexFunc(s.invoices, func(inv invoicing.Invoice) bool {
		return p.Description == collectionOf+inv.Number() && inv.OutstandingCents() == p.AmountCents
	})
	if owed < 0 {
		p.Status, p.CanceledAt = payments.Canceled, &s.now
		return true, s.updateIntent(p)
	}
	if err := s.receive(&s.invoices[owed], p.AmountCents, ledger.ServiceAccount, "ach_debit"); err != nil {
		return false, err
	}
	p.Status, p.CompletedAt = payments.Completed, &s.now
	return true, s.updateIntent(p)
}

// updateIntent writes where a payment now stands; every status but processing
// has an event.
func (s *step) updateIntent(p payments.Intent) error {
	p.UpdatedAt = s.now
	if err := s.tx.UpdatePaymentIntent(s.org, p); err != nil {
		return err
	}
	if p.Status == payments.Processing {
		return nil
	}
	return s.tell(func(id string) (events.Event, error) { return events.ForPayment(id, s.now, p) })
}
