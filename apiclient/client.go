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
	"time"
)

// prefix is where the API lives below the base URL (docs/api.md, Versioning).
const prefix = "/api/ext/v1"

const defaultTimeout = 15 * time.Second

// Client reads one organization's data, proposes invoices and keeps webhook
// endpoints. It is safe for concurrent use.
type Client struct {
	base      string
	token     func() Token // a function, so that no printing of a Client reaches it
	http      *http.Client
	writes    *http.Client // of requests that must not be sent twice; see once
	userAgent string
	policy    Policy
	timeout   time.Duration
	logger    *slog.Logger
	clock     Clock
	onPause   func(time.Duration)
	onAnswer  func(http.Header)
	gate      gate

	mu   sync.Mutex
	rate Rate
}

// Clock is where a client takes the time from and how it waits. Sleep returns
// ctx's error when ctx ends before d has passed.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration) error
}

// Option changes how a Client works.
type Option func(*Client) error

// WithHTTPClient makes the client send its requests through h: its transport and
// its timeout are used. Its cookie jar and its treatment of redirects are not: a
// redirect is never followed, because the token would travel with it. An
// *http.Transport is copied for writes, each of which has a connection of its own;
// another transport must not repeat requests by itself.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) error {
		if h == nil {
			return errors.New("the HTTP client is nil")
		}
		c.http = &http.Client{Transport: h.Transport, Timeout: h.Timeout}
		return nil
	}
}

// WithUserAgent sets the User-Agent header: printable ASCII.
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

// WithRetry sets how often and after what pauses a read is repeated; see NoRetry.
// A write is never repeated.
func WithRetry(p Policy) Option {
	return func(c *Client) error {
		if p.Tries < 1 || p.Base < 0 || p.Max < p.Base {
			return errors.New("a retry policy needs at least one try and a longest pause not below its first")
		}
		c.policy = p
		return nil
	}
}

// WithTimeout bounds a whole call, its retries included.
func WithTimeout(d time.Duration) Option {
	return func(c *Client) error {
		if d <= 0 {
			return errors.New("the timeout must be positive")
		}
		c.timeout = d
		return nil
	}
}

// WithLogger logs each attempt at debug level: method, route, status, duration.
// No token, query or body is logged.
func WithLogger(l *slog.Logger) Option {
	return func(c *Client) error {
		if l == nil {
			return errors.New("the logger is nil")
		}
		c.logger = l
		return nil
	}
}

// WithClock replaces the system's clock.
func WithClock(clock Clock) Option {
	return func(c *Client) error {
		if clock == nil {
			return errors.New("the clock is nil")
		}
		c.clock = clock
		return nil
	}
}

// WithPauseNotice has tell called before a call waits because the server was asked
// too often, with how long. It is called from the goroutines that read.
func WithPauseNotice(tell func(time.Duration)) Option {
	return func(c *Client) error {
		c.onPause = tell
		return nil
	}
}

// WithHeaderNotice has tell called with the header of each answer, as it came: to be
// read and not kept, and cleaned before it is shown. It is called from the goroutines
// that read.
func WithHeaderNotice(tell func(http.Header)) Option {
	return func(c *Client) error {
		c.onAnswer = tell
		return nil
	}
}

// New returns a client of the API below baseURL: an https URL, or an http URL of
// this machine, optionally with a path prefix, without user information, query or
// fragment. The prefix /api/ext/v1 is added unless baseURL ends in it.
func New(baseURL string, token Token, opts ...Option) (*Client, error) {
	base, err := parseBase(baseURL)
	if err != nil {
		return nil, err
	}
	if err := token.Check(); err != nil {
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
	if c.http == nil {
		c.http = &http.Client{Transport: NewTransport(nil)}
	}
	if strings.HasPrefix(c.base, "http://") {
		c.http.Transport = stayHere(c.http.Transport)
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.writes = &http.Client{
		Transport:     once(c.http.Transport),
		Timeout:       c.http.Timeout,
		CheckRedirect: c.http.CheckRedirect,
	}
	return c, nil
}

// parseBase checks a base URL and returns it with the API's prefix. Its errors do
// not repeat the URL, which may have a password in it.
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
	if strings.ToLower(host) == "localhost" { // EqualFold takes other letters for some of these
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// stayHere returns a transport that connects to this machine alone, whatever the name
// of it leads to. One that is no *http.Transport is as it was.
func stayHere(base http.RoundTripper) http.RoundTripper {
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

// NewTransport returns the transport of a client that is given none, which trusts
// the authorities, nil for the system's. It bounds each phase of a request, so that a
// server that accepts and says nothing is told apart from one that is slow to send.
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
		OnProxyConnectResponse: proxyAnswered,
	}
}

// proxyAnswered keeps the status of a proxy that refuses a connection.
func proxyAnswered(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &ProxyError{Status: answer.StatusCode}
	}
	return nil
}

// String and Format name the server and not the token.
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
