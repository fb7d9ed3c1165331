// Package ids makes the public identifiers of records: a prefix that says what
// the record is, and a ULID (26 characters, time first).
//
// They are opaque to clients and are never a database key (docs/api.md, Ids). They
// begin with the time because an index of ids that arrive in order takes new rows at
// its end; random ids cost two thirds of the write rate.
package ids

import (
	"crypto/sha256"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// The kinds of public id.
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

// Source makes ids. It is safe for concurrent use.
type Source struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

// NewSource returns a source that draws its random part from entropy: the
// operating system's for a service, a seeded one for generated data that has to
// come out the same twice.
func NewSource(entropy io.Reader) *Source {
	return &Source{entropy: ulid.Monotonic(entropy, 0)}
}

// New returns an id of the given kind for a record that came to be at t. Ids of
// the same millisecond still sort in the order they were made.
func (s *Source) New(kind string, t time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := ulid.New(ulid.Timestamp(t), s.entropy)
	if err != nil {
		return "", err
	}
	return kind + id.String(), nil
}

// Derived returns the id of the one record that belongs to two others, such as
// the delivery of an event to an endpoint. It sorts by the time of the first, and
// is the same whenever it is asked for.
func Derived(kind, first, second string) string {
	sum := sha256.Sum256([]byte(first + "\x00" + second))
	var id ulid.ULID
	copy(id[6:], sum[:])
	if from, err := ulid.ParseStrict(first[max(0, len(first)-ulid.EncodedSize):]); err == nil {
		copy(id[:6], from[:6])
	}
	return kind + id.String()
}
