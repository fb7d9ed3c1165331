// Package proposal holds the rules for proposing invoices that all front ends share: what an error
// means for the outcome, which drafts may have come from a proposal, and the sentences about both.
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

// Scope is the token scope that is required to propose an invoice.
const Scope = "invoices:propose"

// KeyLife is how long a server remembers an idempotency key (docs/api.md, Idempotency key).
const KeyLife = 24 * time.Hour

// NewKey returns a random idempotency key.
func NewKey(entropy io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", err
	}
	return "tarmac-" + hex.EncodeToString(b[:]), nil
}

// Outcome is the result of sending a proposal.
type Outcome int

// Values of Outcome.
const (
	Created Outcome = iota // the invoice exists
	Refused                // the invoice does not exist, and it is safe to send the proposal again
	Unknown                // the invoice may exist, so check before sending the proposal again
)

// OutcomeOf returns the outcome of a proposal whose request returned err. repeated says that the
// outcome of an earlier request for the same proposal is unknown. In that case a refusal leaves the
// outcome unknown. The exception is a refusal because of a field: the server would have refused the
// earlier request for the same reason.
func OutcomeOf(err error, repeated bool) Outcome {
	switch {
	case err == nil:
		return Created
	case errors.Is(err, apiclient.ErrOutcomeUnknown), repeated && RefusedField(err) == "":
		return Unknown
	}
	return Refused
}

// Refusal says in a sentence why no invoice was created and what to do.
func Refusal(err error) string {
	p := problem.Of(err)
	if errors.Is(err, apiclient.ErrRateLimited) {
		p.Advice = "it is not retried automatically"
	}
	return "Not proposed: " + p.Text()
}

// StillUnknown says why the outcome is still unknown after a repeated request.
func StillUnknown(err error) string {
	if errors.Is(err, apiclient.ErrOutcomeUnknown) {
		return "Still unknown: " + problem.Of(err).Detail + "."
	}
	return "Resending failed: " + problem.Of(err).Text()
}

// RefusedField returns the API name of the field that the server refused, such as
// line_items[2].quantity. It returns "" if the error names no field.
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
