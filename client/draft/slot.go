package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"tarmac/client/state"
)

// maxSlots is how many programs at the same time can write drafts for one organization.
const maxSlots = 16

// slot is the file in which one program stores its draft for an organization. Programs that run at
// the same time use different slots. The first slot has number 0.
type slot struct {
	number  int
	release func() error
}

var errFull = errors.New("too many sessions are editing drafts of this organization")

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
	shared = s.slots[org].number > 0
	d, err = s.load(org, now)
	return d, shared, err
}

// Close gives up all slots of this program.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for org := range s.slots {
		err = errors.Join(err, s.releaseSlot(org))
		delete(s.opened, org)
	}
	return err
}

// releaseSlot gives up the slot of an organization, if this program has one.
func (s *Store) releaseSlot(org string) error {
	held, have := s.slots[org]
	if !have {
		return nil
	}
	delete(s.slots, org)
	return held.release()
}

// adoptLegacy renames drafts that older versions stored under the organization's ID alone. It
// leaves out drafts that a running program uses.
func (s *Store) adoptLegacy(owner string) error {
	org, _, apart := strings.Cut(owner, "\x00")
	if !apart {
		return nil
	}
	names, err := s.folder.List(namePrefix(org))
	if err != nil {
		return err
	}
	for number := range maxSlots {
		from, to := slotName(org, number), slotName(owner, number)
		if !slices.Contains(names, from) || slices.Contains(names, to) {
			continue
		}
		release, err := s.folder.Claim(from)
		if err != nil {
			continue
		}
		_ = s.folder.Rename(from, to) // a draft that cannot be renamed stays under its old name
		_ = release()
	}
	return nil
}

// claimSlot claims a slot for an organization unless this program already has one. If reads is set,
// it prefers a slot with a draft. Otherwise it skips slots with a draft, because the caller would
// overwrite a draft that it has not read.
func (s *Store) claimSlot(org string, reads bool) error {
	if _, have := s.slots[org]; have {
		return nil
	}
	if reads {
		if err := s.adoptLegacy(org); err != nil {
			return err
		}
	}
	names, err := s.folder.List(namePrefix(org))
	if err != nil {
		return err
	}
	var free *slot
	for number := range maxSlots {
		name := slotName(org, number)
		kept := slices.Contains(names, name)
		if kept && !reads || !kept && free != nil {
			continue
		}
		release, err := s.folder.Claim(name)
		if errors.Is(err, state.ErrClaimed) {
			continue
		}
		if err != nil {
			return err
		}
		if free != nil {
			_ = free.release()
		}
		free = &slot{number, release}
		if kept {
			break
		}
	}
	if free == nil {
		return errFull
	}
	s.slots[org] = *free
	return nil
}
