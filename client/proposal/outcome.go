// Package proposal holds the rules about a proposed invoice that every front end follows: what an
// error of a proposal means, which drafts it may have become, and the sentences about both.
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

// NewKey draws an idempotency key.
func NewKey(entropy io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", err
	}
	return "tarmac-" + hex.EncodeToString(b[:]), nil
}

// Outcome is what a request for an invoice came to.
type Outcome int

// The outcomes.
const (
	Created Outcome = iota // the invoice exists
	Refused                // it does not, and another request may be sent
	Unknown                // it may exist: look before sending another request
)

// OutcomeOf returns what the error of a proposal means. After a request with an unknown outcome,
// the refusal of its repetition says nothing about the first request, unless it blames what both
// of them asked for.
func OutcomeOf(err error, repeated bool) Outcome {
	switch {
	case err == nil:
		return Created
	case errors.Is(err, apiclient.ErrOutcomeUnknown), repeated && RefusedField(err) == "":
		return Unknown
	}
	return Refused
}

// Refusal says why no invoice was made, and what to do about it.
func Refusal(err error) string {
	p := problem.Of(err)
	if errors.Is(err, apiclient.ErrRateLimited) {
		p.Advice = "it is not sent again by itself"
	}
	return "Not proposed: " + p.Text()
}

// StillUnknown says why a repetition settled nothing: OutcomeOf called its error Unknown.
func StillUnknown(err error) string {
	if errors.Is(err, apiclient.ErrOutcomeUnknown) {
		return "It is still not known: " + problem.Of(err).Detail + "."
	}
	return "Sending it again failed: " + problem.Of(err).Text()
}

// RefusedField returns the field that the server refused, by its name in the API, such as
// line_items[2].quantity; "" for an error that is about no field.
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
