package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/problem"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

const (
	certificateSoon = 14 * 24 * time.Hour // certificates that expire within this time get a note
	tokenSoon       = 7 * 24 * time.Hour  // tokens that expire within this time get a note

	// A clock that differs from the server's by more than skewNoted gets a note. Beyond
	// skewProblem, webhook signatures would be refused.
	skewNoted, skewProblem = 30 * time.Second, 5 * time.Minute
)

// neededScopes lists scopes of a token, each with the screens that need it.
var neededScopes = [...][2]string{
	{"account:read", "cash and runway"}, {"invoices:read", "receivables and invoices"},
	{"payments:read", "transactions"}, {"event_feed:read", "events"},
}

// examineConnection checks everything on the way of a request: proxy, server, certificate and API.
func (d *doctor) examineConnection(ctx context.Context, found settings.Connection) {
	authorities, err := command.Authorities(found.CAFileSource, found.CAFile)
	if err != nil {
		d.problem("certificate authorities", err.Error(),
			"correct or remove it in "+found.CAFileSource)
		return
	}
	if found.CAFile != "" {
		d.ok("certificate authorities",
			"those of "+termtext.Line(found.CAFile)+" are trusted too (from "+found.CAFileSource+")")
	}
	server, err := url.Parse(found.BaseURL)
	if err != nil {
		d.problem("base URL", "it is no URL", "correct it in "+found.BaseURLSource)
		return
	}
	if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: server}); err == nil && proxy != nil {
		d.note("proxy", "requests go through "+proxy.Host, "the environment says so: HTTPS_PROXY, HTTP_PROXY, NO_PROXY")
		if !d.examineProxy(ctx, proxy) {
			return
		}
	} else if !d.examineServer(ctx, server, authorities) {
		return
	}
	d.examineAPI(ctx, found, authorities)
}

// examineProxy checks whether the proxy can be reached.
func (d *doctor) examineProxy(ctx context.Context, proxy *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, d.flags.Timeout)
	defer cancel()
	port := cmp.Or(proxy.Port(), map[string]string{"http": "80", "https": "443", "socks5": "1080",
		"socks5h": "1080"}[proxy.Scheme])
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(proxy.Hostname(), port))
	if err != nil {
		d.problem("proxy", "cannot connect to "+net.JoinHostPort(proxy.Hostname(), port)+": "+lastCause(err),
			"correct HTTPS_PROXY in the environment, or exclude the server with NO_PROXY")
		return false
	}
	_ = conn.Close()
	return true
}

// examineServer checks the server's host name, its port and its certificate.
func (d *doctor) examineServer(ctx context.Context, server *url.URL, authorities *x509.CertPool) bool {
	ctx, cancel := context.WithTimeout(ctx, d.flags.Timeout)
	defer cancel()
	host, port := server.Hostname(), server.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[server.Scheme]
	}
	if net.ParseIP(host) == nil {
		addresses, err := net.DefaultResolver.LookupHost(ctx, host)
		if err != nil {
			d.problem("name", host+" has no address: "+lastCause(err),
				"check the base URL for typos, and the network or VPN connection of this computer")
			return false
		}
		d.ok("name", host+" is "+strings.Join(addresses[:min(len(addresses), 3)], ", "))
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		d.problem("connection", "cannot connect to "+net.JoinHostPort(host, port)+": "+lastCause(err),
			"check that the server is running, that the base URL has the right port, and that no firewall blocks it")
		return false
	}
	defer func() { _ = conn.Close() }()
	if far, ok := conn.RemoteAddr().(*net.TCPAddr); ok && server.Scheme == "http" && !far.IP.IsLoopback() {
		d.problem("connection", host+" is "+far.IP.String()+" and not this computer: the token would travel unencrypted",
			"check the name in the hosts file, or use https")
		return false
	}
	d.ok("connection", net.JoinHostPort(host, port)+" answers")
	return server.Scheme != "https" || d.examineCertificate(ctx, conn, host, authorities)
}

// examineCertificate checks the server's certificate.
func (d *doctor) examineCertificate(ctx context.Context, conn net.Conn, host string, authorities *x509.CertPool) bool {
	secure := tls.Client(conn, &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12, RootCAs: authorities,
		Time: d.Now})
	if err := secure.HandshakeContext(ctx); err != nil {
		found := problem.Certificate(err)
		d.problem("TLS", found.Detail, found.Advice)
		return false
	}
	ends := secure.ConnectionState().PeerCertificates[0].NotAfter
	for _, chain := range secure.ConnectionState().VerifiedChains {
		for _, certificate := range chain {
			if certificate.NotAfter.Before(ends) {
				ends = certificate.NotAfter
			}
		}
	}
	found := "the certificate is good until " + ends.UTC().Format("2006-01-02")
	if ends.Before(d.Now().Add(certificateSoon)) {
		d.note("TLS", found, "ask the server's administrator to renew it")
		return true
	}
	d.ok("TLS", found)
	return true
}

// examineAPI sends a ping to the API and checks what the response says about the token.
func (d *doctor) examineAPI(ctx context.Context, found settings.Connection, authorities *x509.CertPool) {
	transport := apiclient.NewTransport(authorities)
	defer transport.CloseIdleConnections()
	d.callAPI(ctx, found, transport)
}

// callAPI sends a ping to the API. It uses an ordinary transport: the client allows plain HTTP only
// to loopback addresses, and could not enforce that inside a transport of another type.
func (d *doctor) callAPI(ctx context.Context, found settings.Connection, transport *http.Transport) {
	var date atomic.Value
	client, err := apiclient.New(found.BaseURL, found.Token, apiclient.WithUserAgent(command.UserAgent(d.version)),
		apiclient.WithTimeout(d.flags.Timeout),
		apiclient.WithRetry(apiclient.NoRetry), apiclient.WithHTTPClient(&http.Client{Transport: transport}),
		apiclient.WithHeaderNotice(func(answer http.Header) { date.Store(answer.Get("Date")) }))
	if err != nil {
		d.problem("base URL", err.Error(), "")
		return
	}
	began := d.Now()
	ping, err := client.Ping(ctx)
	if at, answered := date.Load().(string); answered {
		d.examineClock(at, began, d.Now())
	}
	if err != nil {
		check, advice := diagnose(err, found)
		d.problem(check, problem.Of(err).Detail, advice)
		return
	}
	d.ok("API", "the token belongs to "+ping.OrgID)
	d.examineExpiry(ping)
	d.examineScopes(ping)
}

// diagnose returns the check to which an API error belongs, and advice that names the wrong setting
// and where it was set.
func diagnose(err error, found settings.Connection) (check, advice string) {
	advice = problem.Of(err).Advice
	var contract *apiclient.ContractError
	switch {
	case errors.Is(err, apiclient.ErrUnauthorized):
		where := "replace the token where it comes from: " + found.TokenSource
		if found.Profile != "" && found.TokenSource == "profile "+found.Profile {
			where = "run `tarmac login --profile " + found.Profile + "` with a new token"
		}
		return "token", "it is mistyped, expired, revoked or for another server; " + where
	case errors.Is(err, apiclient.ErrForbidden):
		return "token", advice
	case errors.As(err, &contract), errors.Is(err, apiclient.ErrRedirected), errors.Is(err, apiclient.ErrNotFound),
		errors.Is(err, apiclient.ErrInvalid):
		return "API", "this is not the API: check the base URL (" + found.BaseURLSource +
			") including its path, and look for a proxy or login page in between"
	}
	return "API", advice
}

func (d *doctor) examineClock(header string, began, ended time.Time) {
	at, err := http.ParseTime(header)
	if err != nil {
		return // the response does not tell the server's time
	}
	skew := began.Add(ended.Sub(began) / 2).Sub(at).Round(time.Second)
	off, direction := skew, "ahead of"
	if skew < 0 {
		off, direction = -skew, "behind"
	}
	found := fmt.Sprintf("this machine is %s %s the server", off, direction)
	switch {
	case off >= skewProblem:
		d.problem("clock", found, "set the clock: webhook signatures, certificates and due dates depend on it")
	case off >= skewNoted:
		d.note("clock", found, "set the clock, by NTP where there is one")
	default:
		d.ok("clock", "agrees with the server's")
	}
}

func (d *doctor) examineExpiry(ping *apiclient.Ping) {
	if ping.TokenExpiresAt == nil {
		return
	}
	found := "expires " + command.ExpiryText(ping.TokenExpiresAt)
	if ping.TokenExpiresAt.Before(d.Now().Add(tokenSoon)) {
		d.note("token", found, "ask for a new one in time, and run `tarmac login` again")
		return
	}
	d.ok("token", found)
}

func (d *doctor) examineScopes(ping *apiclient.Ping) {
	if ping.Scopes == nil {
		d.note("scopes", "the server does not say which the token has", "")
		return
	}
	var missing, closed []string
	for _, needed := range neededScopes {
		if !slices.Contains(ping.Scopes, needed[0]) {
			missing, closed = append(missing, needed[0]), append(closed, needed[1])
		}
	}
	if len(missing) > 0 {
		d.problem("scopes", "the token lacks "+strings.Join(missing, ", ")+": "+strings.Join(closed, ", ")+" stay closed",
			"have a token issued with them; scopes cannot be added to an existing token")
		return
	}
	d.ok("scopes", strings.Join(ping.Scopes, ", "))
	for _, write := range [][2]string{{"invoices:propose", "no invoices can be proposed"},
		{"webhook_endpoints:manage", "webhooks stay closed"}} {
		if !slices.Contains(ping.Scopes, write[0]) {
			d.note("scopes", "the token lacks "+write[0]+": "+write[1], "")
		}
	}
}

// lastCause returns the innermost message of a network error. The outer messages repeat the
// address.
func lastCause(err error) string {
	var lookup *net.DNSError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.As(err, &lookup):
		return lookup.Err
	}
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err.Error()
}
