// Package ids creates the public ids of records: a prefix for the kind of record, and a ULID of 26
// characters that starts with the time.
//
// Ids are opaque to clients and are never primary keys in the database (docs/api.md, Ids). They
// sort by time, so that new rows go to the end of an index. With random ids, the write rate would
// be two thirds lower.
package ids

import (
	"crypto/sha256"
	"io"
	"strings"
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
	Import        = "imp_"
	Line          = "lin_"
	Connection    = "con_"
	SSHKey        = "ssh_"
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

// New returns an id for a record that is created at the time t. kind is the prefix, such as
// Invoice. Ids of the same millisecond sort in the order of the calls.
func (s *Source) New(kind string, t time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := ulid.New(ulid.Timestamp(t), s.entropy)
	if err != nil {
		return "", err
	}
	return kind + id.String(), nil
}

// kinds are all prefixes.
var kinds = [...]string{
	Organization, Invoice, Transaction, PaymentIntent, Event, Token, Webhook, Delivery, Import, Line, Connection, SSHKey,
}

// IsID reports whether text has the form of an id of any kind.
func IsID(text string) bool {
	for _, kind := range kinds {
		if rest, ok := strings.CutPrefix(text, kind); ok {
			_, err := ulid.ParseStrict(rest)
			return err == nil
		}
	}
	return false
}

// Derived returns an id for a record that belongs to exactly two others, such as the delivery of an
// event to an endpoint. firstID and secondID are the ids of those two. The same arguments give the
// same id, which sorts by the time of firstID.
func Derived(kind, firstID, secondID string) string {
	sum := sha256.Sum256([]byte(firstID + "\x00" + secondID))
	var id ulid.ULID
	copy(id[6:], sum[:])
	if from, err := ulid.ParseStrict(firstID[max(0, len(firstID)-ulid.EncodedSize):]); err == nil {
		copy(id[:6], from[:6])
	}
	return kind + id.String()
}

// Fixed returns an id that depends only on the arguments: kind is the prefix, and key identifies
// the record. Ids sort by the time t. Times before 1970 count as the start of 1970.
func Fixed(kind string, t time.Time, key string) string {
	sum := sha256.Sum256([]byte(key))
	var id ulid.ULID
	copy(id[6:], sum[:])
	// SetTime fails only for years after 10889, which no calendar date of the service has.
	_ = id.SetTime(uint64(max(0, t.UnixMilli())))
	return kind + id.String()
}
