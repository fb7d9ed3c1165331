package sshserver

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"sync"
)

// Reason says why the server closed a connection that it could have served, or refused a key.
type Reason string

// Reasons, as metrics name them.
const (
	ReasonRate      Reason = "rate"            // the network connects too often
	ReasonEarlyDrop Reason = "early_drop"      // many connections have not authenticated, most of this network
	ReasonDisplaced Reason = "displaced"       // its place was needed by another connection
	ReasonNetwork   Reason = "network"         // too many connections of the network
	ReasonSessions  Reason = "sessions"        // too many connections or sessions of all
	ReasonKey       Reason = "unknown_key"     // the key opens nothing
	ReasonKeyBusy   Reason = "sessions_of_key" // too many sessions of the key
)

// Reasons lists all reasons.
var Reasons = []Reason{
	ReasonRate, ReasonEarlyDrop, ReasonDisplaced, ReasonNetwork, ReasonSessions, ReasonKey, ReasonKeyBusy,
}

// reasonOf returns the reason that an error stands for, or "".
func reasonOf(err error) Reason {
	for _, r := range []struct {
		err    error
		reason Reason
	}{
		{errTooFast, ReasonRate}, {errDropped, ReasonEarlyDrop}, {errPlaceWasNeeded, ReasonDisplaced},
		{errTooManyOfNetwork, ReasonNetwork}, {errTooManyOfAll, ReasonSessions}, {errTooManyOfKey, ReasonKeyBusy},
	} {
		if errors.Is(err, r.err) {
			return r.reason
		}
	}
	return ""
}

const (
	maxTallied = 1024 // networks that a tally tells apart
	maxNamed   = 5    // networks that a line of the log names
)

// tally counts refusals: all of them for metrics, and those of connections since the last line of
// the log. Its memory is bounded.
type tally struct {
	mu       sync.Mutex
	totals   map[Reason]uint64
	reasons  map[Reason]int
	networks map[netip.Prefix]int
	others   int // connections of further networks
}

func newTally() *tally {
	return &tally{totals: map[Reason]uint64{}, reasons: map[Reason]int{}, networks: map[netip.Prefix]int{}}
}

// count counts a refusal.
func (t *tally) count(reason Reason) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.totals[reason]++
}

// drop counts a connection that was refused or closed for another one. It returns true for the
// first one since the last report.
func (t *tally) drop(reason Reason, n networks) (first bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.totals[reason]++
	t.reasons[reason]++
	if _, told := t.networks[n[wide]]; told || len(t.networks) < maxTallied {
		t.networks[n[wide]]++
	} else {
		t.others++
	}
	return len(t.networks) == 1 && t.networks[n[wide]] == 1
}

// report logs what was dropped since its last call, unless that is nothing.
func (t *tally) report(logger *slog.Logger, unauthenticated int) {
	t.mu.Lock()
	reasons, networks, others := t.reasons, t.networks, t.others
	t.reasons, t.networks, t.others = map[Reason]int{}, map[netip.Prefix]int{}, 0
	t.mu.Unlock()
	if len(networks) == 0 {
		return
	}
	total := 0
	facts := []any{"unauthenticated", unauthenticated}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		facts = append(facts, string(reason), reasons[reason])
		total += reasons[reason]
	}
	order := slices.SortedFunc(maps.Keys(networks), func(a, b netip.Prefix) int {
		return cmp.Or(cmp.Compare(networks[b], networks[a]), a.Compare(b))
	})
	named := make([]string, min(maxNamed, len(order)))
	for i := range named {
		named[i] = fmt.Sprintf("%s: %d", order[i], networks[order[i]])
	}
	facts = append(facts, "networks", len(networks), "most", named)
	if others > 0 {
		facts = append(facts, "of_further_networks", others)
	}
	logger.Warn("connections were dropped", append([]any{"count", total}, facts...)...)
}

// Refusals returns how many connections and keys were refused since the start, by their reasons.
func (s *Server) Refusals() map[Reason]uint64 {
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	return maps.Clone(s.tally.totals)
}
