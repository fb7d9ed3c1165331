package service_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/service"
)

// The caller sends the whole body before it reads. The connection must not be reset.
func TestACallerThatSendsTooMuchCanReadTheResponse(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	const upload = 10 << 20
	for name, secure := range map[string]bool{"in the clear": false, "over TLS": true} {
		t.Run(name, func(t *testing.T) {
			l := listen(t, service.DefaultLimits, secure)
			a := l.tenant("a")
			post := "POST " + prefix + "/invoices HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
			authorized := post + "Authorization: Bearer " + a.secret + "\r\n"
			body := strings.Repeat(" ", upload)
			chunked := "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", upload, body)
			for what, c := range map[string]struct {
				sent   string
				status int
			}{
				"a long header":                   {post + "X-A: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", 431},
				"a body of a declared length":     {authorized + fmt.Sprintf("Content-Length: %d\r\n\r\n", upload) + body, 413},
				"a body in chunks":                {authorized + chunked, 413},
				"a body that no token comes with": {post + fmt.Sprintf("Content-Length: %d\r\n\r\n", upload) + body, 401},
			} {
				conn := l.secured(l.connect())
				if _, err := io.WriteString(conn, c.sent); err != nil {
					t.Errorf("%s could not be sent: %v", what, err)
				}
				in := bufio.NewReader(conn)
				res, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				text, err := io.ReadAll(res.Body)
				if res.StatusCode != c.status || err != nil || len(text) == 0 || !res.Close {
					t.Errorf("%s: %d %q, %v, closing %v; want %d", what, res.StatusCode, text, err, res.Close, c.status)
				}
				if rest, err := io.ReadAll(in); len(rest) != 0 || err != nil {
					t.Errorf("%s: after the answer came %q, %v", what, rest, err)
				}
			}
			l.checkServed(a)
		})
	}
}

// secured returns the client's side of a connection, over TLS if the server uses it.
func (l *listening) secured(c net.Conn) net.Conn {
	if l.tls == nil {
		return c
	}
	config := l.tls.Clone()
	config.ServerName, config.NextProtos = "example.com", []string{"http/1.1"}
	return tls.Client(c, config)
}

// Go's client reads while it sends.
func TestAGoClientReadsThatItsBodyIsTooLarge(t *testing.T) {
	skipOnPostgreSQL(t)
	t.Parallel()
	for name, c := range map[string]struct{ secure, http2 bool }{
		"HTTP/1.1": {false, false}, "HTTP/1.1 over TLS": {true, false}, "HTTP/2": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := listen(t, service.DefaultLimits, c.secure)
			a := l.tenant("a")
			scheme := map[bool]string{false: "http", true: "https"}[c.secure]
			body := bytes.Repeat([]byte(" "), 10<<20)
			for _, length := range []int64{int64(len(body)), -1} {
				for _, wait := range []time.Duration{0, time.Nanosecond, time.Minute} { // before it sends its body unasked
					transport := &http.Transport{TLSClientConfig: l.tls, ForceAttemptHTTP2: c.http2, ExpectContinueTimeout: wait}
					req, err := http.NewRequestWithContext(
						t.Context(), http.MethodPost, scheme+"://"+l.addr+prefix+"/invoices", bytes.NewReader(body),
					)
					if err != nil {
						t.Fatal(err)
					}
					req.ContentLength = length
					req.Header.Set("Authorization", "Bearer "+a.secret)
					req.Header.Set("Content-Type", "application/json")
					if wait != 0 {
						req.Header.Set("Expect", "100-continue")
					}
					res, err := transport.RoundTrip(req)
					if err != nil {
						t.Errorf("length %d, waiting for %v: %v", length, wait, err)
						continue
					}
					text, err := io.ReadAll(res.Body)
					if err = errors.Join(err, res.Body.Close()); res.StatusCode != 413 || err != nil ||
						!strings.HasPrefix(string(text), `{"error":`) {
						t.Errorf("length %d, waiting for %v: %d %q, %v", length, wait, res.StatusCode, text, err)
					}
					transport.CloseIdleConnections()
				}
			}
		})
	}
}
