package demodata

import (
	"slices"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/payments"
)

// statusChange is a change in the status of an invoice or payment. Its function make returns the
// event of that change with the given id.
type statusChange struct {
	at   time.Time
	make func(id string) (events.Event, error)
}

// feed returns the organization's events of the last events.RetentionDays days, oldest first.
func (p *plan) feed() ([]events.Event, error) {
	since := p.now.AddDate(0, 0, -events.RetentionDays)
	var all []statusChange
	for i := range p.bills {
		all = append(all, p.bills[i].statusChanges()...)
	}
	for _, i := range p.intents {
		all = append(all, paymentStatusChanges(i)...)
	}
	all = slices.DeleteFunc(all, func(h statusChange) bool { return h.at.Before(since) })
	slices.SortStableFunc(all, func(a, b statusChange) int { return a.at.Compare(b.at) })

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

// statusChanges returns those status changes of a bill that have events. resolve must have been
// called.
func (b *bill) statusChanges() (changes []statusChange) {
	addChange := func(status invoicing.Status, at *time.Time) {
		if at == nil {
			return
		}
		then := b.inv
		then.Status = status
		changes = append(changes, statusChange{*at, func(id string) (events.Event, error) {
			return events.ForInvoice(id, *at, then)
		}})
	}
	addChange(invoicing.Sent, b.inv.SentAt)
	if b.wasOverdue() {
		at := b.overdueTime()
		addChange(invoicing.Overdue, &at)
	}
	addChange(invoicing.Paid, b.inv.PaidAt)
	addChange(invoicing.Voided, b.inv.VoidedAt)
	return changes
}

// wasOverdue reports whether the bill is overdue now, or was overdue when it was paid or voided.
func (b *bill) wasOverdue() bool {
	end := b.inv.PaidAt
	if b.inv.VoidedAt != nil {
		end = b.inv.VoidedAt
	}
	if end == nil {
		return b.inv.Status == invoicing.Overdue
	}
	return b.inv.SentAt != nil && !b.inv.DueDate.IsZero() && !end.Before(b.overdueTime())
}

func paymentStatusChanges(i payments.Intent) (changes []statusChange) {
	addChange := func(status payments.Status, at *time.Time) {
		if at == nil {
			return
		}
		then := i
		then.Status = status
		changes = append(changes, statusChange{*at, func(id string) (events.Event, error) {
			return events.ForPayment(id, *at, then)
		}})
	}
	addChange(payments.Held, i.HeldAt)
	addChange(payments.Completed, i.CompletedAt)
	addChange(payments.Failed, i.FailedAt)
	addChange(payments.Canceled, i.CanceledAt)
	return changes
}
