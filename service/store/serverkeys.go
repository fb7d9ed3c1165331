package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"tarmac/service/store/database"
)

// serverKeyLength is the length of a secret key of the service in bytes.
const serverKeyLength = 32

// ServerKey returns the service's secret key with the given name. If there is none, it creates one
// from entropy and stores it. An existing key is only read, so that a database on a full disk can
// be opened.
func (s *Store) ServerKey(ctx context.Context, name string, entropy io.Reader) (key []byte, err error) {
	if key, err = s.FindServerKey(ctx, name); key != nil || err != nil {
		return key, err
	}
	err = s.Write(ctx, func(tx *Tx) error {
		fresh := make([]byte, serverKeyLength)
		if _, err := io.ReadFull(entropy, fresh); err != nil {
			return fmt.Errorf("making the server key %s: %w", name, err)
		}
		_, err := tx.db.Exec("INSERT INTO server_keys (name, key) VALUES (?, ?) ON CONFLICT DO NOTHING", name, fresh)
		if err != nil {
			return fmt.Errorf("storing the server key %s: %w", name, err)
		}
		return tx.db.QueryRow("SELECT key FROM server_keys WHERE name = ?", name).Scan(&key)
	})
	return key, err
}

// FindServerKey returns the service's secret key with the given name, or nil if there is none.
func (s *Store) FindServerKey(ctx context.Context, name string) (key []byte, err error) {
	err = s.db.Reader.QueryRowContext(ctx, "SELECT key FROM server_keys WHERE name = ?", name).Scan(&key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("reading the server key %s: %w", name, database.Advise(err))
	}
	return key, nil
}

// DeleteUnusedServerKey deletes the named key unless there are webhook endpoints or connections,
// because their secrets are encrypted with it. It reports whether it deleted the key.
func (s *Store) DeleteUnusedServerKey(ctx context.Context, name string) (deleted bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		result, err := tx.db.Exec(`DELETE FROM server_keys
			WHERE name = ? AND NOT EXISTS (SELECT 1 FROM webhook_endpoints)
				AND NOT EXISTS (SELECT 1 FROM connections WHERE secret IS NOT NULL)`, name)
		if err != nil {
			return fmt.Errorf("removing the server key %s: %w", name, err)
		}
		n, err := result.RowsAffected()
		deleted = n > 0
		return err
	})
	return deleted, err
}

// DiscardServerKey deletes the named key even if secrets are encrypted with it. It pauses all
// active webhook endpoints and holds their pending deliveries. It deletes the tokens of all
// connections, which then have to be connected again. It returns how many endpoints it paused and
// how many connections lost their token.
func (tx *Tx) DiscardServerKey(name string, at time.Time) (paused, disconnected int64, err error) {
	if tx.db.Dialect == database.Postgres {
		// The lock prevents other transactions from queueing deliveries for an endpoint while it is
		// being paused.
		if _, err := tx.db.Exec("SELECT id FROM webhook_endpoints ORDER BY id FOR NO KEY UPDATE"); err != nil {
			return 0, 0, fmt.Errorf("waiting for all webhook endpoints: %w", err)
		}
	}
	if _, err := tx.db.Exec("DELETE FROM server_keys WHERE name = ?", name); err != nil {
		return 0, 0, fmt.Errorf("removing the server key %s: %w", name, err)
	}
	_, err = tx.db.Exec(`UPDATE webhook_deliveries SET held = 1
		WHERE status = 'pending' AND held = 0 AND event_type <> 'test.event'`)
	if err != nil {
		return 0, 0, fmt.Errorf("holding all deliveries: %w", err)
	}
	result, err := tx.db.Exec("UPDATE webhook_endpoints SET status = 'paused', updated_at = ? WHERE status = 'active'",
		micros(at))
	if err != nil {
		return 0, 0, fmt.Errorf("pausing all webhook endpoints: %w", err)
	}
	if paused, err = result.RowsAffected(); err != nil {
		return 0, 0, err
	}
	disconnected, err = tx.deleteConnectionSecrets("the key that its token was encrypted with is lost; connect it again")
	return paused, disconnected, err
}

// DropSecrets removes everything from the database that gives access to something: the tokens of
// connections, which then have to be connected again, the secrets of webhook endpoints, which it
// pauses, and the service's own keys. It revokes access tokens and SSH keys. sealingKey is the name
// of the key that encrypts secrets.
func (tx *Tx) DropSecrets(sealingKey string, at time.Time) error {
	if _, err := tx.deleteConnectionSecrets("its token is not in the backup; connect it again"); err != nil {
		return err
	}
	if _, _, err := tx.DiscardServerKey(sealingKey, at); err != nil {
		return err
	}
	now := micros(at)
	for _, change := range []struct {
		statement string
		args      []any
	}{
		{"DELETE FROM server_keys", nil},
		{"UPDATE webhook_endpoints SET secret = ?, previous_secret = NULL, previous_expires_at = NULL", []any{[]byte{}}},
		{"UPDATE tokens SET revoked_at = ? WHERE revoked_at IS NULL", []any{now}},
		{"UPDATE ssh_keys SET revoked_at = ? WHERE revoked_at IS NULL", []any{now}},
	} {
		if _, err := tx.db.Exec(change.statement, change.args...); err != nil {
			return fmt.Errorf("removing secrets: %w", err)
		}
	}
	return nil
}
