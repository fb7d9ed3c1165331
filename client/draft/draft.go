// Package draft stores unfinished invoice proposals in a state.Folder. There is one file per
// organization, server and running program. If the program is killed, the file contains either the
// old or the new draft.
package draft

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tarmac/client/state"
	"tarmac/internal/privatefile"
)

// version is the version of the file format. Load refuses files with a later version.
const version = 1

// maxSize is the maximum size of a draft file, in bytes.
const maxSize = 4 << 20

// Draft is an invoice proposal as the user typed it, valid or not.
type Draft struct {
	// Key is the idempotency key of the proposal.
	Key string `json:"key"`
	// SentAt is when the proposal was last sent, if the outcome is unknown, so that the invoice may
	// exist. Otherwise it is zero.
	SentAt  time.Time `json:"sent_at,omitzero"`
	SavedAt time.Time `json:"saved_at"`

	RecipientName  string `json:"recipient_name"`
	RecipientEmail string `json:"recipient_email"`
	Description    string `json:"description"`
	DueDate        string `json:"due_date"`
	Notes          string `json:"notes"`
	Lines          []Line `json:"lines"`
}

// Line is a line item as the user typed it.
type Line struct {
	Description string `json:"description"`
	Quantity    string `json:"quantity"`
	UnitPrice   string `json:"unit_price"`
}

// Store stores drafts in a folder. It is safe for concurrent use. Several programs may use the same
// folder, because each of them writes files of its own, called slots; see Open. A nil Store stores
// nothing: Open finds no draft, and Save, Discard and Close do nothing.
type Store struct {
	folder    state.Folder
	calls     atomic.Uint64 // latest result of NextSequence
	mu        sync.Mutex
	sequences map[string]uint64
	slots     map[string]slot
	// opened contains the organizations for which Open was called. If Open failed for one of them,
	// Save claims a slot.
	opened map[string]bool
}

// NewStore returns the store in a folder. It returns nil if folder is nil.
func NewStore(folder state.Folder) *Store {
	if folder == nil {
		return nil
	}
	return &Store{
		folder: folder, sequences: map[string]uint64{}, slots: map[string]slot{}, opened: map[string]bool{},
	}
}

// RenamedError means that a draft file could not be read. It was renamed, so that the next Save
// does not overwrite it.
type RenamedError struct {
	Path string // new name of the file
	Err  error
}

// Error returns one line with the reason and the new name of the file.
func (e *RenamedError) Error() string {
	return fmt.Sprintf("the draft could not be read: %v; it was moved to %s", e.Err, e.Path)
}

// Unwrap returns the cause, Err.
func (e *RenamedError) Unwrap() error { return e.Err }

// Reasons why a draft file could not be read.
var (
	ErrNewer   = errors.New("it was written by a newer version of tarmac")
	ErrCorrupt = errors.New("the file is damaged")
)

// Load returns the draft of an organization. It returns fs.ErrNotExist if there is none. If the
// file is damaged or cannot be opened, Load renames it and returns a *RenamedError, which may match
// ErrNewer or ErrCorrupt. After other errors, such as privatefile.ErrExposed, the file stays where
// it is; after Open, Save then writes to another file.
func (s *Store) Load(org string, now time.Time) (Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load(org, now)
}

func (s *Store) load(org string, now time.Time) (Draft, error) {
	name := s.name(org)
	content, err := s.folder.Read(name, maxSize)
	switch {
	case errors.Is(err, privatefile.ErrInvalid):
		err = ErrCorrupt
	case errors.Is(err, fs.ErrPermission):
	case err != nil:
		if !errors.Is(err, fs.ErrNotExist) {
			_ = s.releaseSlot(org) // the error of reading is the one to report
		}
		return Draft{}, err
	default:
		var d Draft
		if d, err = decode(content); err == nil {
			return d, nil
		}
	}
	aside := fmt.Sprintf("%s.aside-%s", name, now.UTC().Format("20060102T150405.000000000"))
	if renamed := s.folder.Rename(name, aside); renamed != nil {
		return Draft{}, fmt.Errorf("the draft could not be read: %w, and %w", err, renamed)
	}
	return Draft{}, &RenamedError{Path: s.folder.Path(aside), Err: err}
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

// NextSequence returns a number for a later call of Save or Discard. It is higher than all numbers
// returned before.
func (s *Store) NextSequence() uint64 {
	if s == nil {
		return 0
	}
	return s.calls.Add(1)
}

// Save writes the draft of an organization and returns when it is on disk. Concurrent calls may run
// in any order, so callers number their calls with sequence. If a call with a higher number has
// already run, Save does nothing.
func (s *Store) Save(org string, sequence uint64, d Draft) error {
	content, err := json.Marshal(file{version, d})
	if err != nil {
		return err
	}
	return s.inSequence(org, sequence, func(name string) error {
		return s.folder.Write(name, append(content, '\n'))
	})
}

// Discard removes the draft of an organization, if there is one. The parameter sequence has the
// same meaning as in Save.
func (s *Store) Discard(org string, sequence uint64) error {
	if s == nil {
		return nil
	}
	return s.inSequence(org, sequence, s.folder.Remove)
}

// inSequence calls fn with the name of the draft file. It does nothing if a call with a higher
// sequence number has already run.
func (s *Store) inSequence(org string, sequence uint64, fn func(name string) error) error {
	if s == nil {
		return nil
	}
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
	return fn(s.name(org))
}

// OrgKey returns the key under which a Store stores an organization's drafts. The key consists of
// the organization's ID and of origin, which is the server's scheme, host and port, because IDs are
// unique only within one server. Older versions of the program used only the ID; Open renames their
// files.
func OrgKey(origin, org string) string {
	if origin == "" {
		return org
	}
	return org + "\x00" + origin
}

// name returns the name of the draft file of an organization in this program's slot.
func (s *Store) name(org string) string { return slotName(org, s.slots[org].number) }

// slotName returns the name of the draft file with the given slot number.
func slotName(org string, number int) string {
	name := namePrefix(org)
	if number > 0 {
		name += "." + strconv.Itoa(number+1)
	}
	return name + ".json"
}

// namePrefix returns the beginning of the names of an organization's draft files.
func namePrefix(org string) string { return "proposal-" + FileName(org) }

// FileName returns a file name for a key made by OrgKey. It escapes all bytes except letters,
// digits, "-" and "_". Different keys therefore have different file names, and none names another
// directory.
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
