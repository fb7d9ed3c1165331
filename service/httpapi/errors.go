package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"tarmac/internal/plural"
	"tarmac/service/access"
	"tarmac/service/store"
)

// problem is an error response. Its text is one lower-case sentence that names the field and the
// rule. It never contains a credential, an SQL statement or another organization's data
// (docs/api.md, Errors).
type problem struct {
	status int
	text   string
	header [][2]string
	// extension is nil unless the client asks for it.
	extension *cashExtension
	cause     error // error to log, which the caller does not see
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

func notFound(what string) *problem {
	return &problem{status: http.StatusNotFound, text: "no such " + what}
}

func methodNotAllowed(allow string) *problem {
	return &problem{status: http.StatusMethodNotAllowed, text: "method not allowed", header: [][2]string{{"Allow", allow}}}
}

func conflict(format string, args ...any) *problem {
	return &problem{status: http.StatusConflict, text: fmt.Sprintf(format, args...)}
}

func unprocessable(text string) *problem {
	return &problem{status: http.StatusUnprocessableEntity, text: text}
}

const challenge = `Bearer realm="finance"`

func missingToken() *problem {
	return &problem{status: http.StatusUnauthorized, text: "missing API token",
		header: [][2]string{{"WWW-Authenticate", challenge}}}
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

func rateLimited(wait time.Duration) *problem {
	seconds := ceilSeconds(wait)
	return &problem{status: http.StatusTooManyRequests,
		text:   "rate limit exceeded; retry after " + plural.Count(seconds, "second"),
		header: retryAfter(seconds)}
}

// overloadedSeconds is the Retry-After value of requests that are refused because too many others
// are in progress.
const overloadedSeconds = 5

// overloaded returns the problem for a request that was refused because too many others are in
// progress. The request has had no effect.
func overloaded(cause error) *problem {
	return &problem{status: http.StatusTooManyRequests, cause: cause,
		text:   fmt.Sprintf("too many requests at once; retry after %d seconds", overloadedSeconds),
		header: retryAfter(overloadedSeconds)}
}

// awaySeconds is the Retry-After value of requests that found no database server.
const awaySeconds = 5

// away returns the problem for a request that no database server could serve. It has changed
// nothing.
func away(cause error) *problem {
	return &problem{status: http.StatusServiceUnavailable, cause: cause,
		text: "the database is changing servers; nothing was done", header: retryAfter(awaySeconds)}
}

// ceilSeconds returns d in seconds, rounded up, and at least 1.
func ceilSeconds(d time.Duration) int { return max(1, int((d+time.Second-1)/time.Second)) }

func retryLater(status int, text string, cause error) *problem {
	return &problem{status: status, text: text + "; retry later", cause: cause, header: retryAfter(retrySeconds)}
}

func retryAfter(seconds int) [][2]string { return [][2]string{{"Retry-After", strconv.Itoa(seconds)}} }

// lookupError turns store.ErrNotFound into a problem with status 404. It returns other errors
// unchanged. kind names the kind of record.
func lookupError(err error, kind string) error {
	if errors.Is(err, store.ErrNotFound) {
		return notFound(kind)
	}
	return err
}

// problemOf returns the error response for err. An error that is not meant for callers becomes
// "internal error" with status 500. So does a time-out while a list is read, because the OpenAPI
// document allows 503 only for figures. Store.Listing is fast enough that such a time-out is a
// defect, which the log shows.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if errors.Is(err, store.ErrAway) {
		return away(err)
	}
	if errors.Is(err, store.ErrBusy) {
		return overloaded(err)
	}
	return &problem{status: http.StatusInternalServerError, text: "internal error", cause: err}
}
