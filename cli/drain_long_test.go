//go:build long

package cli_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// rollingVariable is how many times both processes are replaced; without it, once.
const rollingVariable = "TARMAC_ROLLING"

// backend is a process behind a balancer.
type backend struct {
	address string
	ready   atomic.Bool
	process *exec.Cmd
}

func (b *backend) start(t *testing.T, database string) {
	t.Helper()
	b.process = program(t, []string{"TARMAC_DB=" + database}, "serve", "--addr", b.address, "--rate", "0", "--drain", "2s")
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	process := b.process.Process
	t.Cleanup(func() { _ = process.Kill() })
}

// stop ends the process as systemd does, and waits for its end.
func (b *backend) stop(t *testing.T) {
	t.Helper()
	if err := b.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := b.process.Wait(); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

// watch asks /readyz until ctx ends, as a balancer does.
func (b *backend) watch(ctx context.Context) {
	client := &http.Client{Timeout: time.Second}
	for ; ctx.Err() == nil; <-time.After(10 * time.Millisecond) {
		res, err := client.Get("http://" + b.address + "/readyz")
		b.ready.Store(err == nil && res.StatusCode == http.StatusOK)
		if err == nil {
			_ = res.Body.Close()
		}
	}
}

// balance returns a proxy that sends requests to the ready backends in turn and repeats none.
func balance(t *testing.T, backends []*backend) *httptest.Server {
	var next atomic.Uint64
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			for range backends {
				chosen := backends[next.Add(1)%uint64(len(backends))]
				r.SetURL(&url.URL{Scheme: "http", Host: chosen.address})
				if chosen.ready.Load() {
					return
				}
			}
		},
		Transport: &http.Transport{MaxIdleConnsPerHost: 32},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server
}

// Two processes are replaced one after the other behind a balancer that asks /readyz.
func TestARollingUpgradeRefusesNoRequest(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(rollingVariable))
	if err != nil {
		rounds = 1
	}
	database := filepath.Join(t.TempDir(), "tarmac.db")
	org := must(t, "admin", "--db", database, "org", "create", "Northlight Labs")
	must(t, "admin", "--db", database, "owner", "set", "--org", org, "--name", "Ada", "--email", "ada@example.com")
	token := must(t, "admin", "--db", database, "token", "create", "--org", org,
		"--scope", "account:read,payments:read,invoices:read,invoices:propose")
	backends := []*backend{{address: freeAddress(t)}, {address: freeAddress(t)}}
	ctx, stopWatching := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	defer watching.Wait()
	defer stopWatching()
	for _, b := range backends {
		b.start(t, database)
		watching.Go(func() { b.watch(ctx) })
		waitUntilReady(t, b)
	}
	proxy := balance(t, backends)
	var answered, refused atomic.Int64
	end := make(chan struct{})
	var load sync.WaitGroup
	for worker := range 4 {
		load.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-end:
					return
				default:
				}
				what, err := askThrough(proxy, token, i, worker)
				answered.Add(1)
				if err != "" {
					refused.Add(1)
					t.Errorf("%s: %s", what, err)
				}
			}
		})
	}

	for range rounds {
		for _, b := range backends {
			b.stop(t)
			b.ready.Store(false)
			b.start(t, database)
			waitUntilReady(t, b)
		}
	}

	close(end)
	load.Wait()
	t.Logf("%d requests, %d of them refused, while both processes were replaced %d times", answered.Load(),
		refused.Load(), rounds)
}

func waitUntilReady(t *testing.T, b *backend) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !b.ready.Load(); <-time.After(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a process did not become ready")
		}
	}
}

// askThrough makes one request: a read or, as every tenth, a proposal. It returns what it asked
// for, and what went wrong.
func askThrough(proxy *httptest.Server, token string, i, worker int) (what, failure string) {
	method, path, body, want := http.MethodGet, "/ping", "", http.StatusOK
	switch {
	case i%10 == 0:
		method, path, want = http.MethodPost, "/invoices", http.StatusCreated
		body = `{"currency":"USD","description":"d","recipient_name":"n","recipient_email":"a@b.example",` +
			`"line_items":[{"description":"l","quantity":"1","unit_price_cents":100}]}`
	case i%2 == 0:
		path = "/invoices?limit=10"
	}
	req, err := http.NewRequest(method, proxy.URL+"/api/ext/v1"+path, strings.NewReader(body))
	if err != nil {
		return path, err.Error()
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", "rolling-"+strconv.Itoa(worker)+"-"+strconv.Itoa(i))
	}
	res, err := proxy.Client().Do(req)
	if err != nil {
		return path, err.Error()
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		return path, res.Status + " " + string(answer)
	}
	return path, ""
}
