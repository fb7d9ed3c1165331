package apiclient_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/apiclient"
)

// writes are all operations that change something, and the status that each wants.
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

// hijacked takes the connection away from the server and leaves it to do.
func hijacked(t testing.TB, do func(net.Conn, *bufio.ReadWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		do(conn, buffered)
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
	refused = iota // by the server, for certain
	unknown
)

// faults are what can happen to a write that reached the server, and what is known
// of it then.
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

// faultyServer answers reads well and writes with handler, and counts the writes.
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

// transports are the ways of a client to a server; a shared transport that is not
// an *http.Transport keeps its connections.
var transports = map[string]func() apiclient.Option{
	"its own": func() apiclient.Option { return func(*apiclient.Client) error { return nil } },
	"a given": func() apiclient.Option {
		return apiclient.WithHTTPClient(&http.Client{Transport: &http.Transport{}})
	},
	"a wrapped": func() apiclient.Option {
		return apiclient.WithHTTPClient(&http.Client{Transport: wrapped{&http.Transport{}}})
	},
}

type wrapped struct{ http.RoundTripper }

// Whatever happens to a write, the server sees it once, and the caller learns
// whether it may have been carried out. The connection was used before, which is
// when net/http repeats requests.
func TestWritesAreSentOnce(t *testing.T) {
	for operation, write := range writes {
		for name, fault := range faults(t) {
			handler := fault.handler
			switch name {
			case "half a good body":
				handler = func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Length", "90")
					answer(w, write.status, `{"id":`)
				}
			case "a good status, a page":
				handler = func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					w.WriteHeader(write.status)
				}
			case "a good status, no shape":
				handler = func(w http.ResponseWriter, _ *http.Request) { answer(w, write.status, `[]`) }
			}
			if write.status == http.StatusNoContent && fault.handler == nil {
				continue // there is no body to be wrong
			}
			for way, option := range transports {
				var written atomic.Int64
				server := faultyServer(handler, &written)
				server.Start()
				client, err := apiclient.New(server.URL, apiclient.Token(secret), apiclient.WithClock(newClock()), option())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := client.Ping(t.Context()); err != nil {
					t.Fatal(err)
				}
				err = write.call(t.Context(), client)
				if written.Load() != 1 {
					t.Errorf("%s, %s, %s transport: sent %d times", operation, name, way, written.Load())
				}
				var refusal *apiclient.Error
				switch {
				case err == nil:
					t.Errorf("%s, %s: no error", operation, name)
				case errors.Is(err, apiclient.ErrOutcomeUnknown) != (fault.want == unknown):
					t.Errorf("%s, %s, %s transport: %v", operation, name, way, err)
				case strings.Contains(err.Error(), "look before") != (fault.want == unknown):
					t.Errorf("%s, %s: %v", operation, name, err)
				case fault.want == refused && !errors.As(err, &refusal):
					t.Errorf("%s, %s: %v is no refusal", operation, name, err)
				}
				server.Close()
			}
		}
	}
}

// A connection that was used before may be dead, and a write on it lost.
func TestEachWriteHasAConnectionOfItsOwn(t *testing.T) {
	for _, way := range []string{"its own", "a given"} {
		var written atomic.Int64
		from := map[string]bool{}
		server := faultyServer(func(w http.ResponseWriter, r *http.Request) {
			from[r.RemoteAddr] = true
			answer(w, 202, `{}`)
		}, &written)
		server.Start()
		client, err := apiclient.New(server.URL, apiclient.Token(secret), transports[way]())
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := client.VerifyWebhook(t.Context(), "wh_1"); err != nil {
				t.Error(err)
			}
		}
		server.Close()
		if len(from) != 3 {
			t.Errorf("%s transport: 3 writes over %d connections", way, len(from))
		}
	}
}

// What is sent once is sent once over HTTP/2 too, where a stream is broken off instead of a
// connection.
func TestWritesAreSentOnceOverHTTP2(t *testing.T) {
	for operation, write := range writes {
		var written atomic.Int64
		var protocol atomic.Value
		server := faultyServer(func(_ http.ResponseWriter, r *http.Request) {
			protocol.Store(r.Proto)
			panic(http.ErrAbortHandler)
		}, &written)
		server.EnableHTTP2 = true
		server.StartTLS()
		client, err := apiclient.New(server.URL, apiclient.Token(secret), apiclient.WithHTTPClient(server.Client()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := write.call(t.Context(), client); !errors.Is(err, apiclient.ErrOutcomeUnknown) || written.Load() != 1 ||
			protocol.Load() != "HTTP/2.0" {
			t.Errorf("%s: sent %d times over %v: %v", operation, written.Load(), protocol.Load(), err)
		}
		server.Close()
	}
}

func TestAWriteWithoutAnAnswerInTimeIsUnknown(t *testing.T) {
	for operation, write := range writes {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			var written atomic.Int64
			done := make(chan struct{})
			server := faultyServer(func(http.ResponseWriter, *http.Request) { <-done }, &written)
			server.Start()
			// Time enough that it arrives, on a busy machine too.
			client, err := apiclient.New(server.URL, apiclient.Token(secret), apiclient.WithTimeout(4*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			err = write.call(t.Context(), client)
			close(done)
			server.Close()
			if !errors.Is(err, apiclient.ErrOutcomeUnknown) || !errors.Is(err, context.DeadlineExceeded) || written.Load() != 1 {
				t.Errorf("sent %d times: %v", written.Load(), err)
			}
		})
	}
}

func TestAWriteThatIsCanceledOnItsWayIsUnknown(t *testing.T) {
	for operation, write := range writes {
		ctx, cancel := context.WithCancel(t.Context())
		var written atomic.Int64
		done := make(chan struct{})
		server := faultyServer(func(http.ResponseWriter, *http.Request) { cancel(); <-done }, &written)
		server.Start()
		client, err := apiclient.New(server.URL, apiclient.Token(secret))
		if err != nil {
			t.Fatal(err)
		}
		err = write.call(ctx, client)
		close(done)
		server.Close()
		if !errors.Is(err, apiclient.ErrOutcomeUnknown) || !errors.Is(err, context.Canceled) ||
			errors.Is(err, apiclient.ErrNetwork) {
			t.Errorf("%s: %v", operation, err)
		}
	}
}

// What never got a connection was not carried out.
func TestAWriteWithoutAConnectionIsNotUnknown(t *testing.T) {
	var written atomic.Int64
	tls := faultyServer(answering(pong), &written)
	tls.StartTLS()
	defer tls.Close()
	plain := faultyServer(answering(pong), &written)
	plain.Start()
	defer plain.Close()
	dialing := func(err error) apiclient.Option {
		return apiclient.WithHTTPClient(&http.Client{Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				if err == nil {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return nil, err
			},
		}})
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		base   string
		option apiclient.Option
	}{
		"refused": {t.Context(), "http://127.0.0.1:1", apiclient.WithUserAgent("x")},
		"unknown host": {t.Context(), "https://finance.example",
			dialing(&net.DNSError{Err: "no such host", Name: "finance.example", IsNotFound: true})},
		"no connection in time":   {t.Context(), "https://finance.example", dialing(nil)},
		"certificate not trusted": {t.Context(), tls.URL, apiclient.WithUserAgent("x")},
		"no TLS on the port": {t.Context(), "https" + strings.TrimPrefix(plain.URL, "http"),
			apiclient.WithUserAgent("x")},
		"canceled before": {over, plain.URL, apiclient.WithUserAgent("x")},
	} {
		for operation, write := range writes {
			client, err := apiclient.New(c.base, apiclient.Token(secret), c.option, apiclient.WithTimeout(time.Second))
			if err != nil {
				t.Fatal(err)
			}
			if name == "no connection in time" {
				if client, err = apiclient.New(c.base, apiclient.Token(secret), c.option,
					apiclient.WithTimeout(10*time.Millisecond)); err != nil {
					t.Fatal(err)
				}
			}
			err = write.call(c.ctx, client)
			var network *apiclient.NetworkError
			if !errors.As(err, &network) || errors.Is(err, apiclient.ErrOutcomeUnknown) || network.Attempts != 1 {
				t.Errorf("%s, %s: %v", operation, name, err)
			}
		}
	}
	if written.Load() != 0 {
		t.Errorf("%d writes arrived", written.Load())
	}
}

// A transport that says nothing about its connections proves nothing.
func TestAnOpaqueTransportLeavesTheOutcomeUnknown(t *testing.T) {
	client, err := apiclient.New(
		"https://finance.example",
		apiclient.Token(secret),
		apiclient.WithHTTPClient(
			&http.Client{
				Transport: roundTripper(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }),
			},
		),
	)
	if err != nil {
		t.Fatal(err)
	}
	for operation, write := range writes {
		if err := write.call(t.Context(), client); !errors.Is(err, apiclient.ErrOutcomeUnknown) {
			t.Errorf("%s: %v", operation, err)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestReadsNeverLeaveAnOutcomeUnknown(t *testing.T) {
	for name, fault := range faults(t) {
		if fault.handler == nil {
			continue
		}
		client, _ := serve(t, fault.handler)
		if _, err := client.Ping(t.Context()); err == nil || errors.Is(err, apiclient.ErrOutcomeUnknown) ||
			strings.Contains(err.Error(), "look before") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
