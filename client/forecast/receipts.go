package forecast

import (
	"cmp"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/internal/civil"
)

// Receipt is the payment of an open invoice, which is expected on a day.
type Receipt struct {
	apiclient.Invoice
	Day civil.Date
}

// Cents returns the total of the invoice in minor units of apiclient.InvoiceCurrency. It returns 0
// if the invoice is in another currency.
func (r *Receipt) Cents() int64 {
	cents, known := r.Total.Minor()
	if !known || r.Total.Currency() != apiclient.InvoiceCurrency {
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

// listInvoices lists the open invoices in the weeks in which their customers usually pay. One whose
// expected day has passed is expected on the first day.
func (f *Forecast) listInvoices(invoices []apiclient.Invoice) {
	f.Open, f.Late = receipts(invoices, f.Today)
	for i := range f.Open {
		r := &f.Open[i]
		if r.Day.Before(f.Weeks[0].First) {
			r.Day = f.Weeks[0].First
		}
		if week := r.Day.DaysSince(f.Weeks[0].First) / 7; week < Weeks {
			f.Weeks[week].Receipts = append(f.Weeks[week].Receipts, *r)
		}
	}
}
