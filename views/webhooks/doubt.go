package webhooks

import (
	"slices"
	"time"

	"tarmac/apiclient"
)

// unanswered is a write with an unknown outcome, and what was known before it was sent.
type unanswered struct {
	operation operation
	id, url   string
	reason    string
	read      bool       // whether the endpoints have been fetched since the write
	known     []string   // ids of the endpoints listed before the write
	previous  *time.Time // expiry of the previous secret as listed before the write; may be nil
}

func (s *Screen) unansweredOf(d operation, w *apiclient.Webhook) unanswered {
	out := unanswered{operation: d, id: w.ID, url: w.URL, previous: w.PreviousSecretExpiresAt}
	all, _ := s.endpoints.list.Value()
	for i := range all {
		out.known = append(out.known, all[i].ID)
	}
	return out
}

// made returns the endpoint that a create with an unknown outcome probably created: one with its
// URL that was not listed before. It returns nil if there is none.
func (d *unanswered) made(all []apiclient.Webhook) *apiclient.Webhook {
	for i := range all {
		if d.operation == create && all[i].URL == d.url && !slices.Contains(d.known, all[i].ID) {
			return &all[i]
		}
	}
	return nil
}

// lines says what may have happened, what the current list shows, and what the user can do.
func (d *unanswered) lines(all []apiclient.Webhook) []string {
	out := []string{"Unknown whether " + d.what() + ": " + d.reason + ". The request was not repeated."}
	if !d.read {
		return append(out, "Reloading the endpoints.")
	}
	at := slices.IndexFunc(all, func(w apiclient.Webhook) bool { return w.ID == d.id })
	if d.operation != create && at < 0 {
		if d.operation == remove {
			return append(out, "It is no longer in the list.")
		}
		return append(out, "The endpoint is no longer in the list.")
	}
	switch d.operation {
	case create:
		if made := d.made(all); made != nil {
			return append(out, "It was created: "+made.ID+". Its secret was never shown: press s for a new one.")
		}
		return append(out, "It is not in the list. Press r to refresh; if it stays missing, n reopens the form as you left it.")
	case rotate:
		if !equalTimes(d.previous, all[at].PreviousSecretExpiresAt) {
			return append(out, "It was replaced by a secret that was never shown: press s for a new one. The receiver's current secret then stops working at once, so be ready to update the receiver.")
		}
		return append(out, "The list shows no replacement: the current secret seems to be in force. If the receiver rejects deliveries, press s for a new one.")
	case remove:
		return append(out, "It is still in the list. Press D to delete it.")
	case verify:
		return append(out, "If so, it is among the deliveries. Press v to send another.")
	case change:
		return append(out, "The list shows its current state.")
	}
	return append(out, "It is "+string(all[at].Status)+" now.")
}

func (d *unanswered) what() string {
	host := hostOf(d.url)
	switch d.operation {
	case create:
		return "the endpoint at " + host + " was created"
	case rotate:
		return "the secret of " + host + " was replaced"
	}
	return host + " " + d.operation.predicate()
}

func equalTimes(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && a.Equal(*b)
}
