// Package sshserver serves interactive sessions on a terminal over SSH. It authenticates clients by
// public key alone, bounds what a client can claim, and refuses everything but one shell with a
// terminal. It does not know what a session shows.
package sshserver

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// Config configures a server. A field is required unless its comment names a default.
type Config struct {
	HostKeys []ssh.Signer
	// IsKnown reports whether a key that a client offers may open a session. The client has not
	// proved yet that it has the private key. An error counts as false.
	IsKnown func(context.Context, Login) (bool, error)
	// Authenticate decides whether a client that has proved that it has the private key may open a
	// session, and returns the value of Session.Grant. The client does not learn the error.
	Authenticate func(context.Context, Login) (grant any, err error)
	// Run serves a session and returns when it has ended. The cause of the context's end is one of
	// this package's errors, or the cause that was given to Server.End. The client is shown the
	// error that Run returns.
	Run func(ctx context.Context, s *Session) error
	// Admit reports whether a network may open another connection now. It limits the rate of
	// connections. A network is one IPv4 address, or the /64 of an IPv6 address, which belongs to
	// one subscriber. It is known if somebody has logged in from it before. Default: always true.
	Admit  func(network netip.Prefix, known bool) bool
	Idle   time.Duration // time without input after which a session ends
	Limits Limits        // default: DefaultLimits
	Logger *slog.Logger
}

// Causes of the end of a session's context.
var (
	ErrGone    = errors.New("the client has closed the connection")
	ErrIdle    = errors.New("nothing was typed for a long time")
	ErrStopped = errors.New("the server stops")
)

// Login is a client's attempt to authenticate.
type Login struct {
	User   string // user name that the client sent; hostile
	Key    ssh.PublicKey
	Remote netip.AddrPort
}

// Server serves sessions. It is safe for concurrent use.
type Server struct {
	Config
	clients *clients
	tally   *tally
	running sync.WaitGroup // connections

	refusedKeys rate.Sometimes // logs refused keys, once in each refusalInterval
}

// A flood must not fill the log: refused keys are logged once in each refusalInterval, and dropped
// connections are added up in each reportInterval.
const (
	refusalInterval = time.Second
	reportInterval  = time.Minute
)

// New returns a server. It returns an error for an incomplete configuration, such as one without
// authentication.
func New(config Config) (*Server, error) {
	switch {
	case len(config.HostKeys) == 0:
		return nil, errors.New("the SSH server has no host key")
	case config.IsKnown == nil || config.Authenticate == nil:
		return nil, errors.New("the SSH server has no way to authenticate clients")
	case config.Run == nil || config.Logger == nil || config.Idle <= 0:
		return nil, errors.New("the SSH server is not configured completely")
	}
	hostKeys := make([]ssh.Signer, len(config.HostKeys))
	for i, key := range config.HostKeys {
		limited, err := limitSignatures(key)
		if err != nil {
			return nil, err
		}
		hostKeys[i] = limited
	}
	config.HostKeys = hostKeys
	if config.Limits == (Limits{}) {
		config.Limits = DefaultLimits
	}
	if config.Admit == nil {
		config.Admit = func(netip.Prefix, bool) bool { return true }
	}
	return &Server{
		Config: config, clients: newClients(config.Limits, rand.IntN), tally: newTally(),
		refusedKeys: rate.Sometimes{Interval: refusalInterval},
	}, nil
}

// acceptPause is the wait before another connection is accepted after an error, for example because
// the process has too many open files.
const acceptPause = 50 * time.Millisecond

// Serve accepts connections until ctx ends. It then ends all sessions with ErrStopped and returns
// when the last one has ended, which takes Limits.GracePeriod at most.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	s.running.Go(func() { s.report(ctx) })
	for {
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return err
			}
			s.Logger.Warn("a connection was not accepted", "error", err)
			if wait(ctx, acceptPause) != nil {
				break
			}
			continue
		}
		// Connections are admitted in the order in which they were accepted.
		if admitted := s.admit(conn); admitted != nil {
			s.running.Go(func() { s.serveConn(admitted) })
		} else {
			_ = conn.Close()
		}
	}
	s.clients.close()
	s.running.Wait()
	return nil
}

// report logs in each reportInterval, and when ctx ends, what was dropped.
func (s *Server) report(ctx context.Context) {
	for ended := false; !ended; {
		ended = wait(ctx, reportInterval) != nil
		s.tally.report(s.Logger, s.Connections().Unauthenticated)
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Grants returns what Config.Authenticate has returned for the clients that are connected, by
// Session.ID. A client may have no session yet.
func (s *Server) Grants() map[string]any { return s.clients.grants() }

// End ends the sessions for whose IDs shouldEnd returns true, also before they begin. cause becomes
// the cause of their contexts.
func (s *Server) End(shouldEnd func(id string) bool, cause error) { s.clients.end(shouldEnd, cause) }

// Remember notes that somebody has logged in from an address before, so that its network is
// preferred while many connections have not authenticated yet.
func (s *Server) Remember(address netip.Addr) { s.clients.remember(address) }

// Connections are the numbers of open connections.
type Connections struct{ Unauthenticated, Authenticated, Sessions int }

// Connections returns the numbers of connections that are open now.
func (s *Server) Connections() (n Connections) {
	s.clients.mu.Lock()
	defer s.clients.mu.Unlock()
	for o := range s.clients.all {
		switch {
		case o.hasSession:
			n.Sessions++
			n.Authenticated++
		case o.granted != nil:
			n.Authenticated++
		default:
			n.Unauthenticated++
		}
	}
	return n
}
