package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"tarmac/service/access"
	"tarmac/service/store/database"
)

// TokenKey is the internal key of a token. It never leaves the service.
type TokenKey int64

// Credential is a token with its internal key and the key of its organization.
type Credential struct {
	access.Token
	Key                  TokenKey
	Fingerprint          string // of the SSH key of a session over SSH; "" for a token
	Org                  OrgKey
	LedgerRevision       int64  // revision of the organization's ledger when the token was read
	BooksRevision        int64  // changes with what the organization's own books say
	Reporting            string // currency in which the organization reports
	OrgRequestsPerMinute int    // requests a minute of the whole organization; 0 for no such limit
}

const tokenColumns = `t.id, t.org_id, t.public_id, o.public_id, t.last_four, t.scopes, t.created_at, t.expires_at,
	t.revoked_at, t.last_used_at, o.ledger_revision, o.books_revision, o.reporting_currency,
	coalesce(o.requests_per_minute, 0)`

// InsertToken adds a token to the organization. Of the token's secret, only the hash is stored.
func (tx *Tx) InsertToken(org OrgKey, t access.Token, hash [sha256.Size]byte) error {
	names := make([]string, len(t.Scopes))
	for i, scope := range t.Scopes {
		names[i] = string(scope)
	}
	_, err := tx.db.Exec(`INSERT INTO tokens (public_id, org_id, hash, last_four, scopes, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		t.PublicID, org, hash[:], t.LastFour, strings.Join(names, " "), micros(t.CreatedAt), nullMicros(t.ExpiresAt))
	if err != nil {
		return fmt.Errorf("adding the token: %w", err)
	}
	tx.created(t.PublicID)
	return nil
}

// RevokeToken revokes a token. It returns ErrNotFound if there is no such token. A token that is
// already revoked stays revoked since its first revocation.
func (tx *Tx) RevokeToken(publicID string, at time.Time) error {
	return tx.execOne("UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE public_id = ?", micros(at), publicID)
}

// DeleteToken deletes a token that no list needs to show any more. It returns ErrNotFound if there
// is no such token.
func (tx *Tx) DeleteToken(publicID string) error {
	return tx.execOne("DELETE FROM tokens WHERE public_id = ?", publicID)
}

// TouchToken records that a token was used at the given time. It changes nothing if a later use is
// recorded.
func (tx *Tx) TouchToken(key TokenKey, at time.Time) error {
	_, err := tx.db.Exec("UPDATE tokens SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?",
		micros(at), key, micros(at))
	return err
}

// TokenByHash returns the token whose secret has the given hash, even if it is expired or revoked.
// It returns ErrNotFound if there is no such token.
func (s *Store) TokenByHash(ctx context.Context, hash [sha256.Size]byte) (Credential, error) {
	var c Credential
	err := s.db.Lookup.QuickRow(ctx, func(row database.Row) (err error) {
		c, err = scanToken(row)
		return err
	}, "SELECT "+tokenColumns+" FROM tokens t JOIN organizations o ON o.id = t.org_id WHERE t.hash = ?", hash[:])
	if err != nil {
		return Credential{}, notFound(err, "the token")
	}
	return c, nil
}

// Tokens returns the organization's tokens, oldest first, including expired and revoked ones.
func (s *Store) Tokens(ctx context.Context, org OrgKey) ([]access.Token, error) {
	rows, err := s.db.Reader.QueryContext(ctx,
		"SELECT "+tokenColumns+" FROM tokens t JOIN organizations o ON o.id = t.org_id WHERE t.org_id = ? ORDER BY t.id", org)
	return database.Collect(rows, err, "the tokens", func(row database.Row) (access.Token, error) {
		c, err := scanToken(row)
		return c.Token, err
	})
}

func scanToken(row database.Row) (c Credential, err error) {
	var scopes string
	var created int64
	var expires, revoked, used sql.NullInt64
	err = row.Scan(&c.Key, &c.Org, &c.PublicID, &c.OrgPublicID, &c.LastFour, &scopes, &created, &expires, &revoked, &used,
		&c.LedgerRevision, &c.BooksRevision, &c.Reporting, &c.OrgRequestsPerMinute)
	if err != nil {
		return Credential{}, err
	}
	for name := range strings.FieldsSeq(scopes) {
		c.Scopes = append(c.Scopes, access.Scope(name))
	}
	c.CreatedAt = fromMicros(created)
	c.ExpiresAt, c.RevokedAt, c.LastUsedAt = timePointer(expires), timePointer(revoked), timePointer(used)
	return c, nil
}
