package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"tarmac/service/access"
	"tarmac/service/store"
)

// problem is an error that a caller is told of. Its text is one lower-case
// sentence that names the field and the rule, and never repeats a credential,
// a statement, or what another organization has (docs/api.md, Errors).
type problem struct {
	status int
	text   string
	header [][2]string
	cause  error // for the log only
}

func (p *problem) Error() string {
	if p.cause != nil {
		return p.text + ": " + p.cause.Error()
	}
	return p.text
}

func (p *problem) Unwrap() error { return p.cause }

const retrySeconds = 30

func invalid(format string, args ...any) *problem {
	return &problem{status: http.StatusBadRequest, text: fmt.Sprintf(format, args...)}
}

func noSuch(what string) *problem {
	return &problem{status: http.StatusNotFound, text: "no such " + what}
}

func methodNotAllowed(allow string) *problem {
	return &problem{status: http.StatusMethodNotAllowed, text: "method not allowed", header: [][2]string{{"Allow", allow}}}
}

const challenge = `Bearer realm="finance"`

func missingToken() *problem {
	return &problem{status: http.StatusUnauthorized, text: "missing API token", header: [][2]string{{"WWW-Authenticate", challenge}}}
}

func invalidToken() *problem {
	return &problem{status: http.StatusUnauthorized, text: "invalid API token",
		header: [][2]string{{"WWW-Authenticate", challenge + `, error="invalid_token"`}}}
}

func wrongClass() *problem {
	return &problem{status: http.StatusForbidden, text: "this credential class may not use the external API",
		header: [][2]string{{"WWW-Authenticate", challenge + `, error="insufficient_scope"`}}}
}

func lacksScope(scope access.Scope) *problem {
	return &problem{status: http.StatusForbidden, text: "token lacks the required scope " + string(scope),
		header: [][2]string{{"WWW-Authenticate", challenge + `, error="insufficient_scope", scope="` + string(scope) + `"`}}}
}

func tooMany(wait time.Duration) *problem {
	seconds, unit := ceilSeconds(wait), "seconds"
	if seconds == 1 {
		unit = "second"
	}
	return &problem{status: http.StatusTooManyRequests, text: fmt.Sprintf("rate limit exceeded; retry after %d %s", seconds, unit),
		header: [][2]string{{"Retry-After", strconv.Itoa(seconds)}}}
}

// busySeconds is when a request that was turned away is to come again.
const busySeconds = 5

// busy tells that the request was not begun because of others.
func busy(cause error) *problem {
	return &problem{status: http.StatusTooManyRequests, text: fmt.Sprintf("too many requests at once; retry after %d seconds", busySeconds),
		cause: cause, header: [][2]string{{"Retry-After", strconv.Itoa(busySeconds)}}}
}

// ceilSeconds rounds up, to at least one second.
func ceilSeconds(d time.Duration) int { return max(1, int((d+time.Second-1)/time.Second)) }

func retryLater(status int, text string, cause error) *problem {
	return &problem{status: status, text: text + "; retry later", cause: cause, header: [][2]string{{"Retry-After", strconv.Itoa(retrySeconds)}}}
}

// lookup turns the store's answer to an id into what the caller is told.
func lookup(err error, what string) error {
	if errors.Is(err, store.ErrNotFound) {
		return noSuch(what)
	}
	return err
}

// problemOf returns what a caller is told of any error; what is not meant for
// callers becomes "internal error". That is also what a list becomes whose time
// ran out while it was read: the contract has a 503 for figures and none for lists, and the store
// keeps lists so far from the limit (Store.Listing) that reaching it is a fault of
// the service to be looked into, by the log's request id, and not a state to retry.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if errors.Is(err, store.ErrBusy) {
		return busy(err)
	}
	return &problem{status: http.StatusInternalServerError, text: "internal error", cause: err}
}
