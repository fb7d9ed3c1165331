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
	id     string // random; unique among all servers
	conn   net.Conn
	remote netip.AddrPort
	networks
	groups [3]*group               // of networks; set by places.add
	ctx    context.Context         // ends when the client must leave
	cancel context.CancelCauseFunc // cancels ctx

	// clients.mu guards the following fields.

	remembered bool     // somebody had logged in from the network before
	knownKey   bool     // the client has offered a key that may open a session
	granted    *granted // nil until the client has authenticated
	hasSession bool
}

// clients are the clients that are connected.
type clients struct {
	limits Limits

	mu            sync.Mutex
	all           map[*client]struct{}
	perNetwork    map[netip.Prefix]int // connections of each finest network
	places        *places
	memory        memory
	authenticated int
	closed        bool
}

func newClients(limits Limits, random func(int) int) *clients {
	return &clients{
		limits: limits, all: map[*client]struct{}{}, perNetwork: map[netip.Prefix]int{}, places: newPlaces(limits, random),
	}
}

// Reasons for which a client is refused.
var (
	errTooFast          = errors.New("this address connects too often")
	errDropped          = errors.New("many connections of this network have not authenticated yet")
	errTooManyOfNetwork = errors.New("too many connections of this address are open")
	errTooManyOfKey     = errors.New("too many sessions are open with this key; end one of them first")
	errTooManyOfAll     = errors.New("too many sessions are open on this server; try again later")
	errPlaceWasNeeded   = errors.New("the connection was closed for a newer one")
)

// admit adds a client. It returns an error if the client is refused, and the client that was
// disconnected to make room for it, if any.
func (c *clients) admit(conn net.Conn, remote netip.AddrPort) (admitted, displaced *client, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := networksOf(remote.Addr())
	remembered := c.memory.has(n[finest])
	switch {
	case c.closed:
		return nil, nil, ErrStopped
	case c.perNetwork[n[finest]] >= c.limits.ConnectionsPerNetwork:
		return nil, nil, errTooManyOfNetwork
	case !remembered && c.places.dropsEarly(n):
		return nil, nil, errDropped
	}
	if displaced = c.places.makeRoom(n); displaced != nil {
		c.forget(displaced)
		displaced.disconnect(errPlaceWasNeeded)
	}
	admitted = &client{id: rand.Text(), conn: conn, remote: remote, networks: n, remembered: remembered}
	admitted.ctx, admitted.cancel = context.WithCancelCause(context.Background())
	c.all[admitted] = struct{}{}
	c.perNetwork[n[finest]]++
	c.places.add(admitted)
	return admitted, displaced, nil
}

// forget removes a client from all that counts it. The caller must hold the lock.
func (c *clients) forget(o *client) {
	if _, connected := c.all[o]; !connected {
		return
	}
	delete(c.all, o)
	c.places.remove(o)
	if o.granted != nil {
		c.authenticated--
	}
	if c.perNetwork[o.networks[finest]]--; c.perNetwork[o.networks[finest]] == 0 {
		delete(c.perNetwork, o.networks[finest])
	}
}

// remember notes that somebody has logged in from an address.
func (c *clients) remember(address netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory.add(networksOf(address)[finest])
}

// remembers reports whether somebody has logged in from a network before.
func (c *clients) remembers(n networks) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.memory.has(n[finest])
}

// noteKnownKey notes that a client has offered a key that may open a session.
func (c *clients) noteKnownKey(o *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.knownKey = true
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
	switch {
	case same >= c.limits.SessionsPerKey:
		return errTooManyOfKey
	case c.authenticated >= c.limits.Connections:
		return errTooManyOfAll
	}
	o.granted = &g
	c.authenticated++
	c.places.remove(o)
	c.memory.add(o.networks[finest])
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
	c.forget(o)
}
