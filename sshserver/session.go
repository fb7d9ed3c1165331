// Package sshserver serves interactive sessions on a terminal over SSH. It authenticates clients by
// public key alone, bounds what a client can claim, and refuses everything but one shell with a
// terminal. It does not know what a session shows.
package sshserver

import (
	"context"
	"io"
	"net/netip"
	"time"

	"golang.org/x/crypto/ssh"
)

// Config configures a server. A field is required unless its comment names a default.
type Config struct {
	HostKeys []ssh.Signer
	// Authenticate decides whether a client whose possession of the key has been proved may open a
	// session. The result becomes Session.Grant. The client does not learn the error.
	Authenticate func(context.Context, Login) (grant any, err error)
	// IsKnown reports whether the key may belong to a client, before the client proves that it has
	// the key.
	IsKnown func(context.Context, Login) bool
	// Serve runs a session and returns when it has ended. ctx ends when the client has gone, when
	// the session was idle for too long, when Server.End was called, or when the server stops.
	Serve func(ctx context.Context, s *Session) error
	Idle  time.Duration // time without input after which a session ends
}

// Login is a client's attempt to authenticate.
type Login struct {
	User   string // user name that the client sent; hostile
	Key    ssh.PublicKey
	Remote netip.AddrPort
}

// Session is a shell with a terminal. Reading from it returns the client's input, and writing to it
// shows output on the client's terminal.
type Session struct {
	io.ReadWriter
	ID     string // random; unique among all servers
	Login  Login
	Grant  any    // result of Config.Authenticate
	Client string // the client's version, cleaned and shortened
	// Environ holds TERM and those of COLORTERM, LANG, LC_ALL, LC_CTYPE and NO_COLOR that the
	// client sent, in the form name=value.
	Environ []string
	// Sizes receives the size of the window when it changes. If the receiver is slow, it gets the
	// last size alone.
	Sizes <-chan Size
	Size  Size // size of the window when the session began
	// Active is called when the person has typed or clicked something. It puts off the end of an
	// idle session.
	Active func()
}

// Size is the size of a terminal's window in cells. It is at least 1×1 and at most 400×120.
type Size struct{ Width, Height int }
