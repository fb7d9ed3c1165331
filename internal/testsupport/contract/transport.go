package contract

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/iotest"
)

// maxPrinted is the maximum number of bytes of a response body that a failing test prints.
const maxPrinted = 4 << 10

// Transport returns a RoundTripper that uses base, or http.DefaultTransport if base is nil. It
// fails t if a response does not conform to the contract, or if the server accepts a request that
// does not. Callers can read bodies as usual, and receive connection errors unchanged.
func (c *Contract) Transport(t testing.TB, base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return &transport{contract: c, base: base, report: reporter(t)}
}

type transport struct {
	contract *Contract
	base     http.RoundTripper
	report   func(exchange, error)
}

func (tr *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	sent, err := drain(req.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request's body: %w", err)
	}
	// A RoundTripper must not change the request that it receives.
	out := req.Clone(req.Context())
	if req.Body != nil && req.Body != http.NoBody {
		out.Body = io.NopCloser(bytes.NewReader(sent))
	}
	resp, err := tr.base.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	body, err := drain(resp.Body)
	resp.Body = replay(body, err)
	if err != nil {
		// The connection broke during the body, so the response cannot be checked. The caller
		// receives the same bytes and the same error.
		return resp, nil
	}
	x := exchange{req: req, reqBody: sent, status: resp.StatusCode, header: resp.Header, body: body}
	if err := tr.contract.check(x); err != nil {
		tr.report(x, err)
	}
	return resp, nil
}

// Handler returns a handler that responds as next does. It fails t if a response does not conform
// to the contract. It is meant for tests that call a handler without a connection. A response is
// sent only when it is complete.
func (c *Contract) Handler(t testing.TB, next http.Handler) http.Handler {
	report := reporter(t)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent, err := drain(req.Body)
		req.Body = replay(sent, err)

		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, req)
		answer := rec.Result()
		x := exchange{
			req: req, reqBody: sent, status: answer.StatusCode, header: answer.Header, body: rec.Body.Bytes(),
		}
		if err := c.check(x); err != nil {
			report(x, err)
		}
		for name, values := range x.header {
			w.Header()[name] = values
		}
		w.WriteHeader(x.status)
		_, _ = w.Write(x.body)
	})
}

// reporter returns a function that makes t fail. After t has ended, the function does nothing,
// because testing would panic. Clients that still poll in the background could otherwise cause that
// panic.
func reporter(t testing.TB) func(exchange, error) {
	var mu sync.Mutex
	over := false
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
	})
	return func(x exchange, err error) {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		body := x.body
		if len(body) > maxPrinted {
			body = body[:maxPrinted]
		}
		// Do not print the query of the URL, because it may contain data that must not be logged.
		t.Errorf("%s %s answered %d, against the contract: %v\nbody: %q", x.req.Method, x.req.URL.Path, x.status, err, body)
	}
}

func drain(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	data, err := io.ReadAll(body)
	if cerr := body.Close(); err == nil {
		err = cerr
	}
	return data, err
}

// replay returns a body that returns the bytes of an earlier read, followed by its error.
func replay(data []byte, end error) io.ReadCloser {
	if end == nil {
		return io.NopCloser(bytes.NewReader(data))
	}
	return io.NopCloser(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(end)))
}
