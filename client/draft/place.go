package draft

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tarmac/internal/privatefile"
)

// maxPlaces is how many programs may write a draft of one organization at once.
const maxPlaces = 16

// place is where a program keeps its draft of an organization: the first of the
// files, 0, or one beside it. While it is held no other program takes it.
type place struct {
	number int
	lock   io.Closer // nil where none can be had
}

var (
	errTaken = errors.New("another program has it")
	errFull  = errors.New("too many programs are writing a proposal of this organization")
)

// Open takes a place that no other running program has, one with a draft before an
// empty one, and returns what Load does there. Beside is whether it is another than
// the first. The place is given back by Close, or by the system when the program ends.
func (s *Store) Open(org string, now time.Time) (d Draft, beside bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened[org] = true
	if err := s.take(org, true); err != nil {
		return Draft{}, false, err
	}
	d, err = s.load(org, now)
	return d, s.places[org].number > 0, err
}

// Close gives the places back.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for org, p := range s.places {
		if p.lock != nil {
			err = errors.Join(err, p.lock.Close())
		}
		delete(s.places, org)
		delete(s.opened, org)
	}
	return err
}

// adopt moves the drafts that were kept under an organization's id alone, before
// servers were told apart, to where they are looked for now. One that a running
// program has stays with it.
func (s *Store) adopt(owner string) {
	org, _, apart := strings.Cut(owner, "\x00")
	if !apart {
		return
	}
	for number := range maxPlaces {
		from, to := s.pathAt(org, number), s.pathAt(owner, number)
		if _, err := os.Lstat(from); err != nil {
			continue
		}
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		held, err := lock(s.lockOf(from))
		if errors.Is(err, errTaken) {
			continue
		}
		_ = os.Rename(from, to) // where that cannot be, it is kept where it was
		if held != nil {
			_ = held.Close()
		}
	}
}

// lockOf returns the file that stands for having the place of a draft's file.
func (s *Store) lockOf(path string) string {
	return filepath.Join(s.dir, "."+strings.TrimSuffix(filepath.Base(path), ".json")+".lock")
}

// take finds a place unless there is one. What was kept is only for who reads it.
func (s *Store) take(org string, reads bool) error {
	if _, have := s.places[org]; have {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if err := privatefile.CheckDirectory(s.dir); err != nil {
		return err
	}
	if reads {
		s.adopt(org)
	}
	var free *place
	for number := range maxPlaces {
		path := s.pathAt(org, number)
		_, err := os.Lstat(path)
		if kept := err == nil; kept && !reads || !kept && free != nil {
			continue
		}
		held, err := lock(s.lockOf(path))
		if errors.Is(err, errTaken) {
			continue
		}
		// On a disk that is full or cannot be written to there is no lock, and yet a draft
		// to read.
		if free != nil && free.lock != nil {
			_ = free.lock.Close()
		}
		free = &place{number, held}
		if _, err := os.Lstat(path); err == nil {
			break
		}
	}
	if free == nil {
		return errFull
	}
	s.places[org] = *free
	return nil
}
