//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/events"
	"tarmac/service/ids"
	book "tarmac/service/ledger"
	"tarmac/service/store"
)

// benchPostgres holds the URL of a PostgreSQL server where the benchmark may create databases.
// Its durability settings should match production.
const benchPostgres = "TARMAC_BENCH_POSTGRES"

// BenchmarkMachines compares one service on SQLite with one and three services on PostgreSQL,
// over HTTP with the same ledger. It measures pages, proposals by sixteen clients (for one
// organization and for fifty), deliveries to twenty endpoints, and rows written by this
// process. Without TARMAC_BENCH_POSTGRES it measures only SQLite. TARMAC_BENCH_ROWS sets the
// ledger's rows (default 5,000).
func BenchmarkMachines(b *testing.B) {
	f := newFleet(b)
	serving := []*backing{{name: "sqlite-1", database: f.database, processes: 1}}
	if server := os.Getenv(benchPostgres); server == "" {
		b.Logf("%s names no server: SQLite alone is measured", benchPostgres)
	} else {
		for _, processes := range []int{1, 3} {
			database := testdb.At(server).Database(b)
			must(b, "admin", "copy", "--from", f.database, "--to", database, "--key-file", f.key)
			serving = append(serving, &backing{name: fmt.Sprint("postgres-", processes), database: database,
				processes: processes})
		}
	}
	for _, s := range serving {
		f.serve(b, s)
	}
	get := func(path string) func(*testing.B, *backing) {
		return func(b *testing.B, s *backing) {
			for b.Loop() {
				s.ask(b, f.tokens[0], http.MethodGet, path, "")
			}
		}
	}
	for _, measured := range [...]struct {
		what string
		do   func(*testing.B, *backing)
	}{
		{"page", get("/transactions")},
		{"summary", get("/transactions?limit=1&direction=outflow")},
		{"keyword", get("/transactions?keyword=software")},
		{"proposals-1", func(b *testing.B, s *backing) { s.propose(b, f.tokens[1:2]) }},
		{"proposals-50", func(b *testing.B, s *backing) { s.propose(b, f.tokens[1:]) }},
		{"rows", f.fill},
		{"deliveries", f.deliver},
	} {
		for _, s := range serving {
			b.Run(measured.what+"/"+s.name, func(b *testing.B) { measured.do(b, s) })
		}
	}
}

// fleet is a database file with one organization that has a ledger and fifty that have none.
type fleet struct {
	database, key string
	tokens        []string // the first belongs to the organization with the ledger
	orgs          []string
	received      *counting
}

func newFleet(b *testing.B) *fleet {
	b.Helper()
	rows := os.Getenv("TARMAC_BENCH_ROWS")
	if rows == "" {
		rows = "5000"
	}
	database := filepath.Join(b.TempDir(), "fleet.db")
	f := &fleet{database: database, key: database + ".key", received: newCounting(b)}
	f.orgs = append(f.orgs, must(b, "admin", "--db", database, "org", "create", "Northlight Labs"))
	must(b, "admin", "--db", database, "seed", "--org", f.orgs[0], "--transactions", rows)
	svc := f.open(b, database)
	defer svc.Close()
	for i := range 51 {
		if i > 0 {
			o, err := svc.CreateOrganization(context.Background(), fmt.Sprint("Number ", i))
			if err != nil {
				b.Fatal(err)
			}
			f.orgs = append(f.orgs, o.PublicID)
		}
		secret, _, err := svc.CreateToken(context.Background(), f.orgs[i], access.Scopes[:], 0)
		if err != nil {
			b.Fatal(err)
		}
		f.tokens = append(f.tokens, secret)
		_, org, err := svc.Organization(context.Background(), f.orgs[i])
		if err == nil {
			err = svc.Store().Write(context.Background(),
				func(tx *store.Tx) error { return tx.SetOwner(org, "Ada", "ada@example.com") })
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return f
}

func (f *fleet) open(b *testing.B, database string) *service.Service {
	b.Helper()
	svc, err := service.Open(context.Background(), service.Config{
		Database: database, KeyFile: f.key, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader,
		Version: "test",
	})
	if err != nil {
		b.Fatal(err)
	}
	return svc
}

// backing is a database served by several processes and opened by this one.
type backing struct {
	name, database string
	processes      int
	addresses      []string
	beside         *service.Service
	client         *http.Client
	turn           atomic.Int64
}

func (f *fleet) serve(b *testing.B, s *backing) {
	b.Helper()
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: proposers}}
	for range s.processes {
		address := freeAddress(b)
		process := program(b, []string{"TARMAC_DB=" + s.database}, "serve", "--addr", address, "--rate", "0", "--key-file",
			f.key,
			"--webhook-allow", f.received.address(), "--webhook-ca-file", f.received.caFile)
		if err := process.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			_ = process.Process.Kill()
			_ = process.Wait()
		})
		for deadline := time.Now().Add(time.Minute); ; <-time.After(10 * time.Millisecond) {
			res, err := s.client.Get("http://" + address + "/readyz")
			if err == nil {
				_ = res.Body.Close()
				break
			}
			if time.Now().After(deadline) {
				b.Fatal(err)
			}
		}
		s.addresses = append(s.addresses, address)
	}
	s.beside = f.open(b, s.database)
	b.Cleanup(func() { _ = s.beside.Close() })
}

// ask sends requests to the processes in turn.
func (s *backing) ask(b *testing.B, token, method, path, body string) []byte {
	address := s.addresses[int(s.turn.Add(1))%len(s.addresses)]
	req, err := http.NewRequest(method, "http://"+address+"/api/ext/v1"+path, strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return nil
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := s.client.Do(req)
	if err != nil {
		b.Error(err)
		return nil
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode > 299 {
		b.Errorf("%s %s: %d %s, %v", method, path, res.StatusCode, answer, err)
	}
	return answer
}

const (
	proposers = 16
	perRound  = 160
)

func (s *backing) propose(b *testing.B, tokens []string) {
	done := 0
	for b.Loop() {
		var at sync.WaitGroup
		for i := range proposers {
			at.Go(func() {
				for n := range perRound / proposers {
					s.ask(b, tokens[(i+n*proposers)%len(tokens)], http.MethodPost, "/invoices",
						`{"currency":"USD","description":"d","recipient_name":"n",`+
							`"recipient_email":"a@b.example","line_items":[{"description":"l","quantity":"1","unit_price_cents":100}]}`)
				}
			})
		}
		at.Wait()
		done += perRound
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "proposals/s")
}

// fill adds a hundred rows per transaction to an organization without a ledger.
func (f *fleet) fill(b *testing.B, s *backing) {
	_, org, err := s.beside.Organization(b.Context(), f.orgs[2])
	if err != nil {
		b.Fatal(err)
	}
	source, done := ids.NewSource(rand.Reader), 0
	for b.Loop() {
		rows := make([]book.Transaction, 100)
		for i := range rows {
			rows[i] = book.Transaction{
				Date: civil.New(2026, 3, 1+i%28), AmountMinor: 100, AmountKnown: true, USDCents: 100, USDKnown: true,
				Currency:     "USD",
				Counterparty: fmt.Sprint("Counterparty ", done%977), Category: "Software", Reference: rand.Text()[:12],
			}
			if rows[i].ID, err = source.New(ids.Transaction, time.Now()); err != nil {
				b.Fatal(err)
			}
			done++
		}
		insert := func(tx *store.Tx) error { return tx.InsertTransactions(org, rows) }
		if err := s.beside.Store().Write(b.Context(), insert); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "rows/s")
}

const (
	toldEndpoints = 20
	toldEvents    = 40 // per round and receiver
)

// deliver measures a round from the first arrival to the last, because the first arrival
// depends on which process queued it.
func (f *fleet) deliver(b *testing.B, s *backing) {
	_, org, err := s.beside.Organization(b.Context(), f.orgs[3])
	if err != nil {
		b.Fatal(err)
	}
	if !bytes.Contains(s.ask(b, f.tokens[3], http.MethodGet, "/webhooks", ""), []byte("wh_")) {
		for i := range toldEndpoints {
			s.ask(b, f.tokens[3], http.MethodPost, "/webhooks",
				fmt.Sprintf(`{"url":"https://%s/%d","event_types":["invoice.sent"]}`, f.received.address(), i))
		}
	}
	source, sent, took := ids.NewSource(rand.Reader), 0, time.Duration(0)
	for b.Loop() {
		now := time.Now().UTC()
		told := make([]events.Event, toldEvents)
		for i := range told {
			told[i] = events.Event{Type: events.InvoiceSent, OccurredAt: now,
				Body: []byte(`{"data":"` + strings.Repeat("x", 200) + `"}`)}
			if told[i].ID, err = source.New(ids.Event, now); err != nil {
				b.Fatal(err)
			}
		}
		round := f.received.expect(toldEndpoints * toldEvents)
		appendEvents := func(tx *store.Tx) error { return tx.AppendEvents(org, told) }
		if err := s.beside.Store().Write(b.Context(), appendEvents); err != nil {
			b.Fatal(err)
		}
		took += <-round
		sent += toldEndpoints * toldEvents
	}
	b.ReportMetric(float64(sent)/took.Seconds(), "deliveries/s")
}

// counting is a receiver that counts deliveries.
type counting struct {
	server *httptest.Server
	caFile string
	mu     sync.Mutex
	left   int
	first  time.Time
	over   chan time.Duration
}

func newCounting(b *testing.B) *counting {
	b.Helper()
	r := &counting{caFile: filepath.Join(b.TempDir(), "ca.pem")}
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		r.count()
		w.WriteHeader(http.StatusNoContent)
	}))
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.server.StartTLS()
	b.Cleanup(r.server.Close)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
	if err := os.WriteFile(r.caFile, certificate, 0o600); err != nil {
		b.Fatal(err)
	}
	return r
}

func (r *counting) address() string { return r.server.Listener.Addr().String() }

// expect returns a channel that receives the time between the first and the last of n
// deliveries.
func (r *counting) expect(n int) <-chan time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left, r.first, r.over = n, time.Time{}, make(chan time.Duration, 1)
	return r.over
}

func (r *counting) count() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first.IsZero() {
		r.first = time.Now()
	}
	if r.left--; r.left == 0 {
		r.over <- time.Since(r.first)
	}
}
