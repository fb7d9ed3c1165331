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
	// maxDrift is the largest sum of Simulator.drift, in cents. Beyond it only actions that reduce
	// the drift are chosen.
	maxDrift = 40_000 * dollar
	// largestReceipt is the largest outstanding amount, in cents, of an invoice that the simulator
	// pays.
	largestReceipt = 26_000 * dollar
	// floorCents is the balance in cents below which an account makes no purchases and no
	// transfers.
	floorCents = 30_000 * dollar
	// Open invoices are paid in full or voided only while there are at least minInvoices. New ones
	// are sent only while there are fewer than maxInvoices. maxPayouts and maxCollections are the
	// largest numbers of open outgoing and incoming payments.
	minInvoices    = 18
	maxInvoices    = 45
	maxPayouts     = 8
	maxCollections = 3
)

// action is one kind of activity of the sample organization, such as a purchase. run performs it
// and returns false if it is not possible now.
type action struct {
	weight     int // frequency relative to the other actions
	cashEffect int // -1 if cash decreases, +1 if it increases, 0 if it stays
	run        func(*step) (bool, error)
}

func actions() []action {
	return []action{
		{24, -1, (*step).purchase},
		{14, +1, (*step).usage},
		{12, +1, (*step).payInvoice},
		{4, +1, (*step).payPartially},
		{12, 0, (*step).sendInvoice},
		{1, 0, (*step).voidInvoice},
		{11, 0, (*step).requestPayment},
		{8, 0, (*step).decidePayment},
		{12, -1, (*step).completePayment},
		{3, 0, (*step).collect},
		{4, +1, (*step).completeCollection},
		{4, 0, (*step).transferToBank},
	}
}

// runAction runs one random action that is possible now. If none is possible, it runs usage.
func (s *step) runAction() error {
	possible := slices.DeleteFunc(actions(), func(a action) bool {
		drift := s.drift[0] + s.drift[1]
		return drift < -maxDrift && a.cashEffect < 0 || drift > maxDrift && a.cashEffect > 0
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
		if done, err := possible[at].run(s); done || err != nil {
			return err
		}
		possible = slices.Delete(possible, at, at+1)
	}
	_, err := s.usage()
	return err
}

// purchase adds a card payment by the organization.
func (s *step) purchase() (bool, error) {
	source := s.chooseFeed(+1)
	if s.available(source) < floorCents {
		return false, nil
	}
	// With a quota of several rows, the function next can generate a row of any kind. Only the
	// first of these rows is generated.
	q := quota{rows: 1 + s.rng.IntN(3)*7, cents: -(3*dollar + s.rng.Int64N(180*dollar))}
	var t ledger.Transaction
	s.small.next(&q, source, true, &t)
	return true, s.addRow(t)
}

// usage adds a card payment from a customer with usage-based billing.
func (s *step) usage() (bool, error) {
	q := quota{rows: 1, cents: 5*dollar + s.rng.Int64N(240*dollar)}
	var t ledger.Transaction
	s.small.next(&q, s.chooseFeed(-1), true, &t)
	return true, s.addRow(t)
}

// transferToBank transfers cash from the managed account to the linked bank: half the difference of
// their drifts (Simulator.drift). The ledger gets no row for it.
func (s *step) transferToBank() (bool, error) {
	cents := (s.drift[ledger.ServiceAccount] - s.drift[ledger.LinkedBank]) / 2 / transferStep * transferStep
	if cents < transferStep || s.available(ledger.ServiceAccount)-cents < floorCents {
		return false, nil
	}
	s.transferred = cents
	if err := lifecycle.New(s.tx, s.ids.events, s.now).TransferToBank(s.org, operatingAccount, cents); err != nil {
		return false, err
	}
	return true, s.loadBalances()
}

// chooseFeed returns the source for the next row. It is random unless the drifts of the two feeds
// (Simulator.drift) differ by more than maxDrift. Then it is the feed with the larger drift if sign
// is +1, and the one with the smaller if sign is -1.
func (s *step) chooseFeed(sign int64) ledger.Source {
	switch difference := sign * (s.drift[ledger.ServiceAccount] - s.drift[ledger.LinkedBank]); {
	case difference > maxDrift:
		return ledger.ServiceAccount
	case difference < -maxDrift:
		return ledger.LinkedBank
	}
	return ledger.Sources[s.rng.IntN(len(ledger.Sources))]
}

// available returns the balance of a feed that can be spent now, in cents.
func (s *step) available(source ledger.Source) int64 {
	if source == ledger.LinkedBank {
		return s.operating.USDCents
	}
	return s.balance.AvailableCents
}

// payableInvoices returns the open invoices with at most largestReceipt outstanding and no
// collection in progress.
func (s *step) payableInvoices() []invoicing.Invoice {
	return slices.DeleteFunc(slices.Clone(s.invoices), func(inv invoicing.Invoice) bool {
		collected := func(p payments.Intent) bool { return p.Description == collectionPrefix+inv.Number() }
		return inv.OutstandingCents() > largestReceipt || slices.ContainsFunc(s.processing, collected)
	})
}

func (s *step) payInvoice() (bool, error) {
	payableInvoices := s.payableInvoices()
	if len(s.invoices) < minInvoices || len(payableInvoices) == 0 {
		return false, nil
	}
	inv := pick(s.rng, payableInvoices)
	return true, s.applyPayment(&inv, inv.OutstandingCents(), ledger.ServiceAccount, pick(s.rng, []string{"ach", "wire"}))
}

func (s *step) payPartially() (bool, error) {
	payableInvoices := slices.DeleteFunc(s.payableInvoices(), func(inv invoicing.Invoice) bool {
		return inv.PaidCents > 0 || inv.TotalCents < 10*dollar
	})
	if len(payableInvoices) == 0 {
		return false, nil
	}
	inv := pick(s.rng, payableInvoices)
	return true, s.applyPayment(&inv, inv.TotalCents*int64(25+s.rng.IntN(50))/100, ledger.ServiceAccount, "ach")
}

// applyPayment records a payment on an open invoice, which becomes paid when nothing is
// outstanding.
func (s *step) applyPayment(inv *invoicing.Invoice, cents int64, source ledger.Source, method string) error {
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
		// A partial payment changes no status and creates no event (docs/api.md, Invoice status).
		inv.UpdatedAt = s.now
		return s.tx.UpdateInvoice(s.org, *inv)
	}
	inv.Status, inv.PaidAt = invoicing.Paid, &s.now
	return s.updateInvoice(inv)
}

var services = [...]struct {
	description string
	cents       int64
}{
	{"Consulting, hours", 180_00}, {"Additional seats", 45_00}, {"Data export, per gigabyte", 12_00},
	{"Priority support, days", 420_00},
}

// sendInvoice creates an invoice for services and sends it to a customer.
func (s *step) sendInvoice() (bool, error) {
	if len(s.invoices) >= maxInvoices {
		return false, nil
	}
	who, what := pick(s.rng, customerNames[:]), pick(s.rng, services[:])
	item := newLineItem(what.description, int64(6+s.rng.IntN(60)), what.cents)
	inv := invoicing.Invoice{
		Status: invoicing.Sent, Currency: "USD", Description: what.description, RecipientName: who.name,
		RecipientEmail: who.email(),
		SubtotalCents:  item.AmountCents, TotalCents: item.AmountCents, LineItems: []invoicing.LineItem{item},
		DueDate: s.today.AddDays([...]int{14, 30, 30, 45}[s.rng.IntN(4)]), CreatedAt: s.now, UpdatedAt: s.now, SentAt: &s.now,
	}
	var err error
	if inv.ID, err = s.ids.invoices.New(ids.Invoice, s.now); err != nil {
		return false, err
	}
	if inv, err = s.tx.InsertInvoice(s.org, inv); err != nil {
		return false, err
	}
	return true, s.appendEvent(func(id string) (events.Event, error) { return events.ForInvoice(id, s.now, inv) })
}

func (s *step) voidInvoice() (bool, error) {
	payableInvoices := slices.DeleteFunc(s.payableInvoices(), func(inv invoicing.Invoice) bool {
		return inv.PaidCents > 0
	})
	if len(s.invoices) < minInvoices || len(payableInvoices) == 0 {
		return false, nil
	}
	inv := pick(s.rng, payableInvoices)
	inv.Status, inv.VoidedAt = invoicing.Voided, &s.now
	return true, s.updateInvoice(&inv)
}

// requestPayment creates a payment to a vendor. A payment of at least approvalCents is held for
// approval.
func (s *step) requestPayment() (bool, error) {
	if s.countOpen(ledger.Outflow) >= maxPayouts || s.available(ledger.ServiceAccount) < 10*floorCents {
		return false, nil
	}
	bill := pick(s.rng, oneOffs[:])
	p := payments.Intent{
		Status: payments.Processing, AmountCents: bill.cents/2 + s.rng.Int64N(bill.cents), Currency: "USD",
		Direction:   ledger.Outflow.String(),
		Description: bill.description, Counterparty: bill.counterparty, CreatedAt: s.now,
	}
	if p.AmountCents >= approvalCents {
		p.Status, p.StatusReason, p.HeldAt = payments.Held, payments.AwaitingApproval, &s.now
	}
	return true, s.addIntent(p)
}

// countOpen returns how many payments in the direction dir are processing or held.
func (s *step) countOpen(dir ledger.Direction) (n int) {
	for _, p := range slices.Concat(s.held, s.processing) {
		if p.Direction == dir.String() {
			n++
		}
	}
	return n
}

// addIntent stores a new payment intent. If the payment is held, it also stores the event.
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
		s.processing = append(s.processing, p)
		return nil
	}
	s.held = append(s.held, p)
	return s.appendEvent(func(id string) (events.Event, error) { return events.ForPayment(id, s.now, p) })
}

// decidePayment approves a random held payment. In one of five cases it cancels the payment
// instead.
func (s *step) decidePayment() (bool, error) {
	if len(s.held) == 0 {
		return false, nil
	}
	at := s.rng.IntN(len(s.held))
	p := s.held[at]
	s.held = slices.Delete(s.held, at, at+1)
	p.Status, p.StatusReason = payments.Processing, ""
	if s.rng.IntN(5) == 0 {
		p.Status, p.CanceledAt = payments.Canceled, &s.now
	} else {
		s.processing = append(s.processing, p)
	}
	return true, s.updateIntent(p)
}

// completePayment completes a payment to a vendor. In one of seven cases the payment fails instead.
func (s *step) completePayment() (bool, error) {
	at := slices.IndexFunc(s.processing, func(p payments.Intent) bool { return p.Direction == ledger.Outflow.String() })
	if at < 0 {
		return false, nil
	}
	p := s.processing[at]
	s.processing = slices.Delete(s.processing, at, at+1)
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

// collect creates an incoming payment of the whole amount outstanding on an invoice.
func (s *step) collect() (bool, error) {
	payableInvoices := slices.DeleteFunc(s.payableInvoices(), func(inv invoicing.Invoice) bool {
		return inv.Currency != "USD"
	})
	if len(payableInvoices) == 0 || s.countOpen(ledger.Inflow) >= maxCollections {
		return false, nil
	}
	inv := pick(s.rng, payableInvoices)
	return true, s.addIntent(payments.Intent{
		Status: payments.Processing, AmountCents: inv.OutstandingCents(), Currency: inv.Currency,
		Direction:   ledger.Inflow.String(),
		Description: collectionPrefix + inv.Number(), Counterparty: inv.RecipientName,
	})
}

// completeCollection completes an incoming payment and marks its invoice paid. If the outstanding
// amount has changed since, it cancels the payment.
func (s *step) completeCollection() (bool, error) {
	at := slices.IndexFunc(s.processing, func(p payments.Intent) bool {
		return strings.HasPrefix(
			p.Description, collectionPrefix,
		)
	})
	if at < 0 {
		return false, nil
	}
	p := s.processing[at]
	s.processing = slices.Delete(s.processing, at, at+1)
	paid := slices.IndexFunc(s.invoices, func(inv invoicing.Invoice) bool {
		return p.Description == collectionPrefix+inv.Number() && inv.OutstandingCents() == p.AmountCents
	})
	if paid < 0 {
		p.Status, p.CanceledAt = payments.Canceled, &s.now
		return true, s.updateIntent(p)
	}
	if err := s.applyPayment(&s.invoices[paid], p.AmountCents, ledger.ServiceAccount, "ach_debit"); err != nil {
		return false, err
	}
	p.Status, p.CompletedAt = payments.Completed, &s.now
	return true, s.updateIntent(p)
}

// updateIntent stores a payment with a new status, and an event if that status has one.
func (s *step) updateIntent(p payments.Intent) error {
	p.UpdatedAt = s.now
	if err := s.tx.UpdatePaymentIntent(s.org, p); err != nil {
		return err
	}
	if p.Status == payments.Processing {
		return nil
	}
	return s.appendEvent(func(id string) (events.Event, error) { return events.ForPayment(id, s.now, p) })
}
