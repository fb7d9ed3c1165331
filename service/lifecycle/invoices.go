package lifecycle

import (
	"fmt"

	"tarmac/internal/civil"
	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/store"
)

// SendInvoice marks a draft as sent.
func (m Moves) SendInvoice(org store.OrgKey, id string) (invoicing.Invoice, error) {
	return m.moveInvoice(org, id, invoicing.Sent, func(inv *invoicing.Invoice) { inv.SentAt = &m.now })
}

// VoidInvoice makes an invoice one that is not to be paid.
func (m Moves) VoidInvoice(org store.OrgKey, id string) (invoicing.Invoice, error) {
	return m.moveInvoice(org, id, invoicing.Voided, func(inv *invoicing.Invoice) { inv.VoidedAt = &m.now })
}

// PayInvoice applies money that has cleared to a sent or overdue invoice: so many
// minor units of its currency, or all that is outstanding when cents is 0. The
// invoice is paid when nothing is outstanding any more; a part of the money moves
// no status and has no event. More than is outstanding is *Excess.
func (m Moves) PayInvoice(org store.OrgKey, id string, cents int64) (invoicing.Invoice, error) {
	inv, err := m.invoice(org, id, invoicing.Paid)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	outstanding := inv.OutstandingCents()
	switch {
	case cents == 0:
		cents = outstanding
	case cents < 0:
		return invoicing.Invoice{}, invalidf("a payment must be more than nothing")
	case cents > outstanding:
		return invoicing.Invoice{}, &Excess{Record: invoiceName(inv), OutstandingCents: outstanding, Currency: inv.Currency}
	}
	inv.PaidCents += cents
	if cents == outstanding {
		inv.Status, inv.PaidAt = invoicing.Paid, &m.now
		return m.writeInvoice(org, inv)
	}
	inv.UpdatedAt = m.now
	return inv, m.tx.UpdateInvoice(org, inv)
}

// WithholdInvoice says whether an invoice's content may be shown on a page. It is
// no move: it can be said in every status and any number of times.
func (m Moves) WithholdInvoice(org store.OrgKey, id string, withheld bool) (invoicing.Invoice, error) {
	inv, err := m.tx.Invoice(org, id)
	if err != nil || inv.Withheld == withheld {
		return inv, err
	}
	inv.Withheld, inv.UpdatedAt = withheld, m.now
	return inv, m.tx.UpdateInvoice(org, inv)
}

// SweepOverdue moves sent invoices of all organizations whose due date is before
// today, in UTC: at most limit of them, those that fell due first before the
// others. It returns how many. Transactions that write run one after the other,
// so that sweeps of several processes move each invoice once.
func (m Moves) SweepOverdue(limit int) (int, error) {
	due, err := m.tx.FallenDue(civil.Of(m.now), limit)
	if err != nil {
		return 0, err
	}
	// One append for each organization: looking up who wants its events is the
	// larger part of an event's cost.
	told := map[store.OrgKey][]events.Event{}
	var orgs []store.OrgKey
	for _, owed := range due {
		inv := owed.Invoice
		inv.Status, inv.UpdatedAt = invoicing.Overdue, m.now
		if err := m.tx.UpdateInvoice(owed.Org, inv); err != nil {
			return 0, err
		}
		e, err := m.seal(func(id string) (events.Event, error) { return events.ForInvoice(id, m.now, inv) })
		if err != nil {
			return 0, err
		}
		if _, known := told[owed.Org]; !known {
			orgs = append(orgs, owed.Org)
		}
		told[owed.Org] = append(told[owed.Org], e)
	}
	for _, org := range orgs {
		if err := m.tx.AppendEvents(org, told[org]); err != nil {
			return 0, err
		}
	}
	return len(due), nil
}

func (m Moves) moveInvoice(org store.OrgKey, id string, next invoicing.Status, change func(*invoicing.Invoice)) (invoicing.Invoice, error) {
	inv, err := m.invoice(org, id, next)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	inv.Status = next
	change(&inv)
	return m.writeInvoice(org, inv)
}

// invoice returns an invoice that may become next.
func (m Moves) invoice(org store.OrgKey, id string, next invoicing.Status) (invoicing.Invoice, error) {
	inv, err := m.tx.Invoice(org, id)
	if err != nil {
		return invoicing.Invoice{}, err
	}
	return inv, check(invoiceName(inv), inv.Status, next, invoicing.Statuses[:])
}

// writeInvoice writes an invoice of a new status, and its event.
func (m Moves) writeInvoice(org store.OrgKey, inv invoicing.Invoice) (invoicing.Invoice, error) {
	inv.UpdatedAt = m.now
	if err := m.tx.UpdateInvoice(org, inv); err != nil {
		return invoicing.Invoice{}, err
	}
	return inv, m.tell(org, func(id string) (events.Event, error) { return events.ForInvoice(id, m.now, inv) })
}

func invoiceName(inv invoicing.Invoice) string {
	return fmt.Sprintf("the invoice %s (%s)", inv.Number(), inv.ID)
}
