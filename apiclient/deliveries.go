package apiclient

import (
	"context"
	"time"
)

// DeliveryStatus is the state of a delivery (docs/api.md, Delivery record).
type DeliveryStatus string

// The statuses of a delivery.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
)

// Known reports whether s is one of the API's.
func (s DeliveryStatus) Known() bool {
	switch s {
	case DeliveryPending, DeliveryDelivered, DeliveryFailed:
		return true
	}
	return false
}

// WebhookDelivery is one event on its way to one endpoint, over all its attempts
// (docs/api.md, Delivery record). Only its status is certain; what the server does
// not send is "" or nil, and what else it sends is in Extra, in its order. Times are
// UTC.
type WebhookDelivery struct {
	ID               string
	EventID          string
	EventType        EventType
	Status           DeliveryStatus
	Attempts         *int64
	LastResponseCode *int64 // HTTP status of the last attempt; nil when no answer came
	LastError        string // such as timeout or http_status
	NextRetryAt      *time.Time
	CreatedAt        *time.Time
	LastAttemptAt    *time.Time
	DeliveredAt      *time.Time
	Extra            []Field
	// Unreadable is why all but the ids of delivery and event could not be read; nil
	// where it could.
	Unreadable *ContractError
}

// WebhookDeliveries returns the latest deliveries to an endpoint, newest first, or
// ErrNotFound.
func (c *Client) WebhookDeliveries(ctx context.Context, id string) ([]WebhookDelivery, error) {
	call, err := readOne(oneWebhook+"/deliveries", id)
	if err != nil {
		return nil, err
	}
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	return decodeList(call, body, (*object).delivery, WebhookDelivery.reduced)
}

func (d WebhookDelivery) reduced(why *ContractError) WebhookDelivery {
	return WebhookDelivery{ID: d.ID, EventID: d.EventID, Unreadable: why}
}

func (o *object) delivery(f *fields) WebhookDelivery {
	d := WebhookDelivery{
		ID:               o.text("id", "delivery_id"),
		EventID:          o.text("event_id"),
		EventType:        EventType(o.text("event_type", "type")),
		Status:           DeliveryStatus(o.text("status")),
		Attempts:         o.integer("attempt_count", "attempts"),
		LastResponseCode: o.integer("last_response_code", "response_code"),
		LastError:        o.text("last_error"),
		NextRetryAt:      o.moment("next_retry_at", "next_attempt_at"),
		CreatedAt:        o.moment("created_at"),
		LastAttemptAt:    o.moment("last_attempt_at"),
		DeliveredAt:      o.moment("delivered_at"),
	}
	if d.Status == "" {
		f.fail("status", "is missing")
	}
	d.Extra = o.rest()
	return d
}
