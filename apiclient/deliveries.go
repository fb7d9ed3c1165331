package apiclient

import (
	"context"
	"time"
)

// DeliveryStatus is the status of a delivery (docs/api.md, Delivery record).
type DeliveryStatus string

// Values of DeliveryStatus.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
)

// Known reports whether s is one of the values that the API defines.
func (s DeliveryStatus) Known() bool {
	switch s {
	case DeliveryPending, DeliveryDelivered, DeliveryFailed:
		return true
	}
	return false
}

// WebhookDelivery is the delivery of one event to one endpoint, with all its attempts (docs/api.md,
// Delivery record). Only the status is always present; missing fields are "" or nil. Extra holds
// the fields that the API does not define, in the server's order. Times are in UTC.
type WebhookDelivery struct {
	ID               string
	EventID          string
	EventType        EventType
	Status           DeliveryStatus
	Attempts         *int64
	LastResponseCode *int64 // HTTP status of the latest attempt; nil if there was no response
	LastError        string // such as "timeout" or "http_status"
	NextRetryAt      *time.Time
	CreatedAt        *time.Time
	LastAttemptAt    *time.Time
	DeliveredAt      *time.Time
	Extra            []Field
	// Unreadable says why the delivery could not be decoded. If it is set, only ID and EventID are
	// valid.
	Unreadable *ContractError
}

// WebhookDeliveries returns the latest deliveries to an endpoint, newest first. It returns
// ErrNotFound if the endpoint does not exist.
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
