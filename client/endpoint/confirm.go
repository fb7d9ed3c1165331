package endpoint

import (
	"time"

	"tarmac/apiclient"
	"tarmac/client/record"
)

// ConfirmationLength is how many characters of an id Confirmation returns.
const ConfirmationLength = 6

// Confirmation returns what a person types to confirm an operation that cannot be undone:
// the end of the endpoint's id.
func Confirmation(id string) string {
	all := []rune(id)
	return string(all[max(0, len(all)-ConfirmationLength):])
}

// DeleteMeans says what deleting an endpoint does, to be read before it is confirmed.
const DeleteMeans = "Pending deliveries are abandoned and the delivery history is deleted. This cannot be undone."

// RotateMeans says what replacing a signing secret does, to be read before it is confirmed.
const RotateMeans = "Creates a new signing secret and shows it once. " +
	"Deliveries carry signatures of both secrets for a while, so the receiver can switch over."

// RotateWarning returns a warning that replacing the secret ends an earlier secret that is
// still valid, or "" if there is none.
func RotateWarning(w *apiclient.Webhook, now time.Time) string {
	until := w.PreviousSecretExpiresAt
	if until == nil || !now.Before(*until) {
		return ""
	}
	return "An earlier secret is still valid until " + record.Minute(*until) + ". It stops working at once: " +
		"a receiver that knows only that secret will reject deliveries."
}

// DisabledMeans explains why the service disabled an endpoint (docs/api.md, Automatic
// disabling). It returns "" for a reason it does not know.
func DisabledMeans(reason string) string {
	switch reason {
	case "gone":
		return "The receiver answered 410 Gone"
	case "failing":
		return "The receiver accepted nothing for days"
	}
	return ""
}
