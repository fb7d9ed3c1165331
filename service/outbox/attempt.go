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

// userAgent is the User-Agent header of all webhook requests.
const userAgent = "OrgFinance-Webhooks/1.0"

// completionKind says how a delivery attempt ended.
type completionKind int

const (
	finished completionKind = iota // the receiver responded, or the request to it failed
	canceled                       // the service is stopping
	unsigned                       // nothing was sent, because the signing secret could not be decrypted
	panicked
)

// completion is a delivery attempt that has ended.
type completion struct {
	*attempt
	kind    completionKind
	result  webhooks.Result
	sent    time.Time
	at      time.Time
	elapsed time.Duration
	err     error // why the secret could not be decrypted; nil unless kind is unsigned
}

// send starts a goroutine that makes the attempt a.
func (r *run) send(a *attempt) {
	a.started = time.Now()
	a.state.inFlight++
	if a.slow {
		r.slow++
	}
	r.inFlight = append(r.inFlight, a)
	go func() { r.completions <- r.makeAttempt(r.attemptCtx, a) }()
}

// completeAll calls complete for all attempts that have ended so far. It does not wait for others.
func (r *run) completeAll() {
	for {
		select {
		case e := <-r.completions:
			r.complete(e)
		default:
			return
		}
	}
}

// collectWindow is how long Run waits, after an attempt has ended, for other attempts to the same
// endpoint to end.
const collectWindow = 200 * time.Microsecond

// collect calls complete for further attempts to the same endpoint that end within collectWindow.
// Attempts that were sent together usually end together. If their outcomes are written in one
// transaction, they cost only one disk sync.
func (r *run) collect(s *endpointState) {
	window := time.NewTimer(collectWindow)
	defer window.Stop()
	for s.inFlight > 0 {
		select {
		case e := <-r.completions:
			r.complete(e)
		case <-window.C:
			return
		}
	}
}

// complete frees the slot of a delivery attempt that has ended, and queues the attempt's outcome
// for the database.
func (r *run) complete(e completion) {
	r.inFlight = slices.DeleteFunc(r.inFlight, func(a *attempt) bool { return a == e.attempt })
	if e.slow {
		r.slow--
	}
	e.state.inFlight--
	switch e.kind {
	case finished:
		e.state.healthy, e.state.unsealFailures = e.result.Problem == webhooks.NoProblem, 0
		r.Observer.ObserveAttempt(e.result.Problem, e.elapsed, e.sent.Sub(e.DueAt))
		r.outcomes = append(
			r.outcomes, &outcome{attempt: e.attempt, result: e.result, at: e.at, elapsed: e.elapsed, jitter: r.Jitter()},
		)
	case canceled:
		r.outcomes = append(r.outcomes, &outcome{attempt: e.attempt, canceled: true, at: e.at, elapsed: e.elapsed})
	case unsigned:
		if e.state.unsealFailures == 0 {
			r.Logger.Error("the secret of a webhook endpoint cannot be decrypted with this key, so nothing is sent to it; "+
				"start with the right key file, or rotate the endpoint's secret", "endpoint", e.EndpointID, "error", e.err)
		}
		// The fault is this service's and not the receiver's, so no outcome is recorded. The
		// delivery is due again when its lease ends, perhaps in a process with the right key. A
		// delivery has a limited number of attempts. To save them, this process claims nothing for
		// the endpoint for a while, longer after each failure.
		e.state.blockedUntil = r.Now().Add(min(maxUnsealWait, time.Minute<<min(e.state.unsealFailures, 16)))
		e.state.unsealFailures++
	}
}

// maxUnsealWait is the longest time for which nothing is claimed for an endpoint because its secret
// could not be decrypted.
const maxUnsealWait = time.Hour

// makeAttempt signs a delivery and posts it to its endpoint. It recovers from panics, which would
// otherwise end the process.
func (d *Dispatcher) makeAttempt(ctx context.Context, a *attempt) (e completion) {
	defer func() {
		if v := recover(); v != nil {
			// The outcome is unknown. The delivery is due again when its lease ends.
			d.Logger.Error("a webhook attempt panicked; the delivery is attempted again",
				"delivery", a.DeliveryID, "fault", panics.Describe(v).Where())
			e = completion{attempt: a, kind: panicked}
		}
	}()
	e = completion{attempt: a, sent: d.Now()}
	secrets, err := d.secrets(a, e.sent)
	if err != nil {
		e.kind, e.err = unsigned, err
		return e
	}
	e.result = d.post(ctx, a, webhooks.Sign(e.sent, a.Body, secrets...), e.sent)
	if ctx.Err() != nil && e.result.Code == 0 {
		e.kind = canceled
	}
	e.at, e.elapsed = d.Now(), time.Since(a.started)
	return e
}

// secrets returns the secrets with which a request at the given time is signed, the current secret
// first.
func (d *Dispatcher) secrets(a *attempt, at time.Time) ([]string, error) {
	current, err := d.Unseal(a.Secrets.Current, a.EndpointID)
	if err != nil {
		return nil, err
	}
	secrets := []string{current}
	if expires := a.Secrets.PreviousExpiresAt; a.Secrets.Previous != nil && expires != nil && at.Before(*expires) {
		// If the previous secret cannot be decrypted, the current one is enough: people rotate a
		// secret to replace one that cannot be decrypted.
		if previous, err := d.Unseal(a.Secrets.Previous, a.EndpointID); err == nil {
			secrets = append(secrets, previous)
		}
	}
	return secrets, nil
}

// post sends the delivery's body and returns the result. The status of the response decides whether
// the delivery is acknowledged; errors while the rest of the response is read do not matter.
func (d *Dispatcher) post(ctx context.Context, a *attempt, signature string, at time.Time) webhooks.Result {
	ctx, cancel := context.WithTimeout(ctx, d.limits.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL, bytes.NewReader(a.Body))
	if err != nil {
		return webhooks.Result{Problem: webhooks.BlockedAddress} // unreachable: no endpoint has such a URL
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": userAgent, webhooks.SignatureHeader: signature,
		webhooks.EventIDHeader: a.EventID, webhooks.EventTypeHeader: string(a.EventType),
		webhooks.DeliveryIDHeader: a.DeliveryID, webhooks.AttemptHeader: strconv.Itoa(a.Number),
	} {
		req.Header.Set(name, value)
	}
	// A transport, unlike an http.Client, never follows redirects.
	resp, err := d.Transport.RoundTrip(req)
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return webhooks.Result{Problem: webhooks.TimedOut}
		}
		return webhooks.Result{Problem: egress.Classify(err)}
	}
	d.discard(resp, cancel)
	return webhooks.Result{
		Code: resp.StatusCode, Problem: webhooks.StatusProblem(resp.StatusCode),
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), at),
	}
}

// discard reads the rest of a short response, so that its connection can be reused. It stops
// reading a long or slow one.
func (d *Dispatcher) discard(resp *http.Response, cancel context.CancelFunc) {
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return // the body is the raw connection, which canceling the context does not close
	}
	tooSlow := time.AfterFunc(d.limits.slowAfter, cancel)
	defer tooSlow.Stop()
	_, _ = io.CopyN(io.Discard, resp.Body, webhooks.MaxResponse)
}

// maxRetryAfter is the largest wait that is taken from a Retry-After header, so that no duration
// overflows. The retry schedule has a lower limit.
const maxRetryAfter = 24 * time.Hour

// retryAfter parses a Retry-After header, which contains seconds or a date (RFC 9110, 10.2.3). It
// returns 0 if the header contains neither, or a date in the past.
func retryAfter(value string, now time.Time) time.Duration {
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), maxRetryAfter)
}

// onWritten removes an outcome from the queue and logs it. It is called after the transaction that
// wrote the outcome was committed.
func (r *run) onWritten(o *outcome) {
	r.remove(o)
	if !o.canceled && !o.recorded && o.writeFailures > 0 {
		r.reportLost(o)
		return
	}
	level, message := slog.LevelDebug, "webhook delivered"
	switch {
	case o.canceled:
		message = "webhook attempt released"
	case !o.recorded:
		message = "webhook attempt dropped: its delivery was deleted, has ended, or was claimed by another process"
	case o.consequence.Disable != "":
		level, message = slog.LevelWarn, "webhook endpoint disabled"
	case o.consequence.Status == webhooks.Failed:
		level, message = slog.LevelWarn, "webhook delivery failed"
	case o.consequence.Status == webhooks.Pending:
		level, message = slog.LevelInfo, "webhook attempt failed"
	}
	if r.Logger.Enabled(context.Background(), level) {
		r.Logger.Log(context.Background(), level, message, o.logAttrs()...)
	}
}

// logAttrs returns the attributes with which an outcome is logged. Of the URL it contains only the
// host, because paths and queries may contain receivers' secrets.
func (o *outcome) logAttrs() []any {
	attrs := []any{
		"endpoint", o.EndpointID, "delivery", o.DeliveryID, "event_type", string(o.EventType), "attempt", o.Number,
		"took_ms", o.elapsed.Milliseconds(),
	}
	if u, err := url.Parse(o.URL); err == nil {
		attrs = append(attrs, "host", u.Host)
	}
	if o.result.Code != 0 {
		attrs = append(attrs, "code", o.result.Code)
	}
	if o.result.Problem != webhooks.NoProblem {
		attrs = append(attrs, "problem", string(o.result.Problem))
	}
	if o.consequence.Status == webhooks.Pending {
		attrs = append(attrs, "retry_in", o.consequence.RetryIn.Round(time.Second).String())
	}
	if o.consequence.Disable != "" {
		attrs = append(attrs, "reason", string(o.consequence.Disable))
	}
	return attrs
}
