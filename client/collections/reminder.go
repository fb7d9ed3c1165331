package collections

import (
	"cmp"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/termtext"
)

// Reminder returns a text for a mail to the customer about the overdue invoices. It names their
// numbers and due dates, and their amounts if the customer IsConfirmed. It has no header lines. It
// returns "" if no invoice is overdue.
func (c *Customer) Reminder() string {
	overdue := c.OverdueInvoices()
	if len(overdue) == 0 {
		return ""
	}
	opening, closing := "this invoice is past due:", "Please let us know when we can expect the payment. "+
		"If you have paid in the meantime, please ignore this message."
	if len(overdue) > 1 {
		opening = "these invoices are past due:"
	}
	lines := []string{"Hello,", "", opening, ""}
	for i := range overdue {
		lines = append(lines, "- "+c.item(&overdue[i]))
	}
	if total := c.overdueTotal(); len(overdue) > 1 && c.IsConfirmed && total.Known() {
		lines = append(lines, "", "The total is "+total.String()+".")
	}
	return strings.Join(append(lines, "", closing, ""), "\n")
}

// item describes an overdue invoice in one line of a reminder.
func (c *Customer) item(o *Open) string {
	text := cmp.Or(termtext.Line(o.Number), "invoice without a number") + ", due " + civil.Of(*o.DueDate).String()
	if c.IsConfirmed {
		text += ", " + o.Total.String()
	}
	return text
}
