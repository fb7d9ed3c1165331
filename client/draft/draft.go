// Package draft keeps proposals that are being written, one for each organization of
// a server and running program, in files that only their owner can read. A program that is
// killed at any moment leaves the draft as it was or as it is to be, never a part of
// it.
package draft

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"tarmac/internal/privatefile"
)

// version is that of the files written here. A newer program's are not read.
const version = 1

// maxSize is more than any draft takes.
const maxSize = 4 << 20

// Draft is a proposal as it was typed, sound or not.
type Draft struct {
	// Key is the idempotency key of the proposal.
	Key string `json:"key"`
	// SentAt is when it was last sent, while no answer to that is known: the invoice
	// may be there.
	SentAt  time.Time `json:"sent_at,omitzero"`
	SavedAt time.Time `json:"saved_at"`

	RecipientName  string `json:"recipient_name"`
	RecipientEmail string `json:"recipient_email"`
	Description    string `json:"description"`
	DueDate        string `json:"due_date"`
	Notes          string `json:"notes"`
	Lines          []Line `json:"lines"`
}

// Line is a line item as it was typed.
type Line struct {
	Description string `json:"description"`
	Quantity    string `json:"quantity"`
	UnitPrice   string `json:"unit_price"`
}

// Store is a directory of drafts. It may be used by several goroutines at once.
// Programs that use one directory at once each Open a place of their own in it.
type Store struct {
	dir    string
	mu     sync.Mutex
	turns  map[string]uint64
	places map[string]place
	opened map[string]bool // who has no place yet takes one when saving
}

// NewStore returns the store in a directory, which need not be there yet.
func NewStore(dir string) *Store {
	return &Store{dir: dir, turns: map[string]uint64{}, places: map[string]place{}, opened: map[string]bool{}}
}

// AsideError is a draft that could not be read. Its file was kept under another
// name.
type AsideError struct {
	Path string // where it is now
	Err  error
}

// Error returns one line: why, and where the file is now.
func (e *AsideError) Error() string {
	return fmt.Sprintf("the draft could not be read: %v; it was set aside as %s", e.Err, e.Path)
}

// Unwrap returns the cause.
func (e *AsideError) Unwrap() error { return e.Err }

// What may be wrong with a draft's file.
var (
	ErrNewer   = errors.New("a newer version of the program wrote it")
	ErrCorrupt = errors.New("the file is damaged")
)

// Load returns an organization's draft; fs.ErrNotExist when there is none. A file
// that is no draft or cannot be read is set aside, so that no other is saved over it:
// an *AsideError, with ErrNewer or ErrCorrupt for one that is none. A directory that
// others can write to is an error.
func (s *Store) Load(org string, now time.Time) (Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load(org, now)
}

func (s *Store) load(org string, now time.Time) (Draft, error) {
	if err := privatefile.CheckDirectory(s.dir); err != nil {
		return Draft{}, err
	}
	s.sweep(org, now)
	path := s.path(org)
	info, err := os.Lstat(path)
	if err != nil {
		return Draft{}, err
	}
	var d Draft
	switch {
	case !info.Mode().IsRegular() || info.Size() > maxSize:
		err = ErrCorrupt
	default:
		var content []byte
		if content, err = os.ReadFile(path); err == nil {
			d, err = decode(content)
		}
	}
	if err == nil {
		return d, nil
	}
	aside := fmt.Sprintf("%s.aside-%s", path, now.UTC().Format("20060102T150405.000000000"))
	if renamed := os.Rename(path, aside); renamed != nil {
		return Draft{}, fmt.Errorf("%s: %w, and it cannot be set aside: %w", path, err, renamed)
	}
	return Draft{}, &AsideError{Path: aside, Err: err}
}

type file struct {
	Version int `json:"version"`
	Draft
}

func decode(content []byte) (Draft, error) {
	var head struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(content, &head) != nil || head.Version < 1 {
		return Draft{}, ErrCorrupt
	}
	if head.Version > version {
		return Draft{}, ErrNewer
	}
	var f file
	if json.Unmarshal(content, &f) != nil {
		return Draft{}, ErrCorrupt
	}
	return f.Draft, nil
}

// Save writes an organization's draft, and returns when the disk has it. Turns
// number the calls for one organization as they were decided on: one that comes
// after a later one does nothing, so that calls may run side by side.
func (s *Store) Save(org string, turn uint64, d Draft) error {
	content, err := json.Marshal(file{version, d})
	if err != nil {
		return err
	}
	return s.inTurn(org, turn, func(path string) error { return replace(path, append(content, '\n')) })
}

// Discard removes an organization's draft, if there is one. See Save for turn.
func (s *Store) Discard(org string, turn uint64) error {
	return s.inTurn(org, turn, func(path string) error {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// inTurn carries out do unless a later turn has been carried out.
func (s *Store) inTurn(org string, turn uint64, do func(path string) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if turn <= s.turns[org] {
		return nil
	}
	if s.opened[org] {
		if err := s.take(org, false); err != nil {
			return err
		}
	}
	s.turns[org] = turn
	return do(s.path(org))
}

// Of names an organization of one server: ids of two servers may be the same. The
// origin is a scheme, a host and a port. What was kept under the id alone is taken
// over by the first who asks for it.
func Of(origin, org string) string {
	if origin == "" {
		return org
	}
	return org + "\x00" + origin
}

// path returns the file of an organization's draft.
func (s *Store) path(org string) string { return s.pathAt(org, s.places[org].number) }

// pathAt returns the file of a place.
func (s *Store) pathAt(org string, number int) string {
	name := "proposal-" + Name(org)
	if number > 0 {
		name += "." + strconv.Itoa(number+1)
	}
	return filepath.Join(s.dir, name+".json")
}

// Name returns a part of a file's name for whom Of names. Of an id that is no plain
// word every odd byte is written as its number, so that no two ids share a file and
// none leads out of the directory.
func Name(org string) string {
	var b strings.Builder
	org, origin, apart := strings.Cut(org, "\x00")
	for _, c := range []byte(org) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	if apart {
		sum := sha256.Sum256([]byte(origin))
		fmt.Fprintf(&b, "@%x", sum[:8])
	}
	return b.String()
}
