package sshserver

import (
	"net/netip"
	"time"
)

// Limits cap the connections and sessions of the server, of one network (see Config.Admit), and of
// one SSH key.
type Limits struct {
	Connections, ConnectionsPerNetwork         int
	Unauthenticated, UnauthenticatedPerNetwork int // connections that have not authenticated yet
	Sessions                                   int
	// SessionsPerKey caps the connections that have authenticated with the same key. A connection
	// has one session at most.
	SessionsPerKey int
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
