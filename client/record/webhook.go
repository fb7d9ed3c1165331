package record

import "tarmac/apiclient"

// Webhook describes an endpoint.
func Webhook(w apiclient.Webhook) Object {
	return Object{
		Text("id", "Id", w.ID).in(),
		Text("url", "URL", w.URL).in().cut(),
		words("event_types", "Events", w.EventTypes).in().cut().yields(2),
		Text("status", "Status", string(w.Status)).in(),
		Time("created_at", "Created", w.CreatedAt),
		Time("updated_at", "Updated", w.UpdatedAt),
		Time("disabled_at", "Disabled", w.DisabledAt),
		optional("disabled_reason", "Disabled reason", w.DisabledReason).in().cut().yields(1),
		Time("previous_secret_expires_at", "Previous secret valid until", w.PreviousSecretExpiresAt),
	}.With(w.Extra)
}

// Delivery describes the delivery of an event to an endpoint.
func Delivery(d apiclient.WebhookDelivery) Object {
	return Object{
		Text("id", "Id", d.ID).in().yields(1),
		Text("event_id", "Event id", d.EventID).in().yields(2),
		Text("event_type", "Event", string(d.EventType)).in(),
		Text("status", "Status", string(d.Status)).in(),
		Count("attempt_count", "Tries", d.Attempts).in(),
		Count("last_response_code", "Code", d.LastResponseCode).in(),
		optional("last_error", "Error", d.LastError).in().cut(),
		Time("next_retry_at", "Next try", d.NextRetryAt).in(),
		Time("created_at", "Created", d.CreatedAt),
		Time("last_attempt_at", "Last try", d.LastAttemptAt),
		Time("delivered_at", "Delivered", d.DeliveredAt),
	}.With(d.Extra)
}

// QueuedTest describes a test event that will be delivered.
func QueuedTest(q *apiclient.QueuedTest) Object {
	return Object{
		Text("event_id", "Event id", q.EventID),
		Text("delivery_id", "Delivery id", q.DeliveryID),
	}.With(q.Extra)
}
