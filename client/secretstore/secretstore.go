// Package secretstore keeps tokens, one for each profile: in the system's keyring
// where one answers, else each in a file that its owner alone can read.
//
// A keyring may hang (a desktop's on a host without one) or ask its owner
// something nobody sees; it has three seconds.
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

// Patience is how long a keyring may take to answer.
const Patience = 3 * time.Second

// MaxToken is the size of the largest token file, in bytes.
const MaxToken = 4 << 10

// ErrNone is returned for a profile that has no token.
var ErrNone = errors.New("no token is kept")

// ErrNoKeyring is what an error matches that says why no keyring could be asked.
var ErrNoKeyring = errors.New("no keyring answers")

// Place is where a token is kept.
type Place struct {
	File   string // path of the file, or "" for the keyring
	Reason error  // of a new file: why it is not the keyring
}

func (p Place) String() string {
	if p.File == "" {
		return "the system keyring"
	}
	return termtext.Line(p.File)
}

// Options are where a Store keeps tokens.
type Options struct {
	Keyring   Keyring       // nil for none
	Directory string        // of the files; made when needed
	Patience  time.Duration // 0 for the package's
}

// Store keeps tokens. It is for one goroutine: a keyring that did not answer once
// is not asked again.
type Store struct {
	keyring   Keyring
	directory string
	patience  time.Duration
	silent    error // why the keyring is not asked
}

// New returns a store.
func New(o Options) *Store {
	s := &Store{keyring: o.Keyring, directory: o.Directory, patience: o.Patience}
	if s.patience == 0 {
		s.patience = Patience
	}
	if s.keyring == nil {
		s.silent = fmt.Errorf("%w: there is none", ErrNoKeyring)
	}
	return s
}

// Get returns a profile's token and where it is kept. A file comes first: it is
// only there because no keyring answered when the token was stored. A profile
// without a token is ErrNone; where the keyring could not be asked the error
// matches ErrNoKeyring too.
func (s *Store) Get(profile string) (apiclient.Token, Place, error) {
	path := s.file(profile)
	token, err := ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, Place{File: path}, err
	}
	var secret string
	err = s.ask(func(k Keyring) (err error) { secret, err = k.Get(profile); return err })
	switch {
	case errors.Is(err, ErrNone):
		return "", Place{}, ErrNone
	case err != nil:
		return "", Place{}, fmt.Errorf("%w in a file, and %w", ErrNone, err)
	}
	token = apiclient.Token(secret)
	return token, Place{}, token.Check()
}

// Put keeps a profile's token in place of the one before, and returns where.
func (s *Store) Put(profile string, token apiclient.Token) (Place, error) {
	if err := token.Check(); err != nil {
		return Place{}, err
	}
	path := s.file(profile)
	secret := token.Reveal()
	err := s.ask(func(k Keyring) error { return k.Set(profile, secret) })
	if err != nil {
		place := Place{File: path, Reason: err}
		return place, privatefile.Write(path, []byte(secret+"\n"))
	}
	return Place{}, remove(path)
}

// Delete forgets a profile's token wherever it is kept. Where the keyring could not
// be asked the error matches ErrNoKeyring: an older token may be left in it. Where
// there was no file either it matches ErrNone too, as it does when there was nothing
// anywhere.
func (s *Store) Delete(profile string) error {
	path := s.file(profile)
	_, err := os.Lstat(path)
	inFile := err == nil
	if err := remove(path); err != nil {
		return err
	}
	if err = ErrNone; s.keyring != nil {
		err = s.ask(func(k Keyring) error { return k.Delete(profile) })
	}
	switch none := errors.Is(err, ErrNone); {
	case inFile && none:
		return nil
	case err == nil || inFile || none:
		return err
	}
	return fmt.Errorf("%w in a file, and %w", ErrNone, err)
}

// Answers returns nil when a keyring answers, and otherwise why not.
func (s *Store) Answers() error {
	err := s.ask(func(k Keyring) error { _, err := k.Get(".probe"); return err })
	if errors.Is(err, ErrNone) {
		return nil
	}
	return err
}

// Directory is where the files are.
func (s *Store) Directory() string { return s.directory }

func (s *Store) file(profile string) string { return filepath.Join(s.directory, profile) }

// ask asks the keyring, for as long as it may take. What comes later is dropped.
func (s *Store) ask(question func(Keyring) error) error {
	if s.silent != nil {
		return s.silent
	}
	answer := make(chan error, 1)
	go func() { answer <- question(s.keyring) }()
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case err := <-answer:
		if err != nil && !errors.Is(err, ErrNone) {
			s.silent = fmt.Errorf("%w: %s", ErrNoKeyring, termtext.Line(err.Error()))
			return s.silent
		}
		return err
	case <-timer.C:
		s.silent = fmt.Errorf("%w within %s", ErrNoKeyring, s.patience)
		return s.silent
	}
}

// ReadFile reads a token from a file that its owner alone can read. No error
// contains the token.
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
