package sshserver

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// Limits cap the connections and sessions of the server, of one network (see Config.Admit), and of
// one SSH key.
type Limits struct {
	Connections, ConnectionsPerNetwork         int
	Unauthenticated, UnauthenticatedPerNetwork int // connections that have not authenticated yet
	Sessions, SessionsPerKey                   int
	// HandshakeTimeout is how long a client may take to authenticate, and then again to open a
	// session.
	HandshakeTimeout time.Duration
	// WriteTimeout is how long a client may take to receive output before its connection is closed.
	WriteTimeout time.Duration
	// GracePeriod is how long a session may take to end after its context has ended. Then its
	// connection is closed.
	GracePeriod time.Duration
}

// DefaultLimits are the limits of tarmac ssh.
var DefaultLimits = Limits{
	Connections: 256, ConnectionsPerNetwork: 32, Unauthenticated: 32, UnauthenticatedPerNetwork: 8, Sessions: 200,
	SessionsPerKey: 20, HandshakeTimeout: 20 * time.Second, WriteTimeout: 15 * time.Second, GracePeriod: 3 * time.Second,
}

// client is the connection of a client.
type client struct {
	conn          net.Conn
	remote        netip.AddrPort
	network       netip.Prefix
	number        uint64 // position in the order in which connections were accepted
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

// admit adds a connection. It returns nil if too many connections are open. If too many of them
// have not authenticated yet, it closes the oldest of these: even in a flood of connections, a
// client has enough time to authenticate before its own is the oldest.
func (c *clients) admit(conn net.Conn, remote netip.AddrPort) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	network := networkOf(remote.Addr())
	total, ofNetwork := c.count(func(*client) bool { return true }, network)
	if c.closed || total >= c.limits.Connections || ofNetwork >= c.limits.ConnectionsPerNetwork {
		return nil
	}
	total, ofNetwork = c.count(func(o *client) bool { return !o.authenticated }, network)
	switch {
	case ofNetwork >= c.limits.UnauthenticatedPerNetwork:
		c.closeOldest(func(o *client) bool { return !o.authenticated && o.network == network })
	case total >= c.limits.Unauthenticated:
		c.closeOldest(func(o *client) bool { return !o.authenticated })
	}
	c.number++
	admitted := &client{conn: conn, remote: remote, network: network, number: c.number}
	c.all[admitted] = struct{}{}
	return admitted
}

// count returns how many connections match, and how many of these come from a network.
func (c *clients) count(matches func(*client) bool, network netip.Prefix) (total, ofNetwork int) {
	for o := range c.all {
		if matches(o) {
			total++
			if o.network == network {
				ofNetwork++
			}
		}
	}
	return total, ofNetwork
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

// networkOf returns the network of an address (see Config.Admit).
func networkOf(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	prefix, _ := address.Prefix(bits) // cannot fail: the number of bits is right
	return prefix
}
