package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
)

const (
	maxHeader     = 4096 // bytes
	maxSignatures = 8
)

// signed is what a header says: t=<unix seconds>,v1=<hex>[,v1=<hex>…].
type signed struct {
	t  string // as it came: it is signed in this form
	at time.Time
	v1 [][]byte
}

// parse reads a header strictly: entries scheme=value with commas between them and
// no blanks; one t, in its shortest form; every v1 64 lower-case hex digits. Other
// schemes are left to those who know them.
func parse(header string) (signed, error) {
	if header == "" {
		return signed{}, ErrNoSignature
	}
	if len(header) > maxHeader {
		return signed{}, fmt.Errorf("%w: it is longer than %d bytes", ErrMalformed, maxHeader)
	}
	var s signed
	for entry := range strings.SplitSeq(header, ",") {
		scheme, value, ok := strings.Cut(entry, "=")
		if !ok || !word(scheme) || value == "" || strings.ContainsFunc(value, unprintable) {
			return signed{}, fmt.Errorf("%w: an entry is not scheme=value", ErrMalformed)
		}
		var err error
		switch scheme {
		case "t":
			err = s.time(value)
		case "v1":
			err = s.signature(value)
		}
		if err != nil {
			return signed{}, err
		}
	}
	if s.t == "" {
		return signed{}, fmt.Errorf("%w: it has no t", ErrMalformed)
	}
	if len(s.v1) == 0 {
		return signed{}, ErrNoSignature
	}
	return s, nil
}

func (s *signed) time(value string) error {
	if s.t != "" {
		return fmt.Errorf("%w: it has t twice", ErrMalformed)
	}
	// Eleven digits reach beyond the year 5000.
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || len(value) > 11 || value != strconv.FormatUint(n, 10) {
		return fmt.Errorf("%w: t is not a number of seconds", ErrMalformed)
	}
	s.t, s.at = value, time.Unix(int64(n), 0)
	return nil
}

func (s *signed) signature(value string) error {
	if len(s.v1) == maxSignatures {
		return fmt.Errorf("%w: it has more than %d signatures", ErrMalformed, maxSignatures)
	}
	raw, err := hex.DecodeString(value)
	if err != nil || len(raw) != sha256.Size || value != strings.ToLower(value) {
		return fmt.Errorf("%w: v1 is not %d lower-case hex digits", ErrMalformed, hex.EncodedLen(sha256.Size))
	}
	s.v1 = append(s.v1, raw)
	return nil
}

// by reports whether one of the signatures is that of one of the secrets. It looks
// at all of them, in constant time each.
func (s *signed) by(secrets []apiclient.Secret, body []byte) bool {
	matched := false
	for _, secret := range secrets {
		want := sum(s.t, body, secret)
		for _, got := range s.v1 {
			matched = hmac.Equal(got, want) || matched
		}
	}
	return matched
}

func word(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

func unprintable(r rune) bool { return r <= ' ' || r > '~' }
