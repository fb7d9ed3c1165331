// Package egress decides which addresses webhooks may reach: the public internet over TLS,
// and not the service's own network (docs/api.md, Webhook URL).
//
// A URL is checked twice. When an endpoint is created or changed, its port, its host and the
// addresses that the host resolves to are checked, so that the caller learns of a mistake.
// When a delivery connects, the actual address is checked again, because a name may resolve
// to another address by then.
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

// ErrBlocked is the error of a connection to an address or port that webhooks may not
// reach.
var ErrBlocked = errors.New("webhooks may not reach this address")

const (
	lookupTimeout = 2 * time.Second
	idleTimeout   = 30 * time.Second
	maxIdle       = 64
	maxHeader     = 16 << 10
)

// azurePlatform is a public address according to the registries. Inside Azure it belongs to the
// platform's own services.
var azurePlatform = netip.MustParsePrefix("168.63.129.16/32")

// Config configures a guard. Its zero value has no exemptions.
type Config struct {
	// Allow lists exemptions as HOST:PORT, for receivers in the service's own network and for
	// tests. The host is written as in the URL.
	Allow []string
	// Resolver resolves names. The default is the system's.
	Resolver *net.Resolver
	// RootCAs verify receivers' certificates. The default is the system's.
	RootCAs *x509.CertPool
}

// Guard decides which URLs and addresses webhooks may reach. It is safe for concurrent use.
type Guard struct {
	exempt   map[string]bool
	guardian *ssrf.Guardian
	resolver *net.Resolver
	roots    *x509.CertPool
}

// New returns a guard, or an error that quotes the first invalid exemption.
func New(config Config) (*Guard, error) {
	g := &Guard{
		exempt: map[string]bool{},
		// Ports are checked by Check and checkAddress.
		guardian: ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(azurePlatform)),
		resolver: config.Resolver, roots: config.RootCAs,
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
		g.exempt[hostPort(host, port)] = true
	}
	return g, nil
}

// hostPort returns a host and port in the form in which exemptions and URLs are compared.
func hostPort(host, port string) string {
	if literal, err := netip.ParseAddr(host); err == nil {
		host = literal.String()
	}
	return strings.ToLower(net.JoinHostPort(host, port))
}

// Check returns webhooks.ErrPort or webhooks.ErrNotPublic if an endpoint may not have the
// URL, or ctx's error if ctx ends first. The URL must have passed webhooks.CheckURL. A name
// that does not resolve is allowed: the receiver may be set up later.
func (g *Guard) Check(ctx context.Context, u *url.URL) error {
	port := u.Port()
	if port == "" {
		port = "443"
	}
	if g.exempt[hostPort(u.Hostname(), port)] {
		return nil
	}
	if !allowedPort(port) {
		return webhooks.ErrPort
	}
	if literal, err := netip.ParseAddr(u.Hostname()); err == nil {
		if !g.isPublic(literal) {
			return webhooks.ErrNotPublic
		}
		return nil
	}
	if !isPublicName(u.Hostname()) {
		return webhooks.ErrNotPublic
	}
	return g.checkResolved(ctx, u.Hostname())
}

func (g *Guard) checkResolved(ctx context.Context, name string) error {
	limited, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	resolved, err := g.resolver.LookupNetIP(limited, "ip", fullyQualified(name))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return nil // each attempt resolves the name again
	}
	for _, a := range resolved {
		if !g.isPublic(a.Unmap()) {
			return webhooks.ErrNotPublic
		}
	}
	return nil
}

// isPublic reports whether an address belongs to the public internet. Addresses with a zone
// and IPv4 addresses in IPv6 form do not.
func (g *Guard) isPublic(a netip.Addr) bool { return g.guardian.SafeAddr(a) == nil }

// checkAddress returns ErrBlocked for an address that webhooks may not reach. The dialer calls
// it before each connection.
func (g *Guard) checkAddress(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !g.isPublic(to.Addr().Unmap()) || !allowedPort(strconv.Itoa(int(to.Port()))) {
		return fmt.Errorf("%w: %s", ErrBlocked, address)
	}
	return nil
}

// Transport returns a transport for deliveries. It ignores proxies of the environment, and
// requires TLS 1.2 or later and a valid certificate.
func (g *Guard) Transport() *http.Transport {
	plain := &net.Dialer{Timeout: webhooks.ConnectTimeout, Resolver: g.resolver}
	guarded := &net.Dialer{Timeout: webhooks.ConnectTimeout, Resolver: g.resolver, Control: g.checkAddress}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			if g.exempt[hostPort(host, port)] {
				return plain.DialContext(ctx, network, address)
			}
			return guarded.DialContext(ctx, network, net.JoinHostPort(fullyQualified(host), port))
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
