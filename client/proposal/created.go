package proposal

import "tarmac/apiclient"

// LinesLabel introduces the line items of a created invoice. The API returns no line items
// (docs/api.md, Invoice), so that the program shows those that it sent.
const LinesLabel = "Line items as sent"

// Difference says that the line items that were sent do not add up to what the server returned for
// the invoice. It returns "" if they do. The server may have changed them, or the user may have
// taken another draft for the invoice.
func Difference(sent apiclient.InvoiceProposal, created apiclient.Invoice) string {
	lines := Total(sent)
	if lines.Known() && created.Subtotal == lines {
		return ""
	}
	return "The subtotal of the draft is " + created.Subtotal.String() + ", but the line items that were sent add up to " +
		lines.String() + "."
}

// Sum is a labelled amount of an invoice.
type Sum struct {
	Label  string
	Amount apiclient.Amount
}

// Sums returns the amounts of a created invoice as the server returned them. It leaves out the
// subtotal and the tax if there is no tax.
func Sums(created apiclient.Invoice) []Sum {
	total := Sum{"Total", created.Total}
	if tax, known := created.Tax.Minor(); known && tax == 0 && created.Subtotal == created.Total {
		return []Sum{total}
	}
	return []Sum{{"Subtotal", created.Subtotal}, {"Tax", created.Tax}, total}
}
