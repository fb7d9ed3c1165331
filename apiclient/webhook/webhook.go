// Package webhook receives deliveries of the Organization Finance Client API: it verifies
// their signatures and parses their events (docs/api.md, Signature, Event envelope).
//
//	func receive(w http.ResponseWriter, r *http.Request) {
//		event, err := webhook.ReadRequest(r, secrets)
//		if err != nil {
//			http.Error(w, "not accepted", http.StatusBadRequest)
//			return
//		}
//		…
//	}
//
// Deliveries may arrive more than once and out of order: use the event's id to skip
// duplicates. Any 2xx response within 15 seconds acknowledges a delivery.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
)

// Headers of a delivery. Only SignatureHeader proves anything. The others are not signed and are
// meant for logs.
const (
	SignatureHeader  = "X-Service-Signature"
	EventIDHeader    = "X-Service-Event-Id"
	EventTypeHeader  = "X-Service-Event-Type"
	DeliveryIDHeader = "X-Service-Delivery-Id"
	AttemptHeader    = "X-Service-Attempt"
)

// Tolerance is how far the time of a delivery may be before or after the receiver's clock
// (docs/api.md, Signature). WithTolerance sets another value.
const Tolerance = 5 * time.Minute

// MaxBody is the maximum size of a delivery, in bytes.
const MaxBody = 1 << 20

// Errors that concern a delivery, to be compared with errors.Is.
var (
	ErrNoSignature = errors.New("the delivery has no v1 signature")
	ErrMalformed   = errors.New("the signature header is malformed")
	ErrNoMatch     = errors.New("no signature of the delivery matches a secret")
	ErrStale       = errors.New("the delivery was signed too long ago, or in the future")
	ErrTooLarge    = errors.New("the delivery is larger than 1 MiB")
	ErrNoEvent     = errors.New("the delivery is signed, but holds no event")
)

// Option configures how a delivery is verified.
type Option func(*rules) error

type rules struct {
	tolerance time.Duration
	now       func() time.Time
}

// WithTolerance sets the tolerance to d, which must be positive.
func WithTolerance(d time.Duration) Option {
	return func(r *rules) error {
		if d <= 0 {
			return errors.New("the tolerance must be positive")
		}
		r.tolerance = d
		return nil
	}
}

// WithNow replaces the system's clock.
func WithNow(now func() time.Time) Option {
	return func(r *rules) error {
		if now == nil {
			return errors.New("the clock is nil")
		}
		r.now = now
		return nil
	}
}

// Verify checks that one of the secrets signed body within the tolerance, and returns the event in
// body. body must be exactly the bytes received, and header the value of X-Service-Signature.
// During a rotation of the secret, the header has two signatures, and secrets may contain the new
// and the previous secret. The errors of this package concern the delivery. Any other error means
// that the secrets or options cannot be used.
func Verify(body []byte, header string, secrets []apiclient.Secret, opts ...Option) (apiclient.Event, error) {
	r := rules{tolerance: Tolerance, now: time.Now}
	for _, set := range opts {
		if err := set(&r); err != nil {
			return apiclient.Event{}, err
		}
	}
	// With an empty secret, anybody could sign.
	if len(secrets) == 0 {
		return apiclient.Event{}, errors.New("there is no signing secret to verify with")
	}
	for _, secret := range secrets {
		if err := secret.Check(); err != nil {
			return apiclient.Event{}, err
		}
	}
	if len(body) > MaxBody {
		return apiclient.Event{}, ErrTooLarge
	}
	signed, err := parse(header)
	if err != nil {
		return apiclient.Event{}, err
	}
	// The time can only be trusted if the signature is genuine.
	if !signed.signedBy(secrets, body) {
		return apiclient.Event{}, ErrNoMatch
	}
	if r.now().Sub(signed.at).Abs() > r.tolerance {
		return apiclient.Event{}, ErrStale
	}
	event, err := apiclient.ParseEvent(body)
	if err != nil {
		return apiclient.Event{}, fmt.Errorf("%w: %w", ErrNoEvent, err)
	}
	return event, nil
}

// ReadRequest reads the body of a request, up to MaxBody bytes, and verifies it as Verify does.
func ReadRequest(r *http.Request, secrets []apiclient.Secret, opts ...Option) (apiclient.Event, error) {
	headers := r.Header.Values(SignatureHeader)
	switch {
	case len(headers) == 0:
		return apiclient.Event{}, ErrNoSignature
	case len(headers) > 1:
		return apiclient.Event{}, fmt.Errorf("%w: it came %d times", ErrMalformed, len(headers))
	}
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(io.LimitReader(r.Body, MaxBody+1)); err != nil {
			return apiclient.Event{}, fmt.Errorf("read the delivery: %w", err)
		}
	}
	return Verify(body, headers[0], secrets, opts...)
}

// Sign returns the signature header of a delivery at the given time, in whole seconds. It has one
// signature for each secret, in the same order. It is meant for tests of receivers.
func Sign(body []byte, at time.Time, secrets ...apiclient.Secret) string {
	t := strconv.FormatInt(at.Unix(), 10)
	var header strings.Builder
	header.WriteString("t=" + t)
	for _, secret := range secrets {
		header.WriteString(",v1=" + hex.EncodeToString(sum(t, body, secret)))
	}
	return header.String()
}

// sum returns the signature of a body. t is the time of signing as text, in Unix seconds. The key
// is the whole secret including its prefix (docs/api.md, Signature).
func sum(t string, body []byte, secret apiclient.Secret) []byte {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
