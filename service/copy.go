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
)

// CopyConfig says what is copied, and who hears of it. The functions may be nil.
type CopyConfig struct {
	From, To     string // databases, as Config.Database
	KeyFile      string // of the first one's webhook secrets; "" is the SQLite file's path and ".key"
	Organization string // its public id; "" is all of them
	Told         func(org dbcopy.Organization, done, total int64)
	Copied       func(dbcopy.Result)
	Skipped      func(dbcopy.Organization) // that the second one has already
}

// Copy copies organizations from a database that nobody serves to another, each in
// one transaction (dbcopy.Copier). Without one that is named, those that are there
// already are skipped, so that a copy which was interrupted is finished by another.
// One that is named must not be there: the error wraps dbcopy.ErrExists then, and
// store.ErrNotFound where there is none to copy.
//
// Webhook secrets are copied as they are sealed. Both databases have to go by the
// same key file, which has to open them.
func Copy(ctx context.Context, config CopyConfig) (err error) {
	if config.Organization != "" {
		if err := named("an organization", config.Organization, ids.Organization); err != nil {
			return err
		}
	}
	c, err := dbcopy.Open(ctx, config.From, config.To, dbcopy.ServerKeys{Replace: cursorKey, Fill: sealingCheck})
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
			return fmt.Errorf("the organization %q in %s: %w", config.Organization, database.PublicName(config.From), store.ErrNotFound)
		}
	}
	copied := false
	for _, org := range orgs {
		err := copyOne(ctx, c, config, org)
		if errors.Is(err, dbcopy.ErrExists) && config.Organization == "" {
			if config.Skipped != nil {
				config.Skipped(org)
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

func copyOne(ctx context.Context, c *dbcopy.Copier, config CopyConfig, org dbcopy.Organization) error {
	exists, err := c.Exists(ctx, org.PublicID)
	if err == nil && exists {
		err = dbcopy.ErrExists
	}
	if err != nil {
		return err
	}
	if err := checkSealed(ctx, c, config, org); err != nil {
		return err
	}
	done, err := c.Copy(ctx, org.PublicID, func(done, total int64) {
		if config.Told != nil {
			config.Told(org, done, total)
		}
	})
	if err == nil && config.Copied != nil {
		config.Copied(done)
	}
	return err
}

// checkSealed makes sure that the target's key opens the organization's secrets. A
// target that has none yet will have that of the source.
func checkSealed(ctx context.Context, c *dbcopy.Copier, config CopyConfig, org dbcopy.Organization) error {
	sealed, err := c.SealedSecrets(ctx, org.PublicID)
	if err != nil || len(sealed) == 0 {
		return err
	}
	from, to, err := c.ServerKey(ctx, sealingCheck)
	if err != nil {
		return err
	}
	path := keyFile(Config{Database: config.From, KeyFile: config.KeyFile})
	if path == "" {
		return errors.New("its webhook secrets are sealed: name the key file of the service with --key-file")
	}
	key, err := sealing.Load(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("its webhook secrets are sealed and the key file %s is missing: name it with --key-file", path)
	case err != nil:
		return err
	case !bytes.Equal(from, key.Fingerprint()):
		return fmt.Errorf("the key in %s is not the one that its webhook secrets are sealed with: name the right file with --key-file", path)
	case to != nil && !bytes.Equal(to, from):
		return fmt.Errorf("the target is served with another key than that in %s, which would not open its webhook secrets: "+
			"serve the target with this key file once, which it takes as long as it has no endpoints, or copy to a database of its own", path)
	}
	for _, s := range sealed {
		if _, err := key.Open(s.Secret, s.EndpointID); err != nil {
			return fmt.Errorf("%w; rotate its secret before copying", err)
		}
	}
	return nil
}
