//go:build long

package e2e_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/histories"
	"tarmac/internal/testsupport/testdb"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
)

// historiesVariable is an environment variable: how long clients work in a test of histories.
const historiesVariable = "TARMAC_HISTORIES"

// What clients of three processes on one PostgreSQL database do at the same time has the results
// of one order, although processes are killed, connections are cut off and clocks jump.
func TestHistoriesOfThreeProcessesAreLinearizable(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server and several processes")
	}
	t.Parallel()
	database := testdb.Start(t).Database(t)
	l := newLink(t, database)
	h := newHistories(t, database)
	for _, path := range []string{database, database, l.url} {
		h.serve(path)
	}
	h.operate(database)
	h.operate(l.url)
	h.link = l
	h.run()
}

func TestHistoriesOfOneProcessAreLinearizable(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	t.Parallel()
	database := filepath.Join(t.TempDir(), "tarmac.db")
	h := newHistories(t, database)
	h.serve(database)
	h.operate(database)
	h.run()
}

// recorded is a load on processes that fail, and its history.
type recorded struct {
	*histories.Load
	t         *testing.T
	rng       *mathrand.Rand
	database  string
	key       string
	caFile    string
	processes []*skewed
	networks  []*faults.Handler
	clocks    []*atomic.Int64 // nanoseconds by which operators' clocks are ahead
	operators []*service.Service
	link      *link // between the last process and the database; nil if there is none
	done      map[string]int
}

// skewed is a process with a clock of its own.
type skewed struct {
	machine
	database string
	clock    string // path of the file with the seconds by which the clock is ahead
}

func newHistories(t *testing.T, database string) *recorded {
	t.Helper()
	receiver := histories.NewReceiver(t)
	seed := mathrand.Uint64()
	if text := os.Getenv("TARMAC_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("TARMAC_SEED: %v", err)
		}
	}
	dir := t.TempDir()
	h := &recorded{t: t, rng: mathrand.New(mathrand.NewPCG(seed, 0)), database: database, done: map[string]int{},
		key: filepath.Join(dir, "key"), caFile: filepath.Join(dir, "ca.pem"), Load: &histories.Load{
			Receiver: receiver, Clients: 6, Seed: seed, History: histories.NewHistory(),
		}}
	if err := os.WriteFile(h.caFile, receiver.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d", seed)
	return h
}

// serve starts a process, and a network before it that cuts connections off.
func (h *recorded) serve(database string) {
	h.t.Helper()
	p := &skewed{machine: machine{address: testprogram.FreeAddress(h.t)}, database: database,
		clock: filepath.Join(h.t.TempDir(), "clock")}
	h.jump(p, 0)
	h.start(p)
	h.t.Cleanup(func() { p.kill() })
	target := &url.URL{Scheme: "http", Host: p.address}
	network := faults.New(&httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ErrorHandler: passOnFailed,
		ErrorLog:     log.New(io.Discard, "", 0),
	}, faults.Options{})
	server := httptest.NewUnstartedServer(network)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	h.t.Cleanup(server.Close)
	h.processes, h.networks = append(h.processes, p), append(h.networks, network)
	h.Services = append(h.Services, server.URL)
}

// passOnFailed cuts a connection off. If the process did not listen, it answers that nothing was
// done.
func passOnFailed(w http.ResponseWriter, _ *http.Request, err error) {
	if dial, ok := errors.AsType[*net.OpError](err); !ok || dial.Op != "dial" {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(http.StatusTooManyRequests)
}

func (h *recorded) start(p *skewed) {
	h.t.Helper()
	p.process = testprogram.Command(
		h.t,
		[]string{"TARMAC_DB=" + p.database, testprogram.ClockFile + "=" + p.clock},
		"serve",
		"--addr",
		p.address,
		"--rate",
		"0",
		"--key-file",
		h.key,
		"--webhook-allow",
		h.Receiver.Address(),
		"--webhook-ca-file",
		h.caFile,
	)
	if err := p.process.Start(); err != nil {
		h.t.Error(err)
		return
	}
	h.await(p)
}

// await waits until a process answers.
func (h *recorded) await(p *skewed) {
	for deadline := time.Now().Add(deliveredWithin); ; <-time.After(10 * time.Millisecond) {
		res, err := http.Get("http://" + p.address + "/readyz")
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(deadline) {
			h.t.Errorf("a process does not become ready: %v", err)
			return
		}
	}
}

// operate opens the service as `tarmac admin` does.
func (h *recorded) operate(database string) {
	h.t.Helper()
	ahead := &atomic.Int64{}
	svc, err := service.Open(h.t.Context(), service.Config{
		Database: database, Operator: true, KeyFile: h.key, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, Entropy: rand.Reader, Version: "test",
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		if err := svc.Close(); err != nil {
			h.t.Error(err)
		}
	})
	h.Operators, h.operators, h.clocks = append(h.Operators, svc), append(h.operators, svc), append(h.clocks, ahead)
}

// jump sets by how much a process's clock is ahead.
func (h *recorded) jump(p *skewed, ahead time.Duration) {
	h.t.Helper()
	text := strconv.Itoa(int(ahead / time.Second))
	next := p.clock + ".next"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		h.t.Error(err)
	}
	if err := os.Rename(next, p.clock); err != nil {
		h.t.Error(err)
	}
}

// run lets the clients work while things go wrong, and then checks the history.
func (h *recorded) run() {
	h.t.Helper()
	h.createOrganizations()
	for n, network := range h.networks {
		network.Random(h.Seed+uint64(n), 30, cutOffs()...)
	}
	ctx, end := context.WithTimeout(h.t.Context(), h.length())
	defer end()
	troubled := make(chan struct{})
	go func() { defer close(troubled); h.trouble(ctx) }()
	h.Run(ctx, 1<<30)
	<-troubled
	h.stop()

	problems := h.Finish(h.invoices)

	for _, v := range h.History.Check(time.Minute) {
		h.t.Errorf("%s", v)
	}
	for _, p := range problems {
		h.t.Error(p)
	}
	counts := h.History.Counts()
	for _, kind := range []histories.Kind{
		histories.Keys, histories.Numbers, histories.Payments, histories.Endpoints, histories.Secrets,
	} {
		n := counts[kind]
		if n.Operations == 0 {
			h.t.Errorf("no history of %s", kind)
		}
		h.t.Logf(
			"%s: %d records, %d operations, %d of them without an answer",
			kind,
			n.Records,
			n.Operations,
			n.Lost,
		)
	}
	h.t.Logf("%v", h.done)
}

// length returns how long the clients work.
func (h *recorded) length() time.Duration {
	h.t.Helper()
	text := os.Getenv(historiesVariable)
	if text == "" {
		return 6 * time.Second
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		h.t.Fatalf("%s: %v", historiesVariable, err)
	}
	return length
}

func (h *recorded) createOrganizations() {
	h.t.Helper()
	for n := range 2 {
		org := testprogram.Must(h.t, "admin", "--db", h.database, "org", "create", fmt.Sprintf("Company %d", n))
		testprogram.Must(h.t, "admin", "--db", h.database, "org", "limit", org, "--drafts", "50000")
		testprogram.Must(
			h.t,
			"admin",
			"--db",
			h.database,
			"owner",
			"set",
			"--org",
			org,
			"--name",
			"Ada",
			"--email",
			"ada@example.com",
		)
		token := testprogram.Must(h.t, "admin", "--db", h.database, "token", "create", "--org", org, "--scope",
			testprogram.AllScopes)
		h.Organizations = append(h.Organizations, histories.Organization{ID: org, Token: token})
	}
}

// cutOffs returns the faults in which a connection ends before the answer is complete.
func cutOffs() (all []faults.Fault) {
	for _, f := range faults.Connections() {
		switch f.Name {
		case "hung up", "reset", "reset in the header":
			all = append(all, f, f.WithLostResponse())
		case "hung up in the body", "reset in the body":
			all = append(all, f)
		}
	}
	return all
}

// farthest is how far a clock jumps. Two clocks differ by less than the day for which idempotency
// keys and previous secrets are kept.
const farthest = 11 * time.Hour

// trouble kills processes and starts them again, makes clocks jump, and cuts a process off from the
// database, until ctx ends.
func (h *recorded) trouble(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(100+h.rng.IntN(500)) * time.Millisecond):
		}
		p := h.processes[h.rng.IntN(len(h.processes))]
		jump := time.Duration(h.rng.Int64N(int64(2*farthest))) - farthest
		switch n := h.rng.IntN(8); {
		case n < 2:
			h.done["killed"]++
			p.kill()
			h.start(p)
		case n == 2:
			h.done["stopped"]++
			_ = p.process.Process.Signal(syscall.SIGTERM)
			_ = p.process.Wait()
			h.start(p)
		case n == 3 && h.link != nil:
			h.done["cut off from the database"]++
			h.link.cut()
			<-time.After(time.Duration(h.rng.IntN(2000)) * time.Millisecond)
			h.link.mend()
		case n < 6:
			h.done["clock of a process jumped"]++
			h.jump(p, jump)
		default:
			h.done["clock of an operator jumped"]++
			h.clocks[h.rng.IntN(len(h.clocks))].Store(int64(jump))
		}
	}
}

// stop ends all processes, so that no request is being carried out any more.
func (h *recorded) stop() {
	for _, p := range h.processes {
		_ = p.process.Process.Signal(syscall.SIGTERM)
		_ = p.process.Wait()
	}
}

func (h *recorded) invoices(org string) (all []histories.Invoice) {
	list, err := h.operators[0].Invoices(h.t.Context(), org, "", 1_000_000)
	if err != nil {
		h.t.Error(err)
	}
	for _, i := range list {
		all = append(all, histories.Invoice{Recipient: i.RecipientName, Number: int(i.Sequence)})
	}
	return all
}
