package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// ErrNoRoom is returned if the database already has as many organizations as keys can number.
var ErrNoRoom = errors.New("this database is full: it holds as many organizations as it can")

// Organization is a customer of the service, with records that other organizations cannot see.
type Organization struct {
	PublicID          string // "org_…"
	Name              string
	OwnerName         string // active owner, who proposes invoices; "" if there is none
	OwnerEmail        string
	RequestsPerMinute int // requests a minute of all its tokens and keys together; 0 for no such limit
	CreatedAt         time.Time
}

// CreateOrganization adds an organization and returns its key. It returns ErrNoRoom if there are
// too many.
func (tx *Tx) CreateOrganization(o Organization) (OrgKey, error) {
	tx.created(o.PublicID)
	var key OrgKey
	err := tx.db.QueryRow(`INSERT INTO organizations (public_id, name, owner_name, owner_email, created_at)
		VALUES (?, ?, nullif(?, ''), nullif(?, ''), ?) RETURNING id`,
		o.PublicID, o.Name, o.OwnerName, o.OwnerEmail, micros(o.CreatedAt)).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("creating the organization %q: %w", o.Name, err)
	}
	if !key.Valid(tx.db.Dialect) {
		return 0, ErrNoRoom
	}
	return key, nil
}

const organizationColumns = `id, public_id, name, coalesce(owner_name, ''), coalesce(owner_email, ''),
	coalesce(requests_per_minute, 0), created_at`

func scanOrganization(row database.Row) (o Organization, key OrgKey, err error) {
	var created int64
	err = row.Scan(&key, &o.PublicID, &o.Name, &o.OwnerName, &o.OwnerEmail, &o.RequestsPerMinute, &created)
	o.CreatedAt = fromMicros(created)
	return o, key, err
}

// Organization returns the organization with the given public id and its key, or ErrNotFound. Those
// that were erased have no name and are not found.
func (s *Store) Organization(ctx context.Context, publicID string) (Organization, OrgKey, error) {
	o, key, err := scanOrganization(s.db.Reader.QueryRowContext(ctx,
		"SELECT "+organizationColumns+" FROM organizations WHERE public_id = ? AND name <> ''", publicID))
	if err != nil {
		return Organization{}, 0, notFound(err, "the organization")
	}
	return o, key, nil
}

// Organizations returns all organizations, oldest first.
func (s *Store) Organizations(ctx context.Context) (all []Organization, err error) {
	rows, err := s.db.Reader.QueryContext(ctx, "SELECT "+organizationColumns+
		" FROM organizations WHERE name <> '' ORDER BY id")
	return database.Collect(rows, err, "the organizations", func(r database.Row) (Organization, error) {
		o, _, err := scanOrganization(r)
		return o, err
	})
}

// Organization returns the organization with the given key, or ErrNotFound.
func (tx *Tx) Organization(org OrgKey) (Organization, error) {
	if err := tx.lock(org); err != nil {
		return Organization{}, err
	}
	return readOrganization(tx.db, org)
}

// Organization returns the organization with the given key, or ErrNotFound.
func (s *Snapshot) Organization(org OrgKey) (Organization, error) {
	return readOrganization(s.db, org)
}

func readOrganization(r database.Queryer, org OrgKey) (Organization, error) {
	o, _, err := scanOrganization(r.QueryRow("SELECT "+organizationColumns+" FROM organizations WHERE id = ?", org))
	if err != nil {
		return Organization{}, notFound(err, "the organization")
	}
	return o, nil
}

// Rename sets the name of an organization. It returns ErrNotFound if there is no such organization.
func (tx *Tx) Rename(org OrgKey, name string) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	return tx.execOne("UPDATE organizations SET name = ? WHERE id = ?", name, org)
}

// SetOwner sets the active owner of an organization. An empty name and e-mail address remove the
// owner. It returns ErrNotFound if there is no such organization.
func (tx *Tx) SetOwner(org OrgKey, name, email string) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	return tx.execOne("UPDATE organizations SET owner_name = nullif(?, ''), owner_email = nullif(?, '') WHERE id = ?",
		name, email, org)
}

// SetRequestLimit limits the requests a minute that all tokens and keys of an organization may make
// together; 0 removes the limit. It returns ErrNotFound if there is no such organization.
func (tx *Tx) SetRequestLimit(org OrgKey, perMinute int) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	return tx.execOne("UPDATE organizations SET requests_per_minute = nullif(?, 0) WHERE id = ?", perMinute, org)
}
