package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"tarmac/service/events"
	"tarmac/service/store/database"
	"tarmac/service/webhooks"
)

// ErrFull is returned if an organization already has the largest allowed number of webhook
// endpoints.
var ErrFull = errors.New("there are as many as there may be")

// Secrets holds a webhook endpoint's signing secrets, encrypted by package sealing.
type Secrets struct {
	Current           []byte
	Previous          []byte     // nil if there is no previous secret
	PreviousExpiresAt *time.Time // time until which deliveries are signed with Previous too
}

// InsertEndpoint adds a webhook endpoint. It returns ErrFull if the organization already has
// webhooks.MaxEndpoints endpoints, whatever their status.
func (tx *Tx) InsertEndpoint(org OrgKey, e webhooks.Endpoint, sealedSecret []byte) error {
	tx.created(e.ID)
	if err := tx.lock(org); err != nil {
		return err
	}
	var n int
	if err := tx.db.QueryRow("SELECT count(*) FROM webhook_endpoints WHERE org_id = ?", org).Scan(&n); err != nil {
		return fmt.Errorf("counting the webhook endpoints: %w", err)
	}
	if n >= webhooks.MaxEndpoints {
		return ErrFull
	}
	_, err := tx.db.Exec(`INSERT INTO webhook_endpoints
			(public_id, org_id, url, event_types, status, secret, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		e.ID, org, e.URL, joinTypes(e.EventTypes), string(e.Status), sealedSecret, micros(e.CreatedAt), micros(e.UpdatedAt))
	if err != nil {
		return fmt.Errorf("adding the webhook endpoint %s: %w", e.ID, err)
	}
	return nil
}

// UpdateEndpoint writes all fields of a webhook endpoint except its secrets. It returns ErrNotFound
// if there is no such endpoint. A new status does not change the endpoint's deliveries: the caller
// must also call HoldDeliveries or ReleaseDeliveries.
func (tx *Tx) UpdateEndpoint(org OrgKey, e webhooks.Endpoint) error {
	if err := tx.lockEndpointOf(org, e.ID); err != nil {
		return err
	}
	return tx.execOne(`UPDATE webhook_endpoints SET url = ?, event_types = ?, status = ?, disabled_at = ?,
			disabled_reason = ?, failing_since = ?, updated_at = ? WHERE public_id = ? AND org_id = ?`,
		e.URL, joinTypes(e.EventTypes), string(e.Status), nullMicros(e.DisabledAt), string(e.DisabledReason),
		nullMicros(e.FailingSince), micros(e.UpdatedAt), e.ID, org)
}

// SetEndpointSecrets replaces a webhook endpoint's encrypted secrets. It returns ErrNotFound if
// there is no such endpoint.
func (tx *Tx) SetEndpointSecrets(org OrgKey, publicID string, s Secrets, at time.Time) error {
	if err := tx.lockEndpointOf(org, publicID); err != nil {
		return err
	}
	return tx.execOne(`UPDATE webhook_endpoints SET secret = ?, previous_secret = ?, previous_expires_at = ?,
			updated_at = ?
		WHERE public_id = ? AND org_id = ?`,
		s.Current, s.Previous, nullMicros(s.PreviousExpiresAt), micros(at), publicID, org)
}

// EndpointSecrets returns a webhook endpoint's encrypted secrets. It returns ErrNotFound if there
// is no such endpoint.
func (tx *Tx) EndpointSecrets(org OrgKey, publicID string) (s Secrets, err error) {
	if err := tx.lockEndpointOf(org, publicID); err != nil {
		return Secrets{}, err
	}
	var expires sql.NullInt64
	err = tx.db.QueryRow(`SELECT secret, previous_secret, previous_expires_at FROM webhook_endpoints
		WHERE public_id = ? AND org_id = ?`, publicID, org).Scan(&s.Current, &s.Previous, &expires)
	if err != nil {
		return Secrets{}, notFound(err, "the webhook endpoint")
	}
	s.PreviousExpiresAt = timePointer(expires)
	return s, nil
}

// DeleteEndpoint deletes a webhook endpoint with all its deliveries. It returns ErrNotFound if
// there is no such endpoint.
func (tx *Tx) DeleteEndpoint(org OrgKey, publicID string) error {
	if err := tx.lockEndpointOf(org, publicID); err != nil {
		return err
	}
	return tx.execOne("DELETE FROM webhook_endpoints WHERE public_id = ? AND org_id = ?", publicID, org)
}

// Endpoint returns one of the organization's webhook endpoints, or ErrNotFound.
func (tx *Tx) Endpoint(org OrgKey, publicID string) (webhooks.Endpoint, error) {
	if err := tx.lockEndpointOf(org, publicID); err != nil {
		return webhooks.Endpoint{}, err
	}
	return readEndpoint(tx.db, org, publicID)
}

// Endpoint returns one of the organization's webhook endpoints, or ErrNotFound.
func (s *Snapshot) Endpoint(org OrgKey, publicID string) (webhooks.Endpoint, error) {
	return readEndpoint(s.db, org, publicID)
}

// Endpoints returns the organization's webhook endpoints, newest first.
func (s *Snapshot) Endpoints(org OrgKey) ([]webhooks.Endpoint, error) {
	rows, err := s.db.Query("SELECT "+endpointColumns+" FROM webhook_endpoints WHERE org_id = ? ORDER BY id DESC", org)
	return database.Collect(rows, err, "the webhook endpoints", scanEndpoint)
}

// SilentEndpoints returns the ids of the paused webhook endpoints of all organizations that have
// chosen no event type except that of test events, the oldest first.
func (s *Snapshot) SilentEndpoints() ([]string, error) {
	rows, err := s.db.Query("SELECT public_id FROM webhook_endpoints WHERE status = ? AND event_types = ? ORDER BY id",
		string(webhooks.Paused), string(events.TestEvent))
	return database.Collect(rows, err, "the webhook endpoints", func(row database.Row) (id string, err error) {
		err = row.Scan(&id)
		return id, err
	})
}

func readEndpointKey(r database.Queryer, org OrgKey, publicID string) (key EndpointKey, err error) {
	err = r.QueryRow("SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?", publicID, org).Scan(&key)
	if err != nil {
		return 0, notFound(err, "the webhook endpoint")
	}
	return key, nil
}

func readEndpoint(r database.Queryer, org OrgKey, publicID string) (webhooks.Endpoint, error) {
	query := "SELECT " + endpointColumns + " FROM webhook_endpoints WHERE public_id = ? AND org_id = ?"
	e, err := scanEndpoint(r.QueryRow(query, publicID, org))
	if err != nil {
		return webhooks.Endpoint{}, notFound(err, "the webhook endpoint")
	}
	return e, nil
}

const endpointColumns = `public_id, url, event_types, status, disabled_at, disabled_reason, failing_since,
	previous_expires_at, created_at, updated_at`

func scanEndpoint(row database.Row) (e webhooks.Endpoint, err error) {
	var types string
	var disabled, failing, expires sql.NullInt64
	var created, updated int64
	err = row.Scan(&e.ID, &e.URL, &types, &e.Status, &disabled, &e.DisabledReason, &failing, &expires, &created, &updated)
	e.EventTypes = splitTypes(types)
	e.DisabledAt, e.FailingSince = timePointer(disabled), timePointer(failing)
	e.PreviousSecretExpiresAt = timePointer(expires)
	e.CreatedAt, e.UpdatedAt = fromMicros(created), fromMicros(updated)
	return e, err
}

func joinTypes(types []events.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, " ")
}

func splitTypes(names string) []events.Type {
	types := []events.Type{}
	for name := range strings.FieldsSeq(names) {
		types = append(types, events.Type(name))
	}
	return types
}
