// Package egress decides which addresses webhooks may reach: the public internet
// over TLS, and nothing of the network that the service stands in (docs/api.md,
// Webhook URL).
//
// A URL is looked at twice. When it is given, its host and port are judged, and
// what the name resolves to, so that a mistake is told to whoever makes it. When
// it is used, the concrete address is judged that is about to be connected to:
// only that closes the gap in which a name changes its address.
package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"tarmac/service/webhooks"
)

// ErrBlocked is why a connection was not made: the address or port is not one
// that webhooks may reach.
var ErrBlocked = errors.New("webhooks may not reach this address")

const (
	lookupTimeout = 2 * time.Second
	idleTimeout   = 30 * time.Second
	maxIdle       = 64
	maxHeader     = 16 << 10
)

// platform addresses are public in the registries, and inside Azure the host's
// own services.
var platform = netip.MustParsePrefix("168.63.129.16/32")

// Config says what is different from the rule: nothing, in its zero value.
type Config struct {
	// Allow names exemptions, each HOST:PORT as in the URL, the port always given:
	// for receivers in one's own network and in tests.
	Allow []string
	// Resolver looks names up; nil is the system's.
	Resolver *net.Resolver
	// RootCAs are the authorities that receivers' certificates may be from; nil is
	// the system's.
	RootCAs *x509.CertPool
}

// Guard is the rule. It is safe for concurrent use.
type Guard struct {
	exempt    map[string]bool
	addresses *ssrf.Guardian
	resolver  *net.Resolver
	roots     *x509.CertPool
}

// New returns a guard, or an error that names the exemption that is none.
func New(config Config) (*Guard, error) {
	g := &Guard{
		exempt: map[string]bool{},
		// Ports have a rule of their own.
		addresses: ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(platform)),
		resolver:  config.Resolver, roots: config.RootCAs,
	}
	if g.resolver == nil {
		g.resolver = net.DefaultResolver
	}
	for _, entry := range config.Allow {
		host, port, err := net.SplitHostPort(entry)
		if err == nil && (host == "" || strings.ContainsAny(host, "/@*? ") || !isPort(port)) {
			err = errors.New("no host or port")
		}
		if err != nil {
			return nil, fmt.Errorf("%q is not a HOST:PORT that webhooks can be allowed to reach, such as 127.0.0.1:9443", entry)
		}
		g.exempt[authority(host, port)] = true
	}
	return g, nil
}

// authority is the form that exemptions and URLs are compared in.
func authority(host, port string) string {
	if literal, err := netip.ParseAddr(host); err == nil {
		host = literal.String()
	}
	return strings.ToLower(net.JoinHostPort(host, port))
}

// Check reports whether an endpoint may have the URL, which webhooks.CheckURL
// returned. It returns webhooks.ErrPort or webhooks.ErrNotPublic when not, and
// ctx's error when that ended first. A name that does not resolve is taken: the
// receiver may be set up later.
func (g *Guard) Check(ctx context.Context, u *url.URL) error {
	port := u.Port()
	if port == "" {
		port = "443"
	}
	if g.exempt[authority(u.Hostname(), port)] {
		return nil
	}
	if !usualPort(port) {
		return webhooks.ErrPort
	}
	if literal, err := netip.ParseAddr(u.Hostname()); err == nil {
		if !g.public(literal) {
			return webhooks.ErrNotPublic
		}
		return nil
	}
	if !publicName(u.Hostname()) {
		return webhooks.ErrNotPublic
	}
	return g.checkResolved(ctx, u.Hostname())
}

func (g *Guard) checkResolved(ctx context.Context, name string) error {
	limited, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	resolved, err := g.resolver.LookupNetIP(limited, "ip", absolute(name))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return nil // nobody answers for the name, which every attempt will find out again
	}
	for _, a := range resolved {
		if !g.public(a.Unmap()) {
			return webhooks.ErrNotPublic
		}
	}
	return nil
}

// public reports whether an address is one of the public internet. One with a
// zone never is, because no block contains it, nor is an IPv4 address written as
// an IPv6 one.
func (g *Guard) public(a netip.Addr) bool { return g.addresses.SafeAddr(a) == nil }

// control judges the address that is about to be connected to.
func (g *Guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !g.public(to.Addr().Unmap()) || !usualPort(strconv.Itoa(int(to.Port()))) {
		return fmt.Errorf("%w: %s", ErrBlocked, address)
	}
	return nil
}

// Transport returns a transport for deliveries. Whatever the environment says of
// proxies, it connects to the receiver itself, with TLS 1.2 at least and a
// verified certificate. It does not follow redirects: that is its user's matter.
func (g *Guard) Transport() *http.Transport {
	open := &net.Dialer{Timeout: webhooks.ConnectTimeout, Resolver: g.resolver}
	guarded := &net.Dialer{Timeout: webhooks.ConnectTimeout, Resolver: g.resolver, Control: g.control}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			if g.exempt[authority(host, port)] {
				return open.DialContext(ctx, network, address)
			}
			return guarded.DialContext(ctx, network, net.JoinHostPort(absolute(host), port))
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: g.roots},
		TLSHandshakeTimeout:    webhooks.TLSTimeout,
		Protocols:              protocols,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    webhooks.EndpointConcurrency,
		IdleConnTimeout:        idleTimeout,
	}
}
