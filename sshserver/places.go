package sshserver

import (
	"net/netip"
	"slices"
)

// places are the clients that have not authenticated yet. They share a number of places in a fair
// way, so that people can log in during a flood of half-open handshakes: each network has its
// share, one that takes more loses its own, and people who log in often are preferred.
type places struct {
	limits  Limits
	random  func(n int) int // a random number from 0 to n-1
	waiting []*client       // in the order in which they connected
	groups  [3]map[netip.Prefix]*group
}

// group are the waiting clients of a network.
type group struct {
	size       int
	candidates int // used by heaviest
}

func newPlaces(limits Limits, random func(int) int) *places {
	p := &places{limits: limits, random: random}
	for i := range p.groups {
		p.groups[i] = map[netip.Prefix]*group{}
	}
	return p
}

// add gives a client a place. The caller makes room before.
func (p *places) add(c *client) {
	p.waiting = append(p.waiting, c)
	for i, network := range c.networks {
		if p.groups[i][network] == nil {
			p.groups[i][network] = &group{}
		}
		c.groups[i] = p.groups[i][network]
		c.groups[i].size++
	}
}

// remove takes the place of a client, if it has one.
func (p *places) remove(c *client) {
	at := slices.Index(p.waiting, c)
	if at < 0 {
		return
	}
	p.waiting = slices.Delete(p.waiting, at, at+1)
	for i, network := range c.networks {
		if c.groups[i].size--; c.groups[i].size == 0 {
			delete(p.groups[i], network)
		}
	}
}

// held returns how many places the clients of a network have.
func (p *places) held(n networks, level int) int {
	if g := p.groups[level][n[level]]; g != nil {
		return g.size
	}
	return 0
}

// earlyDropPercent is the chance that a client is refused as soon as half of the places are taken.
// It rises to 100 % when all are, as in OpenSSH's MaxStartups.
const earlyDropPercent = 30

// dropsEarly reports whether a new client is refused, although there may be a place. Only networks
// that have their fair share of the places already risk that.
func (p *places) dropsEarly(n networks) bool {
	full := p.limits.Unauthenticated
	half := full / 2
	if len(p.waiting) < half || !p.hasShare(n, block) && !p.hasShare(n, finest) {
		return false
	}
	percent := earlyDropPercent + (100-earlyDropPercent)*(len(p.waiting)-half)/max(1, full-half)
	return p.random(100) < percent
}

// hasShare reports whether a network has at least its part of the places, if all networks of its
// level have equal parts.
func (p *places) hasShare(n networks, level int) bool {
	held := p.held(n, level)
	return held > 0 && held >= p.limits.Unauthenticated/len(p.groups[level])
}

// makeRoom returns the client that must give its place to a new one, or nil if there is room.
func (p *places) makeRoom(n networks) *client {
	switch {
	case p.held(n, finest) >= p.limits.UnauthenticatedPerNetwork:
		own := keep(p.waiting, func(c *client) bool { return c.networks == n })
		return p.leastPreferred(own)[0]
	case len(p.waiting) >= p.limits.Unauthenticated:
		candidates := p.leastPreferred(p.waiting)
		for level := range n {
			candidates = p.heaviest(candidates, n, level)
		}
		// Clients of the older half have had the most time. That each of the newer half stays
		// guarantees a login some time, and chance leaves some at any rate of the flood.
		return candidates[p.random((len(candidates)+1)/2)]
	}
	return nil
}

// leastPreferred returns those of the clients that have no preference, if there are any. Clients
// have one whose key is known, and those from a network from which somebody has logged in before.
// Neither may have more than half of the places, or somebody who knows a public key could keep all
// others out.
func (p *places) leastPreferred(clients []*client) []*client {
	for _, hasNone := range []func(*client) bool{
		func(c *client) bool { return !c.remembered },
		func(c *client) bool { return !c.knownKey },
	} {
		rest := keep(clients, hasNone)
		if len(rest) > 0 && len(clients)-len(rest) <= p.limits.Unauthenticated/2 {
			clients = rest
		}
	}
	return clients
}

// heaviest returns those of the clients that belong to the networks of one level with the most of
// them. The new client counts as well.
func (p *places) heaviest(clients []*client, newcomer networks, level int) []*client {
	for _, c := range clients {
		c.groups[level].candidates = 0
	}
	if own := p.groups[level][newcomer[level]]; own != nil {
		own.candidates = 1
	}
	most := 0
	for _, c := range clients {
		c.groups[level].candidates++
		most = max(most, c.groups[level].candidates)
	}
	return keep(clients, func(c *client) bool { return c.groups[level].candidates == most })
}

// keep returns the clients for which matches returns true, in a slice of their own.
func keep(clients []*client, matches func(*client) bool) []*client {
	kept := make([]*client, 0, len(clients))
	for _, c := range clients {
		if matches(c) {
			kept = append(kept, c)
		}
	}
	return kept
}
