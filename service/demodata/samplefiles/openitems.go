package samplefiles

import (
	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// openList is the list of the invoices that are open at the end of a day.
type openList struct {
	asOf  civil.Date
	items []bank.OpenItem
}

// openItems returns the invoices that are open at the end of the day asOf. The paid amount of an
// invoice is the sum of the ledger rows that have its number as their reference.
func (c *company) openItems(h *demodata.History, asOf civil.Date) openList {
	paid := make(map[string]int64)
	for _, t := range h.Rows {
		if t.Direction == ledger.Inflow && !t.Date.After(asOf) {
			paid[t.Reference] += t.AmountMinor
		}
	}
	list := openList{asOf: asOf}
	for _, inv := range h.Invoices {
		number := inv.Number()
		due := inv.TotalCents - paid[number]
		if inv.SentAt == nil || civil.Of(*inv.SentAt).After(asOf) || due == 0 ||
			inv.VoidedAt != nil && !civil.Of(*inv.VoidedAt).After(asOf) {
			continue
		}
		list.items = append(list.items, bank.OpenItem{
			Number: number, Party: inv.RecipientName, Issued: civil.Of(*inv.SentAt), Due: inv.DueDate,
			Currency: c.currency(inv.Currency), Minor: due,
		})
	}
	return list
}
