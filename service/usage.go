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

// usageInterval is the shortest time between two writes of a token's time of last use.
const usageInterval = time.Minute

// usageQueue is the largest number of token uses that wait to be written. Further uses are dropped;
// a later request with the same token is recorded instead.
const usageQueue = 256

// usageTimeout is the longest time for one write. A busy database must not delay the end of the
// service.
const usageTimeout = 5 * time.Second

// usage writes the times at which tokens were last used to the store, in a background goroutine.
type usage struct {
	store  *store.Store
	logger *slog.Logger
	queue  chan tokenUse
	done   chan struct{}
	failed bool // true if the last write failed; used only by the goroutine of run

	mu      sync.Mutex
	written map[store.TokenKey]time.Time
	closed  bool
}

type tokenUse struct {
	key store.TokenKey
	at  time.Time
}

func newUsage(st *store.Store, logger *slog.Logger) *usage {
	u := &usage{
		store: st, logger: logger, queue: make(chan tokenUse, usageQueue), done: make(chan struct{}),
		written: map[store.TokenKey]time.Time{},
	}
	go u.run()
	return u
}

// record queues a use of a token to be written, unless one was queued less than usageInterval ago.
// It never blocks.
func (u *usage) record(key store.TokenKey, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	// The time since the last use is negative if the clock was set back.
	if last, ok := u.written[key]; u.closed || ok && at.Sub(last).Abs() < usageInterval {
		return
	}
	select {
	case u.queue <- tokenUse{key, at}:
		u.written[key] = at
	default:
	}
}

func (u *usage) run() {
	defer close(u.done)
	for n := range u.queue {
		u.write(u.takeQueued(n))
	}
}

// takeQueued returns use and all other uses that are in the queue.
func (u *usage) takeQueued(use tokenUse) []tokenUse {
	uses := []tokenUse{use}
	for {
		select {
		case n, open := <-u.queue:
			if !open {
				return uses
			}
			uses = append(uses, n)
		default:
			return uses
		}
	}
}

// write writes the uses in one transaction. If it panics, the panic is logged and only these uses
// are lost.
func (u *usage) write(uses []tokenUse) {
	defer func() {
		if v := recover(); v != nil {
			u.logger.Error("the last uses of tokens could not be written", "fault", panics.Describe(v).Where())
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), usageTimeout)
	defer cancel()
	// Tokens are updated in the order of their keys. Two processes that both update them therefore
	// cannot deadlock.
	slices.SortFunc(uses, func(a, b tokenUse) int { return cmp.Compare(a.key, b.key) })
	err := u.store.Write(ctx, func(tx *store.Tx) error {
		for _, n := range uses {
			if err := tx.TouchToken(n.key, n.at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !u.failed {
		u.logger.Warn("the last uses of tokens could not be written; retrying with later ones",
			"tokens", len(uses), "error", err)
	}
	u.failed = err != nil
}

// close waits until all queued uses are written. Later uses are not recorded.
func (u *usage) close() {
	u.mu.Lock()
	if !u.closed {
		u.closed = true
		close(u.queue)
	}
	u.mu.Unlock()
	<-u.done
}
