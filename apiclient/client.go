package apiclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// prefix is the path of the API after the base URL (docs/api.md, Versioning).
const prefix = "/api/ext/v1"

const defaultTimeout = 15 * time.Second

// Client reads one organization's data, proposes invoices and manages webhook endpoints. It
// is safe for concurrent use.
type Client struct {
	base  string
	token func() Token // a function, so that printing a Client does not print the token
	// credential names what authorizes requests instead of a token, as set by WithoutToken; "" if
	// a token does.
	credential string

	http      *http.Client
	writes    *http.Client // for requests that must be sent at most once; see freshConnections
	userAgent string
	origin    string // set by WithOrigin
	local     bool   // set by WithLocalServer
	policy    Policy
	timeout   time.Duration
	logger    *slog.Logger
	clock     Clock
	onPause   func(time.Duration)
	onHeader  func(http.Header)
	limiter   limiter
	silences  silences
	shared    *SharedPages // nil if the client shares no pages

	annotated atomic.Bool // transactions have had the extension

	mu   sync.Mutex
	rate Rate
}

// Clock tells a client the time. Sleep waits for d. If the context ends earlier, Sleep returns the
// context's error.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration) error
}

// Option configures a Client.
type Option func(*Client) error

// WithHTTPClient makes the client use the transport and the timeout of h, but not the cookies of h.
// The client never follows redirects, which would send the token to another server. If the
// transport is an *http.Transport, writes use a copy of it that opens a new connection for each
// request. A transport of another type must never repeat a request by itself.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) error {
		if h == nil {
			return errors.New("the HTTP client is nil")
		}
		c.http = &http.Client{Transport: h.Transport, Timeout: h.Timeout}
		return nil
	}
}

// WithoutToken makes the client send no token, for an HTTP client whose transport authorizes the
// requests with something else. The credential is its name for the user, such as "SSH key". New
// then ignores its token.
func WithoutToken(credential string) Option {
	return func(c *Client) error {
		if credential == "" {
			return errors.New("what authorizes requests instead of a token has no name")
		}
		c.credential = credential
		return nil
	}
}

// WithUserAgent sets the User-Agent header, which must be printable ASCII.
func WithUserAgent(name string) Option {
	return func(c *Client) error {
		for i := 0; i < len(name); i++ {
			if name[i] < ' ' || name[i] > '~' {
				return errors.New("the user agent has an unprintable character")
			}
		}
		c.userAgent = name
		return nil
	}
}

// WithRetry sets the retry policy of reads, for example NoRetry. Writes are never retried.
func WithRetry(p Policy) Option {
	return func(c *Client) error {
		if p.Tries < 1 || p.Base < 0 || p.Max < p.Base {
			return errors.New("a retry policy needs at least one try and a longest pause not below its first")
		}
		c.policy = p
		return nil
	}
}

// WithTimeout limits the duration of a method call, including its retries.
func WithTimeout(d time.Duration) Option {
	return func(c *Client) error {
		if d <= 0 {
			return errors.New("the timeout must be positive")
		}
		c.timeout = d
		return nil
	}
}

// WithLogger makes the client log each request at debug level: method, route, status and duration,
// but neither token nor query nor body.
func WithLogger(l *slog.Logger) Option {
	return func(c *Client) error {
		if l == nil {
			return errors.New("the logger is nil")
		}
		c.logger = l
		return nil
	}
}

// WithClock replaces the system's clock, for tests.
func WithClock(clock Clock) Option {
	return func(c *Client) error {
		if clock == nil {
			return errors.New("the clock is nil")
		}
		c.clock = clock
		return nil
	}
}

// WithPauseNotice makes the client call notify before each pause that a 429 response causes, with
// the length of the pause. notify runs on the goroutine that called the client's method.
func WithPauseNotice(notify func(time.Duration)) Option {
	return func(c *Client) error {
		c.onPause = notify
		return nil
	}
}

// WithHeaderNotice makes the client call notify with the header of each response. Printing the
// header may affect a terminal, because it is not cleaned. notify must not keep or change it. It
// runs on the goroutine that called the client's method.
func WithHeaderNotice(notify func(http.Header)) Option {
	return func(c *Client) error {
		c.onHeader = notify
		return nil
	}
}

// New returns a client for the API at baseURL. That must be an https URL, or an http URL of a
// loopback address. It may have a path, but no user information, query or fragment. New appends
// /api/ext/v1 unless baseURL already ends with it.
func New(baseURL string, token Token, opts ...Option) (*Client, error) {
	base, err := parseBase(baseURL)
	if err != nil {
		return nil, err
	}
	c := &Client{
		base:      base,
		token:     func() Token { return token },
		userAgent: fmt.Sprintf("tarmac (%s; %s)", runtime.GOOS, runtime.GOARCH),
		policy:    DefaultRetry,
		timeout:   defaultTimeout,
		logger:    slog.New(slog.DiscardHandler),
		clock:     systemClock{},
	}
	for _, set := range opts {
		if err := set(c); err != nil {
			return nil, err
		}
	}
	if err := token.Check(); err != nil && c.credential == "" {
		return nil, err
	}
	if c.http == nil {
		c.http = &http.Client{Transport: NewTransport(nil)}
	}
	if strings.HasPrefix(c.base, "http://") {
		c.http.Transport = loopbackOnly(c.http.Transport)
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.writes = &http.Client{
		Transport:     freshConnections(c.http.Transport),
		Timeout:       c.http.Timeout,
		CheckRedirect: c.http.CheckRedirect,
	}
	return c, nil
}

// parseBase checks a base URL and returns it with the prefix of the API. Its errors do not contain
// the URL, which may include a password.
func parseBase(raw string) (string, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "":
		return "", errors.New("the base URL is not a URL such as https://finance.example.com")
	case u.User != nil:
		return "", errors.New("the base URL must not contain a user name or password")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(raw, "#"):
		return "", errors.New("the base URL must not have a query or a fragment")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return "", errors.New(
			"the base URL must begin with https:// (http:// only for this machine): the token would travel unprotected",
		)
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	for _, segment := range strings.Split(path, "/") {
		if segment == "." || segment == ".." {
			return "", errors.New("the base URL must not have . or .. in its path")
		}
	}
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(path, prefix) + prefix, nil
}

func loopback(host string) bool {
	if strings.ToLower(host) == "localhost" { // strings.EqualFold would also match non-ASCII letters
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// loopbackOnly returns a copy of base that connects only to loopback addresses, even if a host name
// resolves to another address. If base is not an *http.Transport, loopbackOnly returns it
// unchanged.
func loopbackOnly(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	given, ok := base.(*http.Transport)
	if !ok {
		return base
	}
	own := given.Clone()
	own.Proxy = nil
	dial := own.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	own.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if far, ok := conn.RemoteAddr().(*net.TCPAddr); ok && !far.IP.IsLoopback() {
			_ = conn.Close()
			return nil, fmt.Errorf("%s is not this machine, and the token would travel unprotected", address)
		}
		return conn, nil
	}
	return own
}

// NewTransport returns the transport that New uses by default. It trusts the given certificate
// authorities, or the system's if authorities is nil. Connecting, the TLS handshake and waiting for
// a response header have timeouts of their own, so that an error says which of them took too long.
func NewTransport(authorities *x509.CertPool) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: authorities},
		TLSHandshakeTimeout:    5 * time.Second,
		ResponseHeaderTimeout:  12 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConns:           8,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        90 * time.Second,
		ForceAttemptHTTP2:      true,
		OnProxyConnectResponse: keepProxyStatus,
	}
}

// keepProxyStatus returns a *ProxyError if a proxy has refused to connect to the server.
func keepProxyStatus(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return &ProxyError{Status: response.StatusCode}
	}
	return nil
}

// String and Format print the address of the server, but never the token.
func (c *Client) String() string             { return "client of " + c.base }
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
