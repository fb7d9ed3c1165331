// Package secretstore stores one token per profile: in the system's keyring if that works,
// otherwise in a file that only its owner can read.
//
// A keyring has three seconds to respond. On a machine without a desktop, it may hang or wait for a
// prompt that nobody sees.
package secretstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// KeyringTimeout is the time limit for a call to the keyring.
const KeyringTimeout = 3 * time.Second

// MaxToken is the maximum size of a token file, in bytes.
const MaxToken = 4 << 10

// ErrNone means that no token is stored for a profile.
var ErrNone = errors.New("no token is kept")

// ErrNoKeyring matches, with errors.Is, all errors that say why the keyring cannot be used.
var ErrNoKeyring = errors.New("no keyring answers")

// Location says where a token is stored.
type Location struct {
	File   string // path of the file; "" if the token is in the keyring
	Reason error  // why Put used a file instead of the keyring; nil if returned by Get
}

func (p Location) String() string {
	if p.File == "" {
		return "the system keyring"
	}
	return termtext.Line(p.File)
}

// Options configure a Store.
type Options struct {
	Keyring   Keyring       // nil if there is no keyring
	Directory string        // directory of the token files; Put creates it when it is needed
	Timeout   time.Duration // time limit of a call to the keyring; 0 means KeyringTimeout
}

// Store stores the tokens of profiles. It is not safe for concurrent use. Once the keyring has
// failed, the Store does not try it again.
type Store struct {
	keyring   Keyring
	directory string
	timeout   time.Duration
	unusable  error // why the keyring cannot be used; nil if it has not failed
}

// New returns a Store. It does not connect to the keyring.
func New(o Options) *Store {
	s := &Store{keyring: o.Keyring, directory: o.Directory, timeout: o.Timeout}
	if s.timeout == 0 {
		s.timeout = KeyringTimeout
	}
	if s.keyring == nil {
		s.unusable = fmt.Errorf("%w: there is none", ErrNoKeyring)
	}
	return s
}

// Get returns the token of a profile and says where it is stored. It looks for a file first,
// because a file exists only if the keyring failed when the token was stored. If there is no token,
// Get returns ErrNone. If the keyring could not be checked, that error also matches ErrNoKeyring.
func (s *Store) Get(profile string) (apiclient.Token, Location, error) {
	path := s.file(profile)
	token, err := ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, Location{File: path}, err
	}
	var secret string
	err = s.callKeyring(func(k Keyring) (err error) { secret, err = k.Get(profile); return err })
	switch {
	case errors.Is(err, ErrNone):
		return "", Location{}, ErrNone
	case err != nil:
		return "", Location{}, fmt.Errorf("%w in a file, and %w", ErrNone, err)
	}
	token = apiclient.Token(secret)
	return token, Location{}, token.Check()
}

// Put stores the token of a profile in place of the old one, and says where it is stored.
func (s *Store) Put(profile string, token apiclient.Token) (Location, error) {
	if err := token.Check(); err != nil {
		return Location{}, err
	}
	path := s.file(profile)
	secret := token.Reveal()
	err := s.callKeyring(func(k Keyring) error { return k.Set(profile, secret) })
	if err != nil {
		location := Location{File: path, Reason: err}
		return location, privatefile.Write(path, []byte(secret+"\n"))
	}
	return Location{}, remove(path)
}

// Delete deletes the token of a profile from the file and from the keyring. If there was no token,
// it returns ErrNone. If the keyring could not be checked, so that it may still contain a token,
// the error matches ErrNoKeyring.
func (s *Store) Delete(profile string) error {
	path := s.file(profile)
	_, err := os.Lstat(path)
	inFile := err == nil
	if err := remove(path); err != nil {
		return err
	}
	if err = ErrNone; s.keyring != nil {
		err = s.callKeyring(func(k Keyring) error { return k.Delete(profile) })
	}
	switch none := errors.Is(err, ErrNone); {
	case inFile && none:
		return nil
	case err == nil || inFile || none:
		return err
	}
	return fmt.Errorf("%w in a file, and %w", ErrNone, err)
}

// CheckKeyring returns nil if the keyring responds. Otherwise the error says why it does not.
func (s *Store) CheckKeyring() error {
	err := s.callKeyring(func(k Keyring) error { _, err := k.Get(".probe"); return err })
	if errors.Is(err, ErrNone) {
		return nil
	}
	return err
}

// Directory returns the directory of the token files.
func (s *Store) Directory() string { return s.directory }

func (s *Store) file(profile string) string { return filepath.Join(s.directory, profile) }

// callKeyring calls the keyring and waits until the time limit. A result that arrives later is
// ignored.
func (s *Store) callKeyring(call func(Keyring) error) error {
	if s.unusable != nil {
		return s.unusable
	}
	result := make(chan error, 1)
	go func() { result <- call(s.keyring) }()
	timer := time.NewTimer(s.timeout)
	defer timer.Stop()
	select {
	case err := <-result:
		if err != nil && !errors.Is(err, ErrNone) {
			s.unusable = fmt.Errorf("%w: %s", ErrNoKeyring, termtext.Line(err.Error()))
			return s.unusable
		}
		return err
	case <-timer.C:
		s.unusable = fmt.Errorf("%w within %s", ErrNoKeyring, s.timeout)
		return s.unusable
	}
}

// ReadFile reads a token from a file that only its owner can read. Its errors never contain the
// token.
func ReadFile(path string) (apiclient.Token, error) {
	content, err := privatefile.Read(path, MaxToken)
	if err != nil {
		return "", err
	}
	token := apiclient.Token(strings.TrimRight(string(content), "\r\n"))
	if err := token.Check(); err != nil {
		return "", fmt.Errorf("%s: %w", termtext.Line(path), err)
	}
	return token, nil
}

func remove(path string) error {
	err := os.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s cannot be removed: %w", termtext.Line(path), errors.Unwrap(err))
}
