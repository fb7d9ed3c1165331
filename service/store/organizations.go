package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Organization is a tenant. OwnerName and OwnerEmail name the active owner that
// proposed invoices are attributed to; both are "" when there is none.
type Organization struct {
	PublicID   string // "org_…"
	Name       string
	OwnerName  string
	OwnerEmail string
	CreatedAt  time.Time
}

// CreateOrganization adds an organization and returns its key.
func (tx *Tx) CreateOrganization(o Organization) (OrgKey, error) {
	key, err := tx.insert(`INSERT INTO organizations (public_id, name, owner_name, owner_email, created_at)
		VALUES (?, ?, nullif(?, ''), nullif(?, ''), ?)`,
		o.PublicID, o.Name, o.OwnerName, o.OwnerEmail, micros(o.CreatedAt))
	if err != nil {
		return 0, fmt.Errorf("creating the organization %q: %w", o.Name, err)
	}
	if key > maxOrg {
		return 0, errors.New("this database is full: it holds as many organizations as it can")
	}
	return OrgKey(key), nil
}

const organizationColumns = `id, public_id, name, coalesce(owner_name, ''), coalesce(owner_email, ''), created_at`

func scanOrganization(row rowScanner) (o Organization, key OrgKey, err error) {
	var created int64
	err = row.Scan(&key, &o.PublicID, &o.Name, &o.OwnerName, &o.OwnerEmail, &created)
	o.CreatedAt = fromMicros(created)
	return o, key, err
}

// Organization returns the organization of that public id, or ErrNotFound.
func (s *Store) Organization(ctx context.Context, publicID string) (Organization, OrgKey, error) {
	o, key, err := scanOrganization(s.reader.QueryRowContext(ctx,
		"SELECT "+organizationColumns+" FROM organizations WHERE public_id = ?", publicID))
	if err != nil {
		return Organization{}, 0, notFound(err, "the organization")
	}
	return o, key, nil
}

// Organizations returns all organizations, the oldest first.
func (s *Store) Organizations(ctx context.Context) (all []Organization, err error) {
	rows, err := s.reader.QueryContext(ctx, "SELECT "+organizationColumns+" FROM organizations ORDER BY id")
	return collect(rows, err, "the organizations", func(r rowScanner) (Organization, error) {
		o, _, err := scanOrganization(r)
		return o, err
	})
}

// Organization returns the organization of that key, or ErrNotFound.
func (tx *Tx) Organization(org OrgKey) (Organization, error) {
	if err := tx.lock(org); err != nil {
		return Organization{}, err
	}
	return readOrganization(tx, org)
}

// Organization returns the organization of that key, or ErrNotFound.
func (s *Snapshot) Organization(org OrgKey) (Organization, error) {
	return readOrganization(s, org)
}

func readOrganization(r reading, org OrgKey) (Organization, error) {
	o, _, err := scanOrganization(r.queryRow("SELECT "+organizationColumns+" FROM organizations WHERE id = ?", org))
	if err != nil {
		return Organization{}, notFound(err, "the organization")
	}
	return o, nil
}

// SetOwner names the active owner of an organization; "" and "" is none. It
// returns ErrNotFound when there is no such organization.
func (tx *Tx) SetOwner(org OrgKey, name, email string) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	return tx.execOne("UPDATE organizations SET owner_name = nullif(?, ''), owner_email = nullif(?, '') WHERE id = ?", name, email, org)
}
