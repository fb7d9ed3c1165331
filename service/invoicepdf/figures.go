package invoicepdf

import (
	"tarmac/internal/money"
	"tarmac/service/invoicing"
)

// mark returns the word that is stamped on an invoice of that status, "" for one
// that is simply sent.
func mark(status invoicing.Status) (string, ink) {
	switch status {
	case invoicing.Draft:
		return "DRAFT", grey
	case invoicing.Overdue:
		return "OVERDUE", red
	case invoicing.Paid:
		return "PAID", green
	case invoicing.Voided:
		return "VOID", red
	}
	return "", black
}

// demand says what an invoice asks for: a sum, and a clause after it.
func demand(inv invoicing.Invoice) (sum, clause string) {
	due := ""
	if !inv.DueDate.IsZero() {
		due = day(inv.DueDate.Time())
	}
	switch inv.Status {
	case invoicing.Draft:
		return money.USD(inv.TotalCents), "draft, not yet a request for payment"
	case invoicing.Paid:
		clause = "paid"
		if inv.PaidAt != nil {
			clause += " on " + day(*inv.PaidAt)
		}
		return money.USD(inv.TotalCents), clause
	case invoicing.Voided:
		return money.USD(0), "due: this invoice is void"
	case invoicing.Overdue:
		clause = "overdue"
		if due != "" {
			clause += ", was due on " + due
		}
		return money.USD(inv.OutstandingCents()), clause
	}
	clause = "due"
	if due != "" {
		clause += " on " + due
	}
	return money.USD(inv.OutstandingCents()), clause
}

// figure is a line under the table.
type figure struct {
	label, sum string
	strong     bool
}

// figures lists what the lines come to and what is still owed of it.
func figures(inv invoicing.Invoice) []figure {
	// What is paid is paid in full, however it was.
	applied := inv.PaidCents
	if inv.Status == invoicing.Paid {
		applied = inv.TotalCents
	}
	all := []figure{
		{"Subtotal", money.USD(inv.SubtotalCents), false},
		{"Tax", money.USD(inv.TaxCents), false},
	}
	switch {
	case applied == 0 && inv.Status == invoicing.Voided:
		return append(all, figure{"Total", money.USD(inv.TotalCents), true})
	case applied == 0:
		return append(all, figure{"Total due (USD)", money.USD(inv.TotalCents), true})
	}
	return append(all,
		figure{"Total", money.USD(inv.TotalCents), false},
		figure{"Payments applied", money.USD(-applied), false},
		figure{"Balance due (USD)", money.USD(inv.OutstandingCents()), true})
}
