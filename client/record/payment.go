package record

import (
	"strings"

	"tarmac/apiclient"
)

// PaymentIntent describes a requested payment.
func PaymentIntent(p *apiclient.PaymentIntent) Object {
	return Object{
		Text("id", "Id", p.ID),
		Text("status", "Status", string(p.Status)).says(paymentStatus(p.Status)),
		amount("amount_cents", "Amount", p.Amount).moved(p.Direction),
		Text("currency", "", p.Amount.Currency()),
		Text("direction", "Direction", string(p.Direction)).says(directionWords(p.Direction)),
		Text("description", "Description", p.Description),
		Text("counterparty_name", "Counterparty", p.CounterpartyName),
		optional("status_reason", "Reason", p.StatusReason).says(strings.ReplaceAll(p.StatusReason, "_", " ")),
		Time("created_at", "Created", p.CreatedAt),
		Time("updated_at", "Updated", p.UpdatedAt),
		Time("held_at", "Held", p.HeldAt),
		Time("completed_at", "Completed", p.CompletedAt),
		Time("failed_at", "Failed", p.FailedAt),
		Time("canceled_at", "Canceled", p.CanceledAt),
	}.With(p.Extra)
}

// paymentStatus explains a status. It returns "" for an unknown one.
func paymentStatus(status apiclient.PaymentStatus) string {
	switch status {
	case apiclient.PaymentProcessing:
		return "processing: in progress"
	case apiclient.PaymentHeld:
		return "held: waiting for approval or release"
	case apiclient.PaymentCompleted:
		return "completed: money has moved"
	case apiclient.PaymentFailed:
		return "failed: no money has moved"
	case apiclient.PaymentCanceled:
		return "canceled: no money has moved"
	}
	return ""
}
