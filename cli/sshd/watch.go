package sshd

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"tarmac/internal/processes"
	"tarmac/service"
	"tarmac/service/store"
	"tarmac/sshserver"
)

// KeepInterval is the time between two records that the sessions of a process are open.
const KeepInterval = 30 * time.Second

const (
	// keyInterval is the time between two checks of the keys of open sessions. With
	// sshserver.Limits.GracePeriod, it is less than the second after which a revoked key has no
	// connection any more.
	keyInterval = 400 * time.Millisecond
	// maxUnchecked is the longest time for which a session stays open while the database does not
	// say whether its key is still valid. A restart of PostgreSQL takes less.
	maxUnchecked = 5 * time.Minute
	// recordTimeout limits the time for one record of a session, and checkTimeout for one check.
	recordTimeout = 10 * time.Second
	checkTimeout  = time.Second
)

var errUnchecked = errors.New("the database did not answer for 5 minutes, so that this SSH key could not be checked")

// newSSHSessions returns the sessions of this process.
func newSSHSessions(svc *service.Service, version string, now func() time.Time, logger *slog.Logger) *sshSessions {
	return &sshSessions{
		service: svc, version: version, now: now, logger: logger, process: rand.Text(), open: map[string]*sshSession{},
		checkedAt: now(), stopping: make(chan struct{}),
	}
}

// recordStart records where this process serves sessions, and the fingerprint of its host key.
func (s *sshSessions) recordStart(addr, hostKey string) {
	host, _ := os.Hostname() // "" if it is not known
	s.loseKilled()
	s.record("the start of this process", func(tx *store.Tx) error {
		return tx.StartSSHProcess(store.SSHProcess{
			ID: s.process, Host: host, Address: addr, HostKey: hostKey, Identity: processes.Self(), BeganAt: s.now(),
		})
	})
}

// remembered is how many of the latest sessions tell from which networks people log in.
const remembered = 2000

// remember makes the server prefer the networks from which people have logged in before.
func (s *sshSessions) remember(ctx context.Context, server *sshserver.Server) {
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	remotes, err := s.service.Store().SSHRemotes(ctx, remembered)
	if err != nil {
		s.logger.Warn("the networks of earlier sessions could not be read", "error", err)
	}
	for _, remote := range slices.Backward(remotes) {
		if address, err := netip.ParseAddrPort(remote); err == nil {
			server.Remember(address.Addr())
		}
	}
}

// loseKilled records the ends of other processes of this machine that were killed.
func (s *sshSessions) loseKilled() {
	ctx, cancel := context.WithTimeout(context.Background(), recordTimeout)
	defer cancel()
	if err := s.service.LoseKilledSSHProcesses(ctx); err != nil {
		s.logger.Error("the end of killed processes could not be recorded", "error", err)
	}
}

// recordStop records that this process serves no sessions any more.
func (s *sshSessions) recordStop() {
	s.record("the end of this process", func(tx *store.Tx) error { return tx.EndSSHProcess(s.process, s.now()) })
}

// record writes a record of sessions. If that fails, it logs what could not be recorded.
func (s *sshSessions) record(what string, fn func(*store.Tx) error) {
	ctx, cancel := context.WithTimeout(context.Background(), recordTimeout)
	defer cancel()
	if err := s.service.Store().Write(ctx, fn); err != nil {
		s.logger.Error(what+" could not be recorded", "error", err)
	}
}

// recordEnd records the end of a session in the database and in the log.
func (s *sshSession) recordEnd(id, reason string) {
	s.record("the end of a session", func(tx *store.Tx) error { return tx.EndSSHSession(id, s.now(), reason) })
}

func (s *sshSessions) add(one *sshSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[one.ID] = one
}

func (s *sshSessions) remove(one *sshSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, one.ID)
}

// sessionEnder is the part of sshserver.Server that ends sessions.
type sessionEnder interface {
	Grants() map[string]any
	End(shouldEnd func(id string) bool, cause error)
}

// watch watches the open sessions in goroutines of running, until ctx ends. They are several,
// because the database may keep one waiting.
func (s *sshSessions) watch(ctx context.Context, running *sync.WaitGroup, server sessionEnder) {
	failing := false
	running.Go(func() { every(ctx, keyInterval, func() { s.endExpired(server) }) })
	running.Go(func() {
		every(ctx, keyInterval, func() {
			err := s.endRevoked(ctx, server)
			if err != nil && !failing && ctx.Err() == nil {
				s.logger.Warn("the keys of open sessions could not be checked; their requests are still refused", "error", err)
			}
			failing = err != nil
		})
	})
	running.Go(func() {
		every(ctx, KeepInterval, func() {
			s.record("the open sessions", func(tx *store.Tx) error { return tx.KeepSSHProcess(s.process, s.now()) })
			s.loseKilled()
		})
	})
}

// every calls do once in each interval until ctx ends.
func every(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			do()
		}
	}
}

// keyNeed are the keys without which a session must end.
type keyNeed struct {
	keys []store.SSHCredential
	all  bool // the session needs all of them, and not only one
}

// isMet reports whether a session with this need may stay open.
func (n keyNeed) isMet(isEnded func(store.SSHCredential) bool) bool {
	if n.all {
		return !slices.ContainsFunc(n.keys, isEnded)
	}
	return slices.ContainsFunc(n.keys, func(k store.SSHCredential) bool { return !isEnded(k) })
}

// needed returns the keys that a session needs: those of the open organizations or, while the
// person chooses one, any.
func (s *sshSession) needed() (n keyNeed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.keys {
		if s.current[k.Key] > 0 {
			n.keys = append(n.keys, k)
		}
	}
	if len(n.keys) > 0 {
		n.all = true
		return n
	}
	return keyNeed{keys: s.keys}
}

// needs returns the needs of all clients that have authenticated, by the session's ID. A client
// whose session has not begun needs any of its keys.
func (s *sshSessions) needs(server sessionEnder) map[string]keyNeed {
	needs := map[string]keyNeed{}
	for id, grant := range server.Grants() {
		needs[id] = keyNeed{keys: grant.([]store.SSHCredential)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, one := range s.open {
		needs[id] = one.needed()
	}
	return needs
}

// endUnmet ends the sessions whose needs are not met any more.
func endUnmet(server sessionEnder, needs map[string]keyNeed, isEnded func(store.SSHCredential) bool) {
	server.End(func(id string) bool {
		need, known := needs[id]
		return known && !need.isMet(isEnded)
	}, store.ErrSSHKeyEnded)
}

// endExpired ends the sessions whose keys have expired, without asking the database.
func (s *sshSessions) endExpired(server sessionEnder) {
	now := s.now()
	endUnmet(server, s.needs(server), func(k store.SSHCredential) bool { return !k.Valid(now) })
}

// endRevoked ends the sessions whose keys may not be used any more, and all sessions if the
// database has not answered for maxUnchecked. It is not called by two goroutines at once.
func (s *sshSessions) endRevoked(ctx context.Context, server sessionEnder) error {
	needs := s.needs(server)
	var keys []store.SSHKeyKey
	for _, need := range needs {
		for _, k := range need.keys {
			keys = append(keys, k.Key)
		}
	}
	slices.Sort(keys)
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	ended, err := s.service.Store().EndedSSHKeys(ctx, slices.Compact(keys), s.now())
	if err != nil {
		if s.now().Sub(s.checkedAt) >= maxUnchecked {
			server.End(func(id string) bool { _, known := needs[id]; return known }, errUnchecked)
		}
		return err
	}
	s.checkedAt = s.now()
	if len(ended) > 0 {
		endUnmet(server, needs, func(k store.SSHCredential) bool { return slices.Contains(ended, k.Key) })
	}
	return nil
}
