package webhooks

import (
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// testEvent is the newest testEvent event sent by the user. The page shows whether the event has
// been delivered.
type testEvent struct {
	endpoint, delivery, event string    // IDs from the server's response; "" if the server sent none
	since                     time.Time // when the server's response to the request for the test event arrived
}

func (t *testEvent) isFor(endpoint string) bool { return t.endpoint != "" && t.endpoint == endpoint }

// matches reports whether d is the delivery of the test event. If the server returned neither a
// delivery ID nor an event ID, it accepts every test event since followTime before the response.
func (t *testEvent) matches(d *apiclient.WebhookDelivery) bool {
	switch {
	case t.delivery != "":
		return d.ID == t.delivery
	case t.event != "":
		return d.EventID == t.event
	}
	return d.EventType == apiclient.EventTest && d.CreatedAt != nil && d.CreatedAt.After(t.since.Add(-followTime))
}

func (t *testEvent) findDelivery(s *Screen) *apiclient.WebhookDelivery {
	all, _ := s.log.Value()
	for i := range all {
		if t.matches(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// changesSoon reports whether the delivery of the test event will probably change within seconds,
// which makes faster polling worthwhile.
func (t *testEvent) changesSoon(s *Screen, now time.Time) bool {
	d := t.findDelivery(s)
	switch {
	case d == nil:
		return now.Before(t.since.Add(followTime))
	case d.Status != apiclient.DeliveryPending:
		return false
	}
	if firstAttemptRunning(d) {
		return now.Before(t.since.Add(4 * followTime))
	}
	return d.NextRetryAt == nil || now.After(d.NextRetryAt.Add(-dueMaxAge)) && now.Before(d.NextRetryAt.Add(followTime))
}

// statusText describes the delivery of the test event. problem says that it has failed so far.
func (t *testEvent) statusText(s *Screen, now time.Time) (text string, problem bool) {
	d := t.findDelivery(s)
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
		return "Test event failed" + tries + ": " + failureReason(d) + ".", true
	}
	if tries == "" || firstAttemptRunning(d) {
		return "Test event in progress…", false
	}
	return "Test event not delivered" + tries + ": " + failureReason(d) + " · next try " + nextAttempt(d, now), true
}

// firstAttemptRunning reports whether the first attempt of a delivery is running. In that case
// NextRetryAt is the time when the attempt times out, not the time of a retry.
func firstAttemptRunning(d *apiclient.WebhookDelivery) bool {
	return d.Status == apiclient.DeliveryPending && d.Attempts != nil && *d.Attempts == 1 &&
		d.LastError == "" && d.LastResponseCode == nil
}

// failureReason says why the latest delivery attempt failed: the receiver's HTTP status or the
// server's error text.
func failureReason(d *apiclient.WebhookDelivery) string {
	switch {
	case d.LastError == "http_status" && d.LastResponseCode != nil, d.LastError == "" && d.LastResponseCode != nil:
		return "the receiver answered " + strconv.FormatInt(*d.LastResponseCode, 10)
	case d.LastError == "":
		return "no reason given"
	}
	return d.LastError
}

// nextAttempt returns the time until the next delivery attempt as text. It returns a dash if that
// is unknown.
func nextAttempt(d *apiclient.WebhookDelivery, now time.Time) string {
	switch {
	case d.NextRetryAt == nil:
		return money.Dash
	case !now.Before(*d.NextRetryAt):
		return "due"
	}
	return "in " + countdown(d.NextRetryAt.Sub(now))
}

// countdown formats a duration as "5s", "4m 09s", "2h 05m" or "3d 04h". It rounds up to full
// seconds, so that a time in the future is never shown as 0s.
func countdown(d time.Duration) string {
	seconds := int64((d + time.Second - 1) / time.Second)
	switch {
	case seconds < 60:
		return strconv.FormatInt(seconds, 10) + "s"
	case seconds < 3600:
		return strconv.FormatInt(seconds/60, 10) + "m " + twoDigits(seconds%60) + "s"
	case seconds < 86400:
		return strconv.FormatInt(seconds/3600, 10) + "h " + twoDigits(seconds%3600/60) + "m"
	}
	return strconv.FormatInt(seconds/86400, 10) + "d " + twoDigits(seconds%86400/3600) + "h"
}

func twoDigits(n int64) string { return strconv.FormatInt(100+n, 10)[1:] }
