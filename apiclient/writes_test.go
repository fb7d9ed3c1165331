package apiclient_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/apiclient"
)

// transports are the kinds of transports a client may have. One that is not an
// *http.Transport keeps its connections.
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

// Whatever happens to a write, the server gets it once, and the caller learns whether it
// may have been carried out. The connection was used before, which lets net/http repeat
// requests.
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
				continue // no body can be wrong
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
				case strings.Contains(err.Error(), "check before") != (fault.want == unknown):
					t.Errorf("%s, %s: %v", operation, name, err)
				case fault.want == refused && !errors.As(err, &refusal):
					t.Errorf("%s, %s: %v is no refusal", operation, name, err)
				}
				server.Close()
			}
		}
	}
}

// A reused connection may be dead, and would lose the write.
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

// Writes are sent once over HTTP/2 too, where a stream breaks instead of a connection.
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
			// Enough time to arrive even on a busy machine.
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

// A write without a connection was not carried out.
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

// A transport that does not report its connections leaves the outcome unknown.
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

func TestReadsNeverLeaveAnOutcomeUnknown(t *testing.T) {
	for name, fault := range faults(t) {
		if fault.handler == nil {
			continue
		}
		client, _ := serve(t, fault.handler)
		if _, err := client.Ping(t.Context()); err == nil || errors.Is(err, apiclient.ErrOutcomeUnknown) ||
			strings.Contains(err.Error(), "check before") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
