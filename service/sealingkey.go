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

// sealingFingerprint is the name under which the database stores a fingerprint of the key that
// encrypts webhook secrets and tokens of providers. The fingerprint reveals a wrong key file.
const sealingFingerprint = "sealing_key_check"

// sealingKey loads the key that encrypts webhook secrets and tokens of providers, and creates it
// for a new database. A lost key is replaced only if no secret is encrypted with it. Administrative
// commands (Config.Operator) work without a key and never replace one: a command without --key-file
// must not create a second key beside a running service.
func sealingKey(ctx context.Context, config Config, st *store.Store) (sealing.Key, error) {
	path := keyFilePath(config)
	if path == "" {
		if config.Operator {
			return sealing.Key{}, nil
		}
		return sealing.Key{}, fmt.Errorf("no key file is given for %s; "+
			"name the file of the key that encrypts webhook secrets with --key-file, the same for all processes",
			database.PublicName(config.Database))
	}
	check, err := st.FindServerKey(ctx, sealingFingerprint)
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
		deleted, err := st.DeleteUnusedServerKey(ctx, sealingFingerprint)
		if err != nil {
			return sealing.Key{}, err
		}
		if deleted {
			return newSealingKey(ctx, config, st, path)
		}
	}
	const advice = "restore the right file from its backup, or name it with --key-file; " +
		"if it is lost, move any key file away and run `tarmac admin key reset`"
	if missing {
		return sealing.Key{}, fmt.Errorf(
			"the key file %s is missing and the webhook secrets and tokens in %s are encrypted with it; %s", path,
			database.PublicName(config.Database), advice,
		)
	}
	return sealing.Key{}, fmt.Errorf(
		"the key in %s is not the one that the webhook secrets and tokens in %s are encrypted with; %s", path,
		database.PublicName(config.Database), advice,
	)
}

// secrets encrypts and decrypts the secrets in the database. The function refresh wraps the one
// that asks providers for balances, which needs their tokens.
type secrets struct {
	seal    func(ctx context.Context, secret, id string) ([]byte, error)
	unseal  func(sealed []byte, id string) (string, error)
	refresh func(refreshBalances) refreshBalances
}

type refreshBalances = func(context.Context, store.OrgKey) error

// secretsOf loads the key of the database, except for own books (Config.KeyOptional), which load it
// when it is needed.
func secretsOf(ctx context.Context, config Config, st *store.Store) (secrets, error) {
	if config.KeyOptional {
		own := ownKey{config, st}
		return secrets{own.seal, own.unseal, own.refresh}, nil
	}
	key, err := sealingKey(ctx, config, st)
	if err != nil {
		return secrets{}, err
	}
	return secrets{
		seal: newSealer(config, st, key), unseal: newUnsealer(config, key),
		refresh: func(refresh refreshBalances) refreshBalances { return refresh },
	}, nil
}

// keyFilePath returns the path of the key file. For PostgreSQL, which has no default path, it
// returns "" if config names no file.
func keyFilePath(config Config) string {
	if config.KeyFile == "" && !database.IsPostgres(config.Database) {
		return config.Database + ".key"
	}
	return config.KeyFile
}

// checkNotEmptied returns an error if the database file is empty although its key file exists. The
// key file is created after the database, so the database has lost its data. A new database in its
// place would reject every token.
func checkNotEmptied(config Config) error {
	file, err := os.Stat(config.Database)
	if err != nil || file.Size() > 0 || !file.Mode().IsRegular() {
		return nil // opening the database reports this error
	}
	if _, err := os.Stat(keyFilePath(config)); err != nil {
		return nil
	}
	return fmt.Errorf("the database %s is empty but has a key file %s, so its data was lost: "+
		"move the empty file away, and restore a backup or start over",
		config.Database, keyFilePath(config))
}

// newSealingKey creates the key file and its key. If the file exists, it loads the key from it.
func newSealingKey(ctx context.Context, config Config, st *store.Store, path string) (sealing.Key, error) {
	key, err := sealing.LoadOrCreate(path, config.Entropy)
	if err != nil {
		return sealing.Key{}, err
	}
	// Another process may have stored the fingerprint of a different key before.
	check, err := st.ServerKey(ctx, sealingFingerprint, bytes.NewReader(key.Fingerprint()))
	if err != nil {
		return sealing.Key{}, err
	}
	if !bytes.Equal(check, key.Fingerprint()) {
		return sealing.Key{}, fmt.Errorf(
			"the key in %s is not the one that another process uses for %s; name the same file with --key-file", path,
			database.PublicName(config.Database),
		)
	}
	return key, nil
}

// ResetKey discards a lost encryption key, so that the next start of the service creates a new one.
// Endpoints whose secrets were encrypted with it are paused, and their deliveries are held, until
// their owners rotate the secret and activate them again. Tokens of providers that were encrypted
// with it are deleted. ResetKey returns the number of paused endpoints and of connections that have
// to be connected again.
func (s *Service) ResetKey(ctx context.Context) (paused, disconnected int64, err error) {
	err = s.store.Write(ctx, func(tx *store.Tx) (err error) {
		paused, disconnected, err = tx.DiscardServerKey(sealingFingerprint, s.now())
		return err
	})
	return paused, disconnected, err
}

// newSealer returns a function that encrypts secrets with key. The function fails if
// another process has replaced the key: a secret encrypted with the old key could not be decrypted
// after a restart.
func newSealer(
	config Config, st *store.Store, key sealing.Key,
) func(ctx context.Context, secret, id string) ([]byte, error) {
	return func(ctx context.Context, secret, id string) ([]byte, error) {
		if len(key.Fingerprint()) == 0 {
			return nil, missingKey(config)
		}
		check, err := st.FindServerKey(ctx, sealingFingerprint)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(check, key.Fingerprint()) {
			return nil, fmt.Errorf(
				"another process uses %s with another key; name the same file with --key-file to all of them, and restart them",
				database.PublicName(config.Database),
			)
		}
		return key.Seal(config.Entropy, secret, id)
	}
}

// newUnsealer returns a function that decrypts secrets with key.
func newUnsealer(config Config, key sealing.Key) func(sealed []byte, id string) (string, error) {
	return func(sealed []byte, id string) (string, error) {
		if len(key.Fingerprint()) == 0 {
			return "", missingKey(config)
		}
		return key.Open(sealed, id)
	}
}

// missingKey is the error for an administrative command that needs the key and found none.
func missingKey(config Config) error {
	if path := keyFilePath(config); path != "" {
		return fmt.Errorf("the key file %s is missing, and it encrypts the tokens of providers; "+
			"name the right file with --key-file", path)
	}
	return errors.New("the tokens of providers are encrypted: name the key file of the service with --key-file")
}
