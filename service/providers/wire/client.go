package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tarmac/service/egress"
	"tarmac/service/webhooks"
)

const (
	tlsTimeout     = 5 * time.Second
	defaultTimeout = time.Minute
	maxHeader      = 64 << 10
	defaultMaxBody = 64 << 20
)

// Config configures a Client. The zero value is a client that sends requests directly, without a
// proxy, and trusts the system's certificates.
type Config struct {
	// Proxy returns the proxy for a request, as http.ProxyFromEnvironment does. It may be nil.
	Proxy func(*http.Request) (*url.URL, error)
	// RootCAs verify certificates. The default is the system's.
	RootCAs *x509.CertPool
	// Resolver resolves host names. The default is the system's.
	Resolver *net.Resolver
	// Version is the version of the program. It is sent with each request.
	Version string
}

// Client sends requests to providers, each request once and only over TLS on port 443. Without a
// proxy, it connects only to public addresses. It follows no redirects and keeps no cookies. It is
// safe for concurrent use.
type Client struct {
	proxy           func(*http.Request) (*url.URL, error)
	direct, proxied *http.Transport
	agent           string
}

// New returns a client.
func New(config Config) (*Client, error) {
	guard, err := egress.New(egress.Config{Resolver: config.Resolver})
	if err != nil {
		return nil, err
	}
	c := &Client{proxy: config.Proxy, agent: strings.TrimSuffix("tarmac/"+config.Version, "/")}
	c.direct = transport(guard.DialContext, config.RootCAs)
	// The proxy itself may be in a private network; it decides which addresses it connects to.
	plain := &net.Dialer{Timeout: webhooks.ConnectTimeout, Resolver: config.Resolver}
	c.proxied = transport(plain.DialContext, config.RootCAs)
	c.proxied.Proxy = config.Proxy
	c.proxied.OnProxyConnectResponse = checkProxy
	return c, nil
}

// transport returns a transport that makes a new connection for each request. On a connection that
// was used before, and over HTTP/2, net/http may send a request a second time.
func transport(dial func(context.Context, string, string) (net.Conn, error), roots *x509.CertPool) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout:    tlsTimeout,
		Protocols:              protocols,
		MaxResponseHeaderBytes: maxHeader,
		DisableKeepAlives:      true,
	}
}

// Request is a request to a provider.
type Request struct {
	Method string // "" for GET
	Host   string // public name without port
	Path   string // starts with "/"
	Query  url.Values
	Header http.Header // further headers, without credentials
	// Bearer, or User and Password, are sent in the header Authorization.
	Bearer         Secret
	User, Password Secret
	Timeout        time.Duration // for the whole answer; 0 for a minute
	MaxBody        int64         // largest body in bytes, after decompression; 0 for 64 MiB

	began time.Time
}

// Response is a provider's answer with status 200 to 299.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request once and reads the answer. An answer with another status than 200 to 299, a
// redirect, and a body that is too long are errors. All errors are of type *Error.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	if r.Timeout == 0 {
		r.Timeout = defaultTimeout
	}
	if r.MaxBody == 0 {
		r.MaxBody = defaultMaxBody
	}
	r.began = time.Now()
	limited, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	request, err := c.request(limited, r)
	if err != nil {
		return nil, err
	}
	through := c.direct
	if c.proxy != nil {
		address, err := c.proxy(request)
		if err != nil {
			return nil, &Error{Kind: Unsent, Text: "the proxy in the environment is not valid", Host: r.Host}
		}
		if address != nil {
			through = c.proxied
		}
	}
	answer, err := through.RoundTrip(request)
	if err != nil {
		return nil, c.failed(ctx, limited, r, err)
	}
	defer func() { _ = answer.Body.Close() }()
	return c.read(ctx, limited, r, answer)
}

// request returns the HTTP request for r.
func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	if !egress.IsPublicName(r.Host) || !strings.HasPrefix(r.Path, "/") {
		return nil, &Error{Kind: Unsent, Text: "the provider's address is not in the public internet", Host: r.Host}
	}
	to := url.URL{Scheme: "https", Host: r.Host, Path: r.Path, RawQuery: r.Query.Encode()}
	request, err := http.NewRequestWithContext(ctx, r.Method, to.String(), http.NoBody)
	if err != nil {
		return nil, &Error{Kind: Unsent, Text: "the address is not valid", Host: r.Host}
	}
	for name, values := range r.Header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", c.agent)
	switch {
	case !r.Bearer.IsZero():
		request.Header.Set("Authorization", "Bearer "+r.Bearer.Reveal())
	case !r.User.IsZero() || !r.Password.IsZero():
		request.SetBasicAuth(r.User.Reveal(), r.Password.Reveal())
	}
	return request, nil
}
