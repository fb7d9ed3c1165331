package record

import (
	"strings"

	"tarmac/apiclient"
)

// PaymentIntent describes the fields of a payment intent.
func PaymentIntent(p *apiclient.PaymentIntent) Object {
	return Object{
		Text("id", "Id", p.ID),
		Text("status", "Status", string(p.Status)).withDetail(paymentStatus(p.Status)),
		amount("amount_cents", "Amount", p.Amount).withDirection(p.Direction),
		Text("currency", "", p.Amount.Currency()),
		Text("direction", "Direction", string(p.Direction)).withDetail(directionWords(p.Direction)),
		Text("description", "Description", p.Description),
		counterpartyName("Counterparty", p.CounterpartyName),
		nullIfEmpty("status_reason", "Reason", p.StatusReason).withDetail(strings.ReplaceAll(p.StatusReason, "_", " ")),
		Time("created_at", "Created", p.CreatedAt),
		Time("updated_at", "Updated", p.UpdatedAt),
		Time("held_at", "Held", p.HeldAt),
		Time("completed_at", "Completed", p.CompletedAt),
		Time("failed_at", "Failed", p.FailedAt),
		Time("canceled_at", "Canceled", p.CanceledAt),
	}.WithExtra(p.Extra)
}

// paymentStatus explains the status of a payment intent. For an unknown status it returns "".
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
