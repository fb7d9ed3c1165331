package apiclient_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/apiclient"
)

func held(t *testing.T, err error, want time.Duration) {
	t.Helper()
	var refusal *apiclient.Error
	if !errors.As(err, &refusal) || !errors.Is(err, apiclient.ErrRateLimited) || !refusal.Held ||
		refusal.RetryAfter != want {
		t.Errorf("%#v is not held for %s", err, want)
	}
}

func TestAfterA429NoReadIsSentBeforeItsTimeWhoeverAsks(t *testing.T) {
	var asked, wrote atomic.Int64
	refuse := true
	client, clock := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			wrote.Add(1)
			answer(w, 404, `{"error":"no such webhook endpoint"}`)
			return
		}
		asked.Add(1)
		if refuse {
			w.Header().Set("Retry-After", "12")
			answer(w, 429, `{"error":"rate limit exceeded"}`)
			return
		}
		answer(w, 200, pong)
	}, apiclient.WithRetry(apiclient.CountdownRetry))

	_, err := client.Ping(t.Context())
	var refusal *apiclient.Error
	if !errors.As(err, &refusal) || refusal.Held || refusal.RetryAfter != 12*time.Second || asked.Load() != 1 {
		t.Fatalf("%#v after %d requests", err, asked.Load())
	}
	refuse = false
	_, err = client.Account(t.Context())
	held(t, err, 12*time.Second)
	_ = clock.Sleep(t.Context(), 5*time.Second)
	_, err = client.Invoices(t.Context(), apiclient.InvoiceFilter{})
	held(t, err, 7*time.Second)
	if client.Held() != 7*time.Second || asked.Load() != 1 {
		t.Errorf("held for %s after %d reads", client.Held(), asked.Load())
	}
	if err := client.DeleteWebhook(t.Context(), "wh_1"); !errors.Is(err, apiclient.ErrNotFound) || wrote.Load() != 1 {
		t.Errorf("a person's write was not sent: %v", err)
	}
	_ = clock.Sleep(t.Context(), 7*time.Second)
	if _, err := client.Ping(t.Context()); err != nil || client.Held() != 0 || asked.Load() != 2 {
		t.Errorf("after its time: %v, held for %s, %d reads", err, client.Held(), asked.Load())
	}
}

// Reads resume one after the other, those with low priority last.
func TestAfterAPauseReadsAreSpread(t *testing.T) {
	refuse := true
	var at []time.Duration
	var start time.Time
	var now func() time.Time
	client, clock := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if refuse {
			refuse = false
			w.Header().Set("Retry-After", "10")
			answer(w, 429, `{"error":"rate limit exceeded"}`)
			return
		}
		at = append(at, now().Sub(start))
		answer(w, 200, pong)
	}, apiclient.WithRetry(apiclient.CountdownRetry))
	start, now = clock.Now(), clock.Now
	_, _ = client.Ping(t.Context())
	_ = clock.Sleep(t.Context(), 10*time.Second)
	back := apiclient.WithLowPriority(t.Context(), func() bool { return true })
	for _, ctx := range []context.Context{t.Context(), t.Context(), t.Context(), back, back} {
		if _, err := client.Ping(ctx); err != nil {
			t.Fatal(err)
		}
	}
	want := "[10s 10.5s 11s 12.5s 13s]"
	if got := fmt.Sprint(at); got != want {
		t.Errorf("sent at %s, want %s", got, want)
	}
}

func TestAPauseInsideACallIsTold(t *testing.T) {
	var told []time.Duration
	asked := 0
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", "4")
			answer(w, 429, `{"error":"rate limit exceeded"}`)
			return
		}
		answer(w, 200, pong)
	}, apiclient.WithPauseNotice(func(d time.Duration) { told = append(told, d) }))
	if _, err := client.Ping(t.Context()); err != nil || fmt.Sprint(told) != "[4s]" || asked != 2 {
		t.Errorf("%v, told %v, asked %d times", err, told, asked)
	}
}

// Reads keep to the limit that a server announces: 60 per minute, five at once.
func TestWhatTheServerAllowsIsNotExceeded(t *testing.T) {
	const burst = 5
	var full time.Time // when the limit is unused again
	var now func() time.Time
	var sent, refused int
	client, clock := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		debt := max(0, full.Sub(now())) + time.Second
		w.Header().Set("RateLimit-Policy", `"token";q=60;w=60`)
		if sent++; debt > burst*time.Second {
			refused++
			w.Header().Set("Retry-After", "1")
			answer(w, 429, `{"error":"rate limit exceeded"}`)
			return
		}
		full = now().Add(debt)
		w.Header().Set("RateLimit", fmt.Sprintf(`"token";r=%d;t=1`, int((burst*time.Second-debt)/time.Second)))
		answer(w, 200, pong)
	}, apiclient.WithRetry(apiclient.CountdownRetry))
	now = clock.Now
	for range 40 {
		if _, err := client.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if refused > 0 || sent != 40 {
		t.Errorf("%d of %d were refused", refused, sent)
	}
	back := apiclient.WithLowPriority(t.Context(), func() bool { return true })
	if _, err := client.Ping(back); err != nil {
		t.Errorf("who gives way never comes to its turn: %v", err)
	}
}

func TestALongWindowWithNothingLeftIsACountdown(t *testing.T) {
	client, clock := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("RateLimit-Policy", `"token";q=10;w=60`)
		w.Header().Set("RateLimit", `"token";r=0;t=40`)
		answer(w, 200, pong)
	})
	if _, err := client.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := client.Ping(t.Context())
	held(t, err, 40*time.Second)
	if client.Held() != 40*time.Second {
		t.Errorf("held for %s", client.Held())
	}
	_ = clock.Sleep(t.Context(), 40*time.Second)
	if _, err := client.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestACanceledReadLeavesTheQueue(t *testing.T) {
	client, clock := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "4")
		answer(w, 429, `{"error":"rate limit exceeded"}`)
	})
	ctx, cancel := context.WithCancel(t.Context())
	clock.onNap = cancel
	if _, err := client.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
