package store

import (
	"database/sql"
	"fmt"

	"tarmac/service/payments"
	"tarmac/service/store/database"
)

const intentColumns = `public_id, status, amount_cents, currency, direction, description, counterparty, status_reason,
	created_at, updated_at, held_at, completed_at, failed_at, canceled_at`

// InsertPaymentIntent adds a payment intent.
func (tx *Tx) InsertPaymentIntent(org OrgKey, p payments.Intent) error {
	tx.created(p.ID)
	_, err := tx.db.Exec("INSERT INTO payment_intents (org_id, "+intentColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		org, p.ID, string(p.Status), p.AmountCents, p.Currency, p.Direction, p.Description, p.Counterparty, p.StatusReason,
		micros(p.CreatedAt), micros(p.UpdatedAt), nullMicros(p.HeldAt), nullMicros(p.CompletedAt), nullMicros(p.FailedAt),
		nullMicros(p.CanceledAt))
	if err != nil {
		return fmt.Errorf("adding the payment intent %s: %w", p.ID, err)
	}
	return nil
}

// UpdatePaymentIntent writes a payment intent's status, reason and times. It returns an error if
// the stored status cannot change to the new one, and ErrNotFound if the organization has no such
// intent.
func (tx *Tx) UpdatePaymentIntent(org OrgKey, p payments.Intent) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	var status payments.Status
	err := tx.db.QueryRow("SELECT status FROM payment_intents WHERE public_id = ? AND org_id = ?", p.ID, org).Scan(&status)
	if err != nil {
		return notFound(err, "the payment intent")
	}
	if status != p.Status && !status.CanBecome(p.Status) {
		return fmt.Errorf("the payment intent %s is %s and cannot become %s", p.ID, status, p.Status)
	}
	return tx.execOne(`UPDATE payment_intents SET status = ?, status_reason = ?, updated_at = ?, held_at = ?,
			completed_at = ?, failed_at = ?, canceled_at = ? WHERE public_id = ? AND org_id = ?`,
		string(p.Status), p.StatusReason, micros(p.UpdatedAt), nullMicros(p.HeldAt), nullMicros(p.CompletedAt),
		nullMicros(p.FailedAt), nullMicros(p.CanceledAt), p.ID, org)
}

// PaymentIntentsByStatus returns the organization's payment intents with the given status, oldest
// first.
func (tx *Tx) PaymentIntentsByStatus(org OrgKey, status payments.Status) ([]payments.Intent, error) {
	if err := tx.lock(org); err != nil {
		return nil, err
	}
	rows, err := tx.db.Query("SELECT "+intentColumns+" FROM payment_intents WHERE org_id = ? AND status = ? ORDER BY id",
		org, string(status))
	return database.Collect(rows, err, "the payment intents", scanIntent)
}

// PaymentIntent returns one of the organization's payment intents, or ErrNotFound.
func (tx *Tx) PaymentIntent(org OrgKey, publicID string) (payments.Intent, error) {
	if err := tx.lock(org); err != nil {
		return payments.Intent{}, err
	}
	return readIntent(tx.db, org, publicID)
}

// PaymentIntentOrg returns the organization that a payment intent belongs to, or ErrNotFound.
func (tx *Tx) PaymentIntentOrg(publicID string) (org OrgKey, err error) {
	if err = tx.db.QueryRow("SELECT org_id FROM payment_intents WHERE public_id = ?", publicID).Scan(&org); err != nil {
		return 0, notFound(err, "the payment intent")
	}
	return org, nil
}

// PaymentIntents returns the organization's newest payment intents, at most limit of them.
func (s *Snapshot) PaymentIntents(org OrgKey, limit int) ([]payments.Intent, error) {
	query := "SELECT " + intentColumns + " FROM payment_intents WHERE org_id = ? ORDER BY id DESC LIMIT ?"
	rows, err := s.db.Query(query, org, limit)
	return database.Collect(rows, err, "the payment intents", scanIntent)
}

// PaymentIntent returns one of the organization's payment intents, or ErrNotFound.
func (s *Snapshot) PaymentIntent(org OrgKey, publicID string) (payments.Intent, error) {
	return readIntent(s.db, org, publicID)
}

func readIntent(r database.Queryer, org OrgKey, publicID string) (payments.Intent, error) {
	query := "SELECT " + intentColumns + " FROM payment_intents WHERE public_id = ? AND org_id = ?"
	p, err := scanIntent(r.QueryRow(query, publicID, org))
	if err != nil {
		return payments.Intent{}, notFound(err, "the payment intent")
	}
	return p, nil
}

func scanIntent(row database.Row) (p payments.Intent, err error) {
	var created, updated int64
	var held, completed, failed, canceled sql.NullInt64
	err = row.Scan(&p.ID, &p.Status, &p.AmountCents, &p.Currency, &p.Direction, &p.Description, &p.Counterparty,
		&p.StatusReason, &created, &updated, &held, &completed, &failed, &canceled)
	p.CreatedAt, p.UpdatedAt = fromMicros(created), fromMicros(updated)
	p.HeldAt, p.CompletedAt = timePointer(held), timePointer(completed)
	p.FailedAt, p.CanceledAt = timePointer(failed), timePointer(canceled)
	return p, err
}
