// Package webhooks holds endpoints, deliveries and the rules of delivering:
// which URLs are taken, how a delivery is signed, when it is tried again, and
// when an endpoint is given up (docs/api.md, Webhook endpoint, Delivery, Retry
// schedule, Automatic disabling).
//
// The rules are functions on values: no clock, no network, no database.
package webhooks

import (
	"slices"
	"time"

	"tarmac/service/events"
)

// MaxEndpoints is how many endpoints an organization may have, whatever their
// status.
const MaxEndpoints = 20

// MaxListed is how many deliveries a listing has at most.
const MaxListed = 100

// Status is whether events are delivered to an endpoint.
type Status string

// The statuses. Only the service itself sets AutoDisabled.
const (
	Active       Status = "active"
	Paused       Status = "paused"
	AutoDisabled Status = "auto_disabled"
)

// Reason is why an endpoint was disabled.
type Reason string

// The reasons.
const (
	Gone    Reason = "gone"    // the receiver answered 410
	Failing Reason = "failing" // it answered nothing good for days
)

// Endpoint is where events are delivered to. The secrets are not in it: they
// are sealed, and only sending opens them. Times are UTC, nil where there is none.
type Endpoint struct {
	ID                      string // public id, "wh_…"
	URL                     string
	EventTypes              []events.Type // in the order first given
	Status                  Status
	DisabledAt              *time.Time
	DisabledReason          Reason // "" unless auto-disabled
	FailingSince            *time.Time
	PreviousSecretExpiresAt *time.Time // set while the previous secret signs too
	CreatedAt               time.Time
	UpdatedAt               time.Time
}

// Wants reports whether an event of that type is to be delivered here. A test
// event never is: only verify sends one, to the endpoint that it names.
func (e *Endpoint) Wants(t events.Type) bool {
	return e.Status == Active && t != events.TestEvent && slices.Contains(e.EventTypes, t)
}

// DeliveryStatus is how far a delivery has come.
type DeliveryStatus string

// The statuses of a delivery. Delivered and failed are final.
const (
	Pending   DeliveryStatus = "pending"
	Delivered DeliveryStatus = "delivered"
	Failed    DeliveryStatus = "failed"
)

// Problem is what went wrong with an attempt.
type Problem string

// The problems. NoProblem is that of an attempt that was acknowledged.
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

// Delivery is one event on its way to one endpoint, over all its attempts.
type Delivery struct {
	ID               string // public id, "whd_…"
	EventID          string
	EventType        events.Type
	Status           DeliveryStatus
	AttemptCount     int
	LastResponseCode int // 0 when the last attempt had no answer
	LastProblem      Problem
	NextRetryAt      *time.Time // set exactly while pending
	CreatedAt        time.Time
	LastAttemptAt    *time.Time
	DeliveredAt      *time.Time
}

// Verdict is what follows from an attempt.
type Verdict struct {
	Status      DeliveryStatus
	RetryIn     time.Duration // while pending: until the next attempt
	Disable     Reason        // "" leaves the endpoint as it is
	ClockStarts bool          // the endpoint is failing from now on, unless it is already
	ClockStops  bool          // it is not failing any more
}
