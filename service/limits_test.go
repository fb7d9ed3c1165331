package service_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/store"
)

func TestATokenBeyondItsRateLimitGets429WithRetryAfter(t *testing.T) {
	f := start(t, 120)
	a, b := f.tenant("a"), f.tenant("b")
	for i := range 60 {
		got := f.get(a.secret, prefix+"/ping")
		if got.status != http.StatusOK {
			t.Fatalf("request %d of the burst: %d", i+1, got.status)
		}
	}
	got := f.get(a.secret, prefix+"/nothing/../invoices?limit=x")
	if got.status != http.StatusNotFound {
		t.Errorf("a route that is not there is told before the limit: %d", got.status)
	}
	got = f.get(a.secret, prefix+"/invoices?limit=x")
	f.refused("after the burst", got, http.StatusTooManyRequests, "rate limit exceeded; retry after 1 second")
	if got.header.Get("Retry-After") != "1" || got.header.Get("RateLimit") != `"token";r=0;t=1` ||
		got.header.Get("RateLimit-Policy") != `"token";q=120;w=60` {
		t.Errorf("headers: %v", got.header)
	}
	if got := f.get(b.secret, prefix+"/ping"); got.status != http.StatusOK ||
		got.header.Get("RateLimit") != `"token";r=59;t=1` {
		t.Errorf("another token: %d %v", got.status, got.header)
	}
	f.clock.advance(time.Second)
	for range 2 {
		if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK {
			t.Errorf("a second later: %d", got.status)
		}
	}
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusTooManyRequests {
		t.Errorf("the third in a second at two a second: %d", got.status)
	}
}

// A limit of an organization counts all of its tokens together, and its owner may take it back.
func TestTheTokensOfAnOrganizationShareItsLimit(t *testing.T) {
	f := start(t, 120)
	a, b := f.tenant("a"), f.tenant("b")
	second, _, err := f.service.CreateToken(t.Context(), a.id, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	f.limit(a, 4)

	for i, secret := range []string{a.secret, second, a.secret, second} {
		got := f.get(secret, prefix+"/ping")
		if want := `"organization";r=` + strconv.Itoa(3-i) + `;t=15`; got.status != http.StatusOK ||
			got.header.Get("RateLimit") != want || got.header.Get("RateLimit-Policy") != `"organization";q=4;w=60` {
			t.Errorf("request %d: %d, want %s: %v", i+1, got.status, want, got.header)
		}
	}
	got := f.get(a.secret, prefix+"/ping")
	f.refused("after the burst", got, http.StatusTooManyRequests, "rate limit exceeded; retry after 15 seconds")
	if got := f.get(b.secret, prefix+"/ping"); got.header.Get("RateLimit") != `"token";r=59;t=1` {
		t.Errorf("another organization: %d %v", got.status, got.header)
	}
	f.clock.advance(15 * time.Second)
	if got := f.get(second, prefix+"/ping"); got.status != http.StatusOK {
		t.Errorf("after the wait: %d", got.status)
	}
	f.limit(a, 0)
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK ||
		got.header.Get("RateLimit-Policy") != `"token";q=120;w=60` {
		t.Errorf("without the limit: %d %v", got.status, got.header)
	}
}

func (f *fixture) limit(a tenant, perMinute int) {
	f.t.Helper()
	_, err := f.service.LimitOrganization(f.t.Context(), a.id, func(l *store.OrganizationLimits) {
		l.RequestsPerMinute = perMinute
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

func TestFailedCredentialsAreLimitedByAddress(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for i := range 30 {
		if got := f.get("svc_org_guess", prefix+"/ping"); got.status != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i+1, got.status)
		}
	}
	got := f.get("svc_org_guess", prefix+"/ping")
	f.refused("guess 31", got, http.StatusTooManyRequests, "rate limit exceeded; retry after 2 seconds")
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK {
		t.Errorf("a good token from the same address: %d", got.status)
	}
}

func TestTheLastUseOfATokenIsWrittenOnceAMinute(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for range 3 {
		f.get(a.secret, prefix+"/ping")
	}
	f.clock.advance(59 * time.Second)
	f.get(a.secret, prefix+"/ping")
	f.restart() // closing writes what waits to be written
	tokens, err := f.service.Tokens(t.Context(), a.id)
	if err != nil || len(tokens) != 1 || tokens[0].LastUsedAt == nil || !tokens[0].LastUsedAt.Equal(noon) {
		t.Fatalf("tokens: %+v, %v", tokens, err)
	}
	if tokens[0].LastFour != a.secret[len(a.secret)-4:] {
		t.Errorf("LastFour %q", tokens[0].LastFour)
	}
}

func TestLogsHoldNoSecrets(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.get(a.secret, prefix+"/transactions?keyword=confidential")
	f.get(a.secret, prefix+"/invoices/inv_private")
	f.send(a.secret, a.secret, prefix+"/ping", "")
	logs := f.logs.String()
	for _, secret := range []string{a.secret, "confidential", "inv_private"} {
		if strings.Contains(logs, secret) {
			t.Errorf("%q is in the log: %s", secret, logs)
		}
	}
	for _, wanted := range []string{
		a.id, a.token.PublicID, `"route":"/api/ext/v1/invoices/{invoiceId}"`, `"status":404`, `"request_id":"req_`,
	} {
		if !strings.Contains(logs, wanted) {
			t.Errorf("%q is not in the log: %s", wanted, logs)
		}
	}
}

func TestBusyReadersDoNotBlockPingAndReadiness(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	held, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	readers := f.service.Store().Readers()
	for range readers {
		go func() {
			ended <- f.service.Store().Read(context.Background(), func(*store.Snapshot) error {
				held <- struct{}{}
				<-release
				return nil
			})
		}()
	}
	for range readers {
		<-held
	}
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK {
		t.Errorf("ping: %d %s", got.status, got.body)
	}
	if got := f.plain("/readyz"); got.status != http.StatusOK {
		t.Errorf("ready: %d %s", got.status, got.body)
	}
	close(release)
	for range readers {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// overload returns limits that a few requests exceed.
func overload() service.Limits {
	limits := service.DefaultLimits
	limits.Requests = 8 // of one organization 2 at a time, and 16 that wait
	return limits
}

// Requests beyond the limit are refused at once with Retry-After. Other organizations, the
// probes and the metrics are not affected, and afterwards everything works again.
func TestOverloadOfOneOrganizationGets429AndLeavesOthersAlone(t *testing.T) {
	f := start(t, 0)
	f.limits = overload()
	f.restart()
	a, b := f.tenant("a"), f.tenant("b")
	held, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	readers := f.service.Store().Readers()
	for range readers {
		go func() {
			ended <- f.service.Store().Read(context.Background(), func(*store.Snapshot) error {
				held <- struct{}{}
				<-release
				return nil
			})
		}()
	}
	for range readers {
		<-held
	}
	const asked, taken = 60, 2 + 16
	answers := make(chan answer, asked)
	for range asked {
		go func() { answers <- f.get(a.secret, prefix+"/account") }()
	}
	for range asked - taken {
		got := <-answers
		f.refused("one too many", got, http.StatusTooManyRequests, "too many requests at once; retry after 5 seconds")
		if got.header.Get("Retry-After") != "5" {
			t.Errorf("headers: %v", got.header)
		}
	}
	if got := f.get(b.secret, prefix+"/ping"); got.status != http.StatusOK {
		t.Errorf("another organization: %d %s", got.status, got.body)
	}
	for _, path := range []string{"/healthz", "/readyz", "/openapi.yaml"} {
		if got := f.plain(path); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	refused := f.metric(`tarmac_http_requests_total{operation="getAccount",status="429"}`)
	if got := refused; got != strconv.Itoa(asked-taken) {
		t.Errorf("%s are counted as turned away", got)
	}
	close(release)
	for range readers {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	for range taken {
		// On a slow machine waiting requests may be refused too.
		if got := <-answers; got.status != http.StatusOK && got.status != http.StatusTooManyRequests {
			t.Errorf("one that waited: %d %s", got.status, got.body)
		}
	}
	for range asked {
		if got := f.get(a.secret, prefix+"/account"); got.status != http.StatusOK {
			t.Errorf("afterwards: %d %s", got.status, got.body)
		}
	}
}

// Valid tokens work whatever the limit is.
func TestTheLimitOfFailedAuthenticationsCanBeSet(t *testing.T) {
	f := start(t, 0)
	f.limits = service.DefaultLimits
	f.limits.FailuresPerMinute = 3
	f.restart()
	a := f.tenant("a")
	for i := range 500 {
		want := http.StatusUnauthorized
		if i >= 3 {
			want = http.StatusTooManyRequests
		}
		if got := f.get("svc_org_"+strconv.Itoa(i), prefix+"/ping"); got.status != want {
			t.Fatalf("guess %d: %d", i+1, got.status)
		}
		if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK {
			t.Fatalf("a good token after guess %d: %d", i+1, got.status)
		}
	}
}
