package cli

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"time"

	"tarmac/service"
	"tarmac/service/store"
	"tarmac/sshserver"
)

const (
	// keyInterval is the time between two checks of the keys of open sessions. A revocation in any
	// process that uses the database ends a session after at most this time.
	keyInterval = 400 * time.Millisecond
	// keepInterval is the time between two records that the sessions of this process are open.
	keepInterval = 30 * time.Second
	// recordTimeout limits the time for one record of a session, and checkTimeout for one check.
	recordTimeout = 10 * time.Second
	checkTimeout  = time.Second
)

// newSSHSessions returns the sessions of a process that listens on addr. Sessions that are recorded
// as open for a process of the same name have ended with that process.
func newSSHSessions(svc *service.Service, now func() time.Time, logger *slog.Logger, addr string) *sshSessions {
	host, _ := os.Hostname()
	s := &sshSessions{
		service: svc, now: now, logger: logger, process: host + " " + addr, open: map[string]*sshSession{},
	}
	s.record("the end of earlier sessions", func(tx *store.Tx) error {
		return tx.EndSSHSessionsOf(s.process, "the process ended")
	})
	return s
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
func (s *sshSession) recordEnd(id, reason string, proposed int) {
	s.record("the end of a session", func(tx *store.Tx) error { return tx.EndSSHSession(id, s.now(), reason, proposed) })
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

// needed returns the keys without which a session must end: those of the open organizations or,
// while the person chooses one, all.
func (s *sshSession) needed() (keys []store.SSHKeyKey, all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.current {
		keys = append(keys, key)
	}
	if len(keys) > 0 {
		return keys, true
	}
	for _, k := range s.keys {
		keys = append(keys, k.Key)
	}
	return keys, false
}

// keepRecorded records that the sessions are open, until ctx ends. It is not part of watch, because
// a record may wait for other writers.
func (s *sshSessions) keepRecorded(ctx context.Context) {
	keep := time.NewTicker(keepInterval)
	defer keep.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-keep.C:
			s.record("the open sessions", func(tx *store.Tx) error { return tx.KeepSSHSessions(s.process, s.now()) })
		}
	}
}

// watch ends the sessions of keys that were revoked or have expired, until ctx ends.
func (s *sshSessions) watch(ctx context.Context, server *sshserver.Server) {
	check := time.NewTicker(keyInterval)
	defer check.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-check.C:
			err := s.endRevoked(ctx, server)
			if err != nil && !failing && ctx.Err() == nil {
				s.logger.Warn("the keys of open sessions could not be checked; their requests are still refused", "error", err)
			}
			failing = err != nil
		}
	}
}

// endRevoked ends the sessions whose keys may not be used any more.
func (s *sshSessions) endRevoked(ctx context.Context, server *sshserver.Server) error {
	type need struct {
		keys []store.SSHKeyKey
		all  bool
	}
	needs, keys := map[string]need{}, []store.SSHKeyKey{}
	s.mu.Lock()
	for id, one := range s.open {
		var n need
		n.keys, n.all = one.needed()
		needs[id] = n
		keys = append(keys, n.keys...)
	}
	s.mu.Unlock()
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	ended, err := s.service.Store().EndedSSHKeys(ctx, keys, s.now())
	if err != nil || len(ended) == 0 {
		return err
	}
	isEnded := func(key store.SSHKeyKey) bool { return slices.Contains(ended, key) }
	isValid := func(key store.SSHKeyKey) bool { return !isEnded(key) }
	server.End(func(one *sshserver.Session) bool {
		n, open := needs[one.ID]
		return open && (n.all && slices.ContainsFunc(n.keys, isEnded) || !slices.ContainsFunc(n.keys, isValid))
	}, store.ErrSSHKeyEnded)
	return nil
}
