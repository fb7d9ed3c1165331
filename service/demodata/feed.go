package demodata

import (
	"slices"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/payments"
)

// happening is a moment at which an invoice or a payment moved; make seals its
// event.
type happening struct {
	at   time.Time
	make func(id string) (events.Event, error)
}

// feed returns the events of the days that can still be read, in the order in
// which they happened.
func (p *plan) feed() ([]events.Event, error) {
	since := p.now.AddDate(0, 0, -events.RetentionDays)
	var all []happening
	for i := range p.bills {
		all = append(all, p.bills[i].happenings()...)
	}
	for _, i := range p.intents {
		all = append(all, paymentHappenings(i)...)
	}
	all = slices.DeleteFunc(all, func(h happening) bool { return h.at.Before(since) })
	slices.SortStableFunc(all, func(a, b happening) int { return a.at.Compare(b.at) })

	feed := make([]events.Event, len(all))
	for i, h := range all {
		id, err := p.ids.events.New(ids.Event, h.at)
		if err != nil {
			return nil, err
		}
		if feed[i], err = h.make(id); err != nil {
			return nil, err
		}
	}
	return feed, nil
}

// happenings returns the moves of a settled bill that have events.
func (b *bill) happenings() (moves []happening) {
	moved := func(status invoicing.Status, at *time.Time) {
		if at == nil {
			return
		}
		then := b.inv
		then.Status = status
		moves = append(moves, happening{*at, func(id string) (events.Event, error) { return events.ForInvoice(id, *at, then) }})
	}
	moved(invoicing.Sent, b.inv.SentAt)
	if b.fellOverdue() {
		at := b.overdueTime()
		moved(invoicing.Overdue, &at)
	}
	moved(invoicing.Paid, b.inv.PaidAt)
	moved(invoicing.Voided, b.inv.VoidedAt)
	return moves
}

// fellOverdue reports whether the bill was overdue, if only for a while.
func (b *bill) fellOverdue() bool {
	end := b.inv.PaidAt
	if b.inv.VoidedAt != nil {
		end = b.inv.VoidedAt
	}
	if end == nil {
		return b.inv.Status == invoicing.Overdue
	}
	return b.inv.SentAt != nil && !b.inv.DueDate.IsZero() && !end.Before(b.overdueTime())
}

func paymentHappenings(i payments.Intent) (moves []happening) {
	moved := func(status payments.Status, at *time.Time) {
		if at == nil {
			return
		}
		then := i
		then.Status = status
		moves = append(moves, happening{*at, func(id string) (events.Event, error) { return events.ForPayment(id, *at, then) }})
	}
	moved(payments.Held, i.HeldAt)
	moved(payments.Completed, i.CompletedAt)
	moved(payments.Failed, i.FailedAt)
	moved(payments.Canceled, i.CanceledAt)
	return moves
}
