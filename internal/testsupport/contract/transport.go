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

// shown bounds how much of a body a failure prints.
const shown = 4 << 10

// Transport returns a RoundTripper over base (http.DefaultTransport when nil)
// that fails t for every answer that is not as the contract has it, whatever its
// status, and for every request that the contract refuses and the server
// accepted. Callers read bodies as if it were not there. Connection errors pass
// as they are.
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
	// A RoundTripper must not change the request it is given.
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
		// The connection broke within the body: nothing to judge, and the
		// caller gets the same bytes and the same error.
		return resp, nil
	}
	x := exchange{req: req, reqBody: sent, status: resp.StatusCode, header: resp.Header, body: body}
	if err := tr.contract.check(x); err != nil {
		tr.report(x, err)
	}
	return resp, nil
}

// Handler is Transport for handlers that are called without a connection: it
// answers as next does, and fails t as Transport does. Answers are held back
// until they are complete.
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

// reporter fails t, until t is over: a client that still polls in the background
// by then has nobody to tell, and testing panics on a late report.
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
		if len(body) > shown {
			body = body[:shown]
		}
		// Method and path alone: a query may hold what a log should not.
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

// replay returns a body that was read before: its bytes, then how it ended.
func replay(data []byte, end error) io.ReadCloser {
	if end == nil {
		return io.NopCloser(bytes.NewReader(data))
	}
	return io.NopCloser(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(end)))
}
