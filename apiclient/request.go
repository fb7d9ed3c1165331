package apiclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"tarmac/internal/termtext"
)

const maxID = 256

// call describes a request to the API and the response that it expects.
type call struct {
	method string
	route  string // template of the path, for errors and logs
	path   string // path of the URL: the route with escaped IDs in place of its parameters
	beside bool   // the path begins at the base URL, beside the prefix of the API
	query  query
	key    string   // value of the header Idempotency-Key; "" for none
	body   []byte   // JSON; nil for none
	status int      // status of a successful response
	kind   bodyKind // body of a successful response
	repeat bool     // the request may be sent again after a failure

	reporting bool   // the response has its figures in the reporting currency
	extended  bool   // the response has the extension
	currency  string // the reporting currency, for rows that do not name it
}

// read returns the call for a GET request whose path contains no ID.
func read(route string, q query) call {
	return call{method: http.MethodGet, route: route, path: route, query: q, status: http.StatusOK, repeat: true}
}

// readOne returns the call for a GET request for one record.
func readOne(route, id string) (call, error) {
	return read(route, nil).withID(id)
}

// write returns the call for a request that changes data. It is never retried.
func write(method, route string, status int) call {
	return call{method: method, route: route, path: route, status: status}
}

// withID replaces the {parameter} in the route with the ID of a record.
func (c call) withID(id string) (call, error) {
	if id == "" || id == "." || id == ".." || len(id) > maxID {
		return c, fmt.Errorf("%s %s: %q is not an id", c.method, c.route, termtext.Fit(termtext.Line(id), min(len(id), 40)))
	}
	before, parameter, _ := strings.Cut(c.route, "{")
	_, after, _ := strings.Cut(parameter, "}")
	c.path = before + url.PathEscape(id) + after
	return c, nil
}

func (c call) isWrite() bool { return c.method != http.MethodGet }

// send sends the request of a call and returns the body of the response; see exchange. It sets
// call.reporting and call.extended.
func (c *Client) send(ctx context.Context, call *call) ([]byte, error) {
	got, err := c.exchange(ctx, *call)
	call.reporting = applies(got.header, reportingCurrency)
	call.extended = applies(got.header, extension)
	return got.body, err
}

// exchange sends the request of a call, with retries. It returns the response if that has the
// expected status and kind of body, and otherwise an error.
func (c *Client) exchange(ctx context.Context, call call) (_ result, err error) {
	defer func() {
		if network, ok := errors.AsType[*NetworkError](err); ok {
			network.Local = c.local
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	start := c.clock.Now()
	var silence silence
	defer c.silences.end(&silence)
	for attempt := 1; ; attempt++ {
		permit, err := c.waitForPermit(ctx, call, start, attempt-1)
		if err != nil {
			return result{}, err
		}
		began := c.clock.Now()
		c.silences.begin(&silence, began)
		got, err := c.attempt(ctx, call, permit, &silence)
		c.log(ctx, call, attempt, c.clock.Now().Sub(began), err)
		if err == nil {
			return got, nil
		}
		countAttempts(err, attempt)
		if !call.repeat || ctx.Err() != nil {
			return result{}, err
		}
		wait, again := c.policy.delay(attempt, err, c.timeout-c.clock.Now().Sub(start))
		if !again {
			return result{}, err
		}
		if stopped := c.pause(ctx, wait, errors.Is(err, ErrRateLimited)); stopped != nil {
			return result{}, &NetworkError{Method: call.method, Route: call.route, Attempts: attempt, Err: stopped}
		}
	}
}

func countAttempts(err error, attempts int) {
	var (
		statusErr *Error
		network   *NetworkError
	)
	switch {
	case errors.As(err, &statusErr):
		statusErr.Attempts = attempts
	case errors.As(err, &network):
		network.Attempts = attempts
	}
}

func (c *Client) log(ctx context.Context, call call, attempt int, duration time.Duration, err error) {
	attributes := []slog.Attr{
		slog.String("method", call.method), slog.String("route", call.route),
		slog.Int("attempt", attempt), slog.Duration("took", duration),
	}
	if err != nil {
		attributes = append(attributes, slog.String("error", err.Error()))
	}
	c.logger.LogAttrs(ctx, slog.LevelDebug, "request", attributes...)
}

// attempt sends the request of a call once.
func (c *Client) attempt(ctx context.Context, call call, permit permit, silence *silence) (result, error) {
	defer c.limiter.release()
	var progress progress
	req, err := c.request(httptrace.WithClientTrace(ctx, progress.trace()), call)
	if err == nil {
		err = ctx.Err() // nothing is sent after the context has ended
	}
	if err != nil {
		return result{}, &NetworkError{Method: call.method, Route: call.route, Err: withoutURL(err)}
	}
	sender := c.http
	if call.isWrite() {
		sender = c.writes
	}
	resp, err := sender.Do(req)
	if err != nil {
		return result{}, &NetworkError{
			Method: call.method, Route: call.route, Err: c.cause(ctx, err),
			OutcomeUnknown: call.isWrite() && !progress.unsent(),
		}
	}
	defer func() { _ = resp.Body.Close() }()
	if c.onHeader != nil {
		c.onHeader(resp.Header)
	}
	now := c.clock.Now()
	c.silences.note(silence, now)
	resp.Body = heardBody{resp.Body, func() { c.silences.note(silence, c.clock.Now()) }}
	c.limiter.observe(permit, resp.StatusCode, c.storeRate(resp.Header, now),
		retryAfter(resp.Header.Get("Retry-After"), now), now)
	if resp.StatusCode != call.status {
		return result{}, c.statusError(call, resp)
	}
	return c.readResult(ctx, call, resp)
}

// request returns the HTTP request for a call.
func (c *Client) request(ctx context.Context, call call) (*http.Request, error) {
	target := c.base
	if call.beside {
		target = strings.TrimSuffix(target, prefix)
	}
	target += call.path
	if len(call.query) > 0 {
		target += "?" + url.Values(call.query).Encode()
	}
	var body io.Reader
	if call.body != nil {
		body = bytes.NewReader(call.body)
	}
	req, err := http.NewRequestWithContext(ctx, call.method, target, body)
	if err != nil {
		return nil, err
	}
	// If GetBody were set, net/http might resend a request that has an Idempotency-Key.
	req.GetBody = nil
	if c.credential == "" {
		req.Header.Set("Authorization", "Bearer "+c.token().Reveal())
	}
	req.Header.Set("Accept", call.kind.accept())
	req.Header.Set("User-Agent", c.userAgent)
	if !call.isWrite() && call.kind == jsonBody {
		req.Header.Set("Prefer", reportingCurrency+", "+importedInvoices+", "+extension)
	}
	if call.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if call.key != "" {
		req.Header.Set("Idempotency-Key", call.key)
	}
	return req, nil
}

func (c call) contractError(field, problem string) *ContractError {
	return &ContractError{Method: c.method, Route: c.route, Field: field, Problem: problem}
}
