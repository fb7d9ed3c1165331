package sshserver

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// Limits bound what all clients together, the clients of one address, and one key may use. An
// address is an IPv4 address or an IPv6 network of 64 bits.
type Limits struct {
	Connections, ConnectionsPerAddress         int
	Unauthenticated, UnauthenticatedPerAddress int // connections that have not authenticated yet
	Sessions, SessionsPerKey                   int
	// Handshake is the time that a client has to authenticate, and then again to open a session.
	Handshake time.Duration
	// Stalled is the time after which a connection is closed whose client takes no output.
	Stalled time.Duration
	// Leave is the time that a session has to end by itself when its context has ended.
	Leave time.Duration
}

// DefaultLimits are the limits of tarmac ssh.
var DefaultLimits = Limits{
	Connections: 256, ConnectionsPerAddress: 32, Unauthenticated: 32, UnauthenticatedPerAddress: 8, Sessions: 200,
	SessionsPerKey: 20, Handshake: 20 * time.Second, Stalled: 15 * time.Second, Leave: 3 * time.Second,
}

// client is the connection of a client.
type client struct {
	conn          net.Conn
	remote        netip.AddrPort
	address       netip.Prefix
	number        uint64 // connections are numbered in the order in which they were accepted
	authenticated bool
}

// clients are the connections that are open.
type clients struct {
	limits Limits

	mu     sync.Mutex
	all    map[*client]struct{}
	number uint64
	closed bool
}

func newClients(limits Limits) *clients {
	return &clients{limits: limits, all: map[*client]struct{}{}}
}

// admit adds a connection. It returns nil if too many connections are open. If too many are not
// authenticated, it closes the oldest of them: a client that authenticates needs far less time than
// a flood needs to displace it.
func (c *clients) admit(conn net.Conn, remote netip.AddrPort) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	address := network(remote.Addr())
	total, ofAddress := c.count(func(*client) bool { return true }, address)
	if c.closed || total >= c.limits.Connections || ofAddress >= c.limits.ConnectionsPerAddress {
		return nil
	}
	total, ofAddress = c.count(func(o *client) bool { return !o.authenticated }, address)
	switch {
	case ofAddress >= c.limits.UnauthenticatedPerAddress:
		c.closeOldest(func(o *client) bool { return !o.authenticated && o.address == address })
	case total >= c.limits.Unauthenticated:
		c.closeOldest(func(o *client) bool { return !o.authenticated })
	}
	c.number++
	admitted := &client{conn: conn, remote: remote, address: address, number: c.number}
	c.all[admitted] = struct{}{}
	return admitted
}

// count returns how many connections match, and how many of these are from an address.
func (c *clients) count(matches func(*client) bool, address netip.Prefix) (total, ofAddress int) {
	for o := range c.all {
		if matches(o) {
			total++
			if o.address == address {
				ofAddress++
			}
		}
	}
	return total, ofAddress
}

func (c *clients) closeOldest(matches func(*client) bool) {
	var oldest *client
	for o := range c.all {
		if matches(o) && (oldest == nil || o.number < oldest.number) {
			oldest = o
		}
	}
	if oldest != nil {
		delete(c.all, oldest)
		_ = oldest.conn.Close()
	}
}

// closeUnauthenticated closes all connections that have not authenticated yet and admits no others.
func (c *clients) closeUnauthenticated() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for o := range c.all {
		if !o.authenticated {
			_ = o.conn.Close()
		}
	}
}

func (c *clients) setAuthenticated(o *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.authenticated = true
}

func (c *clients) remove(o *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, o)
}

// network returns the network that the limits for each address count as one: an IPv4 address alone,
// or the 64 bits of an IPv6 address that one subscriber has.
func network(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	prefix, _ := address.Prefix(bits) // cannot fail: the number of bits is right
	return prefix
}
