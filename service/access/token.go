package access

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Token describes an organization's token without its secret. Times are in UTC; ExpiresAt is nil
// for a token that does not expire, and the other times are nil until they happen.
type Token struct {
	PublicID    string // "tok_…"
	OrgPublicID string
	LastFour    string // last four characters of the secret
	Scopes      []Scope
	CreatedAt   time.Time
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	LastUsedAt  *time.Time
}

// Valid reports whether the token may be used at the time now: it is not revoked, and now is before
// ExpiresAt.
func (t Token) Valid(now time.Time) bool {
	return t.RevokedAt == nil && (t.ExpiresAt == nil || now.Before(*t.ExpiresAt))
}

// Allows reports whether the token has the scope. None is allowed for every token.
func (t Token) Allows(scope Scope) bool {
	return scope == None || slices.Contains(t.Scopes, scope)
}

// Class is the kind of a credential, which its prefix shows.
type Class int

// The classes of credentials. The API accepts organization tokens only. It refuses operators'
// credentials with 403 and anything else with 401.
const (
	Unknown Class = iota
	OrganizationClass
	OperatorClass
)

const (
	secretPrefix       = "svc_"
	organizationPrefix = secretPrefix + "org_"
	operatorPrefix     = secretPrefix + "ops_"
	randomLength       = 30
	checksumLength     = 6
)

// ClassOf returns the class of a credential by its prefix. It does not check the rest of the
// credential.
func ClassOf(secret string) Class {
	switch {
	case strings.HasPrefix(secret, organizationPrefix):
		return OrganizationClass
	case strings.HasPrefix(secret, operatorPrefix):
		return OperatorClass
	}
	return Unknown
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewSecret returns a new organization token: its prefix, 30 random characters, and a checksum of 6
// characters by which secret scanners recognize a leaked token offline.
func NewSecret(entropy io.Reader) (string, error) {
	random, err := RandomText(entropy, randomLength)
	if err != nil {
		return "", fmt.Errorf("making a token: %w", err)
	}
	body := organizationPrefix + random
	return body + checksum(body), nil
}

// RandomText returns n letters and digits made from entropy. All characters are equally likely.
func RandomText(entropy io.Reader, n int) (string, error) {
	text := make([]byte, 0, n)
	var b [64]byte
	for len(text) < n {
		if _, err := io.ReadFull(entropy, b[:]); err != nil {
			return "", err
		}
		for _, c := range b {
			// 256 is no multiple of 62. Bytes from 248 (4 × 62) up are skipped, because they would
			// make some characters more likely than others.
			if c < 248 && len(text) < n {
				text = append(text, base62[c%62])
			}
		}
	}
	return string(text), nil
}

// ContainsSecret reports whether text may contain a credential of the service, even a truncated
// one or one in another letter case. Such text must not be shown or logged.
func ContainsSecret(text string) bool { return strings.Contains(strings.ToLower(text), secretPrefix) }

// plainWord matches texts without special meaning to a terminal, a log or a web page.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.\[\]-]*$`)

const maxPlainWord = 64

// IsQuotable reports whether an error message may quote a value from a request. The value must
// match plainWord, have at most 64 characters, and not contain a credential that the client put in
// the wrong place.
func IsQuotable(value string) bool {
	return len(value) <= maxPlainWord && plainWord.MatchString(value) && !ContainsSecret(value)
}

// IsWellFormed reports whether s has the form of an organization token: prefix, length, alphabet
// and checksum are right. The token need not exist.
func IsWellFormed(s string) bool {
	if len(s) != len(organizationPrefix)+randomLength+checksumLength || ClassOf(s) != OrganizationClass {
		return false
	}
	for _, c := range []byte(s[len(organizationPrefix):]) {
		if strings.IndexByte(base62, c) < 0 {
			return false
		}
	}
	body := s[:len(s)-checksumLength]
	return checksum(body) == s[len(body):]
}

func checksum(body string) string {
	var digits [checksumLength]byte
	n := crc32.ChecksumIEEE([]byte(body))
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = base62[n%62]
		n /= 62
	}
	return string(digits[:])
}

// Hash returns the hash by which a token is stored and looked up. The secret has 178 random bits
// and cannot be guessed, so a fast hash is enough.
func Hash(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

// LastFour returns the last four characters of a secret, by which people recognize it.
func LastFour(secret string) string { return secret[max(0, len(secret)-4):] }
