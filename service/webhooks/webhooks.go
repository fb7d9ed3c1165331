// Package webhooks defines webhook endpoints, deliveries and their rules: which URLs are accepted,
// how a delivery is signed, when it is retried, and when an endpoint is disabled (docs/api.md,
// Webhook endpoint, Delivery, Retry schedule, Automatic disabling).
//
// The rules are pure functions: they use no clock, network or database.
package webhooks

import (
	"slices"
	"time"

	"tarmac/service/events"
)

// MaxEndpoints is the largest number of webhook endpoints of an organization, whatever their
// status.
const MaxEndpoints = 20

// MaxListed is the largest number of deliveries that the API lists for an endpoint.
const MaxListed = 100

// Status is the status of a webhook endpoint. Events are delivered only while it is Active.
type Status string

// The statuses of a webhook endpoint. AutoDisabled is set by the service only, not by clients.
const (
	Active       Status = "active"
	Paused       Status = "paused"
	AutoDisabled Status = "auto_disabled"
)

// Reason is the reason why the service disabled an endpoint.
type Reason string

// The reasons why the service disables an endpoint.
const (
	Gone    Reason = "gone"    // the receiver responded with status 410
	Failing Reason = "failing" // all attempts failed during DisableAfter
)

// Endpoint is a URL to which events are delivered. Its signing secrets are not included, because
// they are decrypted only to sign deliveries. Times are in UTC.
type Endpoint struct {
	ID                      string // public id, "wh_…"
	URL                     string
	EventTypes              []events.Type // in the order in which the client gave them
	Status                  Status
	DisabledAt              *time.Time
	DisabledReason          Reason // "" unless Status is AutoDisabled
	FailingSince            *time.Time
	PreviousSecretExpiresAt *time.Time // nil unless the previous secret signs too
	CreatedAt               time.Time
	UpdatedAt               time.Time
}

// Wants reports whether events of the type t are delivered to the endpoint. It is false for test
// events, each of which is sent to one endpoint regardless of its event types.
func (e *Endpoint) Wants(t events.Type) bool {
	return e.Status == Active && t != events.TestEvent && slices.Contains(e.EventTypes, t)
}

// DeliveryStatus is the status of a delivery, such as "pending".
type DeliveryStatus string

// The statuses of a delivery. Delivered and failed are final.
const (
	Pending   DeliveryStatus = "pending"
	Delivered DeliveryStatus = "delivered"
	Failed    DeliveryStatus = "failed"
)

// Problem is the reason why a delivery attempt failed.
type Problem string

// The problems of a delivery attempt. NoProblem means that the receiver acknowledged the delivery.
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
	LastResponseCode int // status of the last response; 0 if the last attempt had none
	LastProblem      Problem
	NextRetryAt      *time.Time // nil unless Status is Pending
	CreatedAt        time.Time
	LastAttemptAt    *time.Time
	DeliveredAt      *time.Time
}

// Consequence holds what a delivery attempt changes in its delivery and its endpoint.
type Consequence struct {
	Status       DeliveryStatus
	RetryIn      time.Duration // wait before the next attempt, if Status is Pending
	Disable      Reason        // reason for disabling the endpoint; "" if it is not disabled
	StartFailing bool          // true if Endpoint.FailingSince must be set, unless it is set already
	StopFailing  bool          // true if Endpoint.FailingSince must be cleared
}
