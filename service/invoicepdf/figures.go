package invoicepdf

import (
	"tarmac/internal/money"
	"tarmac/service/invoicing"
)

// statusLabel returns the text and color of the status badge. The text is "" for a sent invoice,
// which has no badge.
func statusLabel(status invoicing.Status) (string, color) {
	switch status {
	case invoicing.Draft:
		return "DRAFT", gray
	case invoicing.Overdue:
		return "OVERDUE", red
	case invoicing.Paid:
		return "PAID", green
	case invoicing.Voided:
		return "VOID", red
	}
	return "", black
}

// amountDue returns the amount that the PDF shows in large type, and the words after it, such as
// "due on January 2, 2026".
func amountDue(inv invoicing.Invoice) (sum, clause string) {
	due := ""
	if !inv.DueDate.IsZero() {
		due = day(inv.DueDate.Time())
	}
	switch inv.Status {
	case invoicing.Draft:
		return money.Text(inv.TotalCents, "USD"), "draft, not yet a request for payment"
	case invoicing.Paid:
		clause = "paid"
		if inv.PaidAt != nil {
			clause += " on " + day(*inv.PaidAt)
		}
		return money.Text(inv.TotalCents, "USD"), clause
	case invoicing.Voided:
		return money.Text(0, "USD"), "due: this invoice is void"
	case invoicing.Overdue:
		clause = "overdue"
		if due != "" {
			clause += ", was due on " + due
		}
		return money.Text(inv.OutstandingCents(), "USD"), clause
	}
	clause = "due"
	if due != "" {
		clause += " on " + due
	}
	return money.Text(inv.OutstandingCents(), "USD"), clause
}

// figure is a labeled amount below the line items, such as the total.
type figure struct {
	label, sum string
	strong     bool
}

// figures returns the amounts below the line items of an invoice, from top to bottom.
func figures(inv invoicing.Invoice) []figure {
	// A paid invoice is shown as paid in full, whatever payments are recorded.
	applied := inv.PaidCents
	if inv.Status == invoicing.Paid {
		applied = inv.TotalCents
	}
	all := []figure{
		{"Subtotal", money.Text(inv.SubtotalCents, "USD"), false},
		{"Tax", money.Text(inv.TaxCents, "USD"), false},
	}
	switch {
	case applied == 0 && inv.Status == invoicing.Voided:
		return append(all, figure{"Total", money.Text(inv.TotalCents, "USD"), true})
	case applied == 0:
		return append(all, figure{"Total due (USD)", money.Text(inv.TotalCents, "USD"), true})
	}
	return append(all,
		figure{"Total", money.Text(inv.TotalCents, "USD"), false},
		figure{"Payments applied", money.Text(-applied, "USD"), false},
		figure{"Balance due (USD)", money.Text(inv.OutstandingCents(), "USD"), true})
}
