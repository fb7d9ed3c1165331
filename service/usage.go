package service

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tarmac/internal/panics"
	"tarmac/service/store"
)

// usageInterval is how often a token's last use is written, at most: a write
// for every read would make each read wait for the disk.
const usageInterval = time.Minute

// usageQueue bounds how many notes wait to be written. What does not fit is
// noted with a later request.
const usageQueue = 256

// usageTimeout bounds one write: a busy database must not keep the service from
// ending.
const usageTimeout = 5 * time.Second

// usage writes when tokens were last used, off the requests' way.
type usage struct {
	store  *store.Store
	logger *slog.Logger
	queue  chan use
	done   chan struct{}
	failed bool // the last write; of run's goroutine

	mu      sync.Mutex
	written map[store.TokenKey]time.Time
	closed  bool
}

type use struct {
	key store.TokenKey
	at  time.Time
}

func newUsage(st *store.Store, logger *slog.Logger) *usage {
	u := &usage{
		store: st, logger: logger, queue: make(chan use, usageQueue), done: make(chan struct{}),
		written: map[store.TokenKey]time.Time{},
	}
	go u.run()
	return u
}

// note records a use. It never blocks.
func (u *usage) note(key store.TokenKey, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	// A clock that was ahead and was put right makes it less than nothing.
	if last, ok := u.written[key]; u.closed || ok && at.Sub(last).Abs() < usageInterval {
		return
	}
	select {
	case u.queue <- use{key, at}:
		u.written[key] = at
	default:
	}
}

func (u *usage) run() {
	defer close(u.done)
	for n := range u.queue {
		u.write(u.waiting(n))
	}
}

// waiting returns the first note and all that wait behind it.
func (u *usage) waiting(first use) []use {
	notes := []use{first}
	for {
		select {
		case n, open := <-u.queue:
			if !open {
				return notes
			}
			notes = append(notes, n)
		default:
			return notes
		}
	}
}

// write writes the notes, together. It never panics: what is lost is a time of use.
func (u *usage) write(notes []use) {
	defer func() {
		if v := recover(); v != nil {
			u.logger.Error("the tokens' last uses were not written", "fault", panics.Of(v).Where())
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), usageTimeout)
	defer cancel()
	// In one order, so that two processes do not wait for each other.
	slices.SortFunc(notes, func(a, b use) int { return cmp.Compare(a.key, b.key) })
	err := u.store.Write(ctx, func(tx *store.Tx) error {
		for _, n := range notes {
			if err := tx.TouchToken(n.key, n.at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !u.failed {
		u.logger.Warn("the tokens' last uses were not written; later ones are", "tokens", len(notes), "error", err)
	}
	u.failed = err != nil
}

// close writes what waits, in one transaction, and ends.
func (u *usage) close() {
	u.mu.Lock()
	if !u.closed {
		u.closed = true
		close(u.queue)
	}
	u.mu.Unlock()
	<-u.done
}
