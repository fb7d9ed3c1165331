package outbox_test

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/contract"
)

// delivery is a request that a receiver got.
type delivery struct {
	header http.Header
	body   []byte
	method string
	path   string
}

// receiver is a webhook receiver on the loopback address.
type receiver struct {
	*httptest.Server
	received chan delivery
}

// loadContract reads the contract once for all tests.
var loadContract = sync.OnceValues(contract.Open)

// newReceiver returns a receiver that handles each delivery with answer, or responds 204 if
// that is nil. In tests, but not in benchmarks, each delivery is checked against the
// contract.
func newReceiver(t testing.TB, answer http.HandlerFunc) *receiver {
	t.Helper()
	contractCheck, err := loadContract()
	if err != nil {
		t.Fatal(err)
	}
	_, isBenchmark := t.(*testing.B)
	r := &receiver{received: make(chan delivery, 10_000)}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Errorf("reading a delivery: %v", err)
		}
		if !isBenchmark {
			if err := contractCheck.CheckDelivery(req.Method, req.Header, body); err != nil {
				t.Errorf("a delivery violates the contract: %v\n%v\n%s", err, req.Header, body)
			}
		}
		r.received <- delivery{req.Header, body, req.Method, req.URL.RequestURI()}
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, req)
	}))
	r.Config.ErrorLog = log.New(io.Discard, "", 0) // many tests break connections
	ctx, over := context.WithCancel(context.Background())
	r.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	r.StartTLS()
	t.Cleanup(func() {
		over() // no handler outlives its test
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

// respondWith responds with the statuses that a test sends, one for each delivery.
func respondWith(answer <-chan int) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		select {
		case status := <-answer:
			w.WriteHeader(status)
		case <-req.Context().Done():
		}
	}
}

func (r *receiver) next(t testing.TB) delivery {
	t.Helper()
	select {
	case d := <-r.received:
		return d
	case <-time.After(waitLimit):
		t.Fatal("nothing was delivered")
		return delivery{}
	}
}

// rawServer serves connections, over TLS if config is set, and returns its address.
func rawServer(t testing.TB, config *tls.Config, serve func(net.Conn)) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
				defer conn.Close()
				if config != nil {
					conn = tls.Server(conn, config)
				}
				serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		cancel()
		_ = ln.Close()
		wg.Wait()
	})
	return ln.Addr().String()
}
