package webhooks

import (
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// test is a test event that was sent and is followed. Only the newest is.
type test struct {
	endpoint, delivery, event string
	since                     time.Time
}

func (t *test) at(endpoint string) bool { return t.endpoint != "" && t.endpoint == endpoint }

// is reports whether a delivery is that of the test. Where the server does not name
// it, it is the newest test since.
func (t *test) is(d *apiclient.WebhookDelivery) bool {
	switch {
	case t.delivery != "":
		return d.ID == t.delivery
	case t.event != "":
		return d.EventID == t.event
	}
	return d.EventType == apiclient.EventTest && d.CreatedAt != nil && d.CreatedAt.After(t.since.Add(-onTheWay))
}

func (t *test) find(s *Screen) *apiclient.WebhookDelivery {
	all, _ := s.deliveries.log.Value()
	for i := range all {
		if t.is(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// awaited reports whether something about the test is about to be known.
func (t *test) awaited(s *Screen, now time.Time) bool {
	d := t.find(s)
	switch {
	case d == nil:
		return now.Before(t.since.Add(onTheWay))
	case d.Status != apiclient.DeliveryPending:
		return false
	}
	if sending(d) {
		return now.Before(t.since.Add(4 * onTheWay))
	}
	return d.NextRetryAt == nil || now.After(d.NextRetryAt.Add(-logSoon)) && now.Before(d.NextRetryAt.Add(onTheWay))
}

// words says how the test stands.
func (t *test) words(s *Screen, now time.Time) (text string, problem bool) {
	d := t.find(s)
	if d == nil {
		return "Test event sent, waiting for its delivery…", false
	}
	tries := ""
	if d.Attempts != nil && *d.Attempts > 0 {
		tries = " after " + plural.Count(*d.Attempts, "attempt")
	}
	switch d.Status {
	case apiclient.DeliveryDelivered:
		if d.LastResponseCode != nil {
			tries += ": the receiver answered " + strconv.FormatInt(*d.LastResponseCode, 10)
		}
		return "Test event delivered" + tries + ".", false
	case apiclient.DeliveryFailed:
		return "Test event failed" + tries + ": " + why(d) + ".", true
	}
	if tries == "" || sending(d) {
		return "Test event on its way…", false
	}
	return "Test event not delivered" + tries + ": " + why(d) + " · next try " + next(d, now), true
}

// sending reports whether the first attempt of a delivery was begun and has no
// outcome yet: the time that is then given for the next one is when it would be
// given up.
func sending(d *apiclient.WebhookDelivery) bool {
	return d.Status == apiclient.DeliveryPending && d.Attempts != nil && *d.Attempts == 1 && d.LastError == "" && d.LastResponseCode == nil
}

// why says what went wrong at the last attempt, in the server's word.
func why(d *apiclient.WebhookDelivery) string {
	switch {
	case d.LastError == "http_status" && d.LastResponseCode != nil, d.LastError == "" && d.LastResponseCode != nil:
		return "the receiver answered " + strconv.FormatInt(*d.LastResponseCode, 10)
	case d.LastError == "":
		return "no reason given"
	}
	return d.LastError
}

// next says when the next try of a delivery is due; "—" when none is known.
func next(d *apiclient.WebhookDelivery, now time.Time) string {
	switch {
	case d.NextRetryAt == nil:
		return money.Dash
	case !now.Before(*d.NextRetryAt):
		return "due"
	}
	return "in " + left(d.NextRetryAt.Sub(now))
}

// left writes a span that runs down: "5s", "4m 09s", "2h 05m", "3d 04h". It is
// rounded up: what says 0 and waits is wrong.
func left(d time.Duration) string {
	seconds := int64((d + time.Second - 1) / time.Second)
	switch {
	case seconds < 60:
		return strconv.FormatInt(seconds, 10) + "s"
	case seconds < 3600:
		return strconv.FormatInt(seconds/60, 10) + "m " + two(seconds%60) + "s"
	case seconds < 86400:
		return strconv.FormatInt(seconds/3600, 10) + "h " + two(seconds%3600/60) + "m"
	}
	return strconv.FormatInt(seconds/86400, 10) + "d " + two(seconds%86400/3600) + "h"
}

func two(n int64) string { return strconv.FormatInt(100+n, 10)[1:] }
