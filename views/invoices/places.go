package invoices

import (
	"cmp"

	"tarmac/apiclient"
	"tarmac/views"
)

// Records returns the invoices of all lists in memory, the newest first, and their customers.
func (s *Screen) Records() (all []views.Record) {
	add := func(i *apiclient.Invoice) {
		all = append(all, views.Record{
			Kind: views.InvoiceRecord, Name: cmp.Or(i.Number, i.ID), Hint: i.RecipientName,
			To: views.Visit{Screen: views.Invoices, Target: views.InvoiceTarget{ID: i.ID}},
		})
		if i.RecipientName != "" {
			all = append(all, views.NameOf(i.RecipientName))
		}
	}
	for i := range s.lists {
		list, _ := s.lists[i].state.Value()
		for j := range list {
			add(&list[j])
		}
	}
	return all
}

// Places returns where else the customer of the invoice under the cursor is.
func (s *Screen) Places() []views.Place {
	i, ok := s.current()
	if !ok {
		return nil
	}
	return views.PlacesOf(i.RecipientName)
}
