package outbox_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdns"
	"tarmac/service/egress"
	"tarmac/service/outbox"
	"tarmac/service/webhooks"
)

// request reads a whole delivery.
func request(conn net.Conn) bool {
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err == nil
}

// waitForClose waits until the other side closes the connection.
func waitForClose(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// drip writes a text every few milliseconds until the other side closes the connection.
func drip(conn net.Conn, what string) {
	for tick := time.NewTicker(5 * time.Millisecond); ; <-tick.C {
		if _, err := io.WriteString(conn, what); err != nil {
			tick.Stop()
			return
		}
	}
}

// reset ends a connection with a TCP reset.
func reset(conn net.Conn) {
	secure := conn.(*tls.Conn)
	_ = secure.NetConn().(*net.TCPConn).SetLinger(0)
	_ = secure.NetConn().Close()
}

func TestAMisbehavingReceiverIsRecordedWithItsProblem(t *testing.T) {
	const long = time.Minute // longer than any of these takes
	for _, test := range []struct {
		name    string
		serve   func(net.Conn)
		timeout time.Duration
		problem webhooks.Problem
		code    int
	}{
		{"never answers", func(c net.Conn) { request(c); waitForClose(c) }, 200 * time.Millisecond, webhooks.TimedOut, 0},
		{"never shakes hands", nil, 200 * time.Millisecond, webhooks.TimedOut, 0},
		{"drips headers", func(c net.Conn) {
			request(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			drip(c, "X: y\r\n")
		}, 200 * time.Millisecond, webhooks.TimedOut, 0},
		{"drips a body", func(c net.Conn) {
			request(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
			drip(c, ".")
		}, long, webhooks.NoProblem, 200},
		{"says less than it promised", func(c net.Conn) {
			request(c)
			_, _ = io.WriteString(c, "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nshort")
			reset(c)
		}, long, webhooks.NoProblem, 201},
		{"resets within the headers", func(c net.Conn) {
			request(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX-")
			reset(c)
		}, long, webhooks.ConnectionReset, 0},
		{"resets instead of an answer", func(c net.Conn) { request(c); reset(c) }, long, webhooks.ConnectionReset, 0},
		{"closes instead of an answer", func(c net.Conn) { request(c) }, long, webhooks.ConnectionReset, 0},
		{"speaks no HTTP", func(c net.Conn) {
			request(c)
			_, _ = io.WriteString(c, "220 mail.example ESMTP\r\n")
		}, long, webhooks.ConnectionReset, 0},
		{"floods with interim answers", func(c net.Conn) {
			request(c)
			drip(
				c, strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1000),
			)
		},
			long, webhooks.ConnectionReset, 0},
		{"has huge headers", func(c net.Conn) {
			request(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("y", 1<<20)+"\r\n\r\n")
			waitForClose(c)
		}, long, webhooks.ConnectionReset, 0},
		{"changes the protocol", func(c net.Conn) {
			request(c)
			_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			waitForClose(c)
		}, long, webhooks.BadStatus, 101},
	} {
		t.Run(test.name, func(t *testing.T) {
			trusted := newReceiver(t, nil)
			config := trusted.TLS
			serve := test.serve
			if serve == nil {
				config, serve = nil, waitForClose
			}
			address := rawServer(t, config, serve)
			f := newFixture(t)
			f.config = f.configure(f.store, egress.Config{Allow: []string{address}, RootCAs: authorities(trusted)})
			f.roundRecorder = f.config.Observer.(*roundRecorder)
			id, _ := f.endpoint("https://" + address)
			f.emit(1)
			f.start(func(d *outbox.Dispatcher) { d.SetTimeout(test.timeout) })
			d := f.waitForAttempt(id, 1)
			if d.LastProblem != test.problem || d.LastResponseCode != test.code {
				t.Errorf("%q with %d, want %q with %d", d.LastProblem, d.LastResponseCode, test.problem, test.code)
			}
			if (d.Status == webhooks.Delivered) != (test.problem == webhooks.NoProblem) {
				t.Errorf("the delivery is %s", d.Status)
			}
		})
	}
}

func authorities(r *receiver) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(r.Certificate())
	return pool
}

func TestAnUnreachableReceiverIsRecordedWithItsProblem(t *testing.T) {
	r := newReceiver(t, nil)
	here := r.Listener.Addr().String()
	plain := rawServer(t, nil, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") })
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, address string
		egress        egress.Config
		problem       webhooks.Problem
	}{
		{
			"an authority nobody knows", here, egress.Config{Allow: []string{here}, RootCAs: x509.NewCertPool()},
			webhooks.TLSError,
		},
		{"no TLS", plain, egress.Config{Allow: []string{plain}, RootCAs: authorities(r)}, webhooks.TLSError},
		{
			"nobody listens", nobody, egress.Config{Allow: []string{nobody}, RootCAs: authorities(r)},
			webhooks.ConnectionRefused,
		},
		{
			"no such name", "nowhere.example:9443", egress.Config{Resolver: testdns.EmptyResolver(), RootCAs: authorities(r)},
			webhooks.DNSError,
		},
		{"not public", here, egress.Config{RootCAs: authorities(r)}, webhooks.BlockedAddress},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t)
			f.config = f.configure(f.store, test.egress)
			f.roundRecorder = f.config.Observer.(*roundRecorder)
			id, _ := f.endpoint("https://" + test.address + "/?secret-path")
			f.emit(1)
			f.start()
			d := f.waitForAttempt(id, 1)
			if d.LastProblem != test.problem || d.LastResponseCode != 0 || d.Status != webhooks.Pending {
				t.Errorf("%+v, want %s", d, test.problem)
			}
			if strings.Contains(f.logs.String(), "secret-path") {
				t.Errorf("the log has the path:\n%s", f.logs)
			}
		})
	}
	if n := len(r.received); n != 0 {
		t.Errorf("%d were delivered", n)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	inside := newReceiver(t, nil)
	for _, code := range []int{300, 301, 302, 303, 304, 307, 308} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", inside.URL+"/latest/meta-data")
				w.WriteHeader(code)
			})
			f := newFixture(t, r, inside) // the target is allowed
			id, _ := f.endpoint(r.URL)
			f.emit(1)
			f.start()
			if d := f.waitForAttempt(id, 1); d.LastProblem != webhooks.Redirected || d.LastResponseCode != code ||
				d.Status != webhooks.Pending {
				t.Errorf("%+v", d)
			}
		})
	}
	if n := len(inside.received); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

func TestAnEndlessResponseIsNotRead(t *testing.T) {
	var sent atomic.Int64
	done := make(chan struct{})
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		defer close(done)
		chunk := make([]byte, 64<<10)
		for sent.Load() < 1<<30 {
			n, err := w.Write(chunk)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	f := newFixture(t, r)
	id, _ := f.endpoint(r.URL)
	f.emit(1)
	f.start()
	if d := f.waitForAttempt(id, 1); d.Status != webhooks.Delivered {
		t.Errorf("%+v", d)
	}
	<-done
	// The buffers of both sockets take some.
	if n := sent.Load(); n > 32<<20 {
		t.Errorf("%d bytes were taken", n)
	}
}

func TestConnectionsAreReusedAfterShortResponses(t *testing.T) {
	var opened atomic.Int64
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"received":true}`) })
	f := newFixture(t, r)
	guarded := f.config.Transport.(*http.Transport)
	dial := guarded.DialContext
	guarded.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		opened.Add(1)
		return dial(ctx, network, address)
	}
	id, _ := f.endpoint(r.URL)
	f.emit(50)
	f.start()
	f.waitUntil("all are delivered", func() bool { return f.depth().Pending == 0 })
	// Some are dialed while others are still being returned to the pool.
	if n := opened.Load(); n > 25 {
		t.Errorf("%d connections for %d deliveries", n, len(f.deliveries(id)))
	}
}
