//go:build long && unix

package e2e_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
)

// served is the service's process, which is stopped and restarted.
type served struct {
	s        *soak
	address  string
	metrics  string
	template *exec.Cmd
	log      *os.File
	life     sync.Mutex // held while the process is stopped or started

	mu      sync.Mutex
	process *exec.Cmd // nil while stopped
	figures []figures // of the running process
}

func newServed(s *soak, environ []string) *served {
	v := &served{s: s, address: testprogram.FreeAddress(s.t), metrics: testprogram.FreeAddress(s.t),
		template: testprogram.Command(s.t, environ)}
	var err error
	if v.log, err = os.Create(filepath.Join(s.t.TempDir(), "log")); err != nil {
		s.t.Fatal(err)
	}
	v.ensure()
	s.t.Cleanup(func() { v.stop(syscall.SIGKILL); _ = v.log.Close() })
	return v
}

func (v *served) url() string { return "http://" + v.address }

// again returns a command with the same program, home and environment.
func again(template *exec.Cmd, environ []string, args ...string) *exec.Cmd {
	cmd := exec.Command(template.Path, args...)
	cmd.Dir, cmd.Env = template.Dir, append(template.Env[:len(template.Env):len(template.Env)], environ...)
	return cmd
}

func (v *served) start() {
	cmd := again(v.template, nil, "serve", "--db", v.s.database, "--addr", v.address, "--metrics-addr", v.metrics,
		"--webhook-allow", v.s.receivers.address(), "--webhook-ca-file", v.s.receivers.caFile)
	cmd.Stderr = v.log
	if err := cmd.Start(); err != nil {
		v.s.t.Errorf("starting the service: %v", err)
		return
	}
	deadline := time.Now().Add(testprogram.Patience)
	for ; time.Now().Before(deadline); <-time.After(10 * time.Millisecond) {
		res, err := http.Get(v.url() + "/readyz")
		if err != nil {
			continue
		}
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK {
			v.mu.Lock()
			v.process, v.figures = cmd, nil
			v.mu.Unlock()
			return
		}
	}
	v.s.t.Error("the service did not come up")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// stop ends the process by a signal, if it runs.
func (v *served) stop(by syscall.Signal) {
	v.mu.Lock()
	cmd := v.process
	v.process = nil
	v.mu.Unlock()
	if cmd != nil {
		_ = cmd.Process.Signal(by)
		_ = cmd.Wait()
	}
}

// ensure starts the process unless it is running.
func (v *served) ensure() {
	v.life.Lock()
	defer v.life.Unlock()
	if v.running() == 0 {
		v.start()
	}
}

// running returns the process's id, or 0 while it is stopped.
func (v *served) running() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.process == nil {
		return 0
	}
	return v.process.Process.Pid
}

// crash stops the service at random and restarts it. In the last two fifths of a long soak one
// process keeps running, to measure its resource use over time. A short soak stops the service
// gracefully, because it has no time for a killed process's leases to expire.
func (s *soak) crash(rng *mathrand.Rand) {
	least, most, until := 10*time.Second, 50*time.Second, s.began.Add(s.length*3/5)
	if !s.long() {
		least, most, until = time.Second, 3*time.Second, s.began.Add(s.length)
	}
	for s.rest(rng, least, most) && time.Now().Before(until) {
		by, how := syscall.SIGKILL, "killed, and came back"
		if !s.long() || rng.IntN(4) == 0 {
			by, how = syscall.SIGTERM, "asked to leave, and came back"
		}
		s.served.life.Lock()
		s.served.stop(by)
		if rng.IntN(2) == 0 {
			s.rest(rng, 0, most/20)
		}
		s.served.start()
		s.served.life.Unlock()
		s.tally.add("service processes", how)
	}
}

// check fails if the service's log contains forbidden messages.
func (v *served) check() {
	text, err := os.ReadFile(v.log.Name())
	if err != nil {
		v.s.t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		switch {
		case bytes.Contains(line, []byte("panic")) || bytes.Contains(line, []byte("goroutine ")):
			v.s.t.Errorf("the service's log has %.300s", line)
		case bytes.Contains(line, []byte(`"level":"ERROR"`)):
			v.s.tally.add("errors in the service's log", regexp.MustCompile(`"msg":"([^"]*)"`).FindString(string(line)))
		}
	}
	v.s.judge("the service", v.figures)
}

// network is the proxy between the clients and the service.
type network struct {
	*faults.Handler
	s         *soak
	server    *httptest.Server
	elsewhere *httptest.Server
	astray    atomic.Int64 // tokens sent to another host
	visits    atomic.Int64
}

func newNetwork(s *soak) *network {
	n := &network{s: s}
	n.elsewhere = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n.visits.Add(1)
		if r.Header.Get("Authorization") != "" {
			n.astray.Add(1)
		}
	}))
	s.t.Cleanup(n.elsewhere.Close)
	target := &url.URL{Scheme: "http", Host: s.served.address}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		// The service is down: respond like a proxy, or close the connection.
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			if mathrand.IntN(2) == 0 {
				panic(http.ErrAbortHandler)
			}
			w.WriteHeader(http.StatusBadGateway)
		},
		ErrorLog: log.New(io.Discard, "", 0),
	}
	n.Handler = faults.New(proxy, faults.Options{Elsewhere: n.elsewhere.URL})
	n.server = httptest.NewUnstartedServer(n.Handler)
	n.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	n.server.Start()
	s.t.Cleanup(n.server.Close)
	return n
}

// allFaults returns the faults of requests. It excludes responses that are valid but untrue,
// which no client can detect.
func allFaults() (all []faults.Fault) {
	for _, f := range append(faults.Answers(), faults.Connections()...) {
		switch f.Name {
		case "an empty object", "nothing but nulls", "every other field missing":
			continue
		}
		all = append(all, f)
		switch f.Name {
		case "hung up", "reset", "reset in the header", "no HTTP", "no content", "a page with 200", "a page with 502",
			"a page with 503":
			all = append(all, f.WithLostResponse())
		}
	}
	for _, status := range []int{400, 401, 403, 404, 429, 500, 502, 503, 504} {
		all = append(all, faults.Refusal(status))
	}
	return all
}

// trouble varies the network's faults: usually some, sometimes none, sometimes only faults.
func (s *soak) trouble(rng *mathrand.Rand) {
	all := allFaults()
	least, most := 5*time.Second, 40*time.Second
	if !s.long() {
		least, most = 500*time.Millisecond, 2*time.Second
	}
	for {
		oneIn := []int{6, 10, 20, 20, 40}[rng.IntN(5)]
		switch rng.IntN(8) {
		case 0:
			s.network.Clear()
		case 1:
			s.network.Random(rng.Uint64(), 1, all...)
			if !s.rest(rng, least/2, most/8) {
				return
			}
			fallthrough
		default:
			s.network.Random(rng.Uint64(), oneIn, all...)
		}
		if !s.rest(rng, least, most) {
			return
		}
	}
}

func (n *network) check() {
	asked, struck := 0, 0
	counts := n.Counts()
	for _, many := range counts.Requests {
		asked += many
	}
	for _, many := range counts.Applied {
		struck += many
	}
	n.s.tally.addN("requests through the network", "struck by a fault", struck)
	n.s.tally.addN("requests through the network", "passed on", asked-struck)
	n.s.tally.addN("kinds of faults", "struck at least once", len(counts.Applied))
	n.s.tally.addN("redirects to another host", "followed with the token", int(n.astray.Load()))
	n.s.tally.addN("redirects to another host", "followed without it", int(n.visits.Load()-n.astray.Load()))
	if n.astray.Load() > 0 {
		n.s.t.Errorf("%d tokens came to another host", n.astray.Load())
	}
}

func openOperator(t *testing.T, database string) *service.Service {
	t.Helper()
	svc, err := service.Open(context.Background(), service.Config{
		Database: database, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader, Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
	})
	return svc
}

// figures is a process's resource use at one time. goroutines is 0 if unknown.
type figures struct{ kib, files, goroutines int }

func figuresOfProcess(pid int) (f figures, ok bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return f, false
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	rss := regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if err != nil || rss == nil {
		return f, false
	}
	f.kib, _ = strconv.Atoi(string(rss[1]))
	f.files = len(files)
	return f, true
}

// goroutines returns the service's number of goroutines.
func (v *served) goroutines() (n int) {
	res, err := http.Get("http://" + v.metrics + "/metrics")
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	if m := regexp.MustCompile(`(?m)^go_goroutines (\d+)`).FindSubmatch(text); m != nil {
		n, _ = strconv.Atoi(string(m[1]))
	}
	return n
}

// sample records the processes' resource use once a second, where the system reports it.
func (s *soak) sample(desks []*desk) {
	for s.rest(nil, time.Second, time.Second) {
		for _, d := range desks {
			if f, ok := figuresOfProcess(d.term.Cmd.Process.Pid); ok {
				d.figures = append(d.figures, f)
			}
		}
		s.ssh.sample()
		if f, ok := figuresOfProcess(s.served.running()); ok {
			f.goroutines = s.served.goroutines()
			s.served.mu.Lock()
			s.served.figures = append(s.served.figures, f)
			s.served.mu.Unlock()
		}
	}
}

// judge logs a process's resource use in the first and last quarter of its life, and fails if
// it grew by more than half plus an allowance. It skips short soaks.
func (s *soak) judge(who string, all []figures) {
	s.t.Helper()
	if len(all) < 8 {
		return
	}
	first, last := most(all[:len(all)/4]), most(all[len(all)*3/4:])
	s.tally.addN("cost of "+who+", samples", fmt.Sprintf(
		"(first to last quarter: %d to %d MiB, %d to %d files, %d to %d goroutines)",
		first.kib>>10, last.kib>>10, first.files, last.files, first.goroutines, last.goroutines), len(all))
	if !s.long() {
		return
	}
	if last.kib > first.kib*3/2+16<<10 || last.files > first.files*3/2+16 || last.goroutines > first.goroutines*3/2+16 {
		s.t.Errorf("%s grew from %+v to %+v", who, first, last)
	}
}

func most(all []figures) (m figures) {
	for _, f := range all {
		m = figures{max(m.kib, f.kib), max(m.files, f.files), max(m.goroutines, f.goroutines)}
	}
	return m
}
