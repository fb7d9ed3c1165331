// Package internet stands in for the internet between the program and providers: an HTTP proxy
// that ends TLS with certificates of an authority of its own and passes requests to handlers, by
// host name. A program that has its variables in its environment reaches these handlers and
// nothing else. Only tests and tools import it.
package internet

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

// Internet is the proxy with the hosts behind it. It is safe for concurrent use.
type Internet struct {
	listener net.Listener
	server   *http.Server
	pool     *x509.CertPool
	root     []byte // certificate of the authority, as PEM
	rootCert *x509.Certificate
	key      *ecdsa.PrivateKey

	mu           sync.Mutex
	hosts        map[string]http.Handler
	certificates map[string]*tls.Certificate
	down         map[string]bool
	asked        map[string]int
	open         map[net.Conn]bool
}

// New starts a proxy on a free port of the loopback interface. Close ends it.
func New() (*Internet, error) {
	i := &Internet{
		hosts: map[string]http.Handler{}, certificates: map[string]*tls.Certificate{},
		down: map[string]bool{}, asked: map[string]int{}, open: map[net.Conn]bool{},
	}
	if err := i.makeAuthority(); err != nil {
		return nil, err
	}
	var err error
	if i.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	i.server = &http.Server{Handler: http.HandlerFunc(i.connect), ReadHeaderTimeout: time.Minute}
	go func() { _ = i.server.Serve(i.listener) }()
	return i, nil
}

// Close ends the proxy and its connections.
func (i *Internet) Close() error {
	err := i.server.Close()
	i.mu.Lock()
	defer i.mu.Unlock()
	for conn := range i.open {
		_ = conn.Close()
	}
	return err
}

// Handle sets the handler for the requests to a host. It replaces the handler that the host had.
func (i *Internet) Handle(host string, handler http.Handler) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.hosts[host] = handler
}

// SetDown sets whether a host cannot be reached.
func (i *Internet) SetDown(host string, down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down[host] = down
}

// Connections returns how often a host was asked for a connection, whether it exists or not.
func (i *Internet) Connections(host string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.asked[host]
}

// URL returns the URL of the proxy.
func (i *Internet) URL() *url.URL { return &url.URL{Scheme: "http", Host: i.listener.Addr().String()} }

// Proxy returns the URL of the proxy for every request. It is a function for http.Transport.Proxy.
func (i *Internet) Proxy(*http.Request) (*url.URL, error) { return i.URL(), nil }

// RootCAs returns the authority that the certificates of all hosts are signed by.
func (i *Internet) RootCAs() *x509.CertPool { return i.pool }

// Environment writes the authority's certificate into a file and returns the environment variables
// that make a program use the proxy and trust the certificates.
func (i *Internet) Environment(file string) ([]string, error) {
	if err := os.WriteFile(file, i.root, 0o600); err != nil {
		return nil, err
	}
	return []string{"HTTPS_PROXY=" + i.URL().String(), "SSL_CERT_FILE=" + file}, nil
}

// connect answers a CONNECT request of a client: it speaks TLS as the host and passes the requests
// to the host's handler.
func (i *Internet) connect(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if r.Method != http.MethodConnect || err != nil || port != "443" {
		http.Error(w, "only CONNECT HOST:443", http.StatusMethodNotAllowed)
		return
	}
	handler := i.find(host)
	if handler == nil {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if _, err := fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		_ = conn.Close()
		return
	}
	certificate, err := i.certificate(host)
	if err != nil {
		_ = conn.Close()
		return
	}
	config := &tls.Config{Certificates: []tls.Certificate{*certificate}}
	i.serve(tls.Server(&readFirst{conn, buffered.Reader}, config), handler)
}

// find counts a connection and returns the handler of a host, or nil if it cannot be reached.
func (i *Internet) find(host string) http.Handler {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked[host]++
	if i.down[host] {
		return nil
	}
	return i.hosts[host]
}

// serve answers the requests of one connection until it ends.
func (i *Internet) serve(conn net.Conn, handler http.Handler) {
	ln := &single{conn: make(chan net.Conn, 1), closed: make(chan struct{}), address: conn.LocalAddr()}
	ln.conn <- conn
	i.keep(conn, true)
	defer i.keep(conn, false)
	ended := func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed || state == http.StateHijacked {
			_ = ln.Close()
		}
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ConnState: ended}
	_ = server.Serve(ln)
}

func (i *Internet) keep(conn net.Conn, open bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if open {
		i.open[conn] = true
	} else {
		delete(i.open, conn)
	}
}
