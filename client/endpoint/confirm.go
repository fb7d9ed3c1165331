package endpoint

import (
	"time"

	"tarmac/apiclient"
	"tarmac/client/record"
)

// ConfirmationLength is the length of the text that Confirmation returns, in characters.
const ConfirmationLength = 6

// Confirmation returns the text that the user must type to confirm an operation that cannot be
// undone: the end of the endpoint's ID.
func Confirmation(id string) string {
	all := []rune(id)
	return string(all[max(0, len(all)-ConfirmationLength):])
}

// DeleteMeans tells the user, before the confirmation, what deleting an endpoint does.
const DeleteMeans = "Pending deliveries are abandoned and the delivery history is deleted. This cannot be undone."

// RotateMeans tells the user, before the confirmation, what replacing a signing secret does.
const RotateMeans = "Creates a new signing secret and shows it once. " +
	"Deliveries carry signatures of both secrets for a while, so the receiver can switch over."

// RotateWarning returns a warning if an earlier secret is still valid and would end with the
// replacement. Otherwise it returns "".
func RotateWarning(w *apiclient.Webhook, now time.Time) string {
	until := w.PreviousSecretExpiresAt
	if until == nil || !now.Before(*until) {
		return ""
	}
	return "An earlier secret is still valid until " + record.Minute(*until) + ". It stops working at once: " +
		"a receiver that knows only that secret will reject deliveries."
}

// DisabledMeans explains why the service disabled an endpoint (docs/api.md, Automatic disabling).
// For an unknown reason it returns "".
func DisabledMeans(reason string) string {
	switch reason {
	case "gone":
		return "The receiver answered 410 Gone"
	case "failing":
		return "The receiver accepted nothing for days"
	}
	return ""
}
