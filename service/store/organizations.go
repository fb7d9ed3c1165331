package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tarmac/service/invoicing"
	"tarmac/service/store/database"
)

// ErrNoRoom is returned if the database already has as many organizations as keys can number.
var ErrNoRoom = errors.New("this database is full: it holds as many organizations as it can")

// Organization is a customer of the service, with records that other organizations cannot see.
type Organization struct {
	PublicID   string // "org_…"
	Name       string
	OwnerName  string // active owner, who proposes invoices; "" if there is none
	OwnerEmail string
	OrganizationLimits
	CreatedAt time.Time
}

// OrganizationLimits are the limits that an operator sets for an organization. 0 is the limit of
// organizations without their own.
type OrganizationLimits struct {
	RequestsPerMinute int // of all tokens and keys together; not limited by default
	Drafts            int // default: invoicing.DefaultMaxDrafts
	DraftBytes        int64
}

// DraftLimit returns the limits of the organization's drafts that are in force.
func (l OrganizationLimits) DraftLimit() DraftUsage {
	return DraftUsage{
		Drafts: cmp.Or(l.Drafts, invoicing.DefaultMaxDrafts), Bytes: cmp.Or(l.DraftBytes, invoicing.DefaultMaxDraftBytes),
	}
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
	coalesce(requests_per_minute, 0), coalesce(max_drafts, 0), coalesce(max_draft_bytes, 0), created_at`

func scanOrganization(row database.Row) (o Organization, key OrgKey, err error) {
	var created int64
	err = row.Scan(&key, &o.PublicID, &o.Name, &o.OwnerName, &o.OwnerEmail, &o.RequestsPerMinute,
		&o.Drafts, &o.DraftBytes, &created)
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

// SetLimits sets the limits of an organization. It returns ErrNotFound if there is no such
// organization.
func (tx *Tx) SetLimits(org OrgKey, l OrganizationLimits) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	return tx.execOne(`UPDATE organizations SET requests_per_minute = nullif(?, 0), max_drafts = nullif(?, 0),
		max_draft_bytes = nullif(?, 0) WHERE id = ?`, l.RequestsPerMinute, l.Drafts, l.DraftBytes, org)
}
