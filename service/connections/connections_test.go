package connections_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"tarmac/service/connections"
)

func TestAddressesAreCountedByNetwork(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:1234": "192.0.2.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[2001:db8:1:2:ffff::9]:81": "2001:db8:1:2::/64",
		"[::ffff:192.0.2.7]:1": "192.0.2.7", "[fe80::1%eth0]:1": "fe80::/64", "@": "@",
	} {
		if got, loopback := connections.Address(remote); got != want || loopback {
			t.Errorf("Address(%q) = %q, %v; want %q", remote, got, loopback, want)
		}
	}
	for _, remote := range []string{"127.0.0.1:1", "127.8.9.10:1", "[::1]:1", "[::ffff:127.0.0.1]:1"} {
		if got, loopback := connections.Address(remote); !loopback {
			t.Errorf("Address(%q) = %q, which is this machine's", remote, got)
		}
	}
}

// wire is a listener whose connections come from where a test says.
type wire struct {
	net.Listener
	came chan net.Conn
}

func (w *wire) Accept() (net.Conn, error) {
	c, ok := <-w.came
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

// from is a connection of some address.
type from struct {
	net.Conn
	address string
}

func (f from) RemoteAddr() net.Addr {
	a, _ := net.ResolveTCPAddr("tcp", f.address)
	return a
}

// dial returns the client's end of a connection from an address.
func (w *wire) dial(address string) net.Conn {
	client, server := net.Pipe()
	w.came <- from{server, address}
	return client
}

// tally remembers what a listener told.
type tally struct {
	mu             sync.Mutex
	open           int
	rested, turned int
}

func (t *tally) ConnectionsOpen(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = n
}

func (t *tally) ConnectionRefused(rested bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rested {
		t.rested++
	} else {
		t.turned++
	}
}

func (t *tally) read() (open, rested, turned int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open, t.rested, t.turned
}

// limited is a server of one path that answers when it is told to.
type limited struct {
	t       *testing.T
	wire    *wire
	tally   *tally
	began   chan struct{}
	release chan struct{}
}

func serve(t *testing.T, limits connections.Limits) *limited {
	t.Helper()
	s := &limited{t, &wire{came: make(chan net.Conn)}, &tally{}, make(chan struct{}, 100), make(chan struct{})}
	ln := connections.Limit(s.wire, limits, s.tally)
	server := &http.Server{ConnState: ln.State, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			s.began <- struct{}{}
			<-s.release
		}
		_, _ = io.WriteString(w, "ok")
	})}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(acceptor{ln}) }()
	t.Cleanup(func() {
		close(s.wire.came)
		_ = server.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("Serve = %v", err)
		}
		if open, _, _ := s.tally.read(); open != 0 {
			t.Errorf("%d connections are counted after the end", open)
		}
	})
	return s
}

// acceptor has no listener below to close.
type acceptor struct{ *connections.Listener }

func (acceptor) Close() error   { return nil }
func (acceptor) Addr() net.Addr { return &net.TCPAddr{} }

func (s *limited) ask(c net.Conn, path string) {
	s.t.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		s.t.Fatal(err)
	}
}

// answered reads a whole answer; the connection is at rest some time after it.
func (s *limited) answered(c net.Conn) {
	s.t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != "ok" {
		s.t.Fatalf("%q, %v", body, err)
	}
}

func (s *limited) gone(what string, c net.Conn) {
	s.t.Helper()
	if n, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		s.t.Errorf("%s: %d bytes, %v; want it closed", what, n, err)
	}
}

// However many come and say nothing, one that asks is answered.
func TestIdleConnectionsKeepNobodyOut(t *testing.T) {
	s := serve(t, connections.Limits{Total: 8, PerAddress: 4})
	var idle []net.Conn
	for i := range 3000 {
		idle = append(idle, s.wire.dial("192.0.2."+strconv.Itoa(i%200+1)+":1"))
	}
	honest := s.wire.dial("198.51.100.1:1")
	s.ask(honest, "/")
	s.answered(honest)
	for i, c := range idle[:len(idle)-8] {
		s.gone("the idle one "+strconv.Itoa(i), c)
	}
	if open, rested, turned := s.tally.read(); open != 8 || rested != 2993 || turned != 0 {
		t.Errorf("%d open, %d closed at rest, %d newcomers closed", open, rested, turned)
	}
}

// A connection with a request on it is never closed for another: without one at
// rest the newcomer is.
func TestRequestsAreNotCutOffForNewcomers(t *testing.T) {
	s := serve(t, connections.Limits{Total: 2})
	one, two := s.wire.dial("192.0.2.1:1"), s.wire.dial("192.0.2.2:1")
	for _, c := range []net.Conn{one, two} {
		s.ask(c, "/slow")
		<-s.began
	}
	s.gone("the newcomer", s.wire.dial("192.0.2.3:1"))
	close(s.release)
	s.answered(one)
	s.answered(two)
	if _, rested, turned := s.tally.read(); rested != 0 || turned != 1 {
		t.Errorf("%d closed at rest, %d newcomers closed", rested, turned)
	}
}

// One address has its share, a whole /64 counts as one, and this machine, where a
// proxy may stand, has no share of its own.
func TestOneAddressHasItsShare(t *testing.T) {
	s := serve(t, connections.Limits{Total: 20, PerAddress: 2})
	for _, address := range []string{"[2001:db8::1]:1", "[2001:db8::2]:1"} {
		s.ask(s.wire.dial(address), "/slow")
		<-s.began
	}
	s.gone("the third of a network", s.wire.dial("[2001:db8::3]:1"))
	for _, address := range []string{"[2001:db8:0:1::1]:1", "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "[::1]:4"} {
		c := s.wire.dial(address)
		s.ask(c, "/")
		s.answered(c)
	}
	close(s.release)
}

func TestNoLimitsAreNone(t *testing.T) {
	s := serve(t, connections.Limits{})
	var all []net.Conn
	for range 300 {
		all = append(all, s.wire.dial("192.0.2.1:1"))
	}
	for _, c := range all {
		s.ask(c, "/")
		s.answered(c)
	}
}

// Whatever an address looks like, it is counted by something short, and by the same
// whatever the port.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"", ":", "192.0.2.1:1", "[2001:db8::1]:1", "[::ffff:127.0.0.1]:1", "[fe80::1%eth0]:1", "fe80::1%eth0", "@", "a:b:c", "[]:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, remote string) {
		key, loopback := connections.Address(remote)
		host, _, err := net.SplitHostPort(remote)
		if err != nil {
			return
		}
		again, same := connections.Address(net.JoinHostPort(host, "7"))
		if again != key || same != loopback || len(key) > max(len(host)+3, 45) {
			t.Errorf("%q is counted by %q, on another port by %q", remote, key, again)
		}
		ip := net.ParseIP(host)
		if ip != nil && ip.IsLoopback() != loopback {
			t.Errorf("%q is of this machine: %v", remote, loopback)
		}
	})
}
