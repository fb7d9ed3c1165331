package apiclient_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"tarmac/apiclient"
)

// stalling is a server that answers in parts. It reports on waits that the client waits for the
// next one; the first is the header.
type stalling struct {
	waits chan struct{}
	parts chan string
}

func (s stalling) RoundTrip(r *http.Request) (*http.Response, error) {
	s.next()
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: s, Request: r,
		ContentLength: -1,
	}, nil
}

func (s stalling) next() (part string, more bool) {
	s.waits <- struct{}{}
	part, more = <-s.parts
	return part, more
}

func (s stalling) Read(p []byte) (int, error) {
	part, more := s.next()
	if !more {
		return 0, io.EOF
	}
	return copy(p, part), nil
}

func (stalling) Close() error { return nil }

func TestAnAnswerIsOverdueAfterAThirdOfTheTimeout(t *testing.T) {
	server := stalling{make(chan struct{}), make(chan string)}
	now := newClock()
	client, err := apiclient.New("http://127.0.0.1:1", secret, apiclient.WithClock(now),
		apiclient.WithTimeout(12*time.Second), apiclient.WithHTTPClient(&http.Client{Transport: server}))
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan error)
	go func() {
		_, err := client.Ping(t.Context())
		answered <- err
	}()

	for _, part := range []string{"", `{"org_id":"org_test","scopes":["account:read"],`, `"token_expires_at":null}`} {
		<-server.waits
		_ = now.Sleep(t.Context(), 4*time.Second-1)
		if silent := client.Overdue(); silent != 0 {
			t.Errorf("before %q: overdue for %v", part, silent)
		}
		_ = now.Sleep(t.Context(), 2*time.Second)
		if silent := client.Overdue(); silent != 6*time.Second-1 {
			t.Errorf("before %q: overdue for %v", part, silent)
		}
		server.parts <- part
	}
	<-server.waits
	close(server.parts)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	_ = now.Sleep(t.Context(), time.Minute)
	if silent := client.Overdue(); silent != 0 {
		t.Errorf("after the answer: overdue for %v", silent)
	}
}

// dropping is a server that closes each connection without an answer. It reports on waits that a
// request has arrived.
type dropping struct {
	waits chan struct{}
	drop  chan struct{}
}

func (d dropping) RoundTrip(*http.Request) (*http.Response, error) {
	d.waits <- struct{}{}
	<-d.drop
	return nil, io.ErrUnexpectedEOF
}

func TestARetryEndsNoSilence(t *testing.T) {
	server := dropping{make(chan struct{}), make(chan struct{})}
	now := newClock()
	client, err := apiclient.New("http://127.0.0.1:1", secret, apiclient.WithClock(now),
		apiclient.WithRetry(apiclient.Policy{Tries: 2}), apiclient.WithHTTPClient(&http.Client{Transport: server}))
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan error)
	go func() {
		_, err := client.Ping(t.Context())
		answered <- err
	}()

	for _, want := range []time.Duration{5 * time.Second, 10 * time.Second} {
		<-server.waits
		_ = now.Sleep(t.Context(), 5*time.Second)
		if silent := client.Overdue(); silent != want {
			t.Errorf("overdue for %v, not %v", silent, want)
		}
		server.drop <- struct{}{}
	}
	if err := <-answered; err == nil {
		t.Error("a request without an answer succeeded")
	}
}
