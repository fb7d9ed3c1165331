package apiclient_test

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"tarmac/apiclient"
)

// writes are all operations that change something, with their success statuses.
var writes = map[string]struct {
	status int
	call   func(context.Context, *apiclient.Client) error
}{
	"propose": {201, func(ctx context.Context, c *apiclient.Client) error {
		_, err := c.ProposeInvoice(ctx, proposal(), apiclient.IdempotencyKey("key-1"))
		return err
	}},
	"create": {201, func(ctx context.Context, c *apiclient.Client) error {
		_, err := c.CreateWebhook(ctx, "https://hooks.example.com/finance", []apiclient.EventType{apiclient.EventInvoicePaid})
		return err
	}},
	"update": {200, func(ctx context.Context, c *apiclient.Client) error {
		_, err := c.UpdateWebhook(ctx, "wh_1", apiclient.WebhookPatch{Status: ptr(apiclient.WebhookPaused)})
		return err
	}},
	"delete": {204, func(ctx context.Context, c *apiclient.Client) error { return c.DeleteWebhook(ctx, "wh_1") }},
	"rotate": {200, func(ctx context.Context, c *apiclient.Client) error {
		_, err := c.RotateWebhookSecret(ctx, "wh_1")
		return err
	}},
	"verify": {202, func(ctx context.Context, c *apiclient.Client) error {
		_, err := c.VerifyWebhook(ctx, "wh_1")
		return err
	}},
}

// hijacked takes over the connection from the server and calls fn.
func hijacked(t testing.TB, fn func(net.Conn, *bufio.ReadWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		fn(conn, buffered)
		_ = conn.Close()
	}
}

func saying(t testing.TB, text string) http.HandlerFunc {
	return hijacked(t, func(_ net.Conn, b *bufio.ReadWriter) {
		_, _ = b.WriteString(text)
		_ = b.Flush()
	})
}

const (
	refused = iota // refused for certain
	unknown
)

// faults are failures of a write that reached the server, with what the client knows of the
// outcome.
func faults(t testing.TB) map[string]struct {
	handler http.HandlerFunc
	want    int
} {
	status := func(code int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			w.Header().Set("Location", "/elsewhere")
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	const (
		page = "text/html"
		api  = "application/json"
		no   = `{"error":"not now"}`
	)
	return map[string]struct {
		handler http.HandlerFunc
		want    int
	}{
		"hung up": {hijacked(t, func(net.Conn, *bufio.ReadWriter) {}), unknown},
		"reset": {
			hijacked(t, func(c net.Conn, _ *bufio.ReadWriter) { _ = c.(*net.TCPConn).SetLinger(0) }),
			unknown,
		},
		"no HTTP":       {saying(t, "hello\r\n\r\n"), unknown},
		"half a header": {saying(t, "HTTP/1.1 201 Created\r\nContent-"), unknown},
		"half a body": {
			saying(t, "HTTP/1.1 418 No\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"),
			refused,
		},
		"half a good body":      {nil, unknown}, // the handler needs the operation's status
		"a wrong good status":   {status(206, api, `{}`), unknown},
		"a good status, a page": {nil, unknown},
		"a good status, no shape": {nil,
			unknown},
		"302":              {status(302, page, ""), refused},
		"303":              {status(303, page, ""), unknown},
		"307":              {status(307, page, ""), refused},
		"308":              {status(308, page, ""), refused},
		"400":              {status(400, api, no), refused},
		"401":              {status(401, api, no), refused},
		"403 by a proxy":   {status(403, page, "<html>"), refused},
		"408":              {status(408, page, ""), refused},
		"409":              {status(409, api, no), refused},
		"422":              {status(422, api, no), refused},
		"429":              {status(429, api, no), refused},
		"500":              {status(500, api, no), unknown},
		"500, unexplained": {status(500, page, "oops"), unknown},
		"500, other JSON":  {status(500, api, `{"message":"oops"}`), unknown},
		"502":              {status(502, api, no), unknown},
		"503":              {status(503, api, no), unknown},
		"503 by a proxy":   {status(503, page, "<html>"), unknown},
		"504":              {status(504, api, no), unknown},
	}
}

// faultyServer responds normally to reads and with handler to writes, which it counts.
func faultyServer(handler http.HandlerFunc, written *atomic.Int64) *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			answering(pong)(w, r)
			return
		}
		written.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		handler(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	return server
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
