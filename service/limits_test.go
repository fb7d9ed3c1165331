package service_test

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/service/store"
)

func TestRateLimit(t *testing.T) {
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
	if got.header.Get("Retry-After") != "1" || got.header.Get("RateLimit") != `"token";r=0;t=1` || got.header.Get("RateLimit-Policy") != `"token";q=120;w=60` {
		t.Errorf("headers: %v", got.header)
	}
	if got := f.get(b.secret, prefix+"/ping"); got.status != http.StatusOK || got.header.Get("RateLimit") != `"token";r=59;t=1` {
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

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
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
	for _, wanted := range []string{a.id, a.token.PublicID, `"route":"/api/ext/v1/invoices/{invoiceId}"`, `"status":404`, `"request_id":"req_`} {
		if !strings.Contains(logs, wanted) {
			t.Errorf("%q is not in the log: %s", wanted, logs)
		}
	}
}

// Whatever keeps all of the readers busy, credentials are still looked up and the
// service still says that it is ready.
func TestBusyReadersDoNotBlockPing(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	held, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	readers := 2 * runtime.GOMAXPROCS(0)
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
