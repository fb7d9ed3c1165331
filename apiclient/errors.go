package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tarmac/internal/termtext"
)

// These sentinels match an *Error or a *NetworkError with errors.Is (docs/api.md, Errors).
var (
	ErrUnauthorized  = errors.New("the server does not accept the token")         // 401
	ErrForbidden     = errors.New("the token may not do this")                    // 403
	ErrNotFound      = errors.New("no such record")                               // 404, 410
	ErrInvalid       = errors.New("the server does not accept the request")       // 400, 405, 413, 415
	ErrConflict      = errors.New("the request conflicts with the present state") // 409
	ErrUnprocessable = errors.New("the request cannot be processed")              // 422
	ErrRateLimited   = errors.New("too many requests")                            // 429
	ErrUnavailable   = errors.New("the server cannot answer at present")          // 5xx
	ErrRedirected    = errors.New("the server redirects, which is not followed")  // 3xx
	ErrNetwork       = errors.New("the server cannot be reached")                 // *NetworkError
)

// ErrOutcomeUnknown matches errors of writes that may have been carried out: the connection
// failed after something was sent, the response could not be read or has an unexpected
// status, or the status is 5xx. Check what exists before sending such a write again. After
// any other error the write was not carried out: either the server refused it with an
// *Error, or nothing was sent.
var ErrOutcomeUnknown = errors.New("whether it was carried out is not known")

const checkFirst = "; it may have taken effect: check before sending it again"

// Error is a response with an error status. Its text is safe to print.
type Error struct {
	Status     int           // HTTP status
	Message    string        // the server's message, or the status in words
	Method     string        // such as GET
	Route      string        // route template, such as /invoices/{invoiceId}
	RequestID  string        // the server's id for the request, or ""
	Scope      string        // the missing scope, if a 403 response names it
	RetryAfter time.Duration // time to wait before a retry, or 0; always set for reads with status 429
	Attempts   int           // number of times the request was sent
	Held       bool          // the client did not send the read, because of its rate limit; see Client.Held
	// OutcomeUnknown is set when a write may have been carried out.
	OutcomeUnknown bool
}

// Error returns one line with the request and the server's message.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s (%d)", e.Method, e.Route, e.Message, e.Status)
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, "; try again in %s", (e.RetryAfter + time.Second - 1).Truncate(time.Second))
	}
	if e.OutcomeUnknown {
		b.WriteString(checkFirst)
	}
	return b.String()
}

// Is reports whether target is the sentinel for the status, or ErrOutcomeUnknown if OutcomeUnknown
// is set.
func (e *Error) Is(target error) bool {
	if target == ErrOutcomeUnknown {
		return e.OutcomeUnknown
	}
	return target == sentinel(e.Status)
}

func sentinel(status int) error {
	switch status {
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusForbidden:
		return ErrForbidden
	case http.StatusNotFound, http.StatusGone:
		return ErrNotFound
	case http.StatusBadRequest,
		http.StatusMethodNotAllowed,
		http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType:
		return ErrInvalid
	case http.StatusConflict:
		return ErrConflict
	case http.StatusUnprocessableEntity:
		return ErrUnprocessable
	case http.StatusTooManyRequests:
		return ErrRateLimited
	}
	switch {
	case status >= 500:
		return ErrUnavailable
	case status >= 300 && status < 400:
		return ErrRedirected
	}
	return nil
}

// ContractError is a response that breaks the API's contract: a field is missing or has
// another type, or the body is not JSON.
type ContractError struct {
	Method  string
	Route   string
	Field   string // such as data[3].amount_known, or "" for the whole response
	Problem string
	// NotAPI is set when the response seems to come from something else, such as a proxy.
	NotAPI bool
}

// Error returns one line with the request and what is wrong with the response.
func (e *ContractError) Error() string {
	what := "the answer"
	if e.Field != "" {
		what = "field " + e.Field + " of the answer"
	}
	text := e.Method + " " + e.Route + ": " + what + " " + e.Problem
	if e.NotAPI {
		text += "; a proxy or another server may have answered: check the base URL"
	}
	if e.Is(ErrOutcomeUnknown) {
		text += checkFirst
	}
	return text
}

// Is reports whether target is ErrOutcomeUnknown and the request was a write: the server did not
// refuse it, so it may have been carried out.
func (e *ContractError) Is(target error) bool {
	return target == ErrOutcomeUnknown && e.Method != "" && e.Method != http.MethodGet
}

// ProxyError is the response of an HTTP proxy that refused to connect to the server.
type ProxyError struct{ Status int }

// Error returns the proxy's status as text.
func (e *ProxyError) Error() string { return fmt.Sprintf("the proxy answered %d", e.Status) }

// NetworkError means that a request got no response, or only a part of one. It matches
// ErrNetwork unless the caller canceled the context.
type NetworkError struct {
	Method   string
	Route    string
	Attempts int
	Err      error // the cause, without the URL
	Partial  bool  // the response began to arrive but is incomplete
	// OutcomeUnknown is set when some of a write may have reached the server.
	OutcomeUnknown bool
}

// Error returns one line with the request and why there is no response.
func (e *NetworkError) Error() string {
	reason := e.Err.Error()
	if errors.Is(e.Err, context.DeadlineExceeded) {
		reason = "no answer in time"
	}
	text := e.Method + " " + e.Route + ": " + termtext.Line(reason)
	if e.OutcomeUnknown {
		text += checkFirst
	}
	return text
}

// Unwrap returns the cause.
func (e *NetworkError) Unwrap() error { return e.Err }

// Is reports whether target is ErrOutcomeUnknown and OutcomeUnknown is set, or target is ErrNetwork
// and the caller did not cancel the context.
func (e *NetworkError) Is(target error) bool {
	if target == ErrOutcomeUnknown {
		return e.OutcomeUnknown
	}
	return target == ErrNetwork && !errors.Is(e.Err, context.Canceled)
}

// retryAfter parses a Retry-After header, in seconds or as a date, up to 24 hours. It
// returns 0 for anything else.
func retryAfter(value string, now time.Time) time.Duration {
	const most = 24 * time.Hour
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, most)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(0, at.Sub(now)), most)
	}
	return 0
}

// scopeOf returns the scope="…" parameter of a WWW-Authenticate header (RFC 6750, section
// 3).
func scopeOf(header string) string {
	for _, part := range strings.FieldsFunc(header, func(r rune) bool { return r == ',' || r == ' ' }) {
		if value, ok := strings.CutPrefix(part, `scope="`); ok {
			scope, _, _ := strings.Cut(value, `"`)
			return scope
		}
	}
	return ""
}
