package cli_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/store"
)

// BenchmarkClients runs fifty clients against a service in its own process. They read pages,
// summaries and events, while the benchmark books one record per second in the same database.
// "granted" sends at the default rate limit of `serve`, five requests per second and client;
// "eager" sends the next request after each response. All clients share one token, so the
// service runs without a limit.
//
// For each kind of request it reports the median, the 99th percentile and the maximum latency,
// the failures, the service's processor time per request, and its peak resident memory.
//
// TARMAC_BENCH_ROWS sets the organization's number of transactions (default 1,000). To use an
// existing organization instead, set TARMAC_BENCH_ORG, TARMAC_BENCH_DB (the file) and
// TARMAC_BENCH_TOKEN_FILE. Use a copy: the benchmark writes to it.
func BenchmarkClients(b *testing.B) {
	const clients = 50
	database, org, tokenFile := os.Getenv("TARMAC_BENCH_DB"), os.Getenv("TARMAC_BENCH_ORG"),
		os.Getenv("TARMAC_BENCH_TOKEN_FILE")
	if database == "" {
		rows := cmp.Or(os.Getenv("TARMAC_BENCH_ROWS"), "1000")
		database, org, tokenFile = organization(b, rows, readScopes)
	}
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		b.Fatal(err)
	}
	served := serveBuilt(b, database)
	live(b, database, org)
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	crowd := &crowd{url: "http://" + served.addr + "/api/ext/v1", token: string(bytes.TrimSpace(token)),
		transport: transport}
	for _, c := range []struct {
		name  string
		pause time.Duration
	}{{"granted", time.Second / 5}, {"eager", 0}} {
		b.Run(c.name, func(b *testing.B) {
			crowd.took, crowd.failed = map[string][]time.Duration{}, nil
			before := served.cpu(b)
			var started atomic.Int64
			b.SetParallelism(max(1, clients/runtime.GOMAXPROCS(0)))
			b.RunParallel(func(pb *testing.PB) {
				crowd.client(int(started.Add(1)), c.pause, pb.Next)
			})
			crowd.report(b)
			b.ReportMetric(float64((served.cpu(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
			b.ReportMetric(served.peak(b), "MiB-peak")
		})
	}
}

// built is a service process that runs a release build.
type built struct {
	cmd  *exec.Cmd
	addr string
}

func serveBuilt(b *testing.B, database string) *built {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "tarmac")
	if out, err := exec.Command("go", "build", "-o", binary, "..").CombinedOutput(); err != nil {
		b.Fatalf("building the program: %v\n%s", err, out)
	}
	cmd := exec.Command(binary, "serve", "--db", database, "--addr", "127.0.0.1:0", "--rate", "0")
	cmd.Env = []string{"HOME=" + b.TempDir()}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return &built{cmd, entry.Addr}
		}
	}
	b.Fatal("the service did not come up")
	return nil
}

// cpu returns the service's processor time.
func (s *built) cpu(b *testing.B) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields, ticks := strings.Fields(rest), 0
	for _, field := range fields[11:13] { // user and kernel time, see proc(5)
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// peak returns the service's peak resident memory, in MiB.
func (s *built) peak(b *testing.B) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	var kB float64
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Fatal(err)
	}
	return kB / 1024
}

// live books one record per second until the benchmark ends.
func live(b *testing.B, database, publicID string) {
	b.Helper()
	st, err := store.Open(b.Context(), database, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	_, org, err := st.Organization(b.Context(), publicID)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	life := demodata.NewSimulator(st, org, 1, time.Now)
	var living sync.WaitGroup
	living.Go(func() {
		everySecond := func(time.Duration) <-chan time.Time { return time.After(time.Second) }
		life.Run(ctx, everySecond, func(err error) { b.Errorf("living: %v", err) })
	})
	b.Cleanup(func() {
		stop()
		living.Wait()
		if err := st.Close(); err != nil {
			b.Error(err)
		}
	})
}

// crowd is the clients of one service and their results.
type crowd struct {
	url, token string
	transport  http.RoundTripper

	mu     sync.Mutex
	took   map[string][]time.Duration
	failed []error
}

// asked lists the requests that clients repeat in turn: pages of the whole and the filtered
// ledger (one advances each turn, one jumps to any day of two years), summaries of filters, and
// the feed.
var asked = [...]struct{ kind, path string }{
	{"pages", "/transactions?limit=100"},
	{"pages", walked},
	{"pages", anyDay},
	{"events", "/events?limit=100"},
	{"summaries", "/transactions?limit=1&from=2025-12-01&to=2025-12-31"},
	{"pages", "/transactions?limit=100&direction=outflow"},
	{"summaries", "/insights/cash-position"},
	{"events", "/events?limit=20"},
	{"pages", "/transactions?limit=100&from=2025-06-01&to=2025-12-31"},
	{"summaries", "/transactions?limit=1&direction=inflow"},
	{"summaries", "/receivables/aging"},
}

const (
	walked = "/transactions?limit=100&cursor="
	anyDay = "/transactions?limit=100&to="
)

// client sends requests until proceed returns false.
func (c *crowd) client(number int, pause time.Duration, proceed func() bool) {
	cursor, took, failed := "", map[string][]time.Duration{}, []error(nil)
	begin := time.Now()
	due := begin.Add(pause * time.Duration(number%50) / 50) // spread the clients' requests
	for n := number; proceed(); n++ {
		time.Sleep(time.Until(due))
		due = due.Add(pause)
		ask := asked[n%len(asked)]
		path := ask.path
		switch path {
		case walked:
			path = strings.TrimSuffix(walked+cursor, "&cursor=")
		case anyDay:
			path += civil.Of(begin).AddDays(-rand.IntN(730)).String()
		}
		begun := time.Now()
		answer, err := c.get(path)
		took[ask.kind] = append(took[ask.kind], time.Since(begun))
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", path, err))
		}
		if ask.path == walked {
			_, rest, _ := bytes.Cut(answer, []byte(`"next_cursor":"`))
			found, _, _ := bytes.Cut(rest, []byte(`"`))
			cursor = string(found)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = append(c.failed, failed...)
	for kind, all := range took {
		c.took[kind] = append(c.took[kind], all...)
	}
}

func (c *crowd) get(path string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, c.url+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s %s", res.Status, body)
	}
	return body, nil
}

func (c *crowd) report(b *testing.B) {
	var all []time.Duration
	for kind, took := range c.took {
		c.spread(b, took, "-"+kind)
		all = append(all, took...)
	}
	c.spread(b, all, "")
	b.ReportMetric(float64(len(c.failed)), "failed")
	for _, err := range c.failed[:min(3, len(c.failed))] {
		b.Log(err)
	}
}

func (c *crowd) spread(b *testing.B, took []time.Duration, of string) {
	slices.Sort(took)
	for _, p := range []struct {
		name string
		at   int
	}{{"p50", len(took) / 2}, {"p99", len(took) * 99 / 100}, {"max", len(took) - 1}} {
		b.ReportMetric(float64(took[p.at].Microseconds()), "µs-"+p.name+of)
	}
}
