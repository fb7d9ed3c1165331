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
	maxHeader     = 4096 // in bytes
	maxSignatures = 8
)

// signatureHeader is a parsed signature header of the form t=<unix seconds>,v1=<hex>[,v1=<hex>…].
type signatureHeader struct {
	t  string // the time as text, because the signature covers the text as received
	at time.Time
	v1 [][]byte
}

// parse parses a signature header strictly. It accepts entries of the form scheme=value, separated
// by commas without spaces: one t without leading zeros, and values of v1 with 64 lower-case hex
// digits. It ignores entries with other schemes.
func parse(header string) (signatureHeader, error) {
	if header == "" {
		return signatureHeader{}, ErrNoSignature
	}
	if len(header) > maxHeader {
		return signatureHeader{}, fmt.Errorf("%w: it is longer than %d bytes", ErrMalformed, maxHeader)
	}
	var s signatureHeader
	for entry := range strings.SplitSeq(header, ",") {
		scheme, value, ok := strings.Cut(entry, "=")
		if !ok || !isWord(scheme) || value == "" || strings.ContainsFunc(value, unprintable) {
			return signatureHeader{}, fmt.Errorf("%w: an entry is not scheme=value", ErrMalformed)
		}
		var err error
		switch scheme {
		case "t":
			err = s.time(value)
		case "v1":
			err = s.signature(value)
		}
		if err != nil {
			return signatureHeader{}, err
		}
	}
	if s.t == "" {
		return signatureHeader{}, fmt.Errorf("%w: it has no t", ErrMalformed)
	}
	if len(s.v1) == 0 {
		return signatureHeader{}, ErrNoSignature
	}
	return s, nil
}

func (s *signatureHeader) time(value string) error {
	if s.t != "" {
		return fmt.Errorf("%w: it has t twice", ErrMalformed)
	}
	// Eleven digits suffice until after the year 5000.
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || len(value) > 11 || value != strconv.FormatUint(n, 10) {
		return fmt.Errorf("%w: t is not a number of seconds", ErrMalformed)
	}
	s.t, s.at = value, time.Unix(int64(n), 0)
	return nil
}

func (s *signatureHeader) signature(value string) error {
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

// signedBy reports whether one of the secrets made one of the signatures. It compares all pairs,
// each in constant time.
func (s *signatureHeader) signedBy(secrets []apiclient.Secret, body []byte) bool {
	matched := false
	for _, secret := range secrets {
		want := sum(s.t, body, secret)
		for _, got := range s.v1 {
			matched = hmac.Equal(got, want) || matched
		}
	}
	return matched
}

func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

func unprintable(r rune) bool { return r <= ' ' || r > '~' }
