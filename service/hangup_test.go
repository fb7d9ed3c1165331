package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/service"
	"tarmac/service/httpapi"
	"tarmac/service/store"
)

// blockOperations blocks every operation of an organization except ping until release is called.
func (f *fixture) blockOperations(a tenant) (release func()) {
	f.t.Helper()
	st, end := f.service.Store(), make(chan struct{})
	var in, out sync.WaitGroup
	hold := func() error { in.Done(); <-end; return errors.New("nothing to keep") }
	in.Add(st.Readers() + 1)
	for range st.Readers() {
		out.Go(func() { _ = st.Read(context.Background(), func(*store.Snapshot) error { return hold() }) })
	}
	out.Go(func() { _ = st.WriteOf(context.Background(), a.key, func(*store.Tx) error { return hold() }) })
	in.Wait()
	return func() {
		close(end)
		out.Wait()
	}
}

// requestLine is the log line of a request.
type requestLine struct {
	Level, Route, Error string
	Status              int
	Took                *float64 `json:"took_ms"`
}

// logged waits for the n-th request in the log and returns its log line.
func (f *fixture) logged(n int) requestLine {
	f.t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for ; ; <-look.C {
		seen := 0
		for line := range strings.Lines(f.logs.String()) {
			if seen += strings.Count(line, `"msg":"request"`); seen < n {
				continue
			}
			var request requestLine
			if err := json.Unmarshal([]byte(line), &request); err != nil {
				f.t.Fatal(err)
			}
			return request
		}
	}
}

// It is not logged as an error.
func TestARequestWhoseCallerHungUpIsCountedAs499(t *testing.T) {
	t.Parallel()
	for name, secure := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			l := listen(t, service.DefaultLimits, secure)
			a := l.tenant("a")
			records := l.sample(a)
			asked := 0
			for _, op := range httpapi.Operations() {
				if op.ID == "ping" {
					continue
				}
				release := l.blockOperations(a)
				disconnect := l.hangUp(a, op.Method, records.path(op), bodies[op.ID][0])
				asked++
				got := l.logged(asked)
				disconnect()
				release()

				if got.Status != 499 || got.Level != "INFO" || !strings.Contains(got.Error, "canceled") || got.Route != op.Path {
					t.Errorf("%s: %+v", op.ID, got)
				}
				if got.Took == nil || *got.Took < 0 {
					t.Errorf("%s: the log does not say how many milliseconds it took", op.ID)
				}
				if n := l.metric(fmt.Sprintf(`tarmac_http_requests_total{operation=%q,status="499"}`, op.ID)); n != "1" {
					t.Errorf("%s: %s were counted", op.ID, n)
				}
			}
			l.checkServed(a)
		})
	}
}

// hangUp sends a request and closes its connection or, with HTTP/2, resets its stream before the
// response. The caller must call disconnect once the service has received the request: a connection
// with unread data that is closed earlier can take the request with it.
func (l *listening) hangUp(a tenant, method, path, body string) (disconnect func()) {
	l.t.Helper()
	if l.tls == nil {
		c := l.connect()
		l.writeText(c, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			method, path, a.secret, len(body), body))
		if err := c.Close(); err != nil {
			l.t.Fatal(err)
		}
		return func() {}
	}
	ctx, cancel := context.WithCancel(l.t.Context())
	defer cancel()
	// The whole request is sent before its stream is reset.
	trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { cancel() }}
	req, err := http.NewRequestWithContext(
		httptrace.WithClientTrace(ctx, trace), method, "https://"+l.addr+path, strings.NewReader(body),
	)
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.secret)
	req.Header.Set("Content-Type", "application/json")
	transport := &http.Transport{TLSClientConfig: l.tls, ForceAttemptHTTP2: true}
	res, err := transport.RoundTrip(req)
	if err == nil {
		_, err = io.Copy(io.Discard, res.Body)
		err = errors.Join(err, res.Body.Close())
	}
	if !errors.Is(err, context.Canceled) {
		l.t.Errorf("%s %s = %v", method, path, err)
	}
	return transport.CloseIdleConnections
}
