package sshserver

import "net/netip"

// networks are the networks of an address, from the widest to the finest. The finest is one IPv4
// address, or the /64 of an IPv6 address, which is one subscriber's. Providers give a subscriber up
// to a /48 of IPv6 addresses; of IPv4 addresses, a provider of servers may own a /24.
type networks [3]netip.Prefix

// Indexes of networks.
const (
	wide   = iota // /24 or /48
	block         // the IPv4 address or /56
	finest        // the IPv4 address or /64
)

func networksOf(address netip.Addr) (n networks) {
	address = address.Unmap().WithZone("")
	bits := [...]int{wide: 24, block: 32, finest: 32}
	if address.Is6() {
		bits = [...]int{wide: 48, block: 56, finest: 64}
	}
	for i := range n {
		n[i], _ = address.Prefix(bits[i]) // cannot fail: the number of bits is right
	}
	return n
}

// maxRemembered is the number of networks at which a memory forgets those that it has not met for
// the longest time.
const maxRemembered = 2048

// memory are the networks from which somebody has logged in. It keeps between one and two times
// maxRemembered networks.
type memory struct{ current, previous map[netip.Prefix]struct{} }

func (m *memory) has(network netip.Prefix) bool {
	_, now := m.current[network]
	_, before := m.previous[network]
	return now || before
}

func (m *memory) add(network netip.Prefix) {
	if len(m.current) >= maxRemembered || m.current == nil {
		m.previous, m.current = m.current, map[netip.Prefix]struct{}{}
	}
	m.current[network] = struct{}{}
}
