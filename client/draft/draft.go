// Package draft stores unfinished proposals in files that only their owner can read, one
// per organization, server and running program. Writes are atomic: a killed program leaves
// either the old or the new draft.
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

// version is the version of the file format. Load refuses files of later versions.
const version = 1

// maxSize is the largest size of a draft's file, in bytes.
const maxSize = 4 << 20

// Draft is a proposal as typed, valid or not.
type Draft struct {
	// Key is the idempotency key of the proposal.
	Key string `json:"key"`
	// SentAt is when the proposal was last sent without a known outcome; the invoice may
	// exist. It is zero otherwise.
	SentAt  time.Time `json:"sent_at,omitzero"`
	SavedAt time.Time `json:"saved_at"`

	RecipientName  string `json:"recipient_name"`
	RecipientEmail string `json:"recipient_email"`
	Description    string `json:"description"`
	DueDate        string `json:"due_date"`
	Notes          string `json:"notes"`
	Lines          []Line `json:"lines"`
}

// Line is a line item as typed.
type Line struct {
	Description string `json:"description"`
	Quantity    string `json:"quantity"`
	UnitPrice   string `json:"unit_price"`
}

// Store stores drafts in a directory. It is safe for concurrent use. Several programs may use the
// same directory: each of them writes to slots of its own; see Open.
type Store struct {
	dir       string
	mu        sync.Mutex
	sequences map[string]uint64
	slots     map[string]slot
	opened    map[string]bool // organizations passed to Open; if Open failed, Save claims a slot
}

// NewStore returns the store in a directory, which may not exist yet.
func NewStore(dir string) *Store {
	return &Store{dir: dir, sequences: map[string]uint64{}, slots: map[string]slot{}, opened: map[string]bool{}}
}

// RenamedError means that a draft's file could not be read and was renamed, so that the next Save
// does not overwrite it.
type RenamedError struct {
	Path string // the file's new name
	Err  error
}

// Error returns one line with the reason and the file's new name.
func (e *RenamedError) Error() string {
	return fmt.Sprintf("the draft could not be read: %v; it was moved to %s", e.Err, e.Path)
}

// Unwrap returns the cause.
func (e *RenamedError) Unwrap() error { return e.Err }

// Reasons why a draft's file could not be read.
var (
	ErrNewer   = errors.New("it was written by a newer version of tarmac")
	ErrCorrupt = errors.New("the file is damaged")
)

// Load returns an organization's draft, or fs.ErrNotExist if there is none. If the file cannot be
// read, Load renames it and returns a *RenamedError, which may match ErrNewer or ErrCorrupt.
// Load refuses a directory that other users can write to.
func (s *Store) Load(org string, now time.Time) (Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load(org, now)
}

func (s *Store) load(org string, now time.Time) (Draft, error) {
	if err := privatefile.CheckDirectory(s.dir); err != nil {
		return Draft{}, err
	}
	path := s.path(org)
	privatefile.Sweep(s.dir, privatefile.TempPrefix(path), "", now)
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
		return Draft{}, fmt.Errorf("%s: %w, and it cannot be moved aside: %w", path, err, renamed)
	}
	return Draft{}, &RenamedError{Path: aside, Err: err}
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

// Save writes an organization's draft and returns when it is on the disk. Callers number their
// calls in sequence, because concurrent calls may run in any order: Save does nothing if a call
// with a higher sequence has run.
func (s *Store) Save(org string, sequence uint64, d Draft) error {
	content, err := json.Marshal(file{version, d})
	if err != nil {
		return err
	}
	return s.inSequence(org, sequence, func(path string) error {
		return privatefile.Write(path, append(content, '\n'))
	})
}

// Discard removes an organization's draft if there is one. See Save for sequence.
func (s *Store) Discard(org string, sequence uint64) error {
	return s.inSequence(org, sequence, func(path string) error {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// inSequence calls do unless a call with a later turn was made.
func (s *Store) inSequence(org string, sequence uint64, do func(path string) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sequence <= s.sequences[org] {
		return nil
	}
	if s.opened[org] {
		if err := s.claimSlot(org, false); err != nil {
			return err
		}
	}
	s.sequences[org] = sequence
	return do(s.path(org))
}

// OrgKey returns the key under which a Store keeps an organization's drafts. It consists of the id
// and of origin, which is the server's scheme, host and port, because ids are unique only
// within a server. Older versions used the id alone; Open renames their files.
func OrgKey(origin, org string) string {
	if origin == "" {
		return org
	}
	return org + "\x00" + origin
}

// path returns the file of an organization's draft in this program's slot.
func (s *Store) path(org string) string { return s.slotPath(org, s.slots[org].number) }

// slotPath returns the file of a slot.
func (s *Store) slotPath(org string, number int) string {
	name := "proposal-" + FileName(org)
	if number > 0 {
		name += "." + strconv.Itoa(number+1)
	}
	return filepath.Join(s.dir, name+".json")
}

// FileName returns a file name for a key that OrgKey returned. It escapes all bytes except letters,
// digits, "-" and "_", so that no two keys share a file and none names another directory.
func FileName(org string) string {
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
