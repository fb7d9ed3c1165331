package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// StoredResponse is the stored response to a request that had an Idempotency-Key.
type StoredResponse struct {
	Fingerprint []byte // hash of the request's body fields
	InvoiceID   string
	Body        []byte
	CreatedAt   time.Time
}

// StoredResponse returns the response to an earlier request with the same Idempotency-Key. It
// returns ErrNotFound if no response was stored after cutoff.
func (tx *Tx) StoredResponse(org OrgKey, key string, cutoff time.Time) (StoredResponse, error) {
	if err := tx.lock(org); err != nil {
		return StoredResponse{}, err
	}
	return readResponse(tx.db, org, key, cutoff)
}

// StoredResponse returns the response to an earlier request, as Tx.StoredResponse does.
func (s *Snapshot) StoredResponse(org OrgKey, key string, cutoff time.Time) (StoredResponse, error) {
	return readResponse(s.db, org, key, cutoff)
}

func readResponse(q database.Queryer, org OrgKey, key string, cutoff time.Time) (r StoredResponse, err error) {
	var created int64
	err = q.QueryRow(`SELECT fingerprint, invoice_id, answer, created_at FROM idempotency_keys
		WHERE org_id = ? AND key = ? AND created_at > ?`, org, key, micros(cutoff)).
		Scan(&r.Fingerprint, &r.InvoiceID, &r.Body, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return StoredResponse{}, ErrNotFound
	}
	if err != nil {
		return StoredResponse{}, fmt.Errorf("reading the response to a repeated request: %w", err)
	}
	r.CreatedAt = fromMicros(created)
	return r, nil
}

// StoreResponse stores the response to a request with an Idempotency-Key, in place of an older
// response.
func (tx *Tx) StoreResponse(org OrgKey, key string, r StoredResponse) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	_, err := tx.db.Exec(`INSERT INTO idempotency_keys (org_id, key, fingerprint, invoice_id, answer, created_at)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (org_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, invoice_id = excluded.invoice_id,
			answer = excluded.answer, created_at = excluded.created_at`,
		org, key, r.Fingerprint, r.InvoiceID, r.Body, micros(r.CreatedAt))
	if err != nil {
		return fmt.Errorf("storing the response to a request: %w", err)
	}
	return nil
}
