package service

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"tarmac/internal/termtext"
	"tarmac/service/providers"
	"tarmac/service/sealing"
	"tarmac/service/store"
)

// ownKey encrypts the secrets of own books (Config.KeyOptional). It loads the key file whenever a
// secret is used, because the file may come and go while the books are open: they can be read
// without it, and only the tokens of providers cannot.
type ownKey struct {
	config Config
	store  *store.Store
}

// errOtherKey is the error for a key file that does not have the key of the secrets.
var errOtherKey = errors.New("another key encrypted it")

// load returns the key that the secrets in the database are encrypted with. The error is a
// *providers.Failure that tells the user to connect again if the file has no such key.
func (k ownKey) load(ctx context.Context) (sealing.Key, error) {
	check, err := k.store.FindServerKey(ctx, sealingFingerprint)
	if err != nil {
		return sealing.Key{}, err
	}
	key, err := sealing.Load(keyFilePath(k.config))
	if err == nil && !bytes.Equal(check, key.Fingerprint()) {
		err = errOtherKey
	}
	if err != nil {
		return sealing.Key{}, k.lost(err)
	}
	return key, nil
}

// lost returns the error for a secret that cannot be decrypted for the given reason.
func (k ownKey) lost(reason error) error {
	path := termtext.Line(keyFilePath(k.config))
	text := reason.Error()
	switch {
	case errors.Is(reason, errOtherKey):
		text = "the key file " + path + " is another one: put the right one back, or replace the token with `tarmac connect`"
	case errors.Is(reason, fs.ErrNotExist):
		text = "the key file " + path + " is missing: put it back, or replace the token with `tarmac connect`"
	}
	return &providers.Failure{Cause: providers.Denied, Text: "the token cannot be decrypted; " + text}
}

// seal encrypts a secret. If the key file is missing, it creates one. If secrets in the database
// are encrypted with another key, they are lost and seal deletes them, except if the secret is "":
// then it only checks that the file can be used.
func (k ownKey) seal(ctx context.Context, secret, id string) ([]byte, error) {
	key, err := sealing.LoadOrCreate(keyFilePath(k.config), k.config.Entropy)
	if err != nil {
		return nil, err
	}
	check, err := k.store.FindServerKey(ctx, sealingFingerprint)
	if err != nil {
		return nil, err
	}
	if secret != "" && !bytes.Equal(check, key.Fingerprint()) {
		if err := k.adopt(ctx, key); err != nil {
			return nil, err
		}
	}
	return key.Seal(k.config.Entropy, secret, id)
}

// adopt makes key the one that encrypts the secrets in the database.
func (k ownKey) adopt(ctx context.Context, key sealing.Key) error {
	err := k.store.Write(ctx, func(tx *store.Tx) error {
		_, _, err := tx.DiscardServerKey(sealingFingerprint, k.config.Now())
		return err
	})
	if err != nil {
		return err
	}
	_, err = k.store.ServerKey(ctx, sealingFingerprint, bytes.NewReader(key.Fingerprint()))
	return err
}

// unseal decrypts a secret. The check of the fingerprint would need a context, and decrypting with
// another key fails as well.
func (k ownKey) unseal(sealed []byte, id string) (string, error) {
	key, err := sealing.Load(keyFilePath(k.config))
	if err == nil {
		var plain string
		if plain, err = key.Open(sealed, id); err == nil {
			return plain, nil
		}
		err = errOtherKey
	}
	return "", k.lost(err)
}

// refresh returns a function that refreshes balances, unless the tokens of providers cannot be
// decrypted: the balances are then those of the last reading.
func (k ownKey) refresh(refresh refreshBalances) refreshBalances {
	return func(ctx context.Context, org store.OrgKey) error {
		if _, err := k.load(ctx); errors.As(err, new(*providers.Failure)) {
			return nil
		}
		return refresh(ctx, org)
	}
}
