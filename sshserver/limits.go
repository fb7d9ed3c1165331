package sshserver

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
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

// DefaultLimits are the limits of tarmac ssh. People need time to type the passphrase of a key. A
// revoked key's session ends within a second, of which the watch of keys needs less than the rest.
var DefaultLimits = Limits{
	Connections: 256, ConnectionsPerNetwork: 32, Unauthenticated: 32, UnauthenticatedPerNetwork: 8, Sessions: 200,
	SessionsPerKey: 20, HandshakeTimeout: time.Minute, WriteTimeout: 15 * time.Second,
	GracePeriod: 500 * time.Millisecond,
}

// client is the connection of a client.
type client struct {
	conn    net.Conn
	remote  netip.AddrPort
	network netip.Prefix
	number  uint64 // position in the order in which connections were accepted
	key     string // the key that it has authenticated with, in SSH's wire format; "" before
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

var (
	errTooMany          = errors.New("too many connections are open")
	errTooManyOfNetwork = errors.New("too many connections of this address are open")
	errTooManyOfKey     = errors.New("too many connections of this key are open")
	errTooFast          = errors.New("this address connects too often")
)

// admit adds a connection, or returns an error if too many are open. If too many of them have not
// authenticated yet, it closes the oldest one of the network that has most of these: a flood then
// closes its own connections, and not the one of a person who still types a passphrase.
func (c *clients) admit(conn net.Conn, remote netip.AddrPort) (*client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	network := networkOf(remote.Addr())
	ofNetwork := 0
	waiting := map[netip.Prefix]int{} // connections that have not authenticated, by network
	unauthenticated := 0
	for o := range c.all {
		if o.network == network {
			ofNetwork++
		}
		if o.key == "" {
			unauthenticated++
			waiting[o.network]++
		}
	}
	switch {
	case c.closed:
		return nil, ErrStopped
	case len(c.all) >= c.limits.Connections:
		return nil, errTooMany
	case ofNetwork >= c.limits.ConnectionsPerNetwork:
		return nil, errTooManyOfNetwork
	case waiting[network] >= c.limits.UnauthenticatedPerNetwork:
		c.closeOldest(map[netip.Prefix]int{network: waiting[network]})
	case unauthenticated >= c.limits.Unauthenticated:
		c.closeOldest(waiting)
	}
	c.number++
	admitted := &client{conn: conn, remote: remote, network: network, number: c.number}
	c.all[admitted] = struct{}{}
	return admitted, nil
}

// closeOldest closes the oldest connection that has not authenticated yet, of the network that has
// most of these. Both are chosen among the networks in waiting, which holds their numbers.
func (c *clients) closeOldest(waiting map[netip.Prefix]int) {
	var oldest *client
	for o := range c.all {
		if o.key != "" || waiting[o.network] == 0 {
			continue
		}
		if oldest == nil || waiting[o.network] > waiting[oldest.network] ||
			waiting[o.network] == waiting[oldest.network] && o.number < oldest.number {
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
		if o.key == "" {
			_ = o.conn.Close()
		}
	}
}

// setAuthenticated notes the key of a connection, or returns an error if too many connections have
// authenticated with it. These may be twice as many as its sessions, because old ones may be about
// to end while new ones begin.
func (c *clients) setAuthenticated(o *client, key ssh.PublicKey) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.key = string(key.Marshal())
	same := 0
	for other := range c.all {
		if other != o && other.key == o.key {
			same++
		}
	}
	if same >= 2*c.limits.SessionsPerKey {
		return errTooManyOfKey
	}
	return nil
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
