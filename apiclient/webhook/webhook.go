// Package webhook is for those who receive the deliveries of the Organization
// Finance Client API: it checks their signatures and reads their events
// (docs/api.md, Signature, Event envelope).
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
// A delivery may come more than once and out of order: dedupe by the event's id.
// Any 2xx answer within 15 seconds acknowledges it.
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

// The headers of a delivery. Only the first proves anything: the others are not
// signed, and are for logs.
const (
	SignatureHeader  = "X-Service-Signature"
	EventIDHeader    = "X-Service-Event-Id"
	EventTypeHeader  = "X-Service-Event-Type"
	DeliveryIDHeader = "X-Service-Delivery-Id"
	AttemptHeader    = "X-Service-Attempt"
)

// Tolerance is how far a delivery's time may be from the receiver's, either way,
// unless WithTolerance says otherwise (docs/api.md, Signature).
const Tolerance = 5 * time.Minute

// MaxBody is the most bytes of a delivery that are looked at. Events are thin.
const MaxBody = 1 << 20

// What is wrong with a delivery, for errors.Is.
var (
	ErrNoSignature = errors.New("the delivery has no v1 signature")
	ErrMalformed   = errors.New("the signature header is malformed")
	ErrNoMatch     = errors.New("no signature of the delivery matches a secret")
	ErrStale       = errors.New("the delivery was signed too long ago, or in the future")
	ErrTooLarge    = errors.New("the delivery is larger than 1 MiB")
	ErrNoEvent     = errors.New("the delivery is signed, but holds no event")
)

// Option changes how a delivery is verified.
type Option func(*rules) error

type rules struct {
	tolerance time.Duration
	now       func() time.Time
}

// WithTolerance replaces Tolerance by d, which must be positive.
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

// Verify checks that body, byte for byte as it came, was signed with one of the
// secrets a short time ago, and returns its event. header is the value of
// X-Service-Signature; during a rotation it carries two signatures, and secrets may
// be the new and the previous one. Errors of the delivery match the sentinels;
// another error means that the secrets or the options cannot be used.
func Verify(body []byte, header string, secrets []apiclient.Secret, opts ...Option) (apiclient.Event, error) {
	r := rules{tolerance: Tolerance, now: time.Now}
	for _, set := range opts {
		if err := set(&r); err != nil {
			return apiclient.Event{}, err
		}
	}
	// With an empty secret anybody could sign.
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
	// Staleness is told of genuine deliveries only: of others the time means nothing.
	if !signed.by(secrets, body) {
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

// ReadRequest is Verify for a request to a receiver. It reads the body, at most
// MaxBody of it, and leaves it read.
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

// Sign returns the header of a delivery of body that is signed at the given time, to
// the second, with each secret in turn. It is for tests of receivers.
func Sign(body []byte, at time.Time, secrets ...apiclient.Secret) string {
	t := strconv.FormatInt(at.Unix(), 10)
	var header strings.Builder
	header.WriteString("t=" + t)
	for _, secret := range secrets {
		header.WriteString(",v1=" + hex.EncodeToString(sum(t, body, secret)))
	}
	return header.String()
}

// sum is the signature of a body at a time, as the header writes it. All of the
// secret is the key, its prefix included (docs/api.md, Signature).
func sum(t string, body []byte, secret apiclient.Secret) []byte {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
