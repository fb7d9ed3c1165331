package stripe

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"tarmac/service/providers"
	"tarmac/service/providers/wire"
)

// problem is the body of an answer of Stripe with a wrong status. Its texts may repeat the key and
// are not shown, except the code.
type problem struct {
	Error struct {
		Type string `json:"type"`
		Code string `json:"code"`
	} `json:"error"`
}

// problemOf returns the error that Stripe describes in the body of an answer. It returns false if
// the answer is not Stripe's, such as the page of a proxy.
func problemOf(e *wire.Error) (p problem, ok bool) {
	err := json.Unmarshal(e.Body, &p)
	return p, err == nil && p.Error.Type != ""
}

// failureOf returns the failure for a request that failed.
func failureOf(err error) error {
	e, ok := errors.AsType[*wire.Error](err)
	if !ok || e.Kind != wire.BadStatus {
		return providers.FailureOf(title, err)
	}
	p, fromStripe := problemOf(e)
	f := &providers.Failure{Cause: providers.Denied, RetryAfter: e.RetryAfter}
	switch {
	case e.Status == http.StatusTooManyRequests, e.Status >= http.StatusInternalServerError:
		return providers.FailureOf(title, err)
	case !fromStripe:
		f.Cause = providers.Unreachable
		f.Text = fmt.Sprintf("an answer with status %d for %s is not Stripe's; does a network ask for a login first?",
			e.Status, e.Host)
	case e.Status == http.StatusUnauthorized:
		f.Text = "Stripe does not accept the key: it was deleted or has expired; " + keyAdvice +
			" and connect Stripe again"
	case e.Status == http.StatusForbidden:
		f.Text = "Stripe refused the key: it lacks the permission Invoices: Read, or is not allowed from this machine's " +
			"address; " + keyAdvice + " and connect Stripe again"
	case e.Status == http.StatusConflict, e.Status == http.StatusFailedDependency:
		f.Cause, f.Text = providers.Unreachable, fmt.Sprintf("Stripe is busy (status %d), and is tried again", e.Status)
	case e.Status == http.StatusNotFound && p.Error.Code == "resource_missing":
		return missingError{}
	default:
		f.Cause, f.Text = providers.Malformed, fmt.Sprintf("Stripe refused the request (status %d", e.Status)
		if isWord(p.Error.Code) && len(p.Error.Code) <= maxCode {
			f.Text += ", " + p.Error.Code
		}
		f.Text += "); nothing was taken in"
	}
	return f
}

// maxCode is the maximum length, in bytes, of an error code or status that a message may show.
const maxCode = 64

// missingError is the error for an invoice that Stripe does not have.
type missingError struct{}

func (missingError) Error() string { return "Stripe does not have the invoice" }

func isMissing(err error) bool { return errors.As(err, &missingError{}) }

// malformed returns the failure for an answer that is not as documented.
func malformed(format string, args ...any) error {
	return &providers.Failure{
		Cause: providers.Malformed, Text: title + ": " + fmt.Sprintf(format, args...) + "; nothing was taken in",
	}
}

// missing returns the failure for an answer without a required field.
func missing(field string) error { return malformed("the field %q is missing in its answer", field) }

// shownStatus returns the status of an invoice for an error message.
func shownStatus(status string) string {
	if !isWord(status) || len(status) > maxCode {
		return "something else"
	}
	return status
}
