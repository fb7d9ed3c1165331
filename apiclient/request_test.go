package apiclient_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/apiclient"
)

const pong = `{"org_id":"org_1"}`

// Reads are retried by the kind of failure.
func TestRetries(t *testing.T) {
	hangUp := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	status := func(status int, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			answer(w, status, `{"error":"not now"}`)
		}
	}
	good := answering(pong)
	for name, c := range map[string]struct {
		answers []http.HandlerFunc // the last response repeats
		asked   int
		want    error
		after   time.Duration // RetryAfter of the error
		slept   []time.Duration
	}{
		"good at once":       {answers: []http.HandlerFunc{good}, asked: 1},
		"503, then good":     {answers: []http.HandlerFunc{status(503), good}, asked: 2},
		"502, 504, good":     {answers: []http.HandlerFunc{status(502), status(504), good}, asked: 3},
		"503 for ever":       {answers: []http.HandlerFunc{status(503)}, asked: 3, want: apiclient.ErrUnavailable},
		"500 once more":      {answers: []http.HandlerFunc{status(500)}, asked: 2, want: apiclient.ErrUnavailable},
		"hung up, then good": {answers: []http.HandlerFunc{hangUp, good}, asked: 2},
		"hung up for ever":   {answers: []http.HandlerFunc{hangUp}, asked: 3, want: apiclient.ErrNetwork},
		"401":                {answers: []http.HandlerFunc{status(401)}, asked: 1, want: apiclient.ErrUnauthorized},
		"403":                {answers: []http.HandlerFunc{status(403)}, asked: 1, want: apiclient.ErrForbidden},
		"404":                {answers: []http.HandlerFunc{status(404)}, asked: 1, want: apiclient.ErrNotFound},
		"400":                {answers: []http.HandlerFunc{status(400)}, asked: 1, want: apiclient.ErrInvalid},
		"409":                {answers: []http.HandlerFunc{status(409)}, asked: 1, want: apiclient.ErrConflict},
		"422":                {answers: []http.HandlerFunc{status(422)}, asked: 1, want: apiclient.ErrUnprocessable},
		"501":                {answers: []http.HandlerFunc{status(501)}, asked: 1, want: apiclient.ErrUnavailable},
		"429, seconds": {answers: []http.HandlerFunc{status(429, "Retry-After", "7"), good}, asked: 2,
			slept: []time.Duration{7 * time.Second}},
		"503, date": {answers: []http.HandlerFunc{status(503, "Retry-After", "Sat, 21 Nov 2026 12:00:09 GMT"),
			good}, asked: 2, slept: []time.Duration{9 * time.Second}},
		"429, longer than the call": {answers: []http.HandlerFunc{status(429, "Retry-After", "15")}, asked: 1,
			want: apiclient.ErrRateLimited, after: 15 * time.Second},
		"429, twice too long": {answers: []http.HandlerFunc{status(429, "Retry-After", "8")}, asked: 2,
			want: apiclient.ErrRateLimited, after: 8 * time.Second, slept: []time.Duration{8 * time.Second}},
		"429, nonsense": {answers: []http.HandlerFunc{status(429, "Retry-After", "soon")}, asked: 3,
			want: apiclient.ErrRateLimited, after: 8 * time.Second, slept: []time.Duration{2 * time.Second, 4 * time.Second}},
		"429, in the past": {answers: []http.HandlerFunc{status(429, "Retry-After", "Sat, 21 Nov 2020 12:00:09 GMT")},
			asked: 3, want: apiclient.ErrRateLimited, after: 8 * time.Second,
			slept: []time.Duration{2 * time.Second, 4 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			client, clock := serve(t, func(w http.ResponseWriter, r *http.Request) {
				c.answers[min(int(asked.Add(1)), len(c.answers))-1](w, r)
			})
			ping, err := client.Ping(t.Context())
			if int(asked.Load()) != c.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), c.asked)
			}
			if c.want == nil {
				if err != nil || ping.OrgID != "org_1" {
					t.Errorf("%+v, %v", ping, err)
				}
			} else if !errors.Is(err, c.want) {
				t.Errorf("%v is not %v", err, c.want)
			}
			var refusal *apiclient.Error
			if errors.As(err, &refusal) &&
				(refusal.Attempts != c.asked || refusal.RetryAfter != c.after || refusal.Message != "not now" ||
					refusal.Route != "/ping") {
				t.Errorf("%#v", refusal)
			}
			if c.slept != nil && !equal(clock.slept, c.slept) {
				t.Errorf("slept %v, want %v", clock.slept, c.slept)
			}
			if len(clock.slept) != c.asked-1 {
				t.Errorf("slept %d times for %d requests", len(clock.slept), c.asked)
			}
			for i, d := range clock.slept {
				if c.slept == nil && (d < 0 || d > 250*time.Millisecond<<i) {
					t.Errorf("pause %d was %v", i, d)
				}
			}
		})
	}
}

func equal(a, b []time.Duration) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestNoRetry(t *testing.T) {
	var asked atomic.Int64
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); answer(w, 503, `{"error":"x"}`) },
		apiclient.WithRetry(apiclient.NoRetry))
	if _, err := client.Account(t.Context()); !errors.Is(err, apiclient.ErrUnavailable) || asked.Load() != 1 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

func TestRefusalDetails(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="finance", error="insufficient_scope", scope="account:read"`)
		w.Header().Set("X-Request-Id", "req_1")
		answer(w, 403, `{"error":"token lacks \u001b[31mthe scope"}`)
	})
	_, err := client.Account(t.Context())
	var refusal *apiclient.Error
	if !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	if refusal.Scope != "account:read" || refusal.RequestID != "req_1" || refusal.Message != "token lacks the scope" {
		t.Errorf("%#v", refusal)
	}
	if got := err.Error(); got != "GET /account: token lacks the scope (403)" {
		t.Error(got)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		var asked atomic.Int64
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			http.Redirect(w, r, "/stolen", status)
		})
		_, err := client.Ping(t.Context())
		if !errors.Is(err, apiclient.ErrRedirected) || asked.Load() != 1 || strings.Contains(err.Error(), "stolen") {
			t.Errorf("%d: asked %d times: %v", status, asked.Load(), err)
		}
	}
}

// Responses that are not the API's are reported, whatever they look like.
func TestAnswersThatAreNone(t *testing.T) {
	big := `{"org_id":"` + strings.Repeat("x", 9<<20) + `"}`
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"login page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<html>log in</html>"))
		}, "is text/html instead of JSON; a proxy or another server may have answered: check the base URL"},
		"no content": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
			"has status 204 instead of 200"},
		"empty":         {answering(""), "is not valid JSON"},
		"half JSON":     {answering(`{"org_id":"or`), "is not valid JSON"},
		"trailing":      {answering(pong + "x"), "is not valid JSON"},
		"two documents": {answering(pong + pong), "is not valid JSON"},
		"null":          {answering("null"), "has a JSON null where another type belongs"},
		"array":         {answering("[]"), "array"},
		"too large":     {answering(big), "is larger than 8 MiB"},
		"unzipped too large": {func(w http.ResponseWriter, _ *http.Request) {
			var zipped bytes.Buffer
			z := gzip.NewWriter(&zipped)
			_, _ = z.Write([]byte(big))
			_ = z.Close()
			w.Header().Set("Content-Encoding", "gzip")
			answer(w, 200, zipped.String())
		}, "is larger than 8 MiB"},
	} {
		client, clock := serve(t, c.handler)
		_, err := client.Ping(t.Context())
		var contract *apiclient.ContractError
		if !errors.As(err, &contract) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
		if len(clock.slept) > 0 {
			t.Errorf("%s: asked again", name)
		}
	}
}

func TestErrorPagesOfOthersAreNotShown(t *testing.T) {
	for kind, body := range map[string]string{"text/html": "<html>nginx</html>",
		"application/json": `{"error":{"code":3}}`, "application/problem+json": "[["} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(502)
			_, _ = w.Write([]byte(body))
		})
		_, err := client.Ping(t.Context())
		if !errors.Is(err, apiclient.ErrUnavailable) || err.Error() != "GET /ping: the server answered bad gateway (502)" {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestAnAnswerThatBreaksOffIsAskedForAgain(t *testing.T) {
	var asked atomic.Int64
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Content-Length", "500")
		}
		answer(w, 200, pong)
	})
	if ping, err := client.Ping(t.Context()); err != nil || ping.OrgID != "org_1" || asked.Load() != 2 {
		t.Errorf("asked %d times: %v, %v", asked.Load(), ping, err)
	}
}

func TestContextEndsACall(t *testing.T) {
	entered, done := make(chan struct{}), make(chan struct{})
	hang := func(_ http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-done:
		}
	}
	client, _ := serve(t, hang)
	defer close(done)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-entered; cancel() }()
	_, err := client.Ping(ctx)
	if !errors.Is(err, context.Canceled) || errors.Is(err, apiclient.ErrNetwork) {
		t.Errorf("canceled: %v", err)
	}
}

func TestContextEndsAPause(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var asked atomic.Int64
	client, clock := serve(t, func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); answer(w, 503, "{}") })
	clock.onNap = cancel
	if _, err := client.Ping(ctx); !errors.Is(err, context.Canceled) || asked.Load() != 1 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

func TestTimeoutEndsACall(t *testing.T) {
	client, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		apiclient.WithTimeout(20*time.Millisecond))
	_, err := client.Ping(t.Context())
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, apiclient.ErrNetwork) ||
		err.Error() != "GET /ping: no answer in time" {
		t.Error(err)
	}
}

func TestUnreachable(t *testing.T) {
	client, err := apiclient.New("http://127.0.0.1:1", apiclient.Token(secret), apiclient.WithClock(newClock()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.TransactionPage(t.Context(), apiclient.TransactionQuery{Keyword: "secret project"})
	var network *apiclient.NetworkError
	if !errors.As(err, &network) || network.Attempts != 3 || network.Route != "/transactions" ||
		strings.Contains(err.Error(), "project") {
		t.Errorf("%v, %#v", err, network)
	}
}

// A retry cannot make a certificate trusted.
func TestUntrustedCertificateIsFinal(t *testing.T) {
	server := httptest.NewUnstartedServer(answering(pong))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	clock := newClock()
	client, err := apiclient.New(server.URL, apiclient.Token(secret), apiclient.WithClock(clock))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Ping(t.Context()); !errors.Is(err, apiclient.ErrNetwork) ||
		!strings.Contains(err.Error(), "certificate") ||
		len(clock.slept) != 0 {
		t.Errorf("slept %v: %v", clock.slept, err)
	}
	trusting, err := apiclient.New(server.URL, apiclient.Token(secret), apiclient.WithHTTPClient(server.Client()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trusting.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestARefusalNamesTheCredentialInsteadOfAToken(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="account:read"`)
		answer(w, 403, `{"error":"lacks the scope"}`)
	}, apiclient.WithoutToken("SSH key"))

	_, err := client.Account(t.Context())

	refusal, ok := errors.AsType[*apiclient.Error](err)
	if !ok || refusal.Credential != "SSH key" || client.Credential() != "SSH key" {
		t.Fatalf("the credential of %#v is not the SSH key", err)
	}
	if refusal.Scope != "account:read" || refusal.Message != "lacks the scope" {
		t.Errorf("the scope is %q, and the message %q", refusal.Scope, refusal.Message)
	}
}
