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

// Known reports whether the API defines s.
func (s DeliveryStatus) Known() bool {
	switch s {
	case DeliveryPending, DeliveryDelivered, DeliveryFailed:
		return true
	}
	return false
}

// WebhookDelivery is the delivery of one event to one endpoint, over all its attempts
// (docs/api.md, Delivery record). Only the status is always present; missing fields are ""
// or nil. Extra holds undefined fields in the server's order. Times are UTC.
type WebhookDelivery struct {
	ID               string
	EventID          string
	EventType        EventType
	Status           DeliveryStatus
	Attempts         *int64
	LastResponseCode *int64 // HTTP status of the last attempt; nil without a response
	LastError        string // such as timeout or http_status
	NextRetryAt      *time.Time
	CreatedAt        *time.Time
	LastAttemptAt    *time.Time
	DeliveredAt      *time.Time
	Extra            []Field
	// Unreadable is set when only ID and EventID could be read, and tells why.
	Unreadable *ContractError
}

// WebhookDeliveries returns the latest deliveries to an endpoint, newest first, or
// ErrNotFound.
func (c *Client) WebhookDeliveries(ctx context.Context, id string) ([]WebhookDelivery, error) {
	call, err := readOne(oneWebhook+"/deliveries", id)
	if err != nil {
		return nil, err
	}
	return fetchList(ctx, c, call, (*object).delivery, WebhookDelivery.asUnreadable)
}

func (d WebhookDelivery) asUnreadable(reason *ContractError) WebhookDelivery {
	return WebhookDelivery{ID: d.ID, EventID: d.EventID, Unreadable: reason}
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
		NextRetryAt:      o.timestamp("next_retry_at", "next_attempt_at"),
		CreatedAt:        o.timestamp("created_at"),
		LastAttemptAt:    o.timestamp("last_attempt_at"),
		DeliveredAt:      o.timestamp("delivered_at"),
	}
	if d.Status == "" {
		f.fail("status", "is missing")
	}
	d.Extra = o.extra()
	return d
}
