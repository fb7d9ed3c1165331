// Package egress decides which addresses webhooks may reach: the public internet over TLS, and not
// the service's own network (docs/api.md, Webhook URL).
//
// An endpoint's URL is checked twice. When the endpoint is created or changed, the port, the host
// and the addresses of the host are checked, so that the caller learns of a mistake. When a
// delivery connects, the address that it connects to is checked again, because the host's name may
// have another address by then. Requests to providers (service/providers/wire) have the same checks
// of names and addresses.
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

	"tarmac/internal/publicaddress"
	"tarmac/service/webhooks"
)

// ErrBlocked is returned when a delivery would connect to an address or port that webhooks may not
// reach.
var ErrBlocked = errors.New("webhooks may not reach this address")

const (
	lookupTimeout = 2 * time.Second
	idleTimeout   = 30 * time.Second
	maxIdle       = 64
	maxHeader     = 16 << 10
)

// Config configures a Guard. With the zero value, no private address may be reached.
type Config struct {
	// Allow lists receivers, as HOST:PORT, that may be reached although their address is private or
	// their port is not allowed. They are for receivers in the service's own network and for tests.
	// HOST must be written as in the endpoint's URL.
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

// New returns a guard. If an entry of config.Allow is invalid, the error quotes the first such
// entry.
func New(config Config) (*Guard, error) {
	g := &Guard{
		exempt: map[string]bool{},
		// Ports are checked by Check and checkAddress.
		guardian: publicaddress.Guardian(),
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

// hostPort joins a host and a port in the form in which entries of Config.Allow are compared with
// URLs.
func hostPort(host, port string) string {
	if literal, err := netip.ParseAddr(host); err == nil {
		host = literal.String()
	}
	return strings.ToLower(net.JoinHostPort(host, port))
}

// Check decides whether an endpoint may have the URL u. It returns webhooks.ErrPort or
// webhooks.ErrNotPublic if not, or the error of ctx if ctx ends first. u must have passed
// webhooks.CheckURL. A host name that does not resolve is allowed, because the receiver may be set
// up later.
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
	if !IsPublicName(u.Hostname()) {
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
		return nil // each delivery resolves the name again
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

// checkAddress returns ErrBlocked for an address and port that webhooks may not reach. It is a
// net.Dialer.Control function: the dialer calls it before each connection.
func (g *Guard) checkAddress(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !g.isPublic(to.Addr().Unmap()) || !allowedPort(strconv.Itoa(int(to.Port()))) {
		return fmt.Errorf("%w: %s", ErrBlocked, address)
	}
	return nil
}

// DialContext connects to a host and port, but only at an address that webhooks may reach. For
// others, its error is ErrBlocked. It ignores Config.Allow.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: webhooks.ConnectTimeout, Resolver: g.resolver, Control: g.checkAddress}
	return dialer.DialContext(ctx, network, net.JoinHostPort(fullyQualified(host), port))
}

// Transport returns the HTTP transport for deliveries. It ignores proxies set in the environment,
// and requires TLS 1.2 or later and a valid certificate.
func (g *Guard) Transport() *http.Transport {
	plain := &net.Dialer{Timeout: webhooks.ConnectTimeout, Resolver: g.resolver}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, port, err := net.SplitHostPort(address); err == nil && g.exempt[hostPort(host, port)] {
				return plain.DialContext(ctx, network, address)
			}
			return g.DialContext(ctx, network, address)
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
