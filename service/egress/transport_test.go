package egress_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"tarmac/internal/testsupport/testdns"
	"tarmac/service/egress"
	"tarmac/service/webhooks"
)

// receiver is an HTTPS server on the loopback interface that counts its connections.
type receiver struct {
	*httptest.Server
	connections atomic.Int32
}

func newReceiver(t testing.TB, handler http.HandlerFunc) *receiver {
	t.Helper()
	return newReceiverWithTLS(t, nil, handler)
}

func newReceiverWithTLS(t testing.TB, config *tls.Config, handler http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewUnstartedServer(handler)
	r.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			r.connections.Add(1)
		}
	}
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.TLS, r.EnableHTTP2 = config, true
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(r.Certificate())
	return pool
}

func (r *receiver) address() string { return r.Listener.Addr().String() }

// urlByName returns the receiver's URL with a host name of its certificate.
func (r *receiver) urlByName() (url, authority string) {
	_, port, _ := net.SplitHostPort(r.address())
	return "https://example.com:" + port + "/x", "example.com:" + port
}

func noContent(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

// send makes one request over the guard's transport.
func send(ctx context.Context, t testing.TB, g *egress.Guard, url string) (code int, err error) {
	t.Helper()
	transport := g.Transport()
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

// The name is public when it is checked, and is not when it is used.
func TestANameThatChangesItsAddressIsBlocked(t *testing.T) {
	dns, to := testdns.Serve(t), newReceiver(t, noContent)
	g := newGuard(t, egress.Config{Resolver: dns.Resolver, RootCAs: to.roots()})
	url, _ := to.urlByName()
	dns.Set("example.com", "93.184.215.14")
	if err := check(t.Context(), g, url); err != nil {
		t.Fatalf("while it is public: %v", err)
	}
	for _, address := range []string{"127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0"} {
		dns.Set("example.com", address)
		_, err := send(t.Context(), t, g, url)
		if !errors.Is(err, egress.ErrBlocked) || egress.Classify(err) != webhooks.BlockedAddress {
			t.Errorf("%s: %v", address, err)
		}
		if err := check(t.Context(), g, url); err != webhooks.ErrNotPublic {
			t.Errorf("%s, checked again: %v", address, err)
		}
	}
	if n := to.connections.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

// The transport blocks special addresses without relying on Check.
func TestNoSpecialAddressIsConnectedTo(t *testing.T) {
	dns := testdns.Serve(t)
	g := newGuard(t, egress.Config{Resolver: dns.Resolver})
	for _, a := range notPublic {
		dns.Set("example.com", a)
		for _, url := range []string{"https://" + host(a) + "/", "https://example.com:8443/"} {
			if _, err := send(t.Context(), t, g, url); !errors.Is(err, egress.ErrBlocked) {
				t.Errorf("%s at %s: %v", url, a, err)
			}
		}
	}
	for _, port := range []string{"22", "80", "444"} {
		if _, err := send(t.Context(), t, g, "https://8.8.8.8:"+port+"/"); !errors.Is(err, egress.ErrBlocked) {
			t.Errorf("port %s: %v", port, err)
		}
	}
}

func TestAnExemptionAllowsConnectionsToItsHostAndPortOnly(t *testing.T) {
	dns, to, other := testdns.Serve(t), newReceiver(t, noContent), newReceiver(t, noContent)
	dns.Set("example.com", "127.0.0.1")
	url, authority := to.urlByName()
	otherURL, _ := other.urlByName()
	byName := newGuard(
		t, egress.Config{Resolver: dns.Resolver, RootCAs: to.roots(), Allow: []string{strings.ToUpper(authority)}},
	)
	byAddress := newGuard(t, egress.Config{Resolver: dns.Resolver, RootCAs: to.roots(), Allow: []string{to.address()}})
	for name, c := range map[string]struct {
		guard   *egress.Guard
		url     string
		allowed bool
	}{
		"the name":                         {byName, url, true},
		"the name in another case":         {byName, strings.Replace(url, "example", "Example", 1), true},
		"the name, another port":           {byName, otherURL, false},
		"the address of the name":          {byName, to.URL, false},
		"the address":                      {byAddress, to.URL, true},
		"the address, another port":        {byAddress, other.URL, false},
		"a name that leads to the address": {byAddress, url, false},
	} {
		code, err := send(t.Context(), t, c.guard, c.url)
		if c.allowed && (err != nil || code != http.StatusNoContent) || !c.allowed && !errors.Is(err, egress.ErrBlocked) {
			t.Errorf("%s: %d, %v", name, code, err)
		}
	}
	if n := other.connections.Load(); n != 0 {
		t.Errorf("%d connections to the one that is not exempt", n)
	}
}

// The URL has a name because Go never uses a proxy for loopback addresses.
func TestTheEnvironmentsProxyIsIgnored(t *testing.T) {
	dns, to := testdns.Serve(t), newReceiver(t, noContent)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the proxy was asked for %s", r.Host)
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(proxy.Close)
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	t.Setenv("NO_PROXY", "")
	dns.Set("example.com", "127.0.0.1")
	url, authority := to.urlByName()
	g := newGuard(t, egress.Config{Resolver: dns.Resolver, RootCAs: to.roots(), Allow: []string{authority}})
	if code, err := send(t.Context(), t, g, url); err != nil || code != http.StatusNoContent {
		t.Errorf("%d, %v", code, err)
	}
}

func TestAReceiverGetsHTTP1WithTLSAndNoCompression(t *testing.T) {
	dns := testdns.Serve(t)
	dns.Set("example.com", "127.0.0.1")
	to := newReceiver(t, func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 || r.TLS.Version < tls.VersionTLS12 || r.TLS.ServerName != "example.com" ||
			r.Header.Get("Accept-Encoding") != "" {
			t.Errorf("%s, TLS %x for %q, %v", r.Proto, r.TLS.Version, r.TLS.ServerName, r.Header)
		}
		if r.TLS.NegotiatedProtocol == "h2" {
			t.Error("HTTP/2 was agreed on")
		}
		noContent(w, r)
	})
	url, authority := to.urlByName()
	g := newGuard(t, egress.Config{Resolver: dns.Resolver, RootCAs: to.roots(), Allow: []string{authority}})
	if code, err := send(t.Context(), t, g, url); err != nil || code != http.StatusNoContent {
		t.Errorf("%d, %v", code, err)
	}
	transport := g.Transport()
	if transport.Proxy != nil || transport.TLSClientConfig.InsecureSkipVerify ||
		transport.MaxResponseHeaderBytes != 16<<10 {
		t.Errorf("the transport is %+v", transport)
	}
}

func TestConnectionsAreReused(t *testing.T) {
	to := newReceiver(t, noContent)
	g := newGuard(t, egress.Config{RootCAs: to.roots(), Allow: []string{to.address()}})
	transport := g.Transport()
	defer transport.CloseIdleConnections()
	for range 3 {
		answer, err := (&http.Client{Transport: transport}).Post(to.URL, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	if n := to.connections.Load(); n != 1 {
		t.Errorf("%d connections for three requests", n)
	}
}
