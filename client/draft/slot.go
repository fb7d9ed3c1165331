package draft

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tarmac/internal/privatefile"
)

// maxSlots is how many programs at the same time can write drafts for one organization.
const maxSlots = 16

// slot is the file in which one program stores its draft for an organization. Programs that run at
// the same time use different slots. The first slot has number 0.
type slot struct {
	number int
	lock   io.Closer // nil if the file cannot be locked
}

var (
	errLocked = errors.New("another tarmac has it open")
	errFull   = errors.New("too many sessions are editing drafts of this organization")
)

// Open claims a slot that no other running program uses, preferably one with a draft, and returns
// the results of Load for it. shared says that another program uses the first slot. The program
// holds its slot until Close or until it ends.
func (s *Store) Open(org string, now time.Time) (d Draft, shared bool, err error) {
	if s == nil {
		return Draft{}, false, fs.ErrNotExist
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened[org] = true
	if err := s.claimSlot(org, true); err != nil {
		return Draft{}, false, fmt.Errorf("drafts cannot be kept: %w", err)
	}
	d, err = s.load(org, now)
	return d, s.slots[org].number > 0, err
}

// Close gives up all slots of this program.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for org, p := range s.slots {
		if p.lock != nil {
			err = errors.Join(err, p.lock.Close())
		}
		delete(s.slots, org)
		delete(s.opened, org)
	}
	return err
}

// adoptLegacy renames drafts that older versions stored under the organization's ID alone. It
// leaves out drafts that a running program uses.
func (s *Store) adoptLegacy(owner string) {
	org, _, apart := strings.Cut(owner, "\x00")
	if !apart {
		return
	}
	for number := range maxSlots {
		from, to := s.slotPath(org, number), s.slotPath(owner, number)
		if _, err := os.Lstat(from); err != nil {
			continue
		}
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		held, err := lock(s.lockOf(from))
		if errors.Is(err, errLocked) {
			continue
		}
		_ = os.Rename(from, to) // a draft that cannot be renamed stays under its old name
		if held != nil {
			_ = held.Close()
		}
	}
}

// directoryError says why the directory of drafts cannot be created, and what to do about it.
func directoryError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return fmt.Errorf("%w; choose another directory with XDG_STATE_HOME", err)
}

// lockOf returns the path of the lock file that belongs to a draft file.
func (s *Store) lockOf(path string) string {
	return filepath.Join(s.dir, "."+strings.TrimSuffix(filepath.Base(path), ".json")+".lock")
}

// claimSlot claims a slot for an organization unless this program already has one. If reads is set,
// it prefers a slot with a draft. Otherwise it skips slots with a draft, because the caller would
// overwrite a draft that it has not read.
func (s *Store) claimSlot(org string, reads bool) error {
	if _, have := s.slots[org]; have {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return directoryError(err)
	}
	if err := privatefile.CheckDirectory(s.dir); err != nil {
		return err
	}
	if reads {
		s.adoptLegacy(org)
	}
	var free *slot
	for number := range maxSlots {
		path := s.slotPath(org, number)
		_, err := os.Lstat(path)
		if kept := err == nil; kept && !reads || !kept && free != nil {
			continue
		}
		held, err := lock(s.lockOf(path))
		if errors.Is(err, errLocked) {
			continue
		}
		// On a full or read-only disk, the lock file cannot be created. The slot may still have a
		// draft to read.
		if free != nil && free.lock != nil {
			_ = free.lock.Close()
		}
		free = &slot{number, held}
		if _, err := os.Lstat(path); err == nil {
			break
		}
	}
	if free == nil {
		return errFull
	}
	s.slots[org] = *free
	return nil
}
