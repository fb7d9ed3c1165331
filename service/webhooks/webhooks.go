// Package webhooks defines endpoints, deliveries and their rules: which URLs are accepted,
// how a delivery is signed, when it is retried, and when an endpoint is disabled
// (docs/api.md, Webhook endpoint, Delivery, Retry schedule, Automatic disabling).
//
// The rules are pure functions: they use no clock, network or database.
package webhooks

import (
	"slices"
	"time"

	"tarmac/service/events"
)

// MaxEndpoints is how many endpoints an organization may have, whatever their status.
const MaxEndpoints = 20

// MaxListed is how many deliveries of an endpoint the API lists.
const MaxListed = 100

// Status is the status of an endpoint. Events are delivered only while it is Active.
type Status string

// The statuses of an endpoint. Only the service sets AutoDisabled.
const (
	Active       Status = "active"
	Paused       Status = "paused"
	AutoDisabled Status = "auto_disabled"
)

// Reason is why an endpoint was disabled.
type Reason string

// The reasons for disabling an endpoint.
const (
	Gone    Reason = "gone"    // the receiver responded 410
	Failing Reason = "failing" // all deliveries failed for DisableAfter
)

// Endpoint is a URL that events are delivered to. Its secrets are not included, because they are
// decrypted only for sending. Times are in UTC.
type Endpoint struct {
	ID                      string // public id, "wh_…"
	URL                     string
	EventTypes              []events.Type // in the order given
	Status                  Status
	DisabledAt              *time.Time
	DisabledReason          Reason // "" unless auto-disabled
	FailingSince            *time.Time
	PreviousSecretExpiresAt *time.Time // set while the previous secret signs too
	CreatedAt               time.Time
	UpdatedAt               time.Time
}

// Wants reports whether events of that type are delivered to the endpoint. Test events are not,
// because each is sent to one endpoint regardless of its event types.
func (e *Endpoint) Wants(t events.Type) bool {
	return e.Status == Active && t != events.TestEvent && slices.Contains(e.EventTypes, t)
}

// DeliveryStatus is the status of a delivery.
type DeliveryStatus string

// The statuses of a delivery. Delivered and failed are final.
const (
	Pending   DeliveryStatus = "pending"
	Delivered DeliveryStatus = "delivered"
	Failed    DeliveryStatus = "failed"
)

// Problem is why an attempt failed.
type Problem string

// The problems of an attempt. NoProblem means that the receiver acknowledged the delivery.
const (
	NoProblem         Problem = ""
	DNSError          Problem = "dns_error"
	ConnectionRefused Problem = "connection_refused"
	ConnectionReset   Problem = "connection_reset"
	TimedOut          Problem = "timeout"
	TLSError          Problem = "tls_error"
	BlockedAddress    Problem = "blocked_address"
	Redirected        Problem = "redirect"
	BadStatus         Problem = "http_status"
	GoneForGood       Problem = "gone"
)

// Delivery is the delivery of one event to one endpoint, which may take several attempts.
type Delivery struct {
	ID               string // public id, "whd_…"
	EventID          string
	EventType        events.Type
	Status           DeliveryStatus
	AttemptCount     int
	LastResponseCode int // 0 if the last attempt had no response
	LastProblem      Problem
	NextRetryAt      *time.Time // nil unless pending
	CreatedAt        time.Time
	LastAttemptAt    *time.Time
	DeliveredAt      *time.Time
}

// Consequence is what an attempt changes in its delivery and its endpoint.
type Consequence struct {
	Status       DeliveryStatus
	RetryIn      time.Duration // wait until the next attempt, if Status is Pending
	Disable      Reason        // why the endpoint is disabled; "" if it is not
	StartFailing bool          // Endpoint.FailingSince is set, unless it is set already
	StopFailing  bool          // Endpoint.FailingSince is cleared
}
