// Package secretstore stores one token per profile: in the system's keyring if it works,
// else in a file that only its owner can read.
//
// A keyring has three seconds to respond. It may hang on a host without a desktop, or wait
// for a prompt that nobody sees.
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

// KeyringTimeout is how long a keyring may take to respond.
const KeyringTimeout = 3 * time.Second

// MaxToken is the largest accepted size of a token file, in bytes.
const MaxToken = 4 << 10

// ErrNone is returned for a profile that has no token.
var ErrNone = errors.New("no token is kept")

// ErrNoKeyring matches, with errors.Is, all errors that say why the keyring could not be used.
var ErrNoKeyring = errors.New("no keyring answers")

// Location is where a token is stored.
type Location struct {
	File   string // path of the file, or "" for the keyring
	Reason error  // why Put used a file instead of the keyring; nil from Get
}

func (p Location) String() string {
	if p.File == "" {
		return "the system keyring"
	}
	return termtext.Line(p.File)
}

// Options configure a Store.
type Options struct {
	Keyring   Keyring       // nil for none
	Directory string        // directory of the token files; created by the first Put that needs it
	Timeout   time.Duration // time limit of a call to the keyring; 0 for KeyringTimeout
}

// Store stores tokens. It is not safe for concurrent use. After a keyring has failed once,
// the Store does not try it again.
type Store struct {
	keyring   Keyring
	directory string
	timeout   time.Duration
	unusable  error // why the keyring is unusable, or nil
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

// Get returns a profile's token and where it is stored. A file takes precedence, as it
// exists only if the keyring failed when the token was stored. Get returns ErrNone if there
// is no token; if the keyring could not be checked the error also matches ErrNoKeyring.
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

// Put stores a profile's token, replacing the old one, and returns where it is stored.
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

// Delete deletes a profile's token from the file and the keyring. It returns ErrNone if
// there was none. The error matches ErrNoKeyring if the keyring could not be checked and
// may still hold a token.
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

// CheckKeyring returns nil if the keyring responds, and else why not.
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

// callKeyring calls the keyring and waits at most for the timeout. A result that arrives later is
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

// ReadFile reads a token from a file that only its owner can read. Errors never contain the
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
