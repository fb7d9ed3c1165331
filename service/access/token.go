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

// Token is what is kept of an organization's token: never the secret itself.
// Times are UTC, nil where there is none.
type Token struct {
	PublicID    string // "tok_…"
	OrgPublicID string
	LastFour    string // of the secret
	Scopes      []Scope
	CreatedAt   time.Time
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	LastUsedAt  *time.Time
}

// Valid reports whether the token may be used at now. It no longer may at the
// very moment it expires.
func (t Token) Valid(now time.Time) bool {
	return t.RevokedAt == nil && (t.ExpiresAt == nil || now.Before(*t.ExpiresAt))
}

// Allows reports whether the token carries the scope. Every token may do what
// needs none.
func (t Token) Allows(scope Scope) bool {
	return scope == None || slices.Contains(t.Scopes, scope)
}

// Class is the kind of a credential, read from its prefix.
type Class int

// The classes. The external API takes organization tokens only; an operator's
// credential is told so, and anything else is no credential.
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

// ClassOf returns the class of a credential.
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

// NewSecret returns a new organization token: its prefix, 30 random characters
// and 6 of checksum, by which scanners recognize a leaked one without asking.
func NewSecret(entropy io.Reader) (string, error) {
	random, err := RandomText(entropy, randomLength)
	if err != nil {
		return "", fmt.Errorf("making a token: %w", err)
	}
	body := organizationPrefix + random
	return body + checksum(body), nil
}

// RandomText returns n random letters and digits, each as likely as the others.
func RandomText(entropy io.Reader, n int) (string, error) {
	text := make([]byte, 0, n)
	var b [64]byte
	for len(text) < n {
		if _, err := io.ReadFull(entropy, b[:]); err != nil {
			return "", err
		}
		for _, c := range b {
			// 248 is the last multiple of 62 in a byte: what is above would favour some characters.
			if c < 248 && len(text) < n {
				text = append(text, base62[c%62])
			}
		}
	}
	return string(text), nil
}

// Secret reports whether text holds what looks like a credential of the service,
// of any class, also cut short or in other letters: it must not be repeated.
func Secret(text string) bool { return strings.Contains(strings.ToLower(text), secretPrefix) }

// plainWord is a word that has no meaning to a terminal, a log or a page.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.\[\]-]{0,64}$`)

// Repeatable reports whether an error may repeat what was given: a plain word that
// is no credential put into the wrong place.
func Repeatable(given string) bool { return plainWord.MatchString(given) && !Secret(given) }

// WellFormed reports whether s can be an organization token: prefix, length,
// alphabet and checksum are right.
func WellFormed(s string) bool {
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

// Hash is what a token is stored and looked up by. The secret has 178 random
// bits, so a fast hash is enough: there is nothing to guess.
func Hash(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

// LastFour returns the end of a secret, by which a person recognizes it.
func LastFour(secret string) string { return secret[max(0, len(secret)-4):] }
