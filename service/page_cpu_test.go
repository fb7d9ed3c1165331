//go:build unix

package service_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/service"
)

const (
	// benchProcess names what a process of BenchmarkPageCPU serves: "service", or "bytes" for
	// fixed bytes from net/http alone.
	benchProcess = "TARMAC_BENCH_PROCESS"
	// benchServes names the database or the file to serve.
	benchServes = "TARMAC_BENCH_SERVES"
)

// requestsARound is the number of requests of each kind in a round.
const requestsARound = 400

// BenchmarkPageCPU measures the processor time of a server process for a page of a hundred rows
// with its summary: for a cached page, for pages that are not cached, and for the same bytes from
// net/http alone. The kinds alternate in rounds. The figures are medians of the rounds, with the
// smallest and the largest ratio.
//
// TARMAC_BENCH_ROWS sets the ledger's size, by default 100,000. TARMAC_BENCH_DB and
// TARMAC_BENCH_TOKEN_FILE select an existing database. TARMAC_BENCH_PROFILES names a directory
// for the servers' profiles.
func BenchmarkPageCPU(b *testing.B) {
	database, secret := os.Getenv("TARMAC_BENCH_DB"), ""
	if database == "" {
		var s *service.Service
		s, secret, database = benchService(b, 100_000)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	} else {
		token, err := os.ReadFile(os.Getenv("TARMAC_BENCH_TOKEN_FILE"))
		if err != nil {
			b.Fatal(err)
		}
		secret = strings.TrimSpace(string(token))
	}
	served := startServer(b, "service", database, secret)
	page := served.get(b, "")
	same := filepath.Join(b.TempDir(), "page.json")
	if err := os.WriteFile(same, page, 0o600); err != nil {
		b.Fatal(err)
	}
	floor := startServer(b, "bytes", same, secret)
	walk, next := served.walk(b), 0
	kinds := [...]struct {
		name   string
		server *serverProcess
		query  func() string
		cpu    []float64
	}{
		{name: "floor", server: floor, query: func() string { return "" }},
		{name: "again", server: served, query: func() string { return "" }},
		{name: "first", server: served, query: func() string {
			next = (next + 1) % len(walk)
			return walk[next]
		}},
	}
	for b.Loop() {
		for i := range kinds {
			k := &kinds[i]
			before := k.server.cpu(b)
			for range requestsARound {
				k.server.get(b, k.query())
			}
			k.cpu = append(k.cpu, float64((k.server.cpu(b)-before).Microseconds())/requestsARound)
		}
	}
	b.ReportMetric(0, "ns/op") // hides the time of a round, which means nothing
	b.ReportMetric(float64(len(page)), "page-bytes")
	for _, k := range kinds {
		b.ReportMetric(median(k.cpu), k.name+"-µs")
		if k.server == floor {
			continue
		}
		ratios := make([]float64, len(k.cpu))
		for i := range ratios {
			ratios[i] = k.cpu[i] / kinds[0].cpu[i]
		}
		b.ReportMetric(median(ratios), k.name+"/floor")
		b.ReportMetric(slices.Min(ratios), k.name+"/floor-min")
		b.ReportMetric(slices.Max(ratios), k.name+"/floor-max")
	}
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// serverProcess is a server process, which runs this test binary.
type serverProcess struct {
	url, secret string
	ask         io.Writer // the process answers each line with its processor time
	replies     *bufio.Reader
	client      http.Client
}

func startServer(b *testing.B, kind, serves, secret string) *serverProcess {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestBenchmarkServerProcess$", "-test.timeout=0", "-test.v=false")
	if dir := os.Getenv("TARMAC_BENCH_PROFILES"); dir != "" {
		cmd.Args = append(cmd.Args, "-test.cpuprofile="+filepath.Join(dir, kind+".prof"))
	}
	cmd.Env = append(os.Environ(), benchProcess+"="+kind, benchServes+"="+serves)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		if err := cmd.Wait(); err != nil {
			b.Errorf("the server: %v", err)
		}
	})
	p := &serverProcess{secret: secret, ask: stdin, replies: bufio.NewReader(stdout)}
	p.url = "http://" + p.line(b) + prefix + "/transactions"
	return p
}

func (p *serverProcess) line(b *testing.B) string {
	b.Helper()
	line, err := p.replies.ReadString('\n')
	if err != nil {
		b.Fatalf("the server said %q: %v", line, err)
	}
	return strings.TrimSpace(line)
}

// cpu returns the processor time of the process so far.
func (p *serverProcess) cpu(b *testing.B) time.Duration {
	b.Helper()
	if _, err := io.WriteString(p.ask, "\n"); err != nil {
		b.Fatal(err)
	}
	micros, err := strconv.ParseInt(p.line(b), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(micros) * time.Microsecond
}

func (p *serverProcess) get(b *testing.B, query string) []byte {
	b.Helper()
	req, err := http.NewRequest(http.MethodGet, p.url+query, nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.secret)
	return benchGet(b, &p.client, req)
}

// mostWalked bounds the pages of a walk: more than fit into the cache.
const mostWalked = 4000

// walk returns the queries of the list's pages from the second on.
func (p *serverProcess) walk(b *testing.B) (queries []string) {
	b.Helper()
	for query := ""; len(queries) < mostWalked; queries = append(queries, query) {
		var page struct {
			Next string `json:"next_cursor"`
		}
		if err := json.Unmarshal(p.get(b, query), &page); err != nil {
			b.Fatal(err)
		}
		if page.Next == "" {
			break
		}
		query = "?cursor=" + url.QueryEscape(page.Next)
	}
	if len(queries) == 0 {
		b.Fatal("the list has one page")
	}
	return queries
}

// TestBenchmarkServerProcess is the server process of BenchmarkPageCPU. It prints its address,
// then its processor time in microseconds for each line of its input, and ends with its input.
func TestBenchmarkServerProcess(t *testing.T) {
	kind := os.Getenv(benchProcess)
	if kind == "" {
		t.Skip("it is run by the benchmark")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(ln.Addr())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	if kind == "service" {
		s, err := service.Open(ctx, service.Config{
			Database: os.Getenv(benchServes), RatePerMinute: 6_000_000, Logger: slog.New(slog.NewJSONHandler(os.Stderr, nil)),
			Now: time.Now, Entropy: rand.Reader,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		go func() { ended <- s.Serve(ctx, ln, nil) }()
	} else {
		page, err := os.ReadFile(os.Getenv(benchServes))
		if err != nil {
			t.Fatal(err)
		}
		go func() { ended <- serveBytes(ctx, ln, page) }()
	}
	for asked := bufio.NewScanner(os.Stdin); asked.Scan(); {
		var used syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
			t.Fatal(err)
		}
		fmt.Println((used.Utime.Nano() + used.Stime.Nano()) / 1000)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// serveBytes answers all requests with the same bytes until ctx ends.
func serveBytes(ctx context.Context, ln net.Listener, answer []byte) error {
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	})}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
