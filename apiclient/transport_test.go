package apiclient_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"tarmac/apiclient"
	network "tarmac/internal/testsupport/faults"
)

// authority is a certificate authority.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t testing.TB, name string) authority {
	t.Helper()
	return authority{}.sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	})
}

// sign returns a certificate, self-signed if there is no authority.
func (a authority) sign(t testing.TB, template *x509.Certificate) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parent, signer := a.certificate, a.key
	if parent == nil {
		parent, signer = template, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return authority{certificate, key}
}

// secured starts a TLS server that counts its requests.
func secured(t testing.TB, a authority, asked *atomic.Int64) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); answer(w, 200, pong) }),
	)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{a.certificate.Raw}, PrivateKey: a.key}},
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// A token is never sent to a server with an invalid certificate, and text of the
// certificate is cleaned in errors.
func TestOnlyServersThatProveWhoTheyAreGetTheToken(t *testing.T) {
	ca, stranger := newAuthority(t, "Ours"), newAuthority(t, "\x1b]0;owned\x07\u009b2J\u202eevil")
	leaf := func(from, to time.Duration, names ...string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "\x1b[31mserver\u202e"}, NotBefore: time.Now().Add(from),
			NotAfter: time.Now().Add(to),
			DNSNames: names, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
	}
	here := leaf(-time.Hour, time.Hour, "evil.example")
	good := leaf(-time.Hour, time.Hour)
	good.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	expired := leaf(-2*time.Hour, -time.Hour)
	expired.IPAddresses = good.IPAddresses
	early := leaf(time.Hour, 2*time.Hour)
	early.IPAddresses = good.IPAddresses
	client := leaf(-time.Hour, time.Hour)
	client.IPAddresses, client.ExtKeyUsage = good.IPAddresses, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	for name, c := range map[string]struct {
		identity authority
		ok       bool
	}{
		"good": {ca.sign(t, good), true}, "expired": {ca.sign(t, expired), false}, "not yet": {ca.sign(t, early), false},
		"another name":                   {ca.sign(t, here), false},
		"an authority that nobody knows": {stranger.sign(t, good), false},
		"signed by itself":               {authority{}.sign(t, good), false}, "a client's": {ca.sign(t, client), false},
	} {
		var asked atomic.Int64
		server := secured(t, c.identity, &asked)
		pool := x509.NewCertPool()
		pool.AddCert(ca.certificate)
		own := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
		ours, err := apiclient.New(server.URL, secret, apiclient.WithClock(newClock()),
			apiclient.WithHTTPClient(&http.Client{Transport: own}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = ours.Ping(t.Context())
		if (err == nil) != c.ok || (asked.Load() > 0) != c.ok {
			t.Errorf("%s: asked %d times, %v", name, asked.Load(), err)
		}
		if err != nil &&
			(!errors.Is(err, apiclient.ErrNetwork) ||
				strings.ContainsFunc(err.Error(), func(r rune) bool { return !unicode.IsGraphic(r) })) {
			t.Errorf("%s: %q", name, err)
		}
		// The client's own transport trusts only the system's authorities.
		theirs, err := apiclient.New(server.URL, secret, apiclient.WithClock(newClock()))
		if err != nil {
			t.Fatal(err)
		}
		before := asked.Load()
		if _, err := theirs.Ping(t.Context()); err == nil || asked.Load() != before {
			t.Errorf("%s, without the authority: asked %d times more, %v", name, asked.Load()-before, err)
		}
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); answer(w, 200, pong) }),
	)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	server.StartTLS()
	defer server.Close()
	client, err := apiclient.New(server.URL, secret, apiclient.WithClock(newClock()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "protocol version") ||
		asked.Load() > 0 {
		t.Errorf("asked %d times, %v", asked.Load(), err)
	}
}

// Redirects are never followed, with or without the token.
func TestRedirectsLeadNowhere(t *testing.T) {
	var elsewhere atomic.Int64
	other := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { elsewhere.Add(1); answer(w, 200, pong) }),
	)
	defer other.Close()
	port := strings.TrimPrefix(other.URL, "http://127.0.0.1")
	for _, to := range []string{
		other.URL + "/api/ext/v1/ping", "http://localhost" + port, "//127.0.0.1" + port, "/api/ext/v1/account",
		"https://127.0.0.1" + port,
		"http://" + secret + "@127.0.0.1" + port, "\x1b]0;x\x07", "javascript:alert(1)", "file:///etc/passwd",
		"?token=" + secret, "",
	} {
		for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
			var asked atomic.Int64
			client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				w.Header()["Location"] = []string{strings.Map(func(r rune) rune {
					if r < ' ' {
						return -1
					}
					return r
				}, to)}
				w.WriteHeader(status)
			}, apiclient.WithRetry(apiclient.NoRetry))
			_, err := client.Ping(t.Context())
			if !errors.Is(err, apiclient.ErrRedirected) || strings.Contains(err.Error(), "127.0.0.1") ||
				strings.Contains(err.Error(), secret) {
				t.Errorf("%d to %q: %v", status, to, err)
			}
			if asked.Load() != 1 || elsewhere.Load() != 0 {
				t.Fatalf("%d to %q: %d requests, %d elsewhere", status, to, asked.Load(), elsewhere.Load())
			}
			_, err = client.CreateWebhook(t.Context(), "https://hooks.example.com/",
				[]apiclient.EventType{apiclient.EventInvoicePaid})
			if err == nil || asked.Load() != 2 || elsewhere.Load() != 0 {
				t.Fatalf("a write, %d to %q: %d requests, %d elsewhere, %v", status, to, asked.Load(), elsewhere.Load(), err)
			}
		}
	}
}

// Plain http connects only to this machine, whatever address the name resolves to.
func TestPlainHTTPConnectsToThisMachineOnly(t *testing.T) {
	for far, ok := range map[string]bool{"127.0.0.1": true, "127.8.9.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"192.0.2.1": false, "::": false, "fe80::1": false} {
		var sent atomic.Int64
		transport := &http.Transport{DialContext: dialing(func(server net.Conn) {
			if _, err := http.ReadRequest(bufio.NewReader(server)); err == nil {
				sent.Add(1)
				_, _ = io.WriteString(server, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n"+
					pong)
			}
		}, far)}
		client, err := apiclient.New("http://localhost:8080", secret, apiclient.WithClock(newClock()),
			apiclient.WithHTTPClient(&http.Client{Transport: transport}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Ping(t.Context())
		if (err == nil) != ok || (sent.Load() > 0) != ok {
			t.Errorf("%s: sent %d, %v", far, sent.Load(), err)
		}
	}
}

// A proxy of the environment serves https through a tunnel and never sees the token.
func TestAProxySeesNoToken(t *testing.T) {
	var asked atomic.Int64
	ca := newAuthority(t, "Ours")
	server := secured(t, ca.sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"finance.example.com"},
	}), &asked)
	var mu sync.Mutex
	var heard strings.Builder
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		_ = r.Write(&heard)
		mu.Unlock()
		near, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer near.Close()
		far, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			return
		}
		defer far.Close()
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			mu := &mu
			_, _ = io.Copy(far, io.TeeReader(near, locked{mu, &heard}))
			_ = far.Close()
		}()
		_, _ = io.Copy(near, far)
	}))
	defer proxy.Close()
	pool := x509.NewCertPool()
	pool.AddCert(ca.certificate)
	through, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Proxy: http.ProxyURL(through), TLSClientConfig: &tls.Config{RootCAs: pool}}
	client, err := apiclient.New("https://finance.example.com", secret, apiclient.WithClock(newClock()),
		apiclient.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Ping(t.Context()); err != nil || asked.Load() != 1 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
	mu.Lock()
	defer mu.Unlock()
	if said := heard.String(); !strings.HasPrefix(said, "CONNECT finance.example.com:443") ||
		strings.Contains(said, secret) ||
		strings.Contains(said, "Authorization") {
		t.Errorf("the proxy heard %.300q", said)
	}

	// Plain http is only for this machine and uses no proxy.
	local, _ := serve(t, answering(pong),
		apiclient.WithHTTPClient(&http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(through)}}))
	heard.Reset()
	if _, err := local.Ping(t.Context()); err != nil || heard.Len() > 0 {
		t.Errorf("%v, and the proxy heard %q", err, heard.String())
	}
}

type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// Responses that never end, in bytes or in time, end the call.
func TestAnswersWithoutAnEndAreCutOff(t *testing.T) {
	for _, fault := range network.Connections() {
		handler := network.New(answering(pong), network.Options{})
		handler.Script(network.Rule{Fault: fault})
		opts := []apiclient.Option{apiclient.WithRetry(apiclient.NoRetry)}
		if fault.Holds {
			opts = append(opts, apiclient.WithTimeout(50*time.Millisecond))
		}
		client, _ := serve(t, handler.ServeHTTP, opts...)
		var contract *apiclient.ContractError
		if _, err := client.Ping(t.Context()); !errors.Is(err, apiclient.ErrNetwork) && !errors.As(err, &contract) {
			t.Errorf("%s: %v", fault.Name, err)
		}
	}
}

// Invisible characters within a token must not hide it from the search and then vanish in
// the cleaning.
func TestATokenIsHiddenInWhateverDress(t *testing.T) {
	for name, dress := range map[string]string{
		"zero width":                "svc_org_\u200babcdefghijklmnopqrstuvwxyz0123456789",
		"a sequence":                "svc_\x1b[1morg_abcdefghijklmnopqrstuvwxyz0123456789",
		"bidi":                      "svc_org_abc\u202edefghijklmnopqrstuvwxyz0123456789",
		"at the end of a long line": strings.Repeat("x", 990) + secret,
	} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", strings.ReplaceAll(dress, "\x1b[1m", "\u2060"))
			answer(w, 422, `{"error":"`+strings.ReplaceAll(dress, "\x1b", `\u001b`)+`"}`)
		})
		_, err := client.Ping(t.Context())
		var refusal *apiclient.Error
		if !errors.As(err, &refusal) || strings.Contains(err.Error()+refusal.RequestID, secret[:12]) {
			t.Errorf("%s: %v, %q", name, err, refusal.RequestID)
		}
	}
}

// The client stops reading a response above the size limit.
func TestNoMoreIsReadThanIsTaken(t *testing.T) {
	var written atomic.Int64
	left := make(chan struct{}, 1)
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		defer func() { left <- struct{}{} }()
		w.Header().Set("Content-Type", "application/json")
		chunk := []byte(strings.Repeat(" ", 64<<10))
		for written.Load() < 128<<20 {
			n, err := w.Write(chunk)
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	if _, err := client.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "is larger than 8 MiB") {
		t.Error(err)
	}
	<-left
	if written.Load() >= 128<<20 {
		t.Errorf("all of %d MiB was read", written.Load()>>20)
	}
}

// Text of libraries' errors is cleaned.
func TestErrorsOfTheNetworkAreShownCleaned(t *testing.T) {
	err := &apiclient.NetworkError{
		Method: "GET",
		Route:  "/ping",
		Err:    errors.New("from \x1b]0;x\x07\u202ethe\u009b2J\nnetwork"),
	}
	if got := err.Error(); got != "GET /ping: from the network" {
		t.Errorf("%q", got)
	}
}
