package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
)

// serverKeyLength is the length of a key in bytes.
const serverKeyLength = 32

// ServerKey returns the key of that name, making it from entropy the first time
// it is asked for.
func (s *Store) ServerKey(ctx context.Context, name string, entropy io.Reader) (key []byte, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		fresh := make([]byte, serverKeyLength)
		if _, err := io.ReadFull(entropy, fresh); err != nil {
			return fmt.Errorf("making the server key %s: %w", name, err)
		}
		if _, err := tx.exec("INSERT INTO server_keys (name, key) VALUES (?, ?) ON CONFLICT DO NOTHING", name, fresh); err != nil {
			return fmt.Errorf("keeping the server key %s: %w", name, err)
		}
		return tx.queryRow("SELECT key FROM server_keys WHERE name = ?", name).Scan(&key)
	})
	return key, err
}

// KnownServerKey returns the key of that name, or nil when there is none yet.
func (s *Store) KnownServerKey(ctx context.Context, name string) (key []byte, err error) {
	err = s.reader.QueryRowContext(ctx, "SELECT key FROM server_keys WHERE name = ?", name).Scan(&key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("reading the server key %s: %w", name, err)
	}
	return key, nil
}

// ForgetSealingCheck removes the key of that name if nothing that was sealed is
// kept, and reports whether it did.
func (s *Store) ForgetSealingCheck(ctx context.Context, name string) (forgotten bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		result, err := tx.exec("DELETE FROM server_keys WHERE name = ? AND NOT EXISTS (SELECT 1 FROM webhook_endpoints)", name)
		if err != nil {
			return fmt.Errorf("removing the server key %s: %w", name, err)
		}
		n, err := result.RowsAffected()
		forgotten = n > 0
		return err
	})
	return forgotten, err
}
