// Package sealing encrypts the secrets in the database with AES-256-GCM. The key is in a file
// outside the database (docs/api.md, Webhook endpoint).
package sealing

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
)

const keySize = 32

// version is the first byte of an encrypted secret. The nonce, the ciphertext and the tag follow
// it.
const version = 1

const redacted = "[key]"

// Key encrypts and decrypts secrets. Printing or logging a Key shows a placeholder. The methods
// Seal and Open of the zero Key fail.
type Key struct {
	aead        cipher.AEAD
	fingerprint []byte
}

// NewKey returns a new key that is not stored. What is encrypted with it cannot be decrypted after
// the process has ended.
func NewKey(entropy io.Reader) (Key, error) {
	master, err := newMaster(entropy)
	if err != nil {
		return Key{}, err
	}
	return derive(master)
}

func newMaster(entropy io.Reader) ([]byte, error) {
	master := make([]byte, keySize)
	if _, err := io.ReadFull(entropy, master); err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	return master, nil
}

func derive(master []byte) (k Key, err error) {
	sealing, err := hkdf.Key(sha256.New, master, nil, "tarmac sealing 1", keySize)
	if err != nil {
		return Key{}, err
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return Key{}, err
	}
	if k.aead, err = cipher.NewGCM(block); err != nil {
		return Key{}, err
	}
	k.fingerprint, err = hkdf.Key(sha256.New, master, nil, "tarmac sealing check", sha256.Size)
	return k, err
}

// Seal encrypts plaintext and binds it to context, such as an endpoint's id. Open needs the same
// context, so the secret of one endpoint cannot be used as that of another.
func (k Key) Seal(entropy io.Reader, plaintext, context string) ([]byte, error) {
	if k.aead == nil {
		return nil, errors.New("sealing without a key")
	}
	// With random nonces, a key may encrypt 2^32 texts, far more than there are secrets.
	sealed := make([]byte, 1+k.aead.NonceSize(), 1+k.aead.NonceSize()+len(plaintext)+k.aead.Overhead())
	sealed[0] = version
	nonce := sealed[1:]
	if _, err := io.ReadFull(entropy, nonce); err != nil {
		return nil, fmt.Errorf("sealing: %w", err)
	}
	return k.aead.Seal(sealed, nonce, []byte(plaintext), authenticated(context)), nil
}

// Open decrypts the result of Seal with the same key and context. It returns an error for any other
// input.
func (k Key) Open(sealed []byte, context string) (string, error) {
	if k.aead == nil {
		return "", errors.New("opening without a key")
	}
	headerSize := 1 + k.aead.NonceSize()
	switch {
	case len(sealed) < headerSize+k.aead.Overhead():
		return "", fmt.Errorf("the sealed secret of %s is cut short; restore the database from a backup", context)
	case sealed[0] != version:
		return "", fmt.Errorf("the sealed secret of %s has version %d and this program knows %d; use a newer program",
			context, sealed[0], version)
	}
	plain, err := k.aead.Open(nil, sealed[1:headerSize], sealed[headerSize:], authenticated(context))
	if err != nil {
		return "", fmt.Errorf("the sealed secret of %s cannot be decrypted; "+
			"it was sealed with another key or has been changed", context)
	}
	return string(plain), nil
}

func authenticated(context string) []byte { return append([]byte{version}, context...) }

// Fingerprint returns 32 bytes that identify the key without revealing it.
func (k Key) Fingerprint() []byte { return slices.Clone(k.fingerprint) }

// String, GoString, Format, LogValue and MarshalText give a placeholder instead of the key.
func (k Key) String() string               { return redacted }
func (k Key) GoString() string             { return redacted }
func (k Key) Format(f fmt.State, _ rune)   { _, _ = io.WriteString(f, redacted) }
func (k Key) LogValue() slog.Value         { return slog.StringValue(redacted) }
func (k Key) MarshalText() ([]byte, error) { return []byte(redacted), nil }
