package sshserver

import (
	"log/slog"
	"net/netip"
)

// Tally is a tally for tests.
type Tally struct{ *tally }

// NewTally returns a tally without refusals.
func NewTally() Tally { return Tally{newTally()} }

// Drop counts a dropped connection.
func (t Tally) Drop(address netip.Addr) { t.drop(ReasonRate, networksOf(address)) }

// Report logs what was dropped.
func (t Tally) Report(logger *slog.Logger) { t.report(logger, 0) }

// Sessions returns the grants of the clients that have a session.
func (s *Server) Sessions() (grants []any) {
	s.clients.mu.Lock()
	defer s.clients.mu.Unlock()
	for o := range s.clients.all {
		if o.hasSession {
			grants = append(grants, o.granted.grant)
		}
	}
	return grants
}
