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
	ID  string // each session has its own rate limit
}

type sessionKey struct{}

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
		Org: key.Org, LedgerRevision: key.LedgerRevision,
	}
	return nil
}
