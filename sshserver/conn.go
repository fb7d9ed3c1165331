package sshserver

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// stallingConn is a connection on which a write fails if the client does not take it in time.
type stallingConn struct {
	net.Conn
	stalled time.Duration

	mu        sync.Mutex
	handshake bool // the deadline of the handshake holds
}

// SetDeadline sets the deadline of the handshake, or ends it with the zero time.
func (c *stallingConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handshake = !t.IsZero()
	return c.Conn.SetDeadline(t)
}

func (c *stallingConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	if !c.handshake {
		if err := c.SetWriteDeadline(time.Now().Add(c.stalled)); err != nil {
			c.mu.Unlock()
			return 0, err
		}
	}
	c.mu.Unlock()
	return c.Conn.Write(p)
}

// connection is a connection whose client has authenticated.
type connection struct {
	server  *Server
	ssh     *ssh.ServerConn
	granted granted
	gone    context.CancelCauseFunc // ends the context of the session
	begun   chan struct{}           // closed when the session begins

	mu      sync.Mutex
	refused []string // what was refused in a way that the client cannot show
}

// admit returns nil if a client may not connect.
func (s *Server) admit(conn net.Conn) *client {
	remote, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || !s.Admit(network(remote.Addr())) {
		return nil
	}
	return s.clients.admit(&stallingConn{Conn: conn, stalled: s.Limits.Stalled}, remote)
}

// serveConn serves the connection of a client until it is closed.
func (s *Server) serveConn(ctx context.Context, client *client) {
	defer func() { _ = client.conn.Close() }()
	defer s.clients.remove(client)
	defer s.recovered()
	server, channels, requests, err := s.handshake(ctx, client.conn, client.remote)
	if err != nil {
		s.Logger.Debug("a client did not authenticate", "address", client.remote, "error", err)
		return
	}
	s.clients.setAuthenticated(client)
	defer func() { _ = server.Close() }()
	stopping := ctx.Done()
	ctx, gone := context.WithCancelCause(context.WithoutCancel(ctx)) // Server.End ends sessions
	defer gone(ErrGone)
	c := &connection{
		server: s, ssh: server, granted: server.Permissions.ExtraData[grantOf{}].(granted), gone: gone,
		begun: make(chan struct{}),
	}
	s.running.Go(func() { defer s.recovered(); c.refuseRequests(requests) })
	s.running.Go(func() { defer s.recovered(); c.awaitSession(ctx, stopping) })
	c.serveChannels(ctx, channels)
}

// recovered logs a panic of the goroutine that defers it. The panic ends a connection and not the
// process.
func (s *Server) recovered() {
	if fault := recover(); fault != nil {
		s.Logger.Error("a session failed", "fault", fmt.Sprintf("%T", fault), "stack", string(debug.Stack()))
	}
}

// awaitSession closes the connection of a client that opens no session in time, or before the
// server stops.
func (c *connection) awaitSession(ctx context.Context, stopping <-chan struct{}) {
	timer := time.NewTimer(c.server.Limits.Handshake)
	defer timer.Stop()
	select {
	case <-c.begun:
	case <-ctx.Done():
	case <-stopping:
		_ = c.ssh.Close()
	case <-timer.C:
		_ = c.ssh.Close()
	}
}

// refuseRequests refuses all requests that do not belong to a session. Clients take the refusal of
// a keepalive as a sign of life.
func (c *connection) refuseRequests(requests <-chan *ssh.Request) {
	for request := range requests {
		if request.Type == "tcpip-forward" {
			c.refuse("port forwarding (-R) is refused")
		}
		if request.WantReply {
			_ = request.Reply(false, nil)
		}
	}
}

// refuse keeps a refusal that is shown when the session begins.
func (c *connection) refuse(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.refused) < 8 && !slices.Contains(c.refused, what) {
		c.refused = append(c.refused, what)
	}
}

// serveChannels serves the first session and refuses all other channels.
func (c *connection) serveChannels(ctx context.Context, channels <-chan ssh.NewChannel) {
	hasSession := false
	for channel := range channels {
		switch {
		case channel.ChannelType() != "session":
			_ = channel.Reject(ssh.Prohibited, "tarmac serves a dashboard only; nothing is forwarded")
		case hasSession:
			_ = channel.Reject(ssh.ResourceShortage, "a connection has one session; connect again for another one")
		default:
			hasSession = true
			accepted, requests, err := channel.Accept()
			if err != nil {
				return
			}
			c.server.running.Go(func() {
				// OpenSSH reports an error if the server closes the connection first.
				defer time.AfterFunc(c.server.Limits.Leave, func() { _ = c.ssh.Close() })
				defer c.server.recovered()
				c.serveSession(ctx, accepted, requests)
			})
		}
	}
	c.gone(ErrGone)
}
