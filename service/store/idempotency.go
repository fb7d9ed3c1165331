package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// StoredResponse is the answer that a request with an Idempotency-Key got.
type StoredResponse struct {
	Fingerprint []byte // of what was asked for
	InvoiceID   string
	Answer      []byte
	CreatedAt   time.Time
}

// StoredResponse returns the answer to the request with that key, or ErrNotFound
// when there is none since the given time.
func (tx *Tx) StoredResponse(org OrgKey, key string, since time.Time) (a StoredResponse, err error) {
	if err := tx.lock(org); err != nil {
		return StoredResponse{}, err
	}
	var created int64
	err = tx.db.QueryRow("SELECT fingerprint, invoice_id, answer, created_at FROM idempotency_keys WHERE org_id = ? AND key = ? AND created_at > ?",
		org, key, micros(since)).Scan(&a.Fingerprint, &a.InvoiceID, &a.Answer, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return StoredResponse{}, ErrNotFound
	}
	if err != nil {
		return StoredResponse{}, fmt.Errorf("reading the answer to a repeated request: %w", err)
	}
	a.CreatedAt = fromMicros(created)
	return a, nil
}

// StoreResponse keeps the answer to the request with that key, in place of an older
// one.
func (tx *Tx) StoreResponse(org OrgKey, key string, a StoredResponse) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	_, err := tx.db.Exec(`INSERT INTO idempotency_keys (org_id, key, fingerprint, invoice_id, answer, created_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (org_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, invoice_id = excluded.invoice_id,
			answer = excluded.answer, created_at = excluded.created_at`,
		org, key, a.Fingerprint, a.InvoiceID, a.Answer, micros(a.CreatedAt))
	if err != nil {
		return fmt.Errorf("keeping the answer to a request: %w", err)
	}
	return nil
}
