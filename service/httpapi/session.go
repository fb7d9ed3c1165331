package httpapi

import (
	"context"
	"errors"

	"tarmac/service/access"
	"tarmac/service/store"
)

// Session is a person's session over SSH. Its SSH key authorizes the requests of the session in
// place of a token.
type Session struct {
	Key store.SSHKeyKey
	ID  string // of its record (store.SSHSession), which counts proposals
	// Connection is an ID of the person's connection. The sessions of a connection, of which a
	// person may open many one after the other, share a rate limit for each key.
	Connection string
}

type sessionKey struct{}

// session returns the session to which the request belongs.
func (c *call) session() (s Session, isSession bool) {
	s, isSession = c.ctx.Value(sessionKey{}).(Session)
	return s, isSession
}

// WithSession returns a context for requests that a program in this process makes for a session.
// Requests that come from the network never have such a context.
func WithSession(ctx context.Context, s Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// lookUpSession sets c.credential to the scopes and the organization of the session's SSH key. It
// reads the key for each request, so that a revocation takes effect at once.
func (c *call) lookUpSession(s Session) error {
	key, err := c.api.Store.SSHCredential(c.ctx, s.Key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return invalidToken()
	case errors.Is(err, context.DeadlineExceeded):
		return overloaded(err)
	case err != nil:
		return err
	case !key.Valid(c.now):
		return invalidToken()
	}
	c.credential = store.Credential{
		Token: access.Token{
			PublicID: key.PublicID, OrgPublicID: key.OrgPublicID, Scopes: key.Scopes, CreatedAt: key.CreatedAt,
			ExpiresAt: key.ExpiresAt,
		},
		Fingerprint: key.Fingerprint, Org: key.Org, LedgerRevision: key.LedgerRevision, BooksRevision: key.BooksRevision,
		Reporting: key.Reporting, OrgRequestsPerMinute: key.OrgRequestsPerMinute,
	}
	return nil
}
