package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"tarmac/service/ids"
	"tarmac/service/sealing"
	"tarmac/service/store"
	"tarmac/service/store/database"
	"tarmac/service/store/dbcopy"
	"tarmac/service/syncing"
)

// CopyConfig configures Copy. The functions OnProgress, OnCopied and OnSkipped may be nil.
type CopyConfig struct {
	From, To     string // database files or URLs, like Config.Database
	KeyFile      string // key file of the database From, like Config.KeyFile
	Organization string // public id of the organization to copy; "" means all organizations
	// OnProgress is called during the copy of an organization with the number of rows copied so far
	// and in total.
	OnProgress func(org dbcopy.Organization, done, total int64)
	// OnCopied is called after each organization that was copied.
	OnCopied func(dbcopy.Result)
	// OnSkipped is called for each organization that is already in the database To.
	OnSkipped func(dbcopy.Organization)
}

// Copy copies organizations to another database, each in one transaction (dbcopy.Copier). No
// service may run on the source. Organizations that the target already has are skipped, so an
// interrupted copy can be repeated.
//
// If config names one organization, Copy does not skip it but fails with an error that wraps
// dbcopy.ErrExists. If the source does not have that organization, the error wraps
// store.ErrNotFound.
//
// Webhook secrets and tokens of providers stay encrypted while they are copied, so both databases
// must use the same key file.
func Copy(ctx context.Context, config CopyConfig) (err error) {
	if config.Organization != "" {
		if err := checkID("an organization", config.Organization, ids.Organization); err != nil {
			return err
		}
	}
	c, err := dbcopy.Open(ctx, config.From, config.To, dbcopy.ServerKeys{Replace: cursorKey, Fill: sealingFingerprint})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	orgs, err := c.Organizations(ctx)
	if err != nil {
		return err
	}
	if config.Organization != "" {
		orgs = slices.DeleteFunc(orgs, func(o dbcopy.Organization) bool { return o.PublicID != config.Organization })
		if len(orgs) == 0 {
			return fmt.Errorf(
				"the organization %q in %s: %w", config.Organization, database.PublicName(config.From), store.ErrNotFound,
			)
		}
	}
	copied := false
	for _, org := range orgs {
		err := copyOrganization(ctx, c, config, org)
		if errors.Is(err, dbcopy.ErrExists) && config.Organization == "" {
			if config.OnSkipped != nil {
				config.OnSkipped(org)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("copying %s to %s: %w", org.PublicID, database.PublicName(config.To), err)
		}
		copied = true
	}
	if !copied {
		return nil
	}
	return c.Optimize(ctx)
}

func copyOrganization(ctx context.Context, c *dbcopy.Copier, config CopyConfig, org dbcopy.Organization) error {
	exists, err := c.Exists(ctx, org.PublicID)
	if err == nil && exists {
		err = dbcopy.ErrExists
	}
	if err != nil {
		return err
	}
	if err := checkSecrets(ctx, c, config, org); err != nil {
		return err
	}
	var done dbcopy.Result
	err = c.Audited(ctx, org.PublicID, func() (err error) {
		done, err = c.Copy(ctx, org.PublicID, func(done, total int64) {
			if config.OnProgress != nil {
				config.OnProgress(org, done, total)
			}
		})
		return err
	})
	if err == nil && config.OnCopied != nil {
		config.OnCopied(done)
	}
	return err
}

// checkSecrets returns an error unless the target's key file can decrypt the organization's webhook
// secrets and tokens of providers. If the target has no key file, it gets a copy of the source's.
func checkSecrets(ctx context.Context, c *dbcopy.Copier, config CopyConfig, org dbcopy.Organization) error {
	sealed, err := c.SealedSecrets(ctx, org.PublicID)
	if err != nil || len(sealed) == 0 {
		return err
	}
	from, to, err := c.ServerKey(ctx, sealingFingerprint)
	if err != nil {
		return err
	}
	path := keyFilePath(Config{Database: config.From, KeyFile: config.KeyFile})
	if path == "" {
		return errors.New("its secrets are encrypted: name the key file of the service with --key-file")
	}
	key, err := sealing.Load(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("its secrets are encrypted and the key file %s is missing: name it with --key-file", path)
	case err != nil:
		return err
	case !bytes.Equal(from, key.Fingerprint()):
		return fmt.Errorf("the key in %s is not the one that its secrets are encrypted with: "+
			"name the right file with --key-file", path)
	case to != nil && !bytes.Equal(to, from):
		return fmt.Errorf("the target uses another key than that in %s and could not decrypt its secrets: "+
			"start the target's service once with this key file, which works while it has no endpoints and no connections, "+
			"or copy to a new database", path)
	}
	for _, s := range sealed {
		if err := checkSecret(key, s); err != nil {
			return err
		}
	}
	return nil
}

// checkSecret returns an error unless the key can decrypt a secret.
func checkSecret(key sealing.Key, s dbcopy.SealedSecret) error {
	if s.Connection != "" {
		if _, err := key.Open(s.Secret, syncing.SealContext(s.Connection)); err != nil {
			return fmt.Errorf("%w; disconnect it, or connect it again, before copying", err)
		}
		return nil
	}
	if _, err := key.Open(s.Secret, s.Endpoint); err != nil {
		return fmt.Errorf("%w; rotate its secret before copying", err)
	}
	return nil
}
