package webhooks

import (
	"slices"
	"time"

	"tarmac/apiclient"
)

// doubt is a write with an unknown outcome, and what was known before it was sent.
type doubt struct {
	deed     deed
	id, url  string
	why      string
	read     bool       // the endpoints have been read since
	known    []string   // the ids of the endpoints listed before
	previous *time.Time // when the previous secret expires, as known before
}

func (s *Screen) doubtOf(d deed, w *apiclient.Webhook) doubt {
	out := doubt{deed: d, id: w.ID, url: w.URL, previous: w.PreviousSecretExpiresAt}
	all, _ := s.endpoints.list.Value()
	for i := range all {
		out.known = append(out.known, all[i].ID)
	}
	return out
}

// made returns the endpoint that a create with an unknown outcome probably created: one with its
// URL that was not listed before. It returns nil if there is none.
func (d *doubt) made(all []apiclient.Webhook) *apiclient.Webhook {
	for i := range all {
		if d.deed == create && all[i].URL == d.url && !slices.Contains(d.known, all[i].ID) {
			return &all[i]
		}
	}
	return nil
}

// lines says what may have happened, what the current list shows, and what the user can do.
func (d *doubt) lines(all []apiclient.Webhook) []string {
	out := []string{"Whether " + d.what() + " is not known: " + d.why + ". It was not sent again."}
	if !d.read {
		return append(out, "The endpoints are being read again.")
	}
	at := slices.IndexFunc(all, func(w apiclient.Webhook) bool { return w.ID == d.id })
	if d.deed != create && at < 0 {
		if d.deed == remove {
			return append(out, "It is gone from the list.")
		}
		return append(out, "The endpoint is no longer in the list.")
	}
	switch d.deed {
	case create:
		if made := d.made(all); made != nil {
			return append(out, "It was created: "+made.ID+". Its secret was never shown: s makes one that is.")
		}
		return append(out, "It is not in the list. If r does not bring it either, n has what was typed.")
	case rotate:
		if !sameTime(d.previous, all[at].PreviousSecretExpiresAt) {
			return append(out, "It was replaced, by one that was never shown: s makes one that is. The one the receiver knows then ends at once, so have the receiver at hand.")
		}
		return append(out, "The list does not show that it was: the present one seems to be in force. If deliveries are refused, s makes another.")
	case remove:
		return append(out, "It is still in the list. D deletes it.")
	case verify:
		return append(out, "If it was, it is among the deliveries. t sends another.")
	case change:
		return append(out, "The list shows the endpoint as it is now.")
	}
	return append(out, "It is "+string(all[at].Status)+" now.")
}

func (d *doubt) what() string {
	host := hostOf(d.url)
	switch d.deed {
	case create:
		return "the endpoint at " + host + " was created"
	case rotate:
		return "the secret of " + host + " was replaced"
	}
	return host + " " + d.deed.done()
}

func sameTime(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && a.Equal(*b)
}
