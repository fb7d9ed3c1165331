package endpoint

import (
	"slices"
	"time"

	"tarmac/apiclient"
)

// Operation is a kind of request that changes an endpoint or sends a test event to it.
type Operation int

// Values of Operation. None means that there is no operation.
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

// Verb returns the infinitive for an operation on an endpoint, such as "delete it".
func (o Operation) Verb() string {
	return [...]string{"", "create it", "change it", "pause it", "activate it", "rotate its secret", "delete it",
		"send a test event"}[o]
}

// Done returns the words that follow the endpoint's name after an operation, such as "was deleted".
func (o Operation) Done() string {
	return [...]string{"", "was created", "was changed", "was paused", "was activated", "has a new secret", "was deleted",
		"was sent a test event"}[o]
}

// Unanswered is an operation with an unknown outcome, because its response was lost.
type Unanswered struct {
	Operation Operation
	Endpoint  apiclient.Webhook // as before the request; for Create, only the URL is set
	Listed    []string          // IDs of the endpoints that were listed before the request
	Reason    string            // why the outcome is unknown
}

// Before stores the state before the operation o on the endpoint w is sent, for the case that the
// response is lost. listed contains all endpoints.
func Before(o Operation, w apiclient.Webhook, listed []apiclient.Webhook) Unanswered {
	u := Unanswered{Operation: o, Endpoint: w}
	for i := range listed {
		u.Listed = append(u.Listed, listed[i].ID)
	}
	return u
}

// Created returns the endpoint that an unanswered Create has probably created: one with the same
// URL that was not listed before. The parameter all contains the endpoints listed after the
// request. If there is no such endpoint, it returns nil.
func (u *Unanswered) Created(all []apiclient.Webhook) *apiclient.Webhook {
	for i := range all {
		if u.Operation == Create && all[i].URL == u.Endpoint.URL && !slices.Contains(u.Listed, all[i].ID) {
			return &all[i]
		}
	}
	return nil
}

// Advice says how to repeat an operation in a front end, by pressing or typing something. Create,
// Delete and Verify are sentences. Rotate is part of a sentence, such as "press s".
type Advice struct{ Create, Rotate, Delete, Verify string }

// UnknownText says in a sentence that the outcome is unknown, and why.
func (u *Unanswered) UnknownText() string {
	return "Unknown whether " + u.what() + ": " + u.Reason + ". The request was not repeated."
}

// Finding says what the endpoints reveal about the outcome of the operation, and what the user can
// do. The parameter all contains the endpoints listed after the request.
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
