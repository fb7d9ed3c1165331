// Package dbcopy copies organizations between databases, each of which may be SQLite or PostgreSQL,
// and compares what it wrote with what it read.
package dbcopy

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tarmac/service/store"
	"tarmac/service/store/database"
)

// ErrExists is returned if the target database already has the organization.
var ErrExists = errors.New("it already exists; nothing was changed")

// Copier copies organizations from a source database, which is locked meanwhile, to a target
// database. It is not safe for concurrent use.
type Copier struct {
	source *database.Source
	db     *database.DB // target database
	target *store.Store // store of the records in db
	keys   ServerKeys
}

// ServerKeys names the secret keys of the service (store.Store.ServerKey) that are copied together
// with an organization.
type ServerKeys struct {
	// Replace names a key. The source's key replaces the target's if the target has no other
	// organization. Data that was made with the source's key stays valid.
	Replace string
	// Fill names a key that is copied only if the target has no key with that name.
	Fill string
}

// Organization identifies an organization of the source database.
type Organization struct{ PublicID, Name string }

// Result describes the copy of an organization in the target database.
type Result struct {
	Organization
	Rows       map[string]int64 // number of rows in each table
	Days       int              // number of days with transactions
	Inflow     int64            // total in USD cents
	Outflow    int64
	Overflow   bool // true if Inflow or Outflow overflows 64 bits; both are then 0
	FirstEvent int64
	LastEvent  int64 // first and last sequence number of events; 0 without events
}

// SealedSecret is the encrypted signing secret of an active webhook endpoint, or the encrypted
// token of a connection to a provider.
type SealedSecret struct {
	Endpoint   string // public id of the endpoint; "" for a token
	Connection string // public id of the connection; "" for a signing secret
	Secret     []byte
}

// Open opens the databases sourceDSN and targetDSN, migrates both to the newest schema, and locks
// the source until Close. It returns an error if the source does not exist or if other processes
// use it. If the target is a SQLite database that does not exist, Open creates it.
func Open(ctx context.Context, sourceDSN, targetDSN string, keys ServerKeys) (*Copier, error) {
	tables := append(tableNames(), "organizations", "server_keys")
	source, err := database.OpenSource(ctx, sourceDSN, store.Schema(), tables)
	if err != nil {
		return nil, err
	}
	db, err := database.Open(ctx, targetDSN, store.Schema(), database.Options{})
	if err != nil {
		return nil, errors.Join(err, source.Close())
	}
	return &Copier{source, db, store.New(db), keys}, nil
}

// Close closes both databases.
func (c *Copier) Close() error { return errors.Join(c.source.Close(), c.db.Close()) }

const organizationColumns = "id, public_id, name"

func scanOrganization(row database.Row) (o Organization, key store.OrgKey, err error) {
	err = row.Scan(&key, &o.PublicID, &o.Name)
	return o, key, err
}

// Organizations returns the source's organizations, the oldest first.
func (c *Copier) Organizations(ctx context.Context) ([]Organization, error) {
	rows, err := c.source.Query(ctx, "SELECT "+organizationColumns+" FROM organizations ORDER BY id")
	return database.Collect(rows, err, "the organizations", func(row database.Row) (Organization, error) {
		o, _, err := scanOrganization(row)
		return o, err
	})
}

// Exists reports whether the target already has an organization.
func (c *Copier) Exists(ctx context.Context, orgPublicID string) (bool, error) {
	_, _, err := c.target.Organization(ctx, orgPublicID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// SealedSecrets returns the encrypted secrets of an organization's active webhook endpoints and of
// its connections to providers in the source.
func (c *Copier) SealedSecrets(ctx context.Context, orgPublicID string) ([]SealedSecret, error) {
	rows, err := c.source.Query(ctx, `SELECT e.public_id, '', e.secret
		FROM webhook_endpoints e JOIN organizations o ON o.id = e.org_id
		WHERE o.public_id = ? AND e.status = 'active'
		UNION ALL SELECT '', c.public_id, c.secret FROM connections c JOIN organizations o ON o.id = c.org_id
		WHERE o.public_id = ? AND c.secret IS NOT NULL`, orgPublicID, orgPublicID)
	return database.Collect(rows, err, "the encrypted secrets", func(row database.Row) (s SealedSecret, err error) {
		err = row.Scan(&s.Endpoint, &s.Connection, &s.Secret)
		return s, err
	})
}

// ServerKey returns the keys with this name: from is the source's, to the target's. A key that does
// not exist is nil.
func (c *Copier) ServerKey(ctx context.Context, name string) (from, to []byte, err error) {
	err = c.source.QueryRow(ctx, "SELECT key FROM server_keys WHERE name = ?", name).Scan(&from)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, nil, fmt.Errorf("reading the server key %s: %w", name, err)
	}
	to, err = c.target.FindServerKey(ctx, name)
	return from, to, err
}

// Copy copies an organization in one transaction, except for the tables in notCopied. Public ids,
// numbers, times and encrypted secrets stay the same; internal keys are new. Before it commits,
// Copy reads all rows again and compares them, and compares the daily sums with the transactions.
// It calls progress, unless that is nil, with the number of rows written so far and in total.
//
// The error is store.ErrNotFound if the source does not have the organization, ErrExists if the
// target has it, or says what could not be copied.
func (c *Copier) Copy(ctx context.Context, orgPublicID string, progress func(done, total int64)) (Result, error) {
	result := Result{Rows: map[string]int64{}}
	var from store.OrgKey
	var err error
	query := "SELECT " + organizationColumns + " FROM organizations WHERE public_id = ?"
	result.Organization, from, err = scanOrganization(c.source.QueryRow(ctx, query, orgPublicID))
	if database.IsNotFound(err) {
		return result, store.ErrNotFound
	}
	if err != nil {
		return result, fmt.Errorf("reading the organization: %w", err)
	}
	exists, err := c.Exists(ctx, orgPublicID)
	if err == nil && exists {
		err = ErrExists
	}
	if err != nil {
		return result, err
	}
	load, err := c.db.BeginLoad(ctx)
	if err != nil {
		return result, err
	}
	defer load.Rollback()
	o := &orgCopy{
		Load: load, ctx: ctx, source: c.source, keys: c.keys, from: from, progress: progress,
		newKeys: map[string]map[int64]int64{},
	}
	if err := o.readSide(); err != nil {
		return result, err
	}
	if o.total, err = o.countRows(); err != nil {
		return result, err
	}
	if err := o.copy(&result); err != nil {
		return result, database.OneLine(database.Advise(err))
	}
	return result, load.Commit()
}

// Audited calls do, which copies an organization, as a change of the target that its audit has.
func (c *Copier) Audited(ctx context.Context, orgPublicID string, do func() error) error {
	ctx = store.WithAnotherAudit(ctx, orgPublicID)
	err := c.target.BeginAudit(ctx)
	if err == nil {
		err = do()
	}
	return errors.Join(err, c.target.EndAudit(ctx, err))
}

// Optimize makes queries of the target faster. It should be called after the last Copy. See
// store.Store.Optimize.
func (c *Copier) Optimize(ctx context.Context) error {
	return c.target.Optimize(store.WithAudit(ctx, nil)) // it changes no record
}
