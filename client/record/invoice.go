package record

import (
	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// Invoice describes the fields of an invoice.
func Invoice(i apiclient.Invoice) Object {
	due := Time("due_date", "Due", i.DueDate)
	due.Kind = KindDate
	if i.DueDate != nil {
		due.text = civil.Of(*i.DueDate).String()
	}
	return Object{
		Text("id", "Id", i.ID).inTable(),
		Text("number", "Number", i.Number).inTable(),
		Text("status", "Status", string(i.Status)).inTable().dropOrder(2),
		Text("currency", "", i.Total.Currency()),
		Text("description", "Description", i.Description),
		Text("recipient_name", "Recipient", i.RecipientName).inTable().truncated(),
		Text("recipient_email", "E-mail", i.RecipientEmail),
		amount("subtotal_cents", "Subtotal", i.Subtotal),
		amount("tax_cents", "Tax", i.Tax),
		amount("total_cents", "Total", i.Total).inTable(),
		Time("created_at", "Created", &i.CreatedAt),
		Time("updated_at", "Updated", &i.UpdatedAt),
		due.inTable().dropOrder(1),
		Time("sent_at", "Sent", i.SentAt),
		Time("paid_at", "Paid", i.PaidAt),
		Time("voided_at", "Voided", i.VoidedAt),
	}
}
