package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tarmac/internal/termtext"
)

const (
	maxBody      = 8 << 20  // of a JSON answer
	maxErrorBody = 64 << 10 // of an answer that says no
	maxID        = 256
)

// call is one operation: what is sent, and whether it may be sent again.
type call struct {
	method string
	route  string // the template, for errors and logs
	path   string // the route with its ids filled in and escaped
	query  query
	repeat bool // sending it twice does what sending it once does
}

// read is the call of an operation without parameters in its path.
func read(route string, q query) call {
	return call{method: http.MethodGet, route: route, path: route, query: q, repeat: true}
}

// readOne is the call of an operation with an id, which ends the route as a
// {parameter}.
func readOne(route, id string) (call, error) {
	c := read(route, nil)
	collection := route[:strings.LastIndex(route, "/")+1]
	if id == "" || id == "." || id == ".." || len(id) > maxID {
		return c, fmt.Errorf("%s %s: %q is not an id", c.method, route, termtext.Fit(termtext.Line(id), min(len(id), 40)))
	}
	c.path = collection + url.PathEscape(id)
	return c, nil
}

// send carries a call out and returns the body of the answer, JSON by its content
// type, repeating the call as the policy has it.
func (c *Client) send(ctx context.Context, call call) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	start := c.clock.Now()
	for attempt := 1; ; attempt++ {
		began := c.clock.Now()
		body, err := c.attempt(ctx, call)
		c.log(ctx, call, attempt, c.clock.Now().Sub(began), err)
		if err == nil {
			return body, nil
		}
		countAttempts(err, attempt)
		if !call.repeat || ctx.Err() != nil {
			return nil, err
		}
		wait, again := c.policy.pause(attempt, err, c.timeout-c.clock.Now().Sub(start))
		if !again {
			return nil, err
		}
		if stopped := c.clock.Sleep(ctx, wait); stopped != nil {
			return nil, &NetworkError{Method: call.method, Route: call.route, Attempts: attempt, Err: stopped}
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
func (c *Client) attempt(ctx context.Context, call call) ([]byte, error) {
	target := c.base + call.path
	if len(call.query) > 0 {
		target += "?" + url.Values(call.query).Encode()
	}
	req, err := http.NewRequestWithContext(ctx, call.method, target, nil)
	if err != nil {
		return nil, &NetworkError{Method: call.method, Route: call.route, Err: withoutURL(err)}
	}
	req.Header.Set("Authorization", "Bearer "+c.token().Reveal())
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.userAgent)

	resp, err := c.http.Do(req)
	if err != nil {
		return nil, &NetworkError{Method: call.method, Route: call.route, Err: c.cause(ctx, err)}
	}
	defer func() { _ = resp.Body.Close() }()
	c.noteRate(resp.Header)
	if resp.StatusCode != http.StatusOK {
		return nil, c.refusal(call, resp)
	}
	return c.body(ctx, call, resp)
}

// body reads the body of a good answer.
func (c *Client) body(ctx context.Context, call call, resp *http.Response) ([]byte, error) {
	if kind := resp.Header.Get("Content-Type"); !isJSON(kind) {
		return nil, call.broken("", fmt.Sprintf("is %s instead of JSON; a proxy or another server may have answered: check the base URL", shown(c.hide(kind))))
	}
	size := min(max(resp.ContentLength, 0), maxBody)
	buffer := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	n, err := buffer.ReadFrom(io.LimitReader(resp.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, &NetworkError{Method: call.method, Route: call.route, Err: fmt.Errorf("the answer broke off: %w", c.cause(ctx, err))}
	case n > maxBody:
		return nil, call.broken("", fmt.Sprintf("is larger than %d MiB", maxBody>>20))
	}
	return buffer.Bytes(), nil
}

// refusal makes the error of an answer that is not 200.
func (c *Client) refusal(call call, resp *http.Response) error {
	e := &Error{
		Status: resp.StatusCode, Method: call.method, Route: call.route,
		RequestID:  termtext.Line(c.hide(resp.Header.Get("X-Request-Id"))),
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), c.clock.Now()),
	}
	if e.Status < 300 {
		return call.broken("", fmt.Sprintf("has status %d instead of 200", e.Status))
	}
	if e.Status < 400 {
		// Where to is not told: the address may carry a secret.
		e.Message = "the server redirects to another address; redirects are not followed, check the base URL"
		return e
	}
	if e.Status == http.StatusForbidden {
		e.Scope = c.hide(scopeOf(resp.Header.Get("WWW-Authenticate")))
	}
	var answer struct {
		Error string `json:"error"`
	}
	if isJSON(resp.Header.Get("Content-Type")) {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		if err != nil || json.Unmarshal(body, &answer) != nil {
			answer.Error = ""
		}
	}
	e.Message = termtext.Line(c.hide(answer.Error))
	if e.Message == "" {
		e.Message = "the server answered " + strings.ToLower(statusText(e.Status))
	}
	return e
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "with an unknown status"
}

// cause takes the URL out of a transport's error, and says that time is up where
// that is why.
func (c *Client) cause(ctx context.Context, err error) error {
	if stopped := ctx.Err(); stopped != nil {
		return stopped
	}
	inner := withoutURL(err)
	if strings.Contains(inner.Error(), c.token().Reveal()) {
		return errors.New("the server's answer cannot be read")
	}
	return inner
}

func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// hide takes the token out of what a server or a proxy sends back.
func (c *Client) hide(s string) string {
	return strings.ReplaceAll(s, c.token().Reveal(), redacted)
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json"))
}

func shown(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	if kind = strings.TrimSpace(termtext.Line(kind)); kind == "" || len(kind) > 60 {
		return "something"
	}
	return kind
}

func (c call) broken(field, problem string) *ContractError {
	return &ContractError{Method: c.method, Route: c.route, Field: field, Problem: problem}
}
