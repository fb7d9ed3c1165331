package webhooks

import (
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// test is the newest test event, which the page follows until its delivery ends.
type test struct {
	endpoint, delivery, event string
	since                     time.Time
}

func (t *test) at(endpoint string) bool { return t.endpoint != "" && t.endpoint == endpoint }

// is reports whether a delivery belongs to the test. If the server named no ids, any test event
// since then does.
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

// awaited reports whether the test's status is expected to change soon.
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

// words describes the status of the test.
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
		return "Test event in progress…", false
	}
	return "Test event not delivered" + tries + ": " + why(d) + " · next try " + next(d, now), true
}

// sending reports whether the first attempt is running. Its NextRetryAt is then the attempt's
// timeout, not a retry.
func sending(d *apiclient.WebhookDelivery) bool {
	return d.Status == apiclient.DeliveryPending && d.Attempts != nil && *d.Attempts == 1 && d.LastError == "" && d.LastResponseCode == nil
}

// why returns the reason why the last attempt failed, in the server's wording.
func why(d *apiclient.WebhookDelivery) string {
	switch {
	case d.LastError == "http_status" && d.LastResponseCode != nil, d.LastError == "" && d.LastResponseCode != nil:
		return "the receiver answered " + strconv.FormatInt(*d.LastResponseCode, 10)
	case d.LastError == "":
		return "no reason given"
	}
	return d.LastError
}

// next returns when the next attempt is due, or a dash if unknown.
func next(d *apiclient.WebhookDelivery, now time.Time) string {
	switch {
	case d.NextRetryAt == nil:
		return money.Dash
	case !now.Before(*d.NextRetryAt):
		return "due"
	}
	return "in " + left(d.NextRetryAt.Sub(now))
}

// left formats a countdown: "5s", "4m 09s", "2h 05m", "3d 04h". It rounds up, so that a pending
// delivery never shows 0.
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
