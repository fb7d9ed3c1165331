package lifecycle

import (
	"fmt"

	"tarmac/internal/civil"
	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/store"
)

// SendInvoice changes the status of a draft invoice to sent.
func (m Transitions) SendInvoice(org store.OrgKey, id string) (invoicing.Invoice, error) {
	return m.transitionInvoice(org, id, invoicing.Sent, func(inv *invoicing.Invoice) { inv.SentAt = &m.now })
}

// VoidInvoice changes an invoice's status to voided, which means that it need not be paid.
func (m Transitions) VoidInvoice(org store.OrgKey, id string) (invoicing.Invoice, error) {
	return m.transitionInvoice(org, id, invoicing.Voided, func(inv *invoicing.Invoice) { inv.VoidedAt = &m.now })
}

// PayInvoice applies a cleared payment to a sent or overdue invoice. cents is the payment in minor
// units of the invoice's currency; 0 means the outstanding amount. A larger payment than that is an
// *Overpayment error. When nothing is outstanding any more, the status becomes paid, with an event.
// A partial payment has no event.
func (m Transitions) PayInvoice(org store.OrgKey, id string, cents int64) (invoicing.Invoice, error) {
	inv, err := m.invoice(org, id, invoicing.Paid)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	outstanding := inv.OutstandingCents()
	switch {
	case cents == 0:
		cents = outstanding
	case cents < 0:
		return invoicing.Invoice{}, invalidf("a payment cannot be negative")
	case cents > outstanding:
		return invoicing.Invoice{}, &Overpayment{
			Record: invoiceName(inv), OutstandingCents: outstanding, Currency: inv.Currency,
		}
	}
	inv.PaidCents += cents
	if cents == outstanding {
		inv.Status, inv.PaidAt = invoicing.Paid, &m.now
		return m.updateInvoice(org, inv)
	}
	inv.UpdatedAt = m.now
	return inv, m.tx.UpdateInvoice(org, inv)
}

// TakeBackPayment removes a payment of a sent or overdue invoice, for example one whose import was
// undone. cents is in minor units of the invoice's currency. A paid invoice stays paid: the error
// is *Conflict. There is no event.
func (m Transitions) TakeBackPayment(org store.OrgKey, id string, cents int64) (invoicing.Invoice, error) {
	inv, err := m.invoice(org, id, invoicing.Paid)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	if cents < 0 || cents > inv.PaidCents {
		return invoicing.Invoice{}, invalidf("%s has no such payment", invoiceName(inv))
	}
	inv.PaidCents -= cents
	inv.UpdatedAt = m.now
	return inv, m.tx.UpdateInvoice(org, inv)
}

// WithholdInvoice forbids rendering an invoice as a PDF if withheld is true, and allows it
// otherwise. The invoice may have any status. There is no event.
func (m Transitions) WithholdInvoice(org store.OrgKey, id string, withheld bool) (invoicing.Invoice, error) {
	inv, err := m.tx.Invoice(org, id)
	if err != nil || inv.Withheld == withheld {
		return inv, err
	}
	inv.Withheld, inv.UpdatedAt = withheld, m.now
	return inv, m.tx.UpdateInvoice(org, inv)
}

// MarkOverdue changes sent invoices of all organizations to overdue if their due date is before
// today in UTC. It changes at most limit invoices, those with the earliest due dates first, and
// returns how many it changed. Several processes may call it at the same time, because each
// organization has only one writing transaction at a time.
func (m Transitions) MarkOverdue(limit int) (int, error) {
	due, err := m.tx.InvoicesPastDue(civil.Of(m.now), limit)
	if err != nil {
		return 0, err
	}
	// The events of an organization are appended together: finding the webhook endpoints that
	// subscribe to them costs more than writing the events.
	eventsByOrg := map[store.OrgKey][]events.Event{}
	var orgs []store.OrgKey
	for _, dueInvoice := range due {
		inv := dueInvoice.Invoice
		inv.Status, inv.UpdatedAt = invoicing.Overdue, m.now
		if err := m.tx.UpdateInvoice(dueInvoice.Org, inv); err != nil {
			return 0, err
		}
		e, err := m.newEvent(func(id string) (events.Event, error) { return events.ForInvoice(id, m.now, inv) })
		if err != nil {
			return 0, err
		}
		if _, known := eventsByOrg[dueInvoice.Org]; !known {
			orgs = append(orgs, dueInvoice.Org)
		}
		eventsByOrg[dueInvoice.Org] = append(eventsByOrg[dueInvoice.Org], e)
	}
	for _, org := range orgs {
		if err := m.tx.AppendEvents(org, eventsByOrg[org]); err != nil {
			return 0, err
		}
	}
	return len(due), nil
}

func (m Transitions) transitionInvoice(
	org store.OrgKey, id string, next invoicing.Status, change func(*invoicing.Invoice),
) (invoicing.Invoice, error) {
	inv, err := m.invoice(org, id, next)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	inv.Status = next
	change(&inv)
	return m.updateInvoice(org, inv)
}

// invoice returns an invoice. The error is *Conflict if its status cannot change to newStatus.
func (m Transitions) invoice(org store.OrgKey, id string, newStatus invoicing.Status) (invoicing.Invoice, error) {
	inv, err := m.tx.Invoice(org, id)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	return inv, checkTransition(invoiceName(inv), inv.Status, newStatus, invoicing.Statuses[:])
}

// updateInvoice stores an invoice whose status has changed, and appends the event of that change.
func (m Transitions) updateInvoice(org store.OrgKey, inv invoicing.Invoice) (invoicing.Invoice, error) {
	inv.UpdatedAt = m.now
	if err := m.tx.UpdateInvoice(org, inv); err != nil {
		return invoicing.Invoice{}, err
	}
	return inv, m.appendEvent(org, func(id string) (events.Event, error) { return events.ForInvoice(id, m.now, inv) })
}

func invoiceName(inv invoicing.Invoice) string {
	return fmt.Sprintf("the invoice %s (%s)", inv.Number(), inv.ID)
}
