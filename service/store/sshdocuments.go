package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/service/store/database"
)

// Limits of the documents of an SSH key, in bytes of content and in documents.
const (
	MaxSSHDocument  = 4 << 20 // of one document
	maxSSHDocuments = 8 << 20 // of all documents of a key
	maxSSHNames     = 256
)

var (
	// ErrSSHDocumentsFull is returned if a document is too large, or if the key has too many.
	ErrSSHDocumentsFull = errors.New("the drafts, plans and filters of an SSH key may take 8 MB, and one of them 4 MB")
	// ErrSSHDocumentClaimed is returned for a name that an open session has claimed.
	ErrSSHDocumentClaimed = errors.New("another session has claimed the name")
	// ErrSSHKeyEnded is returned for a key that was revoked or has expired.
	ErrSSHKeyEnded = errors.New("this SSH key was revoked or has expired")
)

// sshLeave is the time after the end of an SSH key in which its sessions may store documents. They
// are ended within a second, and then store what the person typed last.
const sshLeave = 15 * time.Second

// SSHDocument returns the content of an SSH key's document, or ErrNotFound. A document is a draft,
// a plan or the filters of the person who uses the key.
func (s *Store) SSHDocument(ctx context.Context, key SSHKeyKey, name string) (content []byte, err error) {
	err = s.db.Reader.QueryRowContext(ctx, "SELECT content FROM ssh_documents WHERE key_id = ? AND name = ?", key, name).
		Scan(&content)
	if err != nil {
		return nil, notFound(err, "the document")
	}
	return content, nil
}

// SSHDocumentNames returns the names of an SSH key's documents in ascending order.
func (s *Store) SSHDocumentNames(ctx context.Context, key SSHKeyKey) ([]string, error) {
	rows, err := s.db.Reader.QueryContext(ctx, "SELECT name FROM ssh_documents WHERE key_id = ?", key)
	names, err := database.Collect(rows, err, "the documents", func(row database.Row) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	})
	slices.Sort(names) // databases differ in how they order texts
	return names, err
}

// PutSSHDocument stores a document of an SSH key and replaces the one with the same name. If the
// key was revoked and the same public key was added again, the document is stored for the new key.
// PutSSHDocument returns ErrSSHDocumentsFull if the documents would exceed their limits,
// ErrSSHKeyEnded if the key ended before the time at and its sessions have had time to leave, and
// ErrNotFound if there is no such key.
func (tx *Tx) PutSSHDocument(key SSHKeyKey, name string, content []byte, at time.Time) error {
	if len(content) > MaxSSHDocument {
		return ErrSSHDocumentsFull
	}
	key, err := tx.lockSSHDocuments(key, at)
	if err != nil {
		return err
	}
	var others, size int
	err = tx.db.QueryRow(`SELECT count(*), coalesce(sum(length(content)), 0) FROM ssh_documents
		WHERE key_id = ? AND name <> ?`, key, name).Scan(&others, &size)
	switch {
	case err != nil:
		return fmt.Errorf("adding up the documents: %w", err)
	case others >= maxSSHNames, size+len(content) > maxSSHDocuments:
		return ErrSSHDocumentsFull
	}
	err = tx.execOne(`INSERT INTO ssh_documents (org_id, key_id, name, content, saved_at)
		SELECT org_id, id, CAST(? AS TEXT), `+tx.db.Pick("?", "CAST(? AS BYTEA)")+`, CAST(? AS BIGINT)
			FROM ssh_keys WHERE id = ?
		ON CONFLICT (key_id, name) DO UPDATE SET content = excluded.content, saved_at = excluded.saved_at`,
		name, append([]byte{}, content...), micros(at), key) // nil would be stored as NULL
	if err != nil {
		return fmt.Errorf("storing the document: %w", err)
	}
	return nil
}

// RemoveSSHDocument removes a document. A missing one is not an error. For a key that has ended,
// see PutSSHDocument.
func (tx *Tx) RemoveSSHDocument(key SSHKeyKey, name string, at time.Time) error {
	key, err := tx.lockSSHDocuments(key, at)
	if err != nil {
		return err
	}
	if _, err := tx.db.Exec("DELETE FROM ssh_documents WHERE key_id = ? AND name = ?", key, name); err != nil {
		return fmt.Errorf("removing the document: %w", err)
	}
	return nil
}

// RenameSSHDocument renames a document and replaces the one that has the new name. It returns
// ErrNotFound if there is no document with the old name. For a key that has ended, see
// PutSSHDocument.
func (tx *Tx) RenameSSHDocument(key SSHKeyKey, from, to string, at time.Time) error {
	if from == to {
		return nil
	}
	key, err := tx.lockSSHDocuments(key, at)
	if err != nil {
		return err
	}
	_, err = tx.db.Exec(`DELETE FROM ssh_documents WHERE key_id = ? AND name = ?
		AND EXISTS (SELECT 1 FROM ssh_documents d WHERE d.key_id = ? AND d.name = ?)`, key, to, key, from)
	if err != nil {
		return fmt.Errorf("replacing the document: %w", err)
	}
	return tx.execOne("UPDATE ssh_documents SET name = ? WHERE key_id = ? AND name = ?", to, key, from)
}

// ClaimSSHDocument reserves a name for a session until the session ends. The name need not exist.
// It returns ErrSSHDocumentClaimed if a session that is open at the time now has claimed it. For a
// key that has ended, see PutSSHDocument.
func (tx *Tx) ClaimSSHDocument(key SSHKeyKey, name, session string, now time.Time) error {
	key, err := tx.lockSSHDocuments(key, now)
	if err != nil {
		return err
	}
	err = tx.execOne(`INSERT INTO ssh_document_claims AS c (key_id, name, session) VALUES (?, ?, ?)
		ON CONFLICT (key_id, name) DO UPDATE SET session = excluded.session WHERE NOT EXISTS (
			SELECT 1 FROM ssh_sessions s WHERE s.public_id = c.session AND s.ended_at IS NULL AND s.seen_at > ?)`,
		key, name, session, micros(now.Add(-sshSessionLost)))
	if errors.Is(err, ErrNotFound) {
		return ErrSSHDocumentClaimed
	}
	if err != nil {
		return fmt.Errorf("claiming the document: %w", err)
	}
	return nil
}

// ReleaseSSHDocument ends a session's claim to a name. Without such a claim, it changes nothing.
func (tx *Tx) ReleaseSSHDocument(name, session string) error {
	_, err := tx.db.Exec("DELETE FROM ssh_document_claims WHERE name = ? AND session = ?", name, session)
	if err != nil {
		return fmt.Errorf("releasing the document: %w", err)
	}
	return nil
}

// lockSSHDocuments returns the key whose documents a session of an SSH key uses at the time at: the
// key itself or, if it was revoked and the same public key was added again, the new one. It returns
// ErrSSHKeyEnded if that key ended more than sshLeave before. Until this transaction ends, others
// that change documents of the key or add its public key again wait.
func (tx *Tx) lockSSHDocuments(key SSHKeyKey, at time.Time) (SSHKeyKey, error) {
	if err := tx.lockSSHKey(key); err != nil {
		return 0, err
	}
	current := key
	var ended sql.NullInt64
	err := tx.db.QueryRow(`SELECT n.id, CASE WHEN n.revoked_at < n.expires_at OR n.expires_at IS NULL
			THEN n.revoked_at ELSE n.expires_at END
		FROM ssh_keys k JOIN ssh_keys n ON n.org_id = k.org_id AND n.fingerprint = k.fingerprint
		WHERE k.id = ? AND (n.id = k.id OR n.revoked_at IS NULL) ORDER BY n.id DESC LIMIT 1`, key).Scan(&current, &ended)
	switch {
	case err != nil:
		return 0, notFound(err, "the SSH key")
	case ended.Valid && ended.Int64+sshLeave.Microseconds() <= micros(at):
		return 0, ErrSSHKeyEnded
	case current == key:
		return key, nil
	}
	return current, tx.lockSSHKey(current)
}

// adoptSSHDocuments makes the documents and claims of all earlier keys with the same public key
// those of a key that was added again. If two documents have the same name, the newer one keeps it,
// and the other gets a name with the ID of its key: it is no draft any more, but not lost.
func (tx *Tx) adoptSSHDocuments(key SSHKeyKey, earlier []SSHKeyKey) error {
	if len(earlier) == 0 {
		return nil
	}
	keys := make([]any, len(earlier))
	for i, k := range earlier {
		keys[i] = k
	}
	in := "(?" + strings.Repeat(", ?", len(keys)-1) + ")"
	for _, change := range []struct {
		query string
		args  []any
	}{
		{`UPDATE ssh_documents SET name = name || '.aside-' || (SELECT public_id FROM ssh_keys WHERE id = key_id)
			WHERE key_id IN ` + in + ` AND EXISTS (SELECT 1 FROM ssh_documents n
				WHERE n.key_id IN ` + in + ` AND n.name = ssh_documents.name
					AND (n.saved_at, n.key_id) > (ssh_documents.saved_at, ssh_documents.key_id))`, slices.Concat(keys, keys)},
		{"UPDATE ssh_documents SET key_id = ? WHERE key_id IN " + in, slices.Concat([]any{key}, keys)},
		{`INSERT INTO ssh_document_claims (key_id, name, session)
			SELECT CAST(? AS BIGINT), name, session FROM ssh_document_claims WHERE key_id IN ` + in + `
			ON CONFLICT DO NOTHING`, slices.Concat([]any{key}, keys)},
		{"DELETE FROM ssh_document_claims WHERE key_id IN " + in, keys},
	} {
		if _, err := tx.db.Exec(change.query, change.args...); err != nil {
			return fmt.Errorf("taking over the documents of the revoked SSH key: %w", err)
		}
	}
	return nil
}

// lockSSHKey makes other transactions that change the documents of an SSH key wait until this
// transaction ends.
func (tx *Tx) lockSSHKey(key SSHKeyKey) error {
	if tx.db.Dialect == database.SQLite {
		return nil
	}
	if err := tx.lockRow(key, "SELECT id FROM ssh_keys WHERE id = ? FOR NO KEY UPDATE"); err != nil {
		return fmt.Errorf("waiting for the SSH key: %w", err)
	}
	return nil
}
