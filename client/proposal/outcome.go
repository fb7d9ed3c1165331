// Package proposal holds the rules for proposing invoices that every front end follows:
// what an error means, which drafts may be the result, and the sentences about both.
package proposal

import (
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
)

// Scope is the scope that a token needs to propose.
const Scope = "invoices:propose"

// KeyLife is how long a server remembers an idempotency key (docs/api.md,
// Idempotency key).
const KeyLife = 24 * time.Hour

// NewKey returns a random idempotency key.
func NewKey(entropy io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", err
	}
	return "tarmac-" + hex.EncodeToString(b[:]), nil
}

// Outcome is the result of a proposal request.
type Outcome int

// The outcomes.
const (
	Created Outcome = iota // the invoice exists
	Refused                // it does not exist, and another request is safe
	Unknown                // it may exist: check before another request
)

// OutcomeOf returns the outcome of a proposal from the error of its request. repeated is set if an
// earlier request for the same proposal had an unknown outcome. A refusal then leaves the outcome
// unknown, unless the server refuses a field, which it would have refused in the earlier request
// too.
func OutcomeOf(err error, repeated bool) Outcome {
	switch {
	case err == nil:
		return Created
	case errors.Is(err, apiclient.ErrOutcomeUnknown), repeated && RefusedField(err) == "":
		return Unknown
	}
	return Refused
}

// Refusal returns a sentence about why no invoice was created and what to do.
func Refusal(err error) string {
	p := problem.Of(err)
	if errors.Is(err, apiclient.ErrRateLimited) {
		p.Advice = "it is not retried automatically"
	}
	return "Not proposed: " + p.Text()
}

// StillUnknown returns why a repeated request left the outcome unknown.
func StillUnknown(err error) string {
	if errors.Is(err, apiclient.ErrOutcomeUnknown) {
		return "Still unknown: " + problem.Of(err).Detail + "."
	}
	return "Resending failed: " + problem.Of(err).Text()
}

// RefusedField returns the API name of the field that the server refused, such as
// line_items[2].quantity, or "" if the error names none.
func RefusedField(err error) string {
	var refusal *apiclient.Error
	if !errors.As(err, &refusal) || refusal.Status != http.StatusBadRequest {
		return ""
	}
	name, _, _ := strings.Cut(refusal.Message, " ")
	if !isField(name) {
		return ""
	}
	return name
}

func isField(name string) bool {
	if rest, ok := strings.CutPrefix(name, "line_items"); ok {
		if rest == "" {
			return true
		}
		number, cell, _ := strings.Cut(rest, "]")
		digits, ok := strings.CutPrefix(number, "[")
		return ok && digits != "" && strings.Trim(digits, "0123456789") == "" &&
			slices.Contains([]string{"", ".description", ".quantity", ".unit_price_cents"}, cell)
	}
	switch name {
	case "currency", "description", "recipient_name", "recipient_email", "notes", "due_date":
		return true
	}
	return false
}
