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

// testListener accepts connections that a test dials, from any address.
type testListener struct {
	net.Listener
	accepted chan net.Conn
}

func (w *testListener) Accept() (net.Conn, error) {
	c, ok := <-w.accepted
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

// addressedConn is a connection with a given remote address.
type addressedConn struct {
	net.Conn
	address string
}

func (f addressedConn) RemoteAddr() net.Addr {
	a, _ := net.ResolveTCPAddr("tcp", f.address)
	return a
}

// dial returns the client's end of a connection from an address.
func (w *testListener) dial(address string) net.Conn {
	client, server := net.Pipe()
	w.accepted <- addressedConn{server, address}
	return client
}

// recorder is an observer that records its calls.
type recorder struct {
	mu              sync.Mutex
	open            int
	idle, newcomers int
}

func (t *recorder) ConnectionsOpen(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = n
}

func (t *recorder) ConnectionRefused(idle bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if idle {
		t.idle++
	} else {
		t.newcomers++
	}
}

func (t *recorder) read() (open, idle, newcomers int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open, t.idle, t.newcomers
}

// limitedServer is a server with limits. Requests to /slow wait for release.
type limitedServer struct {
	t            *testing.T
	testListener *testListener
	recorder     *recorder
	began        chan struct{}
	release      chan struct{}
}

func serve(t *testing.T, limits connections.Limits) *limitedServer {
	t.Helper()
	s := &limitedServer{
		t, &testListener{accepted: make(chan net.Conn)}, &recorder{}, make(chan struct{}, 100), make(chan struct{}),
	}
	ln := connections.Limit(s.testListener, limits, s.recorder)
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
		close(s.testListener.accepted)
		_ = server.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("Serve = %v", err)
		}
		if open, _, _ := s.recorder.read(); open != 0 {
			t.Errorf("%d connections are counted after the end", open)
		}
	})
	return s
}

// acceptor is a Listener without an underlying listener to close.
type acceptor struct{ *connections.Listener }

func (acceptor) Close() error   { return nil }
func (acceptor) Addr() net.Addr { return &net.TCPAddr{} }

func (s *limitedServer) send(c net.Conn, path string) {
	s.t.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		s.t.Fatal(err)
	}
}

// readResponse reads a whole response. The connection becomes idle soon after it.
func (s *limitedServer) readResponse(c net.Conn) {
	s.t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != "ok" {
		s.t.Fatalf("%q, %v", body, err)
	}
}

func (s *limitedServer) checkClosed(what string, c net.Conn) {
	s.t.Helper()
	if n, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		s.t.Errorf("%s: %d bytes, %v; want it closed", what, n, err)
	}
}

func TestIdleConnectionsKeepNoRequestOut(t *testing.T) {
	s := serve(t, connections.Limits{Total: 8, PerAddress: 4})
	var idle []net.Conn
	for i := range 3000 {
		idle = append(idle, s.testListener.dial("192.0.2."+strconv.Itoa(i%200+1)+":1"))
	}
	honest := s.testListener.dial("198.51.100.1:1")
	s.send(honest, "/")
	s.readResponse(honest)
	for i, c := range idle[:len(idle)-8] {
		s.checkClosed("the idle one "+strconv.Itoa(i), c)
	}
	if open, idle, newcomers := s.recorder.read(); open != 8 || idle != 2993 || newcomers != 0 {
		t.Errorf("%d open, %d idle ones closed, %d new ones closed", open, idle, newcomers)
	}
}

// Without an idle connection the new one is closed.
func TestAConnectionWithARequestIsNeverClosedForANewOne(t *testing.T) {
	s := serve(t, connections.Limits{Total: 2})
	one, two := s.testListener.dial("192.0.2.1:1"), s.testListener.dial("192.0.2.2:1")
	for _, c := range []net.Conn{one, two} {
		s.send(c, "/slow")
		<-s.began
	}
	s.checkClosed("the newcomer", s.testListener.dial("192.0.2.3:1"))
	close(s.release)
	s.readResponse(one)
	s.readResponse(two)
	if _, idle, newcomers := s.recorder.read(); idle != 0 || newcomers != 1 {
		t.Errorf("%d idle ones closed, %d new ones closed", idle, newcomers)
	}
}

// An IPv6 /64 network counts as one address. Loopback addresses, where a proxy may run, have
// no limit.
func TestOneAddressHasALimit(t *testing.T) {
	s := serve(t, connections.Limits{Total: 20, PerAddress: 2})
	for _, address := range []string{"[2001:db8::1]:1", "[2001:db8::2]:1"} {
		s.send(s.testListener.dial(address), "/slow")
		<-s.began
	}
	s.checkClosed("the third of a network", s.testListener.dial("[2001:db8::3]:1"))
	for _, address := range []string{"[2001:db8:0:1::1]:1", "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "[::1]:4"} {
		c := s.testListener.dial(address)
		s.send(c, "/")
		s.readResponse(c)
	}
	close(s.release)
}

func TestLimitsOfZeroAreNoLimits(t *testing.T) {
	s := serve(t, connections.Limits{})
	var all []net.Conn
	for range 300 {
		all = append(all, s.testListener.dial("192.0.2.1:1"))
	}
	for _, c := range all {
		s.send(c, "/")
		s.readResponse(c)
	}
}
