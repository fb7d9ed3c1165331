package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/service/access"
	"tarmac/service/store/database"
)

var (
	// ErrSSHKeyExists is returned for a public key that the organization already has, unless it was
	// revoked.
	ErrSSHKeyExists = errors.New("the organization already has this SSH key")
	// ErrSSHLoginTaken is returned for an SSH user name that chooses another organization of the
	// same public key.
	ErrSSHLoginTaken = errors.New("with this SSH key, the user name chooses another organization")
)

// SSHKeyKey is the internal key of an SSH key of an organization. It never leaves the service.
type SSHKeyKey int64

// SSHCredential is an SSH key with its internal key, and with its organization's key and name.
type SSHCredential struct {
	access.SSHKey
	Key                  SSHKeyKey
	Org                  OrgKey
	OrgName              string
	LedgerRevision       int64  // revision of the organization's ledger when the key was read
	BooksRevision        int64  // changes with what the organization's own books say
	Reporting            string // currency in which the organization reports
	OrgRequestsPerMinute int    // requests a minute of the whole organization; 0 for no such limit
}

const sshCredentials = `SELECT k.id, k.org_id, o.name, o.ledger_revision, o.books_revision, o.reporting_currency,
	coalesce(o.requests_per_minute, 0), k.public_id, o.public_id, k.name, k.login, k.algorithm, k.fingerprint,
	k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
	FROM ssh_keys k JOIN organizations o ON o.id = k.org_id`

// InsertSSHKey adds an SSH key to the organization. publicKey is the key in SSH's wire format. If
// the organization had the same public key before, its documents become those of the new key (see
// adoptSSHDocuments). The error is ErrSSHKeyExists or ErrSSHLoginTaken if that is so.
func (tx *Tx) InsertSSHKey(org OrgKey, k access.SSHKey, publicKey []byte) error {
	tx.created(k.PublicID)
	names := make([]string, len(k.Scopes))
	for i, scope := range k.Scopes {
		names[i] = string(scope)
	}
	earlier, err := tx.lockSSHKeysOf(org, k.Fingerprint)
	if err != nil {
		return err
	}
	var key SSHKeyKey
	err = tx.db.QueryRow(`INSERT INTO ssh_keys (public_id, org_id, fingerprint, algorithm, public_key, name, login,
			scopes, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
		k.PublicID, org, k.Fingerprint, k.Algorithm, publicKey, k.Name, k.Login, strings.Join(names, " "),
		micros(k.CreatedAt), nullMicros(k.ExpiresAt)).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return tx.sshKeyConflict(org, k.Fingerprint)
	}
	if err != nil {
		return fmt.Errorf("adding the SSH key: %w", err)
	}
	return tx.adoptSSHDocuments(key, earlier)
}

// lockSSHKeysOf returns all keys of an organization with a public key, including revoked ones, and
// locks their documents (lockSSHKey).
func (tx *Tx) lockSSHKeysOf(org OrgKey, fingerprint string) ([]SSHKeyKey, error) {
	rows, err := tx.db.Query("SELECT id FROM ssh_keys WHERE org_id = ? AND fingerprint = ? ORDER BY id", org, fingerprint)
	keys, err := database.Collect(rows, err, "the same SSH keys", func(row database.Row) (key SSHKeyKey, err error) {
		err = row.Scan(&key)
		return key, err
	})
	for _, key := range keys {
		if err = errors.Join(err, tx.lockSSHKey(key)); err != nil {
			return nil, err
		}
	}
	return keys, err
}

// sshKeyConflict returns the reason why an SSH key could not be inserted.
func (tx *Tx) sshKeyConflict(org OrgKey, fingerprint string) error {
	var same int
	err := tx.db.QueryRow("SELECT count(*) FROM ssh_keys WHERE org_id = ? AND fingerprint = ? AND revoked_at IS NULL",
		org, fingerprint).Scan(&same)
	switch {
	case err != nil:
		return fmt.Errorf("looking for the same SSH key: %w", err)
	case same > 0:
		return ErrSSHKeyExists
	}
	return ErrSSHLoginTaken
}

// RevokeSSHKey revokes an SSH key. It returns ErrNotFound if there is no such key. A key that is
// already revoked stays revoked since its first revocation.
func (tx *Tx) RevokeSSHKey(publicID string, at time.Time) error {
	return tx.execOne("UPDATE ssh_keys SET revoked_at = coalesce(revoked_at, ?) WHERE public_id = ?", micros(at), publicID)
}

// SSHKeys returns the organization's SSH keys, oldest first, including expired and revoked ones.
func (s *Store) SSHKeys(ctx context.Context, org OrgKey) ([]access.SSHKey, error) {
	rows, err := s.db.Reader.QueryContext(ctx, sshCredentials+" WHERE k.org_id = ? ORDER BY k.id", org)
	return database.Collect(rows, err, "the SSH keys", func(row database.Row) (access.SSHKey, error) {
		c, err := scanSSHCredential(row)
		return c.SSHKey, err
	})
}

// SSHKeysByFingerprint returns a public key's SSH keys in all organizations, oldest first. It
// includes expired and revoked ones. The fingerprint has the form of access.SSHKey.Fingerprint.
func (s *Store) SSHKeysByFingerprint(ctx context.Context, fingerprint string) ([]SSHCredential, error) {
	rows, err := s.db.Lookup.QueryContext(ctx,
		sshCredentials+" WHERE k.fingerprint = ? ORDER BY k.id", fingerprint)
	return database.Collect(rows, err, "the SSH keys", scanSSHCredential)
}

// SSHCredential returns an SSH key, even if it is expired or revoked, or ErrNotFound.
func (s *Store) SSHCredential(ctx context.Context, key SSHKeyKey) (c SSHCredential, err error) {
	err = s.db.Lookup.QuickRow(ctx, func(row database.Row) (err error) {
		c, err = scanSSHCredential(row)
		return err
	}, sshCredentials+" WHERE k.id = ?", key)
	if err != nil {
		return SSHCredential{}, notFound(err, "the SSH key")
	}
	return c, nil
}

// EndedSSHKeys returns those of the keys that may not be used at the time now, because they are
// revoked, expired or not in the database any more.
func (s *Store) EndedSSHKeys(ctx context.Context, keys []SSHKeyKey, now time.Time) (ended []SSHKeyKey, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	args := make([]any, 0, len(keys)+1)
	for _, key := range keys {
		args = append(args, key)
	}
	rows, err := s.db.Lookup.QueryContext(ctx, `SELECT id FROM ssh_keys
		WHERE id IN (?`+strings.Repeat(", ?", len(keys)-1)+`) AND revoked_at IS NULL
			AND (expires_at IS NULL OR expires_at > ?)`, append(args, micros(now))...)
	valid, err := database.Collect(rows, err, "the SSH keys", func(row database.Row) (key SSHKeyKey, err error) {
		err = row.Scan(&key)
		return key, err
	})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if !slices.Contains(valid, key) {
			ended = append(ended, key)
		}
	}
	return ended, nil
}

func scanSSHCredential(row database.Row) (c SSHCredential, err error) {
	var scopes string
	var created int64
	var expires, revoked, used sql.NullInt64
	err = row.Scan(&c.Key, &c.Org, &c.OrgName, &c.LedgerRevision, &c.BooksRevision, &c.Reporting, &c.OrgRequestsPerMinute,
		&c.PublicID, &c.OrgPublicID, &c.Name, &c.Login, &c.Algorithm, &c.Fingerprint, &scopes, &created,
		&expires, &revoked, &used)
	if err != nil {
		return SSHCredential{}, err
	}
	for name := range strings.FieldsSeq(scopes) {
		c.Scopes = append(c.Scopes, access.Scope(name))
	}
	c.CreatedAt = fromMicros(created)
	c.ExpiresAt, c.RevokedAt, c.LastUsedAt = timePointer(expires), timePointer(revoked), timePointer(used)
	return c, nil
}
