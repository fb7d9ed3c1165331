package service_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// shortTimeouts returns limits with time-outs of tenths of a second. On a busy machine an honest
// client may exceed them too.
func shortTimeouts() service.Limits {
	limits := service.DefaultLimits
	limits.HeaderTimeout, limits.ReadTimeout = 200*time.Millisecond, 400*time.Millisecond
	limits.WriteTimeout = 600 * time.Millisecond
	return limits
}

// withWriteTimeout returns the default limits with another time-out for sending a response.
func withWriteTimeout(write time.Duration) service.Limits {
	limits := service.DefaultLimits
	limits.WriteTimeout = write
	return limits
}

// listening is a fixture with a real listener, as in `tarmac serve`.
type listening struct {
	*fixture
	addr string
	tls  *tls.Config // the client's; nil without TLS
}

func listen(t *testing.T, limits service.Limits, secure bool) *listening {
	t.Helper()
	f := start(t, 0)
	f.limits = limits
	f.restart()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &listening{fixture: f, addr: ln.Addr().String()}
	var config *tls.Config
	if secure {
		// The test certificate of net/http/httptest.
		lender := httptest.NewTLSServer(nil)
		config = lender.TLS.Clone()
		config.NextProtos = nil // the default of net/http, as in `tarmac serve`
		l.tls = lender.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		lender.Close()
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- f.service.Serve(ctx, ln, config) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Errorf("Serve = %v", err)
		}
	})
	return l
}

// connect opens a connection with a deadline of a minute. It is closed when the test ends.
func (l *listening) connect() net.Conn {
	l.t.Helper()
	c, err := net.Dial("tcp", l.addr)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		l.t.Fatal(err)
	}
	return c
}

func (l *listening) writeText(c net.Conn, text string) {
	l.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		l.t.Fatal(err)
	}
}

// readUntilClosed reads until the server closes the connection, and returns what it read.
func (l *listening) readUntilClosed(what string, c net.Conn) string {
	l.t.Helper()
	said, err := io.ReadAll(c)
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		l.t.Errorf("%s was not cut off", what)
	}
	return string(said)
}

// checkServed checks that normal requests succeed, after some retries if the time-outs are
// short.
func (l *listening) checkServed(a tenant) {
	l.t.Helper()
	scheme := "http"
	if l.tls != nil {
		scheme = "https"
	}
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: l.tls, ForceAttemptHTTP2: true, DisableKeepAlives: true},
		Timeout:   time.Minute,
	}
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, scheme+"://"+l.addr+prefix+"/ping", nil)
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.secret)
	res, err := client.Do(req)
	for deadline := time.Now().Add(time.Minute); err != nil && l.limits.HeaderTimeout < time.Second &&
		time.Now().Before(deadline); {
		res, err = client.Do(req)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusOK {
		l.t.Errorf("an honest client: %d, %v", res.StatusCode, err)
	}
}

// drip writes a byte every few milliseconds until the connection is closed.
func drip(c net.Conn, text string) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for i := 0; ; i = (i + 1) % len(text) {
		if _, err := c.Write([]byte{text[i]}); err != nil {
			return
		}
		<-tick.C
	}
}

// Sending single bytes does not extend the deadline, and other clients are served meanwhile.
func TestSlowClientsAreCutOff(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	l := listen(t, shortTimeouts(), false)
	a := l.tenant("a")
	post := "POST " + prefix + "/invoices HTTP/1.1\r\nHost: a\r\n" +
		"Content-Type: application/json\r\nContent-Length: 1000\r\n"
	var wg sync.WaitGroup
	for what, c := range map[string]struct{ first, dripped string }{
		"one that says nothing":           {"", ""},
		"a request line that drips":       {"", "GET /aaaaaaaaaaaaaaaaaaaaa"},
		"a header that drips":             {"GET " + prefix + "/ping HTTP/1.1\r\nHost: a\r\n", "X-A: b\r\n"},
		"a header that stops":             {"GET " + prefix + "/ping HTTP/1.1\r\nHost: a\r\n", ""},
		"a body that drips without token": {post + "\r\n", " "},
		"a body that stops without token": {post + "\r\n", ""},
		"chunks that drip without token": {strings.Replace(
			post, "Content-Length: 1000", "Transfer-Encoding: chunked", 1,
		) + "\r\n", "1\r\n \r\n"},
	} {
		for range 20 {
			conn := l.connect()
			l.writeText(conn, c.first)
			if c.dripped != "" {
				wg.Go(func() { drip(conn, c.dripped) })
			}
			wg.Go(func() { l.readUntilClosed(what, conn) })
		}
	}
	l.checkServed(a)
	wg.Wait()
	l.checkServed(a)
}

// The connection is closed and its resources are freed.
func TestClientsThatDoNotReadAreCutOff(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	l := listen(t, withWriteTimeout(5*time.Second), false)
	a := l.tenant("a")
	rows := make([]ledger.Transaction, 200)
	for i := range rows {
		rows[i] = ledger.Transaction{
			ID: l.id(ids.Transaction), Date: civil.Of(noon), Currency: "USD", Counterparty: strings.Repeat("Northern ", 20),
			Memo: strings.Repeat("memo ", 100),
		}
	}
	l.write(func(tx *store.Tx) error { return tx.InsertTransactions(a.key, rows) })
	const asked = 400
	request := "GET " + prefix + "/transactions?limit=200 HTTP/1.1\r\nHost: a\r\n" +
		"Authorization: Bearer " + a.secret + "\r\n\r\n"
	c := l.connect()
	l.writeText(c, strings.Repeat(request, asked))
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for _, open := range []bool{true, false} {
		for (l.metric("tarmac_connections_open") != "0") != open {
			<-look.C // ends with the test's time-out if the metric never changes
		}
	}
	if got := strings.Count(l.readUntilClosed("one that does not read", c), "HTTP/1.1 200 OK"); got == 0 || got == asked {
		t.Errorf("%d of %d were answered to somebody that did not read", got, asked)
	}
	l.checkServed(a)
}

// The response is a line of plain text (docs/api.md, Errors). What follows is not read as a
// request.
func TestMalformedRequestsEndTheConnection(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	l := listen(t, service.DefaultLimits, false)
	a := l.tenant("a")
	get := "GET " + prefix + "/ping HTTP/1.1\r\nHost: a\r\n"
	post := "POST " + prefix + "/invoices HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + a.secret +
		"\r\nContent-Type: application/json\r\n"
	smuggled := "GET " + prefix + "/ping HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + a.secret + "\r\n\r\n"
	for what, c := range map[string]struct{ sent, status string }{
		"a long header":               {get + "X-A: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", "431"},
		"very many headers":           {get + strings.Repeat("X: y\r\n", 20_000) + "\r\n", "431"},
		"a long path":                 {"GET /" + strings.Repeat("a", 64<<10) + " HTTP/1.1\r\nHost: a\r\n\r\n", "431"},
		"a long method":               {strings.Repeat("A", 64<<10) + " / HTTP/1.1\r\nHost: a\r\n\r\n", "431"},
		"no host":                     {"GET " + prefix + "/ping HTTP/1.1\r\n\r\n", "400"},
		"two hosts":                   {get + "Host: b\r\n\r\n", "400"},
		"a NUL in a header":           {get + "X: a\x00b\r\n\r\n", "400"},
		"a blank before the colon":    {get + "X : a\r\n\r\n", "400"},
		"a folded first line":         {"GET " + prefix + "/ping HTTP/1.1\r\n Host: a\r\n\r\n", "400"},
		"two lengths":                 {post + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n", "400"},
		"a length with a sign":        {post + "Content-Length: +5\r\n\r\n12345", "400"},
		"a negative length":           {post + "Content-Length: -1\r\n\r\n", "400"},
		"an encoding that nobody has": {post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501"},
		"two encodings": {
			post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", "501",
		},
		"a broken escape":     {"GET " + prefix + "/ping/%zz HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
		"a blank in the path": {"GET " + prefix + "/pi ng HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
		"another protocol":    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "404"},
		"a TLS handshake":     {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "400"},
	} {
		conn := l.connect()
		// The server may close the connection before it has read everything.
		_, _ = io.WriteString(conn, c.sent+smuggled)
		got := l.readUntilClosed(what, conn)
		if !strings.HasPrefix(got, "HTTP/1.1 "+c.status+" ") || strings.Count(got, "HTTP/1.1") != 1 {
			t.Errorf("%s: %.200q; want one answer of %s", what, got, c.status)
		}
		if strings.Contains(got, a.secret) {
			t.Errorf("%s: the answer repeats the token", what)
		}
	}
	l.checkServed(a)
}

// For a body with both a length and chunks, the chunks determine where the next request starts.
func TestPipelinedRequestsAreAnsweredInOrder(t *testing.T) {
	skipOnPostgreSQL(t)
	l := listen(t, service.DefaultLimits, false)
	a := l.tenant("a")
	head := " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + a.secret + "\r\n"
	c := l.connect()
	l.writeText(c, strings.Repeat("GET "+prefix+"/ping"+head+"\r\nGET "+prefix+"/nothing"+head+"\r\n", 100))
	l.writeText(c, "POST "+prefix+"/invoices"+head+"Content-Type: application/json\r\nContent-Length: 4\r\n"+
		"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET "+prefix+"/ping"+head+"Connection: close\r\n\r\n")
	in := bufio.NewReader(c)
	for i := range 202 {
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("answer %d: %v", i+1, err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Fatal(err)
		}
		want := [...]int{http.StatusOK, http.StatusNotFound}[i%2]
		switch i {
		case 200:
			want = http.StatusBadRequest
		case 201:
			want = http.StatusOK
		}
		if res.StatusCode != want {
			t.Errorf("answer %d: %d, want %d", i+1, res.StatusCode, want)
		}
	}
	if rest, err := io.ReadAll(in); err != nil || len(rest) != 0 {
		t.Errorf("after the last: %q, %v", rest, err)
	}
}

func TestEndlessBodiesAreCutOff(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	l := listen(t, service.DefaultLimits, false)
	a := l.tenant("a")
	for what, authorization := range map[string]string{
		"with a token": "Authorization: Bearer " + a.secret + "\r\n", "without": "",
	} {
		c := l.connect()
		l.writeText(c, "POST "+prefix+"/invoices HTTP/1.1\r\nHost: a\r\n"+authorization+
			"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
		chunk := []byte("10000\r\n" + strings.Repeat(" ", 0x10000) + "\r\n")
		sent := 0
		for ; sent < 1<<10; sent++ {
			if _, err := c.Write(chunk); err != nil {
				break
			}
		}
		if sent == 1<<10 {
			t.Errorf("%s: 64 MiB were taken", what)
		}
	}
	l.checkServed(a)
}

// Streams of one connection are limited, and a client that opens and resets streams as fast as
// it can is disconnected.
func TestHTTP2FloodsDisturbNobody(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	l := listen(t, service.DefaultLimits, true)
	a := l.tenant("a")
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: l.tls, ForceAttemptHTTP2: true, MaxConnsPerHost: 1}}
	ask := func(ctx context.Context) (int, string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+l.addr+prefix+"/account", nil)
		if err != nil {
			return 0, "", err
		}
		req.Header.Set("Authorization", "Bearer "+a.secret)
		res, err := client.Do(req)
		if err != nil {
			return 0, "", err
		}
		return res.StatusCode, res.Proto, res.Body.Close()
	}
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			if status, proto, err := ask(t.Context()); err != nil || status != http.StatusOK || proto != "HTTP/2.0" {
				t.Errorf("%d %s, %v", status, proto, err)
			}
		})
	}
	wg.Wait()
	for range 2000 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, _, _ = ask(ctx) // answered or reset, depending on timing
		})
	}
	wg.Wait()
	client.CloseIdleConnections()
	l.checkServed(a)
	plain := l.connect()
	l.writeText(plain, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	if got := l.readUntilClosed("plain HTTP", plain); !strings.HasPrefix(got, "HTTP/1.0 400 ") {
		t.Errorf("plain HTTP: %q", got)
	}
}

func TestAHandshakeThatNeverComesIsCutOff(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	l := listen(t, shortTimeouts(), true)
	a := l.tenant("a")
	l.readUntilClosed("a handshake that never comes", l.connect())
	l.checkServed(a)
}

// The limit of connections is low here. Metrics show the closed ones.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	skipOnPostgreSQL(t)
	limits := service.DefaultLimits
	limits.Connections = 10
	l := listen(t, limits, false)
	a := l.tenant("a")
	for range 300 {
		l.connect()
	}
	l.checkServed(a)
	if got := l.metric(`tarmac_connections_refused_total{which="resting"}`); len(got) < 3 {
		t.Errorf("%s connections made room, of 301 where 10 may be", got)
	}
}
