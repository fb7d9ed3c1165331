package sshserver

import (
	"fmt"
	"net"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// timeoutConn is a connection on which a write fails if the client does not receive the bytes
// within writeTimeout.
type timeoutConn struct {
	net.Conn
	writeTimeout time.Duration

	mu          sync.Mutex
	handshaking bool // the deadline of the handshake is set
}

// SetDeadline sets the deadline of the handshake. The zero time removes it.
func (c *timeoutConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handshaking = !t.IsZero()
	return c.Conn.SetDeadline(t)
}

func (c *timeoutConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	if !c.handshaking {
		if err := c.SetWriteDeadline(time.Now().Add(c.writeTimeout)); err != nil {
			c.mu.Unlock()
			return 0, err
		}
	}
	c.mu.Unlock()
	return c.Conn.Write(p)
}

// connection is a connection whose client has authenticated.
type connection struct {
	server *Server
	client *client
	ssh    *ssh.ServerConn
	begun  chan struct{} // closed when the session begins

	mu      sync.Mutex
	refused []string // refusals that the client itself does not show to the person
}

// admit registers the client of a new connection. It returns nil if the client may not connect.
func (s *Server) admit(conn net.Conn) *client {
	remote, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		s.Logger.Warn("a connection has no address", "error", err)
		return nil
	}
	n := networksOf(remote.Addr())
	if !s.Admit(n[finest], s.clients.remembers(n)) {
		s.drop(remote, errTooFast)
		return nil
	}
	admitted, displaced, err := s.clients.admit(&timeoutConn{Conn: conn, writeTimeout: s.Limits.WriteTimeout}, remote)
	if displaced != nil {
		s.drop(displaced.remote, errPlaceWasNeeded)
	}
	if err != nil {
		s.drop(remote, err)
		return nil
	}
	return admitted
}

// drop counts a connection that is closed for lack of room. The first one is logged at once, and
// the others as a sum (tally.report).
func (s *Server) drop(remote netip.AddrPort, err error) {
	reason := reasonOf(err)
	if reason != "" && s.tally.drop(reason, networksOf(remote.Addr())) {
		s.Logger.Warn("a connection was dropped; the sum follows", "address", remote.String(), "error", err)
	}
}

// serveConn serves the connection of a client until it is closed.
func (s *Server) serveConn(client *client) {
	defer func() { _ = client.conn.Close() }()
	defer s.clients.remove(client)
	defer client.cancel(ErrGone)
	defer s.recoverPanic()
	server, channels, requests, err := s.handshake(client)
	if err != nil {
		s.Logger.Debug("a client did not authenticate", "address", client.remote, "error", err)
		return
	}
	defer func() { _ = server.Close() }()
	c := &connection{server: s, client: client, ssh: server, begun: make(chan struct{})}
	s.running.Go(func() { defer s.recoverPanic(); c.refuseRequests(requests) })
	s.running.Go(func() { defer s.recoverPanic(); c.awaitSession() })
	c.serveChannels(channels)
}

// recoverPanic logs a panic of the goroutine that defers it, so that the panic ends one connection
// and not the process.
func (s *Server) recoverPanic() {
	if fault := recover(); fault != nil {
		s.Logger.Error("a session failed", "fault", fmt.Sprintf("%T", fault), "stack", string(debug.Stack()))
	}
}

// awaitSession closes the connection if the client opens no session in time, or must leave before
// it has opened one.
func (c *connection) awaitSession() {
	timer := time.NewTimer(c.server.Limits.HandshakeTimeout)
	defer timer.Stop()
	select {
	case <-c.begun:
		return
	case <-c.client.ctx.Done():
	case <-timer.C:
	}
	select {
	case <-c.begun: // at the same moment; the session tells the person why it ends
	default:
		_ = c.ssh.Close()
	}
}

// refuseRequests refuses all requests that do not belong to a session. To clients that send
// keepalive requests, a refusal is as good as any other answer.
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

// refuse stores the text of a refusal. The session shows it when it begins.
func (c *connection) refuse(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.refused) < 8 && !slices.Contains(c.refused, what) {
		c.refused = append(c.refused, what)
	}
}

// serveChannels serves the first session and refuses all other channels.
func (c *connection) serveChannels(channels <-chan ssh.NewChannel) {
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
				// The client should close the connection first: otherwise OpenSSH reports an error.
				defer time.AfterFunc(c.server.Limits.GracePeriod, func() { _ = c.ssh.Close() })
				defer c.server.recoverPanic()
				c.serveSession(accepted, requests)
			})
		}
	}
	c.client.cancel(ErrGone)
}
