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

// delivery is what a receiver got.
type delivery struct {
	header http.Header
	body   []byte
	method string
	path   string
}

// receiver is a webhook receiver on the loopback address.
type receiver struct {
	*httptest.Server
	got chan delivery
}

// openContract reads the contract once for all tests.
var openContract = sync.OnceValues(contract.Open)

// newReceiver makes one that answers each delivery with answer, or 204 if that is
// nil. In a test, every delivery is held against the contract.
func newReceiver(t testing.TB, answer http.HandlerFunc) *receiver {
	t.Helper()
	referee, err := openContract()
	if err != nil {
		t.Fatal(err)
	}
	_, measured := t.(*testing.B)
	r := &receiver{got: make(chan delivery, 10_000)}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Errorf("reading a delivery: %v", err)
		}
		if !measured {
			if err := referee.CheckDelivery(req.Method, req.Header, body); err != nil {
				t.Errorf("a delivery is not as the contract has it: %v\n%v\n%s", err, req.Header, body)
			}
		}
		r.got <- delivery{req.Header, body, req.Method, req.URL.RequestURI()}
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, req)
	}))
	r.Config.ErrorLog = log.New(io.Discard, "", 0) // half of the tests break connections
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

// told answers with the statuses that a test sends, one each.
func told(answer <-chan int) http.HandlerFunc {
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
	case d := <-r.got:
		return d
	case <-time.After(patience):
		t.Fatal("nothing was delivered")
		return delivery{}
	}
}

// raw listens for TLS connections and hands them over when the handshake is done.
// It returns the address.
func raw(t testing.TB, config *tls.Config, serve func(net.Conn)) string {
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
