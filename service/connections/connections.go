// Package connections bounds how many connections a listener has open, of all and
// of one address, so that neither idle nor slow ones keep others out.
//
// A connection rests while no request is on it: before its first byte and between
// requests. Where there is no room for a newcomer, the one that has rested longest
// is closed for it, which its client notices no more than an idle time-out. Only
// where every connection has a request on it the newcomer is closed instead.
package connections

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// Limits are how many connections may be open; 0 is no limit.
type Limits struct {
	Total      int
	PerAddress int // of an IPv4 address or an IPv6 /64 network; loopback addresses have none
}

// Observer is told what becomes of connections. Its methods must not block and
// are called with no two at a time.
type Observer interface {
	// ConnectionsOpen tells how many there are.
	ConnectionsOpen(n int)
	// ConnectionRefused tells of one that was closed for want of room: a newcomer,
	// or one at rest that made room for it.
	ConnectionRefused(rested bool)
}

// Listener is a listener with limits. Give its State to the http.Server.
type Listener struct {
	net.Listener
	limits   Limits
	observer Observer

	mu      sync.Mutex
	open    int
	resting *list.List // of *conn, the longest at rest first
	places  map[string]*place
}

// place is one address's connections.
type place struct {
	open    int
	resting *list.List
}

// Limit returns ln with limits.
func Limit(ln net.Listener, limits Limits, observer Observer) *Listener {
	return &Listener{Listener: ln, limits: limits, observer: observer, resting: list.New(), places: map[string]*place{}}
}

// conn is a connection that is counted until it is closed.
type conn struct {
	net.Conn
	listener *Listener
	address  string
	place    *place
	all, own *list.Element // its places among those at rest; nil when it has a request
	closed   bool
}

// Accept returns the next connection that there is room for, or that room was
// made for.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c, victim := l.admit(raw)
		if victim != nil {
			_ = victim.Close() // it has no request that an error could be told to
		}
		if c != nil {
			return c, nil
		}
	}
}

// admit counts a newcomer, and returns with it the connection that has to be
// closed for it. Without room for it, the newcomer is that connection.
func (l *Listener) admit(raw net.Conn) (c *conn, victim net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	address, exempt := Address(raw.RemoteAddr().String())
	p := l.places[address]
	if p == nil {
		p = &place{resting: list.New()}
	}
	var longest *list.Element
	switch {
	case !exempt && l.limits.PerAddress > 0 && p.open >= l.limits.PerAddress:
		longest = p.resting.Front()
	case l.limits.Total > 0 && l.open >= l.limits.Total:
		longest = l.resting.Front()
	default:
		return l.count(raw, address, p), nil
	}
	if longest == nil {
		l.observer.ConnectionRefused(false)
		return nil, raw
	}
	rested := longest.Value.(*conn)
	l.forget(rested)
	l.observer.ConnectionRefused(true)
	return l.count(raw, address, p), rested.Conn
}

func (l *Listener) count(raw net.Conn, address string, p *place) *conn {
	c := &conn{Conn: raw, listener: l, address: address, place: p}
	l.places[address] = p
	p.open++
	l.open++
	l.rest(c)
	l.observer.ConnectionsOpen(l.open)
	return c
}

func (l *Listener) rest(c *conn) {
	if c.all == nil && !c.closed {
		c.all, c.own = l.resting.PushBack(c), c.place.resting.PushBack(c)
	}
}

func (l *Listener) wake(c *conn) {
	if c.all != nil {
		l.resting.Remove(c.all)
		c.place.resting.Remove(c.own)
		c.all, c.own = nil, nil
	}
}

// forget takes a connection out of the count, once.
func (l *Listener) forget(c *conn) {
	if c.closed {
		return
	}
	l.wake(c)
	c.closed = true
	l.open--
	if c.place.open--; c.place.open == 0 {
		delete(l.places, c.address)
	}
	l.observer.ConnectionsOpen(l.open)
}

// Close ends the connection and its count.
func (c *conn) Close() error {
	c.listener.mu.Lock()
	c.listener.forget(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends what is sent and leaves open what is received, where the connection
// can do that. The http.Server does so after an answer that its client may still be
// sending to: a connection closed with something unread is reset, and the answer with it.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// State is the http.Server's ConnState.
func (l *Listener) State(c net.Conn, state http.ConnState) {
	if secure, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = secure.NetConn()
	}
	counted, ok := c.(*conn)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch state {
	case http.StateActive:
		l.wake(counted)
	case http.StateIdle:
		l.rest(counted)
	case http.StateNew, http.StateHijacked, http.StateClosed:
		// It rests since it was accepted; its end is told by Close.
	}
}

// Address returns what connections and wrong credentials are counted by: an IPv4
// address, or the IPv6 network that one customer usually has all addresses of; and
// whether it is of this machine, where a proxy may speak for many. Forwarding
// headers are not looked at, as anyone can write them.
func Address(remote string) (key string, loopback bool) {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host, false
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() || addr.IsLoopback() {
		return addr.String(), addr.IsLoopback()
	}
	network, err := addr.Prefix(64)
	if err != nil {
		return addr.String(), false
	}
	return network.String(), false
}
