package endpoint

import (
	"slices"
	"time"

	"tarmac/apiclient"
)

// Operation is a kind of request that changes or tests an endpoint.
type Operation int

// The operations. None is the zero value.
const (
	None Operation = iota
	Create
	Change
	Pause
	Activate
	Rotate
	Delete
	Verify
)

// Verb returns the operation as an infinitive: "delete it".
func (o Operation) Verb() string {
	return [...]string{"", "create it", "change it", "pause it", "activate it", "rotate its secret", "delete it",
		"send a test event"}[o]
}

// Done returns the operation as a predicate for the endpoint's name: "was deleted".
func (o Operation) Done() string {
	return [...]string{"", "was created", "was changed", "was paused", "was activated", "has a new secret", "was deleted",
		"was sent a test event"}[o]
}

// Unanswered is an operation whose outcome is unknown, because its response was lost.
type Unanswered struct {
	Operation Operation
	Endpoint  apiclient.Webhook // before the request; for Create only the URL is set
	Listed    []string          // ids of the endpoints listed before the request
	Reason    string            // why the outcome is unknown
}

// Before notes what is known before an operation on w is sent, in case its response is lost. listed
// is all endpoints.
func Before(o Operation, w apiclient.Webhook, listed []apiclient.Webhook) Unanswered {
	u := Unanswered{Operation: o, Endpoint: w}
	for i := range listed {
		u.Listed = append(u.Listed, listed[i].ID)
	}
	return u
}

// Created returns the endpoint that a Create without a response probably created: one with the same
// URL that was not listed before. It returns nil if all has none.
func (u *Unanswered) Created(all []apiclient.Webhook) *apiclient.Webhook {
	for i := range all {
		if u.Operation == Create && all[i].URL == u.Endpoint.URL && !slices.Contains(u.Listed, all[i].ID) {
			return &all[i]
		}
	}
	return nil
}

// Advice tells what to press or type in a front end to repeat an operation. Create, Delete and
// Verify are sentences; Rotate is a phrase such as "press s".
type Advice struct{ Create, Rotate, Delete, Verify string }

// UnknownText returns a sentence that the outcome is unknown, and why.
func (u *Unanswered) UnknownText() string {
	return "Unknown whether " + u.what() + ": " + u.Reason + ". The request was not repeated."
}

// Finding returns what the endpoints, listed after the request, tell about its outcome, and
// what the person can do.
func (u *Unanswered) Finding(all []apiclient.Webhook, how Advice) string {
	at := slices.IndexFunc(all, func(w apiclient.Webhook) bool { return w.ID == u.Endpoint.ID })
	created := u.Created(all)
	switch {
	case created != nil:
		return "It was created: " + created.ID + ". Its secret was never shown: " + how.Rotate + " for a new one."
	case u.Operation == Create:
		return "It is not in the list. " + how.Create
	case at < 0 && u.Operation == Delete:
		return "It is no longer in the list."
	case at < 0:
		return "The endpoint is no longer in the list."
	case u.Operation == Rotate && !sameTime(u.Endpoint.PreviousSecretExpiresAt, all[at].PreviousSecretExpiresAt):
		return "It was replaced by a secret that was never shown: " + how.Rotate + " for a new one. " +
			"The receiver's current secret then stops working at once, so be ready to update the receiver."
	case u.Operation == Rotate:
		return "The list shows no replacement: the current secret seems to be in force. " +
			"If the receiver rejects deliveries, " + how.Rotate + " for a new one."
	case u.Operation == Delete:
		return "It is still in the list. " + how.Delete
	case u.Operation == Verify:
		return "If so, it is among the deliveries. " + how.Verify
	case u.Operation == Change:
		return "The list shows its current state."
	}
	return "It is " + string(all[at].Status) + " now."
}

func (u *Unanswered) what() string {
	host := Host(u.Endpoint.URL)
	switch u.Operation {
	case Create:
		return "the endpoint at " + host + " was created"
	case Rotate:
		return "the secret of " + host + " was replaced"
	}
	return host + " " + u.Operation.Done()
}

func sameTime(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && a.Equal(*b)
}
