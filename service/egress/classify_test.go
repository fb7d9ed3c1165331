package egress_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdns"
	"tarmac/service/egress"
	"tarmac/service/webhooks"
)

// rawServer calls serve for each connection, one after the other, and returns its address.
func rawServer(t testing.TB, serve func(net.Conn)) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			serve(c)
			c.Close()
		}
	}()
	t.Cleanup(func() { listener.Close(); <-ended })
	return listener.Addr().String()
}

// withTLS returns a function that calls serve over TLS, with the receiver's certificate.
func withTLS(to *receiver, serve func(net.Conn)) func(net.Conn) {
	return func(c net.Conn) {
		s := tls.Server(c, &tls.Config{Certificates: to.TLS.Certificates})
		if s.Handshake() == nil {
			_, _ = http.ReadRequest(bufio.NewReader(s))
			serve(s)
		}
		s.Close()
	}
}

// closedAddress returns an address that refuses connections.
func closedAddress(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// reset ends a connection with a TCP reset.
func reset(c net.Conn) {
	_ = c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// drain reads until the other side closes the connection. Closing it with unread bytes
// would reset it.
func drain(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

func TestErrorsOfConnectionsAreClassified(t *testing.T) {
	dns, good := testdns.Serve(t), newReceiver(t, noContent)
	dns.Set("wrong.example.net", "127.0.0.1")
	_, port, _ := net.SplitHostPort(good.address())
	closed := rawServer(t, func(net.Conn) {})
	refusing := closedAddress(t)
	old := newReceiverWithTLS(t, &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}, noContent)
	private := newReceiverWithTLS(t, &tls.Config{ClientAuth: tls.RequireAnyClientCert}, noContent)
	private12 := newReceiverWithTLS(
		t, &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}, noContent,
	)
	write := func(text string) string {
		return rawServer(t, withTLS(good, func(c net.Conn) { _, _ = io.WriteString(c, text) }))
	}
	for name, c := range map[string]struct {
		address string
		want    webhooks.Problem
	}{
		"all is well":                       {good.address(), ""},
		"nobody listens":                    {refusing, "connection_refused"},
		"no such name":                      {"nobody.example.com:8443", "dns_error"},
		"the certificate of somebody else":  {"wrong.example.net:" + port, "tls_error"},
		"an old version of TLS":             {old.address(), "tls_error"},
		"a certificate is asked for":        {private.address(), "tls_error"},
		"a certificate is asked for sooner": {private12.address(), "tls_error"},
		"no TLS but HTTP": {rawServer(t, func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
			drain(c)
		}), "tls_error"},
		"another protocol than TLS": {rawServer(t, func(c net.Conn) {
			_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n")
			drain(c)
		}), "tls_error"},
		"a handshake out of turn": {rawServer(t, func(c net.Conn) {
			_, _ = io.WriteString(c, "\x16\x03\x03\x00\x04\x0e\x00\x00\x00")
			drain(c)
		}), "tls_error"},
		"it hangs up at once":              {closed, "connection_reset"},
		"it breaks off at once":            {rawServer(t, reset), "connection_reset"},
		"it hangs up instead of an answer": {rawServer(t, withTLS(good, func(net.Conn) {})), "connection_reset"},
		"a reset instead of a response": {rawServer(t, withTLS(good, func(c net.Conn) {
			reset(c.(*tls.Conn).NetConn())
		})), "connection_reset"},
		"it hangs up within the headers": {write("HTTP/1.1 200 OK\r\nContent-"), "connection_reset"},
		"it hangs up within the body":    {write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), "connection_reset"},
		"garbage":                        {write("\x00\x01\x02garbage\r\n\r\n"), "connection_reset"},
		"headers without end": {
			write("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"), "connection_reset",
		},
		"a flood of interim answers": {write(
			strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("x", 1000)+"\r\n\r\n", 1000),
		), "connection_reset"},
		"an address that is not public": {"10.0.0.1:443", "blocked_address"},
	} {
		config := egress.Config{Resolver: dns.Resolver, RootCAs: good.roots(), Allow: []string{c.address}}
		if c.want == "blocked_address" {
			config.Allow = nil
		}
		_, err := send(t.Context(), t, newGuard(t, config), "https://"+c.address+"/x")
		if got := egress.Classify(err); got != c.want || (err == nil) != (c.want == "") {
			t.Errorf("%s: %q of %v, want %q", name, got, err, c.want)
		}
	}
	stranger := newGuard(t, egress.Config{Allow: []string{good.address()}})
	if _, err := send(t.Context(), t, stranger, good.URL); egress.Classify(err) != webhooks.TLSError {
		t.Errorf("an authority that is not known: %v", err)
	}
}

func TestAnAttemptThatTakesTooLongIsATimeout(t *testing.T) {
	good := newReceiver(t, noContent)
	for name, address := range map[string]string{
		"the handshake": rawServer(t, drain), "the answer": rawServer(t, withTLS(good, drain)),
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		g := newGuard(t, egress.Config{RootCAs: good.roots(), Allow: []string{address}})
		if _, err := send(ctx, t, g, "https://"+address+"/"); egress.Classify(err) != webhooks.TimedOut {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// These errors cannot be provoked with a server on this machine.
func TestErrorsOfTheSystemAreClassified(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	for _, c := range []struct {
		err  error
		want webhooks.Problem
	}{
		{nil, ""},
		{dial(syscall.EHOSTUNREACH), "connection_refused"},
		{dial(syscall.ENETUNREACH), "connection_refused"},
		{dial(syscall.Errno(10061)), "connection_refused"},
		{dial(syscall.ETIMEDOUT), "timeout"},
		{dial(syscall.ECONNRESET), "connection_reset"},
		{&net.OpError{Op: "dial", Err: &net.DNSError{Err: "i/o timeout", IsTimeout: true}}, "dns_error"},
		{fmt.Errorf("sending: %w", context.DeadlineExceeded), "timeout"},
		{os.ErrDeadlineExceeded, "timeout"},
		{fmt.Errorf("dialing: %w", egress.ErrBlocked), "blocked_address"},
		{&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, "connection_reset"},
		{&net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)}, "connection_reset"},
		{&net.OpError{Op: "local error", Err: errors.New("tls: bad record MAC")}, "tls_error"},
		{io.EOF, "connection_reset"},
		{io.ErrUnexpectedEOF, "connection_reset"},
		{errors.New("anything else"), "connection_reset"},
	} {
		if got := egress.Classify(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
