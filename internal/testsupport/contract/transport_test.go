package contract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// witness is a testing.TB that records failures.
type witness struct {
	testing.TB
	mu     sync.Mutex
	told   []string
	atEnds []func()
}

func (w *witness) Errorf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, fmt.Sprintf(format, args...))
}

func (w *witness) Cleanup(f func()) { w.atEnds = append(w.atEnds, f) }

func (w *witness) end() {
	for _, f := range w.atEnds {
		f()
	}
}

// answering returns a service that sends the same response to every request.
func answering(x exchange) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		for name, values := range x.header {
			w.Header()[name] = values
		}
		w.WriteHeader(x.status)
		_, _ = w.Write(x.body)
	})
}

func get(t *testing.T, rt http.RoundTripper, method, url, body string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := (&http.Client{Transport: rt}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(data)
}

func TestTransportPassesWhatConforms(t *testing.T) {
	c := Load(t)
	for _, id := range []string{"ping", "proposeInvoice", "getInvoicePdf", "deleteWebhook"} {
		op := operation(t, c, id)
		examples := examplesOf(t, c, op, op.Statuses[0])
		for _, body := range examples {
			x := goodExchange(t, c, op, op.Statuses[0], body)
			server := httptest.NewServer(answering(x))
			defer server.Close()
			resp, got := get(t, c.Transport(t, nil), op.Method, server.URL+x.req.URL.Path, string(x.reqBody))
			if resp.StatusCode != x.status || got != string(x.body) {
				t.Errorf("%s: got %d %q, want %d %q", id, resp.StatusCode, got, x.status, x.body)
			}
		}
		if c.Seen()[id][op.Statuses[0]] != len(examples) {
			t.Errorf("%s was seen %v, want %d times with %d", id, c.Seen()[id], len(examples), op.Statuses[0])
		}
	}
}

func TestTransportTellsWhatDoesNot(t *testing.T) {
	c := Load(t)
	x := example(t, c, "ping", "ping")
	x.body = []byte(`{"org_id":7}`)
	server := httptest.NewServer(answering(x))
	defer server.Close()

	w := &witness{TB: t}
	rt := c.Transport(w, nil)
	_, got := get(t, rt, "GET", server.URL+"/api/ext/v1/ping?token=svc_org_x", "")
	if got != string(x.body) {
		t.Errorf("the caller read %q, want %q", got, x.body)
	}
	if len(w.told) != 1 {
		t.Fatalf("the test was told %d times, want once: %q", len(w.told), w.told)
	}
	for _, want := range []string{"GET", "/api/ext/v1/ping", "200", `org_id`} {
		if !strings.Contains(w.told[0], want) {
			t.Errorf("the failure does not show %q: %s", want, w.told[0])
		}
	}
	if strings.Contains(w.told[0], "svc_org_") {
		t.Errorf("the failure shows the query: %s", w.told[0])
	}

	w.end()
	get(t, rt, "GET", server.URL+"/api/ext/v1/ping", "")
	if len(w.told) != 1 {
		t.Errorf("a test that is over was told: %q", w.told[1:])
	}
}

func TestHandlerReferees(t *testing.T) {
	c := Load(t)
	good := example(t, c, "proposeInvoice", "draft")
	bad := good
	bad.body = bytes.Replace(good.body, []byte(`"draft"`), []byte(`"open"`), 1)
	for _, tt := range []struct {
		x    exchange
		told int
	}{{good, 0}, {bad, 1}} {
		w := &witness{TB: t}
		server := httptest.NewServer(c.Handler(w, answering(tt.x)))
		resp, got := get(t, http.DefaultTransport, "POST", server.URL+"/api/ext/v1/invoices", string(good.reqBody))
		server.Close()
		if len(w.told) != tt.told {
			t.Errorf("told %d times, want %d: %q", len(w.told), tt.told, w.told)
		}
		if resp.StatusCode != 201 || got != string(tt.x.body) || resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("the answer did not come through: %d %q %v", resp.StatusCode, got, resp.Header)
		}
	}
}

func TestTransportKeepsFailuresOfTheConnection(t *testing.T) {
	c := Load(t)
	want := errors.New("refused")
	rt := c.Transport(t, roundTrip(func(*http.Request) (*http.Response, error) { return nil, want }))
	req := httptest.NewRequest("GET", "http://service/api/ext/v1/ping", nil)
	if _, err := rt.RoundTrip(req); !errors.Is(err, want) {
		t.Errorf("RoundTrip: %v, want %v", err, want)
	}

	cut := errors.New("cut off")
	rt = c.Transport(t, roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: replay([]byte(`{"org`), cut)}, nil
	}))
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if string(got) != `{"org` || !errors.Is(err, cut) {
		t.Errorf("read %q and %v, want the bytes that came and %v", got, err, cut)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
