// Package sealing keeps secrets in the database unreadable without a key that is
// not in it: AES-256-GCM with a subkey of the key that a file beside the database
// holds (docs/api.md, Webhook endpoint).
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

// version is the first byte of what is sealed: version, nonce, ciphertext, tag.
const version = 1

const redacted = "[key]"

// Key seals and opens. However it is printed or logged, it does not show itself.
// The zero Key does neither.
type Key struct {
	aead  cipher.AEAD
	check []byte
}

// NewKey returns a key that is in no file: what it seals cannot be opened after
// the process has ended.
func NewKey(entropy io.Reader) (Key, error) {
	master, err := draw(entropy)
	if err != nil {
		return Key{}, err
	}
	return derive(master)
}

func draw(entropy io.Reader) ([]byte, error) {
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
	k.check, err = hkdf.Key(sha256.New, master, nil, "tarmac sealing check", sha256.Size)
	return k, err
}

// Seal returns plaintext sealed. Only Open with the same context, which is not
// kept in it, opens it again: the secret of one endpoint cannot pass for that of
// another.
func (k Key) Seal(entropy io.Reader, plaintext, context string) ([]byte, error) {
	if k.aead == nil {
		return nil, errors.New("sealing without a key")
	}
	// A random nonce may be drawn 2^32 times under one key; each belongs to a new
	// or rotated secret.
	sealed := make([]byte, 1+k.aead.NonceSize(), 1+k.aead.NonceSize()+len(plaintext)+k.aead.Overhead())
	sealed[0] = version
	nonce := sealed[1:]
	if _, err := io.ReadFull(entropy, nonce); err != nil {
		return nil, fmt.Errorf("sealing: %w", err)
	}
	return k.aead.Seal(sealed, nonce, []byte(plaintext), authenticated(context)), nil
}

// Open returns what was sealed for that context.
func (k Key) Open(sealed []byte, context string) (string, error) {
	if k.aead == nil {
		return "", errors.New("opening without a key")
	}
	head := 1 + k.aead.NonceSize()
	switch {
	case len(sealed) < head+k.aead.Overhead():
		return "", fmt.Errorf("what is sealed for %s is cut short; restore the database from a backup", context)
	case sealed[0] != version:
		return "", fmt.Errorf("what is sealed for %s has version %d, and this program knows %d; use a newer one", context, sealed[0], version)
	}
	plain, err := k.aead.Open(nil, sealed[1:head], sealed[head:], authenticated(context))
	if err != nil {
		return "", fmt.Errorf("what is sealed for %s does not open; it was sealed with another key or has been changed", context)
	}
	return string(plain), nil
}

func authenticated(context string) []byte { return append([]byte{version}, context...) }

// Check returns 32 bytes that name the key and do not give it away, to notice by
// that a file holds another key than the one in use.
func (k Key) Check() []byte { return slices.Clone(k.check) }

// String, GoString, Format, LogValue and MarshalText show that there is a key,
// and not which.
func (k Key) String() string               { return redacted }
func (k Key) GoString() string             { return redacted }
func (k Key) Format(f fmt.State, _ rune)   { _, _ = io.WriteString(f, redacted) }
func (k Key) LogValue() slog.Value         { return slog.StringValue(redacted) }
func (k Key) MarshalText() ([]byte, error) { return []byte(redacted), nil }
