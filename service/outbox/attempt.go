package outbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"tarmac/internal/panics"
	"tarmac/service/egress"
	"tarmac/service/webhooks"
)

// userAgent is what receivers see.
const userAgent = "OrgFinance-Webhooks/1.0"

// fate is how an attempt came to an end.
type fate int

const (
	concluded fate = iota // it has a result
	cut                   // the service is ending
	unsigned              // the secret cannot be opened; nothing was sent
	crashed
)

// ending is what an attempt reports.
type ending struct {
	*flight
	fate   fate
	result webhooks.Result
	sent   time.Time
	at     time.Time
	took   time.Duration
	err    error // why nothing was signed
}

// send puts a claimed delivery on the wire.
func (r *run) send(f *flight) {
	f.started = time.Now()
	f.lane.flying++
	if f.slow {
		r.slow++
	}
	r.flights = append(r.flights, f)
	go func() { r.ended <- r.attempt(r.wire, f) }()
}

// landed takes in every attempt that has ended.
func (r *run) landed() {
	for {
		select {
		case e := <-r.ended:
			r.land(e)
		default:
			return
		}
	}
}

// gathering is how long an outcome waits for others.
const gathering = 200 * time.Microsecond

// gather takes in what ends right after an attempt at an endpoint, as long as others
// at it are on the wire: they were sent together, and a transaction of its own for the
// first would have the rest, and what the endpoint may claim then, wait for the disk.
func (r *run) gather(l *lane) {
	enough := time.NewTimer(gathering)
	defer enough.Stop()
	for l.flying > 0 {
		select {
		case e := <-r.ended:
			r.land(e)
		case <-enough.C:
			return
		}
	}
}

// land takes in an attempt that has ended.
func (r *run) land(e ending) {
	r.flights = slices.DeleteFunc(r.flights, func(f *flight) bool { return f == e.flight })
	if e.slow {
		r.slow--
	}
	e.lane.flying--
	switch e.fate {
	case concluded:
		e.lane.proven, e.lane.sealed = e.result.Problem == webhooks.NoProblem, 0
		r.Observe.Attempted(e.result.Problem, e.took, e.sent.Sub(e.DueAt))
		r.outcomes = append(r.outcomes, &outcome{flight: e.flight, result: e.result, at: e.at, took: e.took, jitter: r.Jitter()})
	case cut:
		r.outcomes = append(r.outcomes, &outcome{flight: e.flight, cut: true, at: e.at, took: e.took})
	case unsigned:
		if e.lane.sealed == 0 {
			r.Logger.Error("the secret of a webhook endpoint cannot be opened with this key: nothing is sent to it; "+
				"start with the right key file, or rotate the endpoint's secret", "endpoint", e.EndpointID, "error", e.err)
		}
		// It is this service that fails, not the receiver: neither the schedule nor
		// the endpoint's clock pays for it. The delivery is left to its lease, so
		// that a process with the right key can take it, and here its endpoint waits
		// longer each time, because the attempts that may begin are numbered.
		e.lane.wait = r.Now().Add(min(longestSealed, time.Minute<<min(e.lane.sealed, 16)))
		e.lane.sealed++
	}
}

// longestSealed is how long an endpoint waits, at most, for its secret to be
// opened again.
const longestSealed = time.Hour

// attempt makes one attempt. It never panics.
func (d *Dispatcher) attempt(ctx context.Context, f *flight) (e ending) {
	defer func() {
		if v := recover(); v != nil {
			// Left to its lease, which is the pause before it is tried again.
			d.Logger.Error("a webhook attempt broke off; it will be attempted again",
				"delivery", f.DeliveryID, "fault", panics.Of(v).Where())
			e = ending{flight: f, fate: crashed}
		}
	}()
	e = ending{flight: f, sent: d.Now()}
	secrets, err := d.secrets(f, e.sent)
	if err != nil {
		e.fate, e.err = unsigned, err
		return e
	}
	e.result = d.post(ctx, f, webhooks.Sign(e.sent, f.Body, secrets...), e.sent)
	if ctx.Err() != nil && e.result.Code == 0 {
		e.fate = cut
	}
	e.at, e.took = d.Now(), time.Since(f.started)
	return e
}

// secrets returns what signs at that moment, the newest first.
func (d *Dispatcher) secrets(f *flight, at time.Time) ([]string, error) {
	current, err := d.Unseal(f.Secrets.Current, f.EndpointID)
	if err != nil {
		return nil, err
	}
	secrets := []string{current}
	if expires := f.Secrets.PreviousExpiresAt; f.Secrets.Previous != nil && expires != nil && at.Before(*expires) {
		// One that is lost must not keep the new one from signing: rotating is how
		// a lost secret is replaced.
		if previous, err := d.Unseal(f.Secrets.Previous, f.EndpointID); err == nil {
			secrets = append(secrets, previous)
		}
	}
	return secrets, nil
}

// post sends the body and returns what came of it. The status line is the
// acknowledgement: what becomes of the rest of the answer changes nothing.
func (d *Dispatcher) post(ctx context.Context, f *flight, signature string, at time.Time) webhooks.Result {
	ctx, cancel := context.WithTimeout(ctx, d.limits.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.URL, bytes.NewReader(f.Body))
	if err != nil {
		return webhooks.Result{Problem: webhooks.BlockedAddress} // no URL that was ever accepted
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": userAgent, webhooks.SignatureHeader: signature,
		webhooks.EventIDHeader: f.EventID, webhooks.EventTypeHeader: string(f.EventType),
		webhooks.DeliveryIDHeader: f.DeliveryID, webhooks.AttemptHeader: strconv.Itoa(f.Number),
	} {
		req.Header.Set(name, value)
	}
	// Not through a client: a transport alone never follows a redirect.
	resp, err := d.Transport.RoundTrip(req)
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return webhooks.Result{Problem: webhooks.TimedOut}
		}
		return webhooks.Result{Problem: egress.Classify(err)}
	}
	d.discard(resp, cancel)
	return webhooks.Result{
		Code: resp.StatusCode, Problem: webhooks.Answered(resp.StatusCode),
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), at),
	}
}

// discard reads what a short answer has, so that its connection can be used
// again, and nothing of what is long or slow.
func (d *Dispatcher) discard(resp *http.Response, cancel context.CancelFunc) {
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return // the body is the bare connection, which no context ends
	}
	tooSlow := time.AfterFunc(d.limits.slowAfter, cancel)
	defer tooSlow.Stop()
	_, _ = io.CopyN(io.Discard, resp.Body, webhooks.MaxResponse)
}

// longestRetryAfter bounds what is made of a receiver's wish, long before it
// could overflow. The rules take less.
const longestRetryAfter = 24 * time.Hour

// retryAfter reads a Retry-After header: seconds or a date (RFC 9110, 10.2.3).
// It returns 0 for what is neither, or is past.
func retryAfter(value string, now time.Time) time.Duration {
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(longestRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), longestRetryAfter)
}

// written is called when an outcome is in the database.
func (r *run) written(o *outcome) {
	r.forget(o)
	if !o.cut && !o.settled && o.tries > 0 {
		r.lose(o)
		return
	}
	level, message := slog.LevelDebug, "webhook delivered"
	switch {
	case o.cut:
		message = "webhook attempt given back"
	case !o.settled:
		message = "webhook attempt dropped: its delivery is gone, ended or somebody else's"
	case o.verdict.Disable != "":
		level, message = slog.LevelWarn, "webhook endpoint disabled"
	case o.verdict.Status == webhooks.Failed:
		level, message = slog.LevelWarn, "webhook delivery failed"
	case o.verdict.Status == webhooks.Pending:
		level, message = slog.LevelInfo, "webhook attempt failed"
	}
	if r.Logger.Enabled(context.Background(), level) {
		r.Logger.Log(context.Background(), level, message, o.facts()...)
	}
}

// facts are what a log says of an outcome: of the URL the host alone, because
// paths and queries hold receivers' secrets, and of the answer the status alone.
func (o *outcome) facts() []any {
	facts := []any{
		"endpoint", o.EndpointID, "delivery", o.DeliveryID, "event_type", string(o.EventType), "attempt", o.Number,
		"took_ms", o.took.Milliseconds(),
	}
	if u, err := url.Parse(o.URL); err == nil {
		facts = append(facts, "host", u.Host)
	}
	if o.result.Code != 0 {
		facts = append(facts, "code", o.result.Code)
	}
	if o.result.Problem != webhooks.NoProblem {
		facts = append(facts, "problem", string(o.result.Problem))
	}
	if o.verdict.Status == webhooks.Pending {
		facts = append(facts, "retry_in", o.verdict.RetryIn.Round(time.Second).String())
	}
	if o.verdict.Disable != "" {
		facts = append(facts, "reason", string(o.verdict.Disable))
	}
	return facts
}
