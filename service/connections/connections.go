// Package connections bounds how many connections a listener has open, in total and for each
// address, so that idle and slow clients do not keep others out.
//
// A connection is idle before its first request and between requests. If there is no room for
// a new connection, the one that has been idle longest is closed, which looks to its client
// like an idle time-out. If all have a request in progress, the new one is closed.
package connections

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"sync"
)

// Limits caps the number of open connections; 0 means no cap.
type Limits struct {
	Total      int
	PerAddress int // cap for each IPv4 address or IPv6 /64 network; loopback addresses have none
	// Proxies have no cap of their own, because many clients share their connections.
	Proxies Proxies
}

// Observer receives the numbers of connections that the metrics show. Its methods are called one at
// a time and must not block.
type Observer interface {
	// ConnectionsOpen is called with the number of open connections when it changes.
	ConnectionsOpen(n int)
	// ConnectionRefused is called when a connection is closed because a limit is reached. idle is
	// true if an idle connection was closed in favor of the new one, false if the new one was
	// closed.
	ConnectionRefused(idle bool)
}

// Listener is a net.Listener that caps its open connections. The ConnState of the http.Server that
// uses it must be its method State.
type Listener struct {
	net.Listener
	limits   Limits
	observer Observer

	mu    sync.Mutex
	open  int
	idle  *list.List // all idle connections, as *conn, longest idle first
	peers map[string]*peer
}

// peer counts the open connections of one address, and lists the idle ones.
type peer struct {
	open int
	idle *list.List
}

// Limit returns a listener that accepts connections from ln within limits and reports their numbers
// to observer.
func Limit(ln net.Listener, limits Limits, observer Observer) *Listener {
	return &Listener{Listener: ln, limits: limits, observer: observer, idle: list.New(), peers: map[string]*peer{}}
}

// conn is a connection that counts against the limits until it is closed.
type conn struct {
	net.Conn
	listener      *Listener
	address       string
	peer          *peer
	inAll, inPeer *list.Element // elements of the listener's and the peer's idle lists; nil during a request
	closed        bool
}

// Accept returns the next connection that the limits allow, and closes those that they do not.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c, evicted := l.admit(raw)
		if evicted != nil {
			_ = evicted.Close()
		}
		if c != nil {
			return c, nil
		}
	}
}

// admit counts a new connection. evicted is the connection that the caller must close because a
// limit is reached: an idle one, or the new one itself, which is then not counted. It is nil if
// neither is necessary.
func (l *Listener) admit(raw net.Conn) (c *conn, evicted net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	addr := Parse(raw.RemoteAddr().String())
	address, exempt := Network(addr), addr.IsLoopback() || l.limits.Proxies.Trust(addr)
	p := l.peers[address]
	if p == nil {
		p = &peer{idle: list.New()}
	}
	var longest *list.Element
	switch {
	case !exempt && l.limits.PerAddress > 0 && p.open >= l.limits.PerAddress:
		longest = p.idle.Front()
	case l.limits.Total > 0 && l.open >= l.limits.Total:
		longest = l.idle.Front()
	default:
		return l.add(raw, address, p), nil
	}
	if longest == nil {
		l.observer.ConnectionRefused(false)
		return nil, raw
	}
	idleConn := longest.Value.(*conn)
	l.remove(idleConn)
	l.observer.ConnectionRefused(true)
	return l.add(raw, address, p), idleConn.Conn
}

func (l *Listener) add(raw net.Conn, address string, p *peer) *conn {
	c := &conn{Conn: raw, listener: l, address: address, peer: p}
	l.peers[address] = p
	p.open++
	l.open++
	l.markIdle(c)
	l.observer.ConnectionsOpen(l.open)
	return c
}

func (l *Listener) markIdle(c *conn) {
	if c.inAll == nil && !c.closed {
		c.inAll, c.inPeer = l.idle.PushBack(c), c.peer.idle.PushBack(c)
	}
}

func (l *Listener) markActive(c *conn) {
	if c.inAll != nil {
		l.idle.Remove(c.inAll)
		c.peer.idle.Remove(c.inPeer)
		c.inAll, c.inPeer = nil, nil
	}
}

// remove stops counting the connection c.
func (l *Listener) remove(c *conn) {
	if c.closed {
		return
	}
	l.markActive(c)
	c.closed = true
	l.open--
	if c.peer.open--; c.peer.open == 0 {
		delete(l.peers, c.address)
	}
	l.observer.ConnectionsOpen(l.open)
}

// Close closes the connection and stops counting it.
func (c *conn) Close() error {
	c.listener.mu.Lock()
	c.listener.remove(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite closes the sending side if the connection supports that. The http.Server calls
// it after a response to a client that may still be sending: closing a connection with unread
// data would reset it and lose the response.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// State records whether a connection is idle. The http.Server calls it as its ConnState.
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
		l.markActive(counted)
	case http.StateIdle:
		l.markIdle(counted)
	case http.StateNew, http.StateHijacked, http.StateClosed:
	}
}
