package assistant

import (
	"context"
	"errors"
	"math"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
)

// Failure says why a question could not be answered. The server's words are only in Details.
type Failure struct {
	Error             string     `json:"error"`
	Details           *Untrusted `json:"details,omitempty"`
	RetryAfterSeconds int64      `json:"retry_after_seconds,omitempty"` // 0 if unknown
}

// maxDetails is the maximum length of Failure.Details, in characters.
const maxDetails = 500

// FailureOf describes an error of this package or of the API client.
func FailureOf(err error) Failure {
	f := Failure{Error: ReasonOf(err)}
	if known(err) == nil {
		return f
	}
	details := untrustedUpTo(problem.Line(err), maxDetails)
	f.Details = &details
	if refusal := new(apiclient.Error); errors.As(err, &refusal) && refusal.RetryAfter > 0 {
		f.RetryAfterSeconds = int64(math.Ceil(refusal.RetryAfter.Round(time.Millisecond).Seconds()))
	}
	return f
}

// ReasonOf says in a sentence why a request failed. It does not repeat words of the server.
func ReasonOf(err error) string {
	if reason := known(err); reason != nil {
		return problem.Sentence(reason.Error())
	}
	if input := new(InputError); errors.As(err, &input) {
		return problem.Sentence(input.Error())
	}
	return "The answer could not be made."
}

var errContract = errors.New("the server's response could not be read")

// known returns the error of the API client that err matches, or nil if it matches none. The text
// of the result is a constant of the program.
func known(err error) error {
	if errors.As(err, new(*apiclient.ContractError)) {
		return errContract
	}
	for _, kind := range [...]error{
		context.Canceled, apiclient.ErrUnauthorized, apiclient.ErrForbidden, apiclient.ErrNotFound, apiclient.ErrInvalid,
		apiclient.ErrConflict, apiclient.ErrUnprocessable, apiclient.ErrRateLimited, apiclient.ErrUnavailable,
		apiclient.ErrRedirected, apiclient.ErrNetwork, context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return nil
}
