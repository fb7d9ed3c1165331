package httpapi

import (
	"time"

	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// deliveryResponse is the JSON form of a webhook delivery, without the body of the receiver's
// response (docs/api.md, Delivery record).
type deliveryResponse struct {
	ID               string                  `json:"id"`
	EventID          string                  `json:"event_id"`
	EventType        events.Type             `json:"event_type"`
	Status           webhooks.DeliveryStatus `json:"status"`
	AttemptCount     int                     `json:"attempt_count"`
	LastResponseCode *int                    `json:"last_response_code"`
	LastError        *string                 `json:"last_error"`
	NextRetryAt      *time.Time              `json:"next_retry_at"`
	CreatedAt        time.Time               `json:"created_at"`
	LastAttemptAt    *time.Time              `json:"last_attempt_at"`
	DeliveredAt      *time.Time              `json:"delivered_at"`
}

// listWebhookDeliveries responds with the deliveries of a webhook endpoint, newest first. Each
// event has one delivery.
func listWebhookDeliveries(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var all []webhooks.Delivery
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		all, err = snap.Deliveries(c.credential.Org, c.pathParam, webhooks.MaxListed)
		return err
	})
	if err != nil {
		return nil, lookupError(err, webhookEndpoint)
	}
	response := make([]deliveryResponse, len(all))
	for i, d := range all {
		response[i] = deliveryResponse{
			ID: d.ID, EventID: d.EventID, EventType: d.EventType, Status: d.Status, AttemptCount: d.AttemptCount,
			LastError: nullableText(string(d.LastProblem)), NextRetryAt: nullableTime(d.NextRetryAt),
			CreatedAt: timestamp(d.CreatedAt), LastAttemptAt: nullableTime(d.LastAttemptAt),
			DeliveredAt: nullableTime(d.DeliveredAt),
		}
		if d.LastResponseCode != 0 {
			response[i].LastResponseCode = &d.LastResponseCode
		}
	}
	return response, nil
}
