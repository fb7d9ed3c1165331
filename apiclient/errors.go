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

// What an *Error or a *NetworkError is, for errors.Is (docs/api.md, Errors).
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

// ErrOutcomeUnknown is what every error of a write is after which the write may
// have been carried out all the same: no answer after something was sent, an answer
// that cannot be read or has a wrong status, any 5xx. Such a write must
// not be sent again before a look at what is there. A write's other errors say that
// it was not carried out: an *Error by the server, all else before anything was
// sent.
var ErrOutcomeUnknown = errors.New("whether it was carried out is not known")

const lookFirst = "; it may have been carried out all the same: look before sending it again"

// Error is an answer that says no. All its text is clean.
type Error struct {
	Status     int           // HTTP status
	Message    string        // the server's sentence, or the status in words
	Method     string        // such as GET
	Route      string        // route template, such as /invoices/{invoiceId}
	RequestID  string        // the server's name for the request, or ""
	Scope      string        // of a 403: the scope that the token lacks, where the server says
	RetryAfter time.Duration // how long the server asked to wait, or 0; of a read's 429 never 0
	Attempts   int           // how often the request was sent
	Held       bool          // it was not sent: RetryAfter is how long reads are held back after a 429
	// OutcomeUnknown is set where a write may have been carried out all the same.
	OutcomeUnknown bool
}

// Error returns one line: what was asked, and what the server said.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s (%d)", e.Method, e.Route, e.Message, e.Status)
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, "; try again in %s", (e.RetryAfter + time.Second - 1).Truncate(time.Second))
	}
	if e.OutcomeUnknown {
		b.WriteString(lookFirst)
	}
	return b.String()
}

// Is matches the sentinel of the status, and ErrOutcomeUnknown.
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

// ContractError is an answer that is not what the API promises: a field is missing,
// a value has another shape, the body is no JSON.
type ContractError struct {
	Method  string
	Route   string
	Field   string // such as data[3].amount_known, or "" when the whole answer is meant
	Problem string
	// Elsewhere is set where something else than the API seems to have answered, such as a proxy.
	Elsewhere bool
}

// Error returns one line: what was asked, and what is wrong with the answer.
func (e *ContractError) Error() string {
	what := "the answer"
	if e.Field != "" {
		what = "field " + e.Field + " of the answer"
	}
	text := e.Method + " " + e.Route + ": " + what + " " + e.Problem
	if e.Elsewhere {
		text += "; a proxy or another server may have answered: check the base URL"
	}
	if e.Is(ErrOutcomeUnknown) {
		text += lookFirst
	}
	return text
}

// Is matches ErrOutcomeUnknown for writes: there was an answer, and no refusal.
func (e *ContractError) Is(target error) bool {
	return target == ErrOutcomeUnknown && e.Method != "" && e.Method != http.MethodGet
}

// ProxyError is the answer of an HTTP proxy that makes no connection to the server.
type ProxyError struct{ Status int }

// Error returns the status.
func (e *ProxyError) Error() string { return fmt.Sprintf("the proxy answered %d", e.Status) }

// NetworkError is a request without an answer, or with half of one. It matches
// ErrNetwork unless the caller's context was canceled.
type NetworkError struct {
	Method   string
	Route    string
	Attempts int
	Err      error // without the URL; for errors.Is and errors.As
	Partial  bool  // some of the answer came
	// OutcomeUnknown is set where some of a write may have reached the server.
	OutcomeUnknown bool
}

// Error returns one line: what was asked, and why there is no answer.
func (e *NetworkError) Error() string {
	reason := e.Err.Error()
	if errors.Is(e.Err, context.DeadlineExceeded) {
		reason = "no answer in time"
	}
	text := e.Method + " " + e.Route + ": " + termtext.Line(reason)
	if e.OutcomeUnknown {
		text += lookFirst
	}
	return text
}

// Unwrap returns the cause.
func (e *NetworkError) Unwrap() error { return e.Err }

// Is matches ErrNetwork and ErrOutcomeUnknown: to have been told to stop is no
// trouble of the network.
func (e *NetworkError) Is(target error) bool {
	if target == ErrOutcomeUnknown {
		return e.OutcomeUnknown
	}
	return target == ErrNetwork && !errors.Is(e.Err, context.Canceled)
}

// retryAfter reads a Retry-After header, seconds or a date, and 0 for anything
// else. A day is the longest pause believed.
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

// scopeOf reads scope="…" of a WWW-Authenticate header (RFC 6750, section 3), as it is.
func scopeOf(header string) string {
	for _, part := range strings.FieldsFunc(header, func(r rune) bool { return r == ',' || r == ' ' }) {
		if value, ok := strings.CutPrefix(part, `scope="`); ok {
			scope, _, _ := strings.Cut(value, `"`)
			return scope
		}
	}
	return ""
}
