package providers

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"tarmac/internal/plural"
	"tarmac/service/providers/wire"
)

// Cause classifies what went wrong with a provider.
type Cause uint8

// Causes of failures.
const (
	Unreachable Cause = iota // no answer, a server error, or an answer that is not the provider's
	Denied                   // the credential is not, or no longer, accepted: the user must connect anew
	Limited                  // too many requests
	Malformed                // the answer has another shape than documented
	Unpaid                   // the provider wants to be paid first
)

// Failure is an error of a provider. Its text is a clean sentence for the user, without secrets and
// without any part of the answer that the provider's package did not choose and clean.
type Failure struct {
	Cause Cause
	Text  string
	// RetryAfter is the wait that the provider asked for; 0 if it did not.
	RetryAfter time.Duration
}

// Error returns the text.
func (f *Failure) Error() string { return f.Text }

// FailureOf returns the failure for an error of wire.Client. title is the provider's name as the
// company writes it. Providers whose documentation gives a status another meaning look at it first.
func FailureOf(title string, err error) *Failure {
	if failure, ok := errors.AsType[*Failure](err); ok {
		return failure
	}
	e, ok := errors.AsType[*wire.Error](err)
	if !ok {
		return &Failure{Cause: Unreachable, Text: "reading " + title + " failed"}
	}
	f := &Failure{Cause: Unreachable, Text: e.Text, RetryAfter: e.RetryAfter}
	switch {
	case e.Waited > 0:
		f.Text = NoAnswer(title, e.Waited)
	case e.Kind == wire.WrongContent:
		f.Cause = Malformed
	case e.Kind != wire.BadStatus:
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		f.Cause = Denied
		f.Text = fmt.Sprintf("%s does not accept the token (status %d): make a new one and connect again", title, e.Status)
	case e.Status == http.StatusPaymentRequired:
		f.Cause, f.Text = Unpaid, title+" asks for a payment first; pay there, then sync"
	case e.Status == http.StatusTooManyRequests:
		f.Cause, f.Text = Limited, title+" was asked too often, and "+f.then("is left alone for a while")
	case e.Status >= 500:
		f.Text = fmt.Sprintf("%s has a problem (status %d), and %s", title, e.Status, f.then("is tried again"))
	default:
		f.Cause, f.Text = Malformed, fmt.Sprintf("%s refused the request (status %d)", title, e.Status)
	}
	return f
}

// NoAnswer says that a provider did not answer within a time, which is rounded up to whole seconds.
func NoAnswer(title string, waited time.Duration) string {
	seconds := (waited + time.Second - 1) / time.Second
	return title + " did not answer within " + plural.Count(int64(seconds), "second")
}

// then says for how long the provider asked to wait, rounded up. It returns other if it did not.
func (f *Failure) then(other string) string {
	n, unit := f.RetryAfter, "hour"
	switch {
	case n <= 0:
		return other
	case n <= 2*time.Minute:
		n, unit = (n+time.Second-1)/time.Second, "second"
	case n <= 2*time.Hour:
		n, unit = (n+time.Minute-1)/time.Minute, "minute"
	default:
		n = (n + time.Hour - 1) / time.Hour
	}
	return "asks to wait " + plural.Count(int64(n), unit)
}
