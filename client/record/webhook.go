package record

import "tarmac/apiclient"

// Webhook describes the fields of a webhook endpoint.
func Webhook(w apiclient.Webhook) Object {
	return Object{
		Text("id", "Id", w.ID).inTable(),
		Text("url", "URL", w.URL).inTable().truncated(),
		words("event_types", "Events", w.EventTypes).inTable().truncated().dropOrder(2),
		Text("status", "Status", string(w.Status)).inTable(),
		Time("created_at", "Created", w.CreatedAt),
		Time("updated_at", "Updated", w.UpdatedAt),
		Time("disabled_at", "Disabled", w.DisabledAt),
		nullIfEmpty("disabled_reason", "Disabled reason", w.DisabledReason).inTable().truncated().dropOrder(1),
		Time("previous_secret_expires_at", "Previous secret valid until", w.PreviousSecretExpiresAt),
	}.WithExtra(w.Extra)
}

// Delivery describes the delivery of an event to an endpoint.
func Delivery(d apiclient.WebhookDelivery) Object {
	return Object{
		Text("id", "Id", d.ID).inTable().dropOrder(1),
		Text("event_id", "Event id", d.EventID).inTable().dropOrder(2),
		Text("event_type", "Event", string(d.EventType)).inTable(),
		Text("status", "Status", string(d.Status)).inTable(),
		Count("attempt_count", "Tries", d.Attempts).inTable(),
		Count("last_response_code", "Code", d.LastResponseCode).inTable(),
		nullIfEmpty("last_error", "Error", d.LastError).inTable().truncated(),
		Time("next_retry_at", "Next try", d.NextRetryAt).inTable(),
		Time("created_at", "Created", d.CreatedAt),
		Time("last_attempt_at", "Last try", d.LastAttemptAt),
		Time("delivered_at", "Delivered", d.DeliveredAt),
	}.WithExtra(d.Extra)
}

// QueuedTest describes a test event that the server has queued for delivery.
func QueuedTest(q *apiclient.QueuedTest) Object {
	return Object{
		Text("event_id", "Event id", q.EventID),
		Text("delivery_id", "Delivery id", q.DeliveryID),
	}.WithExtra(q.Extra)
}
