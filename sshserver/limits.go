package sshserver

import "time"

// Limits cap the connections and sessions of the server, of one network (see Config.Admit), and of
// one SSH key.
type Limits struct {
	Connections                                int // connections that have authenticated
	ConnectionsPerNetwork                      int // all connections of a network
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
// A thousand half-open handshakes take about 30 MB of memory.
var DefaultLimits = Limits{
	Connections: 224, ConnectionsPerNetwork: 32, Unauthenticated: 1024, UnauthenticatedPerNetwork: 8, Sessions: 200,
	SessionsPerKey: 20, HandshakeTimeout: time.Minute, WriteTimeout: 15 * time.Second,
	GracePeriod: 500 * time.Millisecond,
}
