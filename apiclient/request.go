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

// call is one operation: what is sent, what a good answer is, and whether it may
// be sent again.
type call struct {
	method string
	route  string // the template, for errors and logs
	path   string // the route with its ids filled in and escaped
	query  query
	key    string // Idempotency-Key, or "" for none
	body   []byte // JSON, or nil for none
	status int    // of a good answer
	kind   kind   // of its body
	repeat bool   // sending it twice does what sending it once does
}

// read is the call of an operation without parameters in its path.
func read(route string, q query) call {
	return call{method: http.MethodGet, route: route, path: route, query: q, status: http.StatusOK, repeat: true}
}

// readOne is the call of an operation that reads about one record; see about.
func readOne(route, id string) (call, error) {
	return read(route, nil).about(id)
}

// write is the call of an operation that changes something, which is never sent
// again by itself.
func write(method, route string, status int) call {
	return call{method: method, route: route, path: route, status: status}
}

// about puts a record's id in the place of the {parameter} in the route.
func (c call) about(id string) (call, error) {
	if id == "" || id == "." || id == ".." || len(id) > maxID {
		return c, fmt.Errorf("%s %s: %q is not an id", c.method, c.route, termtext.Fit(termtext.Line(id), min(len(id), 40)))
	}
	before, parameter, _ := strings.Cut(c.route, "{")
	_, after, _ := strings.Cut(parameter, "}")
	c.path = before + url.PathEscape(id) + after
	return c, nil
}

func (c call) changes() bool { return c.method != http.MethodGet }

// send carries a call out and returns the body of the answer; see exchange.
func (c *Client) send(ctx context.Context, call call) ([]byte, error) {
	got, err := c.exchange(ctx, call)
	return got.body, err
}

// exchange carries a call out and returns the answer, of the call's status and
// kind, repeating the call as the policy has it.
func (c *Client) exchange(ctx context.Context, call call) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	start := c.clock.Now()
	for attempt := 1; ; attempt++ {
		pass, err := c.admit(ctx, call, start, attempt-1)
		if err != nil {
			return reply{}, err
		}
		began := c.clock.Now()
		got, err := c.attempt(ctx, call, pass)
		c.log(ctx, call, attempt, c.clock.Now().Sub(began), err)
		if err == nil {
			return got, nil
		}
		countAttempts(err, attempt)
		if !call.repeat || ctx.Err() != nil {
			return reply{}, err
		}
		wait, again := c.policy.pause(attempt, err, c.timeout-c.clock.Now().Sub(start))
		if !again {
			return reply{}, err
		}
		if stopped := c.pause(ctx, wait, errors.Is(err, ErrRateLimited)); stopped != nil {
			return reply{}, &NetworkError{Method: call.method, Route: call.route, Attempts: attempt, Err: stopped}
		}
	}
}

func countAttempts(err error, attempts int) {
	var (
		refusal *Error
		network *NetworkError
	)
	switch {
	case errors.As(err, &refusal):
		refusal.Attempts = attempts
	case errors.As(err, &network):
		network.Attempts = attempts
	}
}

func (c *Client) log(ctx context.Context, call call, attempt int, took time.Duration, err error) {
	attributes := []slog.Attr{
		slog.String("method", call.method), slog.String("route", call.route),
		slog.Int("attempt", attempt), slog.Duration("took", took),
	}
	if err != nil {
		attributes = append(attributes, slog.String("error", err.Error()))
	}
	c.logger.LogAttrs(ctx, slog.LevelDebug, "request", attributes...)
}

// attempt sends the call once.
func (c *Client) attempt(ctx context.Context, call call, pass pass) (reply, error) {
	defer c.gate.leave()
	var way way
	req, err := c.request(httptrace.WithClientTrace(ctx, way.trace()), call)
	if err == nil {
		err = ctx.Err() // what is over before it began sends nothing
	}
	if err != nil {
		return reply{}, &NetworkError{Method: call.method, Route: call.route, Err: withoutURL(err)}
	}
	sender := c.http
	if call.changes() {
		sender = c.writes
	}
	resp, err := sender.Do(req)
	if err != nil {
		return reply{}, &NetworkError{
			Method: call.method, Route: call.route, Err: c.cause(ctx, err),
			OutcomeUnknown: call.changes() && !way.unsent(),
		}
	}
	defer func() { _ = resp.Body.Close() }()
	if c.onAnswer != nil {
		c.onAnswer(resp.Header)
	}
	now := c.clock.Now()
	c.gate.heard(pass, resp.StatusCode, c.noteRate(resp.Header, now), retryAfter(resp.Header.Get("Retry-After"), now), now)
	if resp.StatusCode != call.status {
		return reply{}, c.refusal(call, resp)
	}
	return c.reply(ctx, call, resp)
}

// request makes the request of a call.
func (c *Client) request(ctx context.Context, call call) (*http.Request, error) {
	target := c.base + call.path
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
	// net/http sends a request with an Idempotency-Key again by itself, if it can
	// get the body again.
	req.GetBody = nil
	req.Header.Set("Authorization", "Bearer "+c.token().Reveal())
	req.Header.Set("Accept", call.kind.accept())
	req.Header.Set("User-Agent", c.userAgent)
	if call.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if call.key != "" {
		req.Header.Set("Idempotency-Key", call.key)
	}
	return req, nil
}

func (c call) broken(field, problem string) *ContractError {
	return &ContractError{Method: c.method, Route: c.route, Field: field, Problem: problem}
}
