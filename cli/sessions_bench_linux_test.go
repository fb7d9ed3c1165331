package cli_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/service"
	"tarmac/ui"
	remoteterminal "tarmac/ui/terminal"
)

// BenchmarkSessions measures the resident memory of dashboards that run in one process with the
// service, as in `tarmac ssh` but without SSH. The sessions belong to ten organizations, if there
// are as many. Each walks through 10,000 rows, page by page, in a window of 80x24.
// TARMAC_BENCH_SESSIONS sets their number (default 20).
func BenchmarkSessions(b *testing.B) {
	number, err := strconv.Atoi(cmp.Or(os.Getenv("TARMAC_BENCH_SESSIONS"), "20"))
	if err != nil {
		b.Fatal(err)
	}
	database := filepath.Join(b.TempDir(), "tarmac.db")
	tokens := make([]string, min(10, number))
	for i := range tokens {
		org := must(b, "admin", "--db", database, "org", "create", fmt.Sprint("Organization ", i))
		must(b, "admin", "--db", database, "seed", "--org", org, "--transactions", "12000", "--seed", fmt.Sprint(i+1))
		tokens[i] = must(b, "admin", "--db", database, "token", "create", "--org", org, "--scope", readScopes)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	svc, err := service.Open(b.Context(), service.Config{
		Database: database, SmallCache: true, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		Entropy: rand.Reader,
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var (
		shared   apiclient.SharedPages
		sessions []*benchSession
		running  sync.WaitGroup
	)
	for i := range number {
		s := newBenchSession(b, svc.Handler(), &shared, tokens[i%len(tokens)])
		sessions = append(sessions, s)
		running.Go(func() { s.run(ctx) })
	}
	for _, s := range sessions {
		s.waitFor(b, func() bool { return s.requests.Load() > 5 && s.written.Load() > 2000 })
	}
	b.ReportMetric(residentMiB(b), "MiB-first-frames")
	for _, s := range sessions {
		s.press("4")
		s.waitFor(b, func() bool {
			s.press("\x1b[6~") // page down
			return s.pages.Load() >= 50
		})
	}
	b.ReportMetric(residentMiB(b), "MiB-walked")
	debug.FreeOSMemory()
	b.ReportMetric(residentMiB(b), "MiB-walked-collected")
	stop()
	running.Wait()
	if err := svc.Close(); err != nil {
		b.Error(err)
	}
}

// benchSession is a dashboard whose requests go to the handler of a service in the same process.
type benchSession struct {
	service  http.Handler
	client   *apiclient.Client
	keys     *io.PipeWriter
	input    io.Reader
	requests atomic.Int64
	pages    atomic.Int64 // pages of transactions that were requested by cursor
	written  atomic.Int64 // bytes sent to the terminal
}

func newBenchSession(b *testing.B, service http.Handler, shared *apiclient.SharedPages, token string) *benchSession {
	b.Helper()
	s := &benchSession{service: service}
	s.input, s.keys = io.Pipe()
	client, err := apiclient.New("http://127.0.0.1:1", apiclient.Token(token),
		apiclient.WithHTTPClient(&http.Client{Transport: s}), apiclient.WithSharedPages(shared))
	if err != nil {
		b.Fatal(err)
	}
	s.client = client
	return s
}

func (s *benchSession) RoundTrip(r *http.Request) (*http.Response, error) {
	request := r.Clone(r.Context())
	request.Body, request.RemoteAddr = http.NoBody, "127.0.0.1:1"
	response := httptest.NewRecorder()
	s.service.ServeHTTP(response, request)
	s.requests.Add(1)
	if strings.HasSuffix(r.URL.Path, "/transactions") && r.URL.Query().Has("cursor") {
		s.pages.Add(1)
	}
	return response.Result(), nil
}

func (s *benchSession) Write(frame []byte) (int, error) {
	s.written.Add(int64(len(frame)))
	return len(frame), nil
}

func (s *benchSession) press(key string) { _, _ = io.WriteString(s.keys, key) }

// run shows the dashboard until ctx ends.
func (s *benchSession) run(ctx context.Context) {
	start := &ui.Profile{Name: "bench", Open: func(context.Context) (ui.Connection, error) {
		return ui.Connection{Client: s.client, Profile: "bench", ReadOnly: true}, nil
	}}
	remote := &remoteterminal.Remote{
		Width: 80, Height: 24, Active: func() {},
		Next: func(ctx context.Context) (tea.Msg, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}
	// It always ends with the error of ctx.
	_ = remoteterminal.Run(ctx, remoteterminal.Options{
		In: s.input, Out: s, Environ: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Remote: remote,
	}, func(ctx context.Context) remoteterminal.Model {
		return ui.New(ctx, ui.Options{Start: start, Now: time.Now, Timeout: time.Minute, Remote: true})
	})
}

// waitFor waits until done returns true.
func (s *benchSession) waitFor(b *testing.B, done func() bool) {
	b.Helper()
	for begin := time.Now(); !done(); time.Sleep(4 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			b.Fatalf("after a minute: %d requests, %d pages, %d bytes", s.requests.Load(), s.pages.Load(), s.written.Load())
		}
	}
}

// residentMiB returns the resident memory of this process in MiB.
func residentMiB(b *testing.B) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	var kB float64
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Fatal(err)
	}
	return kB / 1024
}
