package sshserver

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"
)

// newTestClients returns no clients, with random decisions that are the same in each run.
func newTestClients(limits Limits) *clients {
	return newClients(limits, rand.New(rand.NewPCG(1, 2)).IntN)
}

// try admits a connection from an address, or returns why it is refused.
func try(t *testing.T, c *clients, address string) (*client, error) {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _, _ = ours.Close(), theirs.Close() })
	admitted, _, err := c.admit(ours, netip.MustParseAddrPort(address))
	return admitted, err
}

// admitFrom admits a connection from an address and fails the test if it is refused.
func admitFrom(t *testing.T, c *clients, address string) *client {
	t.Helper()
	admitted, err := try(t, c, address)
	if err != nil {
		t.Fatal(err)
	}
	return admitted
}

func (c *clients) has(one *client) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.all[one]
	return ok
}

// check fails the test if a count is wrong.
func (c *clients) check(t *testing.T) {
	t.Helper()
	again := newPlaces(c.limits, nil)
	perNetwork, authenticated := map[netip.Prefix]int{}, 0
	for o := range c.all {
		perNetwork[o.networks[finest]]++
		if o.granted == nil {
			again.add(&client{networks: o.networks})
		} else {
			authenticated++
		}
	}
	if !maps.Equal(perNetwork, c.perNetwork) || authenticated != c.authenticated ||
		len(again.waiting) != len(c.places.waiting) {
		t.Errorf("the counts are %v, %d", c.perNetwork, c.authenticated)
	}
	for level, groups := range c.places.groups {
		if !maps.EqualFunc(groups, again.groups[level], func(a, b *group) bool { return a.size == b.size }) {
			t.Errorf("the groups of level %d are wrong", level)
		}
	}
	if len(c.places.waiting) > c.limits.Unauthenticated {
		t.Errorf("%d connections have not authenticated", len(c.places.waiting))
	}
}

// A flood of connections that never authenticate ends no login of somebody else, however slow, and
// keeps nobody out who comes later.
func TestAFloodEndsNoSlowLoginOfOthers(t *testing.T) {
	for _, tt := range []struct {
		name, slow, late string
		flood            func(i int) string
	}{
		{"one address", "192.0.2.1:1", "192.0.2.2:1", func(i int) string { return fmt.Sprintf("198.51.100.1:%d", 1000+i) }},
		{"one /64", "[2001:db8:1::1]:1", "[2001:db8:1:1::1]:1", func(i int) string {
			return fmt.Sprintf("[2001:db8:2::%x]:2", i)
		}},
		{"one /56", "[2001:db8:1::1]:1", "[2001:db8:1:1::1]:1", func(i int) string {
			return fmt.Sprintf("[2001:db8:2:%x::1]:2", i%256)
		}},
		{"one /48", "[2001:db8:1::1]:1", "192.0.2.2:1", func(i int) string { return fmt.Sprintf("[2001:db8:2:%x::1]:2", i) }},
		{"eight addresses", "192.0.2.1:1", "192.0.2.2:1", func(i int) string {
			return fmt.Sprintf("198.51.100.%d:%d", i%8, 1000+i)
		}},
		{"240 addresses", "192.0.2.1:1", "192.0.2.2:1", func(i int) string {
			return fmt.Sprintf("198.51.100.%d:%d", i%240, 1000+i)
		}},
		{"240 addresses of the same /24", "192.0.2.251:1", "192.0.2.252:1", func(i int) string {
			return fmt.Sprintf("192.0.2.%d:%d", i%240, 1000+i)
		}},
		{"65,000 addresses of 254 /24s", "192.0.2.1:1", "192.0.2.2:1", func(i int) string {
			return fmt.Sprintf("10.0.%d.%d:1", i%254, i/254%254)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newTestClients(DefaultLimits)
			slow := admitFrom(t, c, tt.slow)
			for i := range 10 * DefaultLimits.Unauthenticated {
				_, _ = try(t, c, tt.flood(i))
			}
			late := admitFrom(t, c, tt.late)
			for i := range DefaultLimits.Unauthenticated {
				_, _ = try(t, c, tt.flood(i))
			}
			if !c.has(slow) || !c.has(late) {
				t.Errorf("the slow one is open: %t, the late one: %t", c.has(slow), c.has(late))
			}
			c.check(t)
		})
	}
}

// Against as many networks as places only chance helps, and having logged in before.
func TestAFloodFromAnyNumberOfNetworksLeavesKnownNetworksAndKeysAlone(t *testing.T) {
	c := newTestClients(DefaultLimits)
	c.remember(netip.MustParseAddr("192.0.2.1"))
	flood := 0
	others := func(n int) {
		for range n {
			_, _ = try(t, c, fmt.Sprintf("%d.%d.%d.1:1", 1+flood%100, flood/100%250, flood/25000))
			flood++
		}
	}
	known, proving := admitFrom(t, c, "192.0.2.1:1"), admitFrom(t, c, "192.0.2.2:1")
	c.noteKnownKey(proving)
	others(10 * DefaultLimits.Unauthenticated)
	stranger := admitFrom(t, c, "192.0.2.3:1")
	others(DefaultLimits.Unauthenticated/2 - 2)
	if !c.has(known) || !c.has(proving) {
		t.Errorf("the known network's is open: %t, that of the known key: %t", c.has(known), c.has(proving))
	}
	if !c.has(stranger) {
		t.Error("a connection of an unknown network was closed before 510 others came")
	}
	c.check(t)
}

// Somebody with a known public key, which need not be secret, must not keep others out with it.
func TestKnownKeysMayHoldHalfOfThePlaces(t *testing.T) {
	c := newTestClients(DefaultLimits)
	for i := range 3 * DefaultLimits.Unauthenticated {
		if o, err := try(t, c, fmt.Sprintf("10.0.%d.%d:1", i%250, i/250)); err == nil {
			c.noteKnownKey(o)
		}
	}
	late := admitFrom(t, c, "192.0.2.2:1")
	for i := range DefaultLimits.Unauthenticated {
		if o, err := try(t, c, fmt.Sprintf("10.1.%d.%d:1", i%250, i/250)); err == nil {
			c.noteKnownKey(o)
		}
	}
	if !c.has(late) {
		t.Error("a connection from another network was closed")
	}
}

// As in OpenSSH's MaxStartups, the chance of a refusal rises from 30 to 100 %.
func TestNetworksWithTheirShareAreDroppedEarly(t *testing.T) {
	limits := DefaultLimits
	limits.Unauthenticated, limits.UnauthenticatedPerNetwork, limits.ConnectionsPerNetwork = 100, 100, 100
	percent := 0
	c := newClients(limits, func(n int) int { return percent })
	refused := func(address string, chance int) bool {
		t.Helper()
		percent = chance
		return c.places.dropsEarly(networksOf(netip.MustParseAddr(address)))
	}
	for i := range 49 {
		percent = 99
		admitFrom(t, c, fmt.Sprintf("192.0.2.1:%d", 1+i))
	}
	admitFrom(t, c, "198.51.100.1:1")
	if refused("198.51.100.1", 0) || refused("203.0.113.1", 0) {
		t.Error("a network that has less than its share is refused")
	}
	if refused("192.0.2.1", 0) { // its share is 50 of two
		t.Error("a network that has less than its share is refused")
	}
	admitFrom(t, c, "192.0.2.1:100")
	if !refused("192.0.2.1", 30) || refused("192.0.2.1", 31) {
		t.Error("the chance at 51 connections is not 31 %")
	}
	for i := range 24 {
		percent = 99
		admitFrom(t, c, fmt.Sprintf("192.0.2.1:%d", 200+i))
	}
	if !refused("192.0.2.1", 64) || refused("192.0.2.1", 65) {
		t.Error("the chance at 75 connections is not 65 %")
	}
	c.memory.add(networksOf(netip.MustParseAddr("192.0.2.1"))[finest])
	percent = 0
	admitFrom(t, c, "192.0.2.1:300")
}

func TestTheNetworksOfLoginsAreRememberedInBoundedMemory(t *testing.T) {
	var m memory
	prefix := func(i int) netip.Prefix {
		return networksOf(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}))[finest]
	}
	for i := range 10 * maxRemembered {
		m.add(prefix(0))
		m.add(prefix(i))
	}
	if !m.has(prefix(0)) || !m.has(prefix(10*maxRemembered-1)) || m.has(prefix(1)) {
		t.Error("other networks are remembered than those met last")
	}
	if n := len(m.current) + len(m.previous); n > 2*maxRemembered {
		t.Errorf("%d networks are remembered", n)
	}
}

func TestRefusalsHaveAReason(t *testing.T) {
	for _, err := range []error{
		errTooFast, errDropped, errPlaceWasNeeded, errTooManyOfNetwork, errTooManyOfAll, errTooManyOfKey,
	} {
		if reasonOf(fmt.Errorf("%w", err)) == "" {
			t.Errorf("%v has no reason", err)
		}
	}
	if reason := reasonOf(errors.New("another one")); reason != "" {
		t.Errorf("the reason is %s", reason)
	}
}
