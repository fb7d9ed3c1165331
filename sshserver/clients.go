package sshserver

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/netip"
	"sync"
)

// client is a client that has connected.
type client struct {
	id      string // random; unique among all servers
	conn    net.Conn
	remote  netip.AddrPort
	network netip.Prefix
	number  uint64                  // position in the order in which clients connected
	ctx     context.Context         // ends when the client must leave
	cancel  context.CancelCauseFunc // cancels ctx

	// clients.mu guards the following fields.

	granted    *granted // nil until the client has authenticated
	hasSession bool
}

// clients are the clients that are connected.
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

// Reasons for which a client is refused.
var (
	errTooFast          = errors.New("this address connects too often")
	errTooMany          = errors.New("too many connections are open")
	errTooManyOfNetwork = errors.New("too many connections of this address are open")
	errTooManyOfKey     = errors.New("too many sessions are open with this key; end one of them first")
	errTooManyOfAll     = errors.New("too many sessions are open on this server; try again later")
	errPlaceWasNeeded   = errors.New("the connection was closed for a newer one")
)

// admit adds a client. It returns an error if too many are connected. If too many have not
// authenticated yet, it disconnects one of these: the oldest of the network that has the most of
// them. So people have time to log in during a flood from other networks.
func (c *clients) admit(conn net.Conn, remote netip.AddrPort) (*client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	network := networkOf(remote.Addr())
	all := c.countByNetwork(func(*client) bool { return true })
	switch {
	case c.closed:
		return nil, ErrStopped
	case len(c.all) >= c.limits.Connections:
		return nil, errTooMany
	case all[network] >= c.limits.ConnectionsPerNetwork:
		return nil, errTooManyOfNetwork
	}
	c.makeRoom(network)
	c.number++
	admitted := &client{id: rand.Text(), conn: conn, remote: remote, network: network, number: c.number}
	admitted.ctx, admitted.cancel = context.WithCancelCause(context.Background())
	c.all[admitted] = struct{}{}
	return admitted, nil
}

// makeRoom disconnects a client that has not authenticated yet if there are too many of these for a
// new one from a network.
func (c *clients) makeRoom(network netip.Prefix) {
	waiting := c.countByNetwork(func(o *client) bool { return o.granted == nil })
	total, most := 0, 0
	for _, n := range waiting {
		total += n
	}
	waiting[network]++ // the new one
	for _, n := range waiting {
		most = max(most, n)
	}
	switch {
	case waiting[network] > c.limits.UnauthenticatedPerNetwork:
		c.disconnectOldest(func(o *client) bool { return o.network == network })
	case total >= c.limits.Unauthenticated:
		c.disconnectOldest(func(o *client) bool { return waiting[o.network] == most })
	}
}

// countByNetwork returns how many clients of each network match.
func (c *clients) countByNetwork(matches func(*client) bool) map[netip.Prefix]int {
	counts := map[netip.Prefix]int{}
	for o := range c.all {
		if matches(o) {
			counts[o.network]++
		}
	}
	return counts
}

// disconnectOldest disconnects the oldest client that matches and has not authenticated yet.
func (c *clients) disconnectOldest(matches func(*client) bool) {
	var oldest *client
	for o := range c.all {
		if o.granted == nil && matches(o) && (oldest == nil || o.number < oldest.number) {
			oldest = o
		}
	}
	if oldest != nil {
		delete(c.all, oldest)
		oldest.disconnect(errPlaceWasNeeded)
	}
}

func (o *client) disconnect(cause error) {
	o.cancel(cause)
	_ = o.conn.Close()
}

// authenticate notes that a client has authenticated. It returns an error if too many others have
// authenticated with the same key, or if the client was disconnected meanwhile.
func (c *clients) authenticate(o *client, g granted) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrStopped
	}
	if _, connected := c.all[o]; !connected {
		return errPlaceWasNeeded
	}
	key, same := string(g.login.Key.Marshal()), 0
	for other := range c.all {
		if other.granted != nil && string(other.granted.login.Key.Marshal()) == key {
			same++
		}
	}
	if same >= c.limits.SessionsPerKey {
		return errTooManyOfKey
	}
	o.granted = &g
	return nil
}

// beginSession notes that a client has a session. It returns an error if too many clients have one.
func (c *clients) beginSession(o *client) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrStopped
	}
	sessions := 0
	for other := range c.all {
		if other.hasSession {
			sessions++
		}
	}
	if sessions >= c.limits.Sessions {
		return errTooManyOfAll
	}
	o.hasSession = true
	return nil
}

func (c *clients) endSession(o *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.hasSession = false
}

// grants implements Server.Grants.
func (c *clients) grants() map[string]any {
	c.mu.Lock()
	defer c.mu.Unlock()
	grants := map[string]any{}
	for o := range c.all {
		if o.granted != nil {
			grants[o.id] = o.granted.grant
		}
	}
	return grants
}

// end implements Server.End.
func (c *clients) end(shouldEnd func(id string) bool, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for o := range c.all {
		if o.granted != nil && shouldEnd(o.id) {
			o.cancel(cause)
		}
	}
}

// close ends all clients with ErrStopped and admits no others.
func (c *clients) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for o := range c.all {
		if o.granted != nil {
			o.cancel(ErrStopped)
		} else {
			o.disconnect(ErrStopped)
		}
	}
}

func (c *clients) remove(o *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, o)
}
