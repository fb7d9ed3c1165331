package access

import (
	"strings"
	"time"
)

// SSHKey describes a public key with which a person opens an organization's dashboard over SSH. A
// public key may belong to several organizations; it then has one SSHKey for each of them. Times
// are in UTC; ExpiresAt is nil for a key that does not expire, and the other times are nil until
// they happen.
type SSHKey struct {
	PublicID    string // "ssh_…"
	OrgPublicID string
	Name        string // name of the person, for example "Ada"
	// Login is the SSH user name that chooses the organization if the public key belongs to several
	// ones. If it is empty, the organization's ID is the user name.
	Login       string
	Algorithm   string // for example "ssh-ed25519"
	Fingerprint string // "SHA256:…", as OpenSSH prints it
	Scopes      []Scope
	CreatedAt   time.Time
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	LastUsedAt  *time.Time
}

// Valid reports whether the key may be used at the time now: it is not revoked, and now is before
// ExpiresAt.
func (k SSHKey) Valid(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// ReadScopes returns the scopes that only allow reading, which SSH keys have by default.
func ReadScopes() (scopes []Scope) {
	for _, scope := range Scopes {
		if strings.HasSuffix(string(scope), ":read") {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}
