package forecast

import (
	"cmp"
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/internal/civil"
)

// Receipt is the payment of an open invoice, which is expected on a day.
type Receipt struct {
	apiclient.Invoice
	Day civil.Date
}

// Cents returns the total of the invoice in USD cents. It returns 0 if the invoice is in another
// currency.
func (r *Receipt) Cents() int64 {
	cents, known := r.Total.Minor()
	if !known || r.Total.Currency() != "USD" {
		return 0
	}
	return cents
}

// receipts returns the open invoices with the days on which their customers usually pay, and the
// invoices that are later than their customer ever paid.
func receipts(invoices []apiclient.Invoice, today civil.Date) (open []Receipt, late []apiclient.Invoice) {
	for _, customer := range collections.Customers(invoices, today) {
		for _, o := range customer.Open {
			switch {
			case o.IsDoubtful:
				late = append(late, o.Invoice)
			case !o.Expected.IsZero():
				open = append(open, Receipt{o.Invoice, o.Expected})
			}
		}
	}
	slices.SortFunc(open, func(a, b Receipt) int {
		return cmp.Or(a.Day.Compare(b.Day), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(late, func(a, b apiclient.Invoice) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
	})
	return open, late
}

// MostInvoices is the largest number of invoices that the API lists (docs/api.md, Invoice list).
// If there are as many, older ones exist that are not in the list.
const MostInvoices = 200

// asOf returns the invoices as they were at the end of a day: those that had been sent and not been
// voided, and as paid only those that had been paid. Invoices whose day of payment is unknown are
// left out. asOf returns none if the list of invoices is full and begins after that day.
func asOf(invoices []apiclient.Invoice, day civil.Date) (then []apiclient.Invoice) {
	if begins, full := listBegins(invoices); full && day.Before(begins) {
		return nil
	}
	for _, i := range invoices {
		switch {
		case i.Unreadable != nil || !isUpTo(i.SentAt, day) || isUpTo(i.VoidedAt, day),
			i.Status == apiclient.InvoicePaid && i.PaidAt == nil,
			i.Status == apiclient.InvoiceVoided && i.VoidedAt == nil:
			continue
		case isUpTo(i.PaidAt, day):
			i.Status = apiclient.InvoicePaid
		default:
			i.Status, i.PaidAt, i.VoidedAt = apiclient.InvoiceSent, nil, nil
		}
		then = append(then, i)
	}
	return then
}

// isUpTo reports whether a time is known and not after the day.
func isUpTo(t *time.Time, day civil.Date) bool { return t != nil && !civil.Of(*t).After(day) }

// listBegins returns the day on which the oldest listed invoice was created, and whether the list
// is full.
func listBegins(invoices []apiclient.Invoice) (day civil.Date, full bool) {
	for _, i := range invoices {
		if created := civil.Of(i.CreatedAt); i.Unreadable == nil && (day.IsZero() || created.Before(day)) {
			day = created
		}
	}
	return day, len(invoices) >= MostInvoices
}
