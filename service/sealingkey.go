package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tarmac/service/sealing"
	"tarmac/service/store"
	"tarmac/service/store/database"
)

// sealingCheck names what is kept with the data to recognize the key by.
const sealingCheck = "sealing_key_check"

// sealingKey reads the key that webhook secrets are sealed with, which is kept
// beside the data and not in it, or makes it with the database. A key that is
// lost is made anew only while nothing is sealed with it, and never by the operator's
// commands: one that was not told of the key file would make a second key beside a
// running service. They do without, because they seal nothing.
func sealingKey(ctx context.Context, config Config, st *store.Store) (sealing.Key, error) {
	path := keyFile(config)
	if path == "" {
		if config.Operator {
			return sealing.Key{}, nil
		}
		return sealing.Key{}, fmt.Errorf("there is no place beside %s for the key that webhook secrets are sealed with; "+
			"name its file with --key-file, the same for all processes", database.PublicName(config.Database))
	}
	check, err := st.FindServerKey(ctx, sealingCheck)
	if err != nil {
		return sealing.Key{}, err
	}
	if check == nil {
		return newSealingKey(ctx, config, st, path)
	}
	key, err := sealing.Load(path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err == nil && bytes.Equal(check, key.Fingerprint()):
		return key, nil
	case missing && config.Operator:
		return sealing.Key{}, nil
	case err != nil && !missing:
		return sealing.Key{}, err
	}
	if !config.Operator {
		forgotten, err := st.DeleteUnusedServerKey(ctx, sealingCheck)
		if err != nil {
			return sealing.Key{}, err
		}
		if forgotten {
			return newSealingKey(ctx, config, st, path)
		}
	}
	const mend = "put the right file back from its backup, or name it with --key-file; if it is lost, `tarmac admin key reset` without any key file goes on"
	if missing {
		return sealing.Key{}, fmt.Errorf("the key file %s is missing and the webhook secrets in %s are sealed with it; %s", path, database.PublicName(config.Database), mend)
	}
	return sealing.Key{}, fmt.Errorf("the key in %s is not the one that the webhook secrets in %s are sealed with; %s", path, database.PublicName(config.Database), mend)
}

// keyFile returns the path of the key file; "" where none is named and there is no
// place for one.
func keyFile(config Config) string {
	if config.KeyFile == "" && !database.IsPostgres(config.Database) {
		return config.Database + ".key"
	}
	return config.KeyFile
}

// notEmptied refuses a database without a byte in it where there is a key already:
// the key is made after the database, so that what was in it is lost. To serve an
// empty one instead would tell every client that its token is wrong.
func notEmptied(config Config) error {
	file, err := os.Stat(config.Database)
	if err != nil || file.Size() > 0 || !file.Mode().IsRegular() {
		return nil // nothing to tell; opening it tells the rest
	}
	if _, err := os.Stat(keyFile(config)); err != nil {
		return nil
	}
	return fmt.Errorf("the database %s is empty and was not, as its key file %s is there: move the empty file away, and restore a backup or begin anew",
		config.Database, keyFile(config))
}

// newSealingKey makes the key, or takes the one that is in the file already.
func newSealingKey(ctx context.Context, config Config, st *store.Store, path string) (sealing.Key, error) {
	key, err := sealing.LoadOrCreate(path, config.Entropy)
	if err != nil {
		return sealing.Key{}, err
	}
	// Another process may have been first.
	check, err := st.ServerKey(ctx, sealingCheck, bytes.NewReader(key.Fingerprint()))
	if err != nil {
		return sealing.Key{}, err
	}
	if !bytes.Equal(check, key.Fingerprint()) {
		return sealing.Key{}, fmt.Errorf("the key in %s is not the one that another process uses for %s; name the same file with --key-file", path, database.PublicName(config.Database))
	}
	return key, nil
}

// ResetKey gives a lost key up: the next start makes a new one. Endpoints whose
// secrets were sealed with the lost one are paused, and what is pending for them is
// held, until their owners rotate the secret and turn them on again. It returns how
// many were paused.
func (s *Service) ResetKey(ctx context.Context) (paused int64, err error) {
	err = s.store.Write(ctx, func(tx *store.Tx) (err error) {
		paused, err = tx.DiscardServerKey(sealingCheck, s.now())
		return err
	})
	return paused, err
}

// seal returns what seals secrets with the key. It refuses when another process has
// replaced the key since: what is sealed would not open after a restart.
func seal(config Config, st *store.Store, key sealing.Key) func(ctx context.Context, secret, endpointID string) ([]byte, error) {
	return func(ctx context.Context, secret, endpointID string) ([]byte, error) {
		check, err := st.FindServerKey(ctx, sealingCheck)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(check, key.Fingerprint()) {
			return nil, fmt.Errorf("another process uses %s with another key; name the same file with --key-file to all of them, and restart them", database.PublicName(config.Database))
		}
		return key.Seal(config.Entropy, secret, endpointID)
	}
}
