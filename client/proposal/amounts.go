package proposal

import (
	"tarmac/apiclient"
	"tarmac/client/draft"
)

// Price returns the price of one unit of a line item.
func Price(l apiclient.LineItem) apiclient.Amount {
	return apiclient.NewAmount(l.UnitPriceCents, apiclient.InvoiceCurrency)
}

// LineAmount returns the quantity times the price of a line item; unknown if the item is invalid.
func LineAmount(l apiclient.LineItem) apiclient.Amount { return computed(l.Amount()) }

// DraftAmount returns the LineAmount of a line item as it was typed.
func DraftAmount(l draft.Line) apiclient.Amount {
	item, _, _ := readLine(l)
	return LineAmount(item)
}

// Total returns the sum of all line items. It is unknown if one of them is invalid or the sum is
// too large.
func Total(p apiclient.InvoiceProposal) apiclient.Amount { return computed(p.Total()) }

func computed(cents int64, err error) apiclient.Amount {
	if err != nil {
		return apiclient.UnknownAmount(apiclient.InvoiceCurrency)
	}
	return apiclient.NewAmount(cents, apiclient.InvoiceCurrency)
}
