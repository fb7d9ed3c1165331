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

// Errors for use with errors.Is. Each of them matches an *Error with one of the HTTP statuses
// beside it (docs/api.md, Errors). ErrNetwork matches a *NetworkError.
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

// ErrOutcomeUnknown matches the error of a write that may have been carried out. It means that the
// connection failed after something was sent, that the response could not be read or has an
// unexpected status, or that the status is 5xx. Check what exists before you send such a write
// again. After any other error, the write was not carried out: the server refused it with an
// *Error, or nothing was sent.
var ErrOutcomeUnknown = errors.New("whether it was carried out is not known")

const checkFirst = "; it may have taken effect: check before sending it again"

// Error is a response with an error status. Its text is safe to print.
type Error struct {
	Status     int           // HTTP status
	Message    string        // the server's message; without one, the status in words
	Method     string        // such as GET
	Route      string        // template of the URL's path, such as /invoices/{invoiceId}
	RequestID  string        // the server's ID for the request; "" if it sent none
	Scope      string        // the missing scope, if the 403 response names it
	Credential string        // the client's credential if it is not a token; see WithoutToken
	Local      bool          // the server is a part of this program; see WithLocalServer
	RetryAfter time.Duration // time to wait before a retry; 0 if unknown, but never 0 for a read with status 429
	Attempts   int           // number of times the request was sent
	Extension  *Extension    // facts that the server sends with the error; nil without any
	Held       bool          // the client did not send this read, because of its rate limit; see Client.Held
	// OutcomeUnknown means that the request was a write that may have been carried out.
	OutcomeUnknown bool
}

// Error returns one line with the request and the message of the server.
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

// Is reports whether target is the sentinel error of the status, such as ErrNotFound for 404. It
// also matches ErrOutcomeUnknown if OutcomeUnknown is set.
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

// ContractError means that a response breaks the API's contract: a field is missing or has the
// wrong type, or the body is not JSON.
type ContractError struct {
	Method  string
	Route   string
	Field   string // such as data[3].amount_known; "" for the whole response
	Problem string
	// NotAPI means that the response seems to come from something other than the API, such as a
	// proxy.
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

// Is matches ErrOutcomeUnknown if the request was a write. The server did not refuse that write, so
// it may have been carried out.
func (e *ContractError) Is(target error) bool {
	return target == ErrOutcomeUnknown && e.Method != "" && e.Method != http.MethodGet
}

// ProxyError means that an HTTP proxy refused to connect to the server. Status is the status of the
// proxy's response.
type ProxyError struct{ Status int }

// Error returns the status of the proxy as text.
func (e *ProxyError) Error() string { return fmt.Sprintf("the proxy answered %d", e.Status) }

// NetworkError means that a request got no response, or only part of one. It matches ErrNetwork
// unless the caller cancelled the context.
type NetworkError struct {
	Method   string
	Route    string
	Attempts int
	Err      error // the cause, without the request's URL
	Partial  bool  // only part of the response arrived
	// OutcomeUnknown means that a write may have reached the server, at least in part.
	OutcomeUnknown bool
	Local          bool // the server is a part of this program; see WithLocalServer
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

// Unwrap returns the cause, Err.
func (e *NetworkError) Unwrap() error { return e.Err }

// Is matches ErrOutcomeUnknown if OutcomeUnknown is set, and ErrNetwork unless the caller cancelled
// the context.
func (e *NetworkError) Is(target error) bool {
	if target == ErrOutcomeUnknown {
		return e.OutcomeUnknown
	}
	return target == ErrNetwork && !errors.Is(e.Err, context.Canceled)
}

// retryAfter parses the header Retry-After, which contains seconds or a date. It returns at most 24
// hours, and 0 for other text.
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

// scopeOf returns the parameter scope="…" of the header WWW-Authenticate (RFC 6750, section 3). It
// returns "" if there is none.
func scopeOf(header string) string {
	for _, part := range strings.FieldsFunc(header, func(r rune) bool { return r == ',' || r == ' ' }) {
		if value, ok := strings.CutPrefix(part, `scope="`); ok {
			scope, _, _ := strings.Cut(value, `"`)
			return scope
		}
	}
	return ""
}
