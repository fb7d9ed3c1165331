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

// maxPrinted is the most of a body that a failure prints, in bytes.
const maxPrinted = 4 << 10

// Transport returns a RoundTripper over base (http.DefaultTransport if nil) that fails t
// for every response that does not conform, and for every request that the server accepted
// against the contract. Callers read bodies as usual. Connection errors pass unchanged.
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
	// A RoundTripper must not change its request.
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
		// The connection broke within the body: there is nothing to check, and the caller
		// gets the same bytes and error.
		return resp, nil
	}
	x := exchange{req: req, reqBody: sent, status: resp.StatusCode, header: resp.Header, body: body}
	if err := tr.contract.check(x); err != nil {
		tr.report(x, err)
	}
	return resp, nil
}

// Handler is Transport for handlers called without a connection: it responds as next does
// and fails t for responses that do not conform. It sends responses only when they are
// complete.
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

// reporter fails t until t ends. testing panics on later reports, which clients that still
// poll in the background would cause.
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
		// The query may contain what a log should not.
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

// replay returns a body with the bytes and the error that an earlier read got.
func replay(data []byte, end error) io.ReadCloser {
	if end == nil {
		return io.NopCloser(bytes.NewReader(data))
	}
	return io.NopCloser(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(end)))
}
