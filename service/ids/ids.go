// Package ids creates the public ids of records: a prefix for the kind of record, and a ULID
// of 26 characters that starts with the time.
//
// Ids are opaque to clients and are never database keys (docs/api.md, Ids). They sort by time
// because an index then takes new rows at its end; random ids cost two thirds of the write
// rate.
package ids

import (
	"crypto/sha256"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// The prefixes of public ids, one for each kind of record.
const (
	Organization  = "org_"
	Invoice       = "inv_"
	Transaction   = "txn_"
	PaymentIntent = "pi_"
	Event         = "evt_"
	Token         = "tok_"
	Webhook       = "wh_"
	Delivery      = "whd_"
)

// Source creates ids. It is safe for concurrent use.
type Source struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

// NewSource returns a source whose ids take their random part from entropy: crypto/rand in a
// service, or a seeded generator for reproducible data.
func NewSource(entropy io.Reader) *Source {
	return &Source{entropy: ulid.Monotonic(entropy, 0)}
}

// New returns an id with the prefix kind for a record that is created at t. Ids of the same
// millisecond sort in the order of the calls.
func (s *Source) New(kind string, t time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := ulid.New(ulid.Timestamp(t), s.entropy)
	if err != nil {
		return "", err
	}
	return kind + id.String(), nil
}

// Derived returns the id of the one record that belongs to two others, such as the delivery of
// an event to an endpoint. The same two ids give the same result, which sorts by the time of the
// first.
func Derived(kind, first, second string) string {
	sum := sha256.Sum256([]byte(first + "\x00" + second))
	var id ulid.ULID
	copy(id[6:], sum[:])
	if from, err := ulid.ParseStrict(first[max(0, len(first)-ulid.EncodedSize):]); err == nil {
		copy(id[:6], from[:6])
	}
	return kind + id.String()
}
