package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the database driver

	"tarmac/internal/civil"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// databaseVariable is the environment variable with the URL of an empty PostgreSQL database
// to measure. Without it the benchmarks use a SQLite file.
const databaseVariable = "TARMAC_SCALE_DB"

// measured is the database under measurement, opened by one or more processes.
type measured struct {
	b         *testing.B
	processes []*store.Store
	ids       *ids.Source
	log       *sql.DB // for the size of the log; nil with SQLite
}

func open(b *testing.B, processes int) *measured {
	b.Helper()
	m := &measured{b: b, ids: ids.NewSource(rand.Reader)}
	database := os.Getenv(databaseVariable)
	if database == "" {
		database, processes = filepath.Join(b.TempDir(), "scale.db"), 1
	} else {
		var err error
		if m.log, err = sql.Open("pgx", database); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = m.log.Close() })
	}
	for range processes {
		st, err := store.Open(b.Context(), database, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = st.Close() })
		m.processes = append(m.processes, st)
	}
	return m
}

func (m *measured) id(kind string) string {
	id, err := m.ids.New(kind, time.Now())
	if err != nil {
		m.b.Error(err)
	}
	return id
}

func (m *measured) write(st *store.Store, fn func(*store.Tx) error) {
	if err := st.Write(context.Background(), fn); err != nil {
		m.b.Error(err)
	}
}

func (m *measured) organizations(n int) []store.OrgKey {
	all := make([]store.OrgKey, n)
	for i := range all {
		m.write(m.processes[0], func(tx *store.Tx) (err error) {
			all[i], err = tx.CreateOrganization(
				store.Organization{PublicID: m.id(ids.Organization), Name: "measured", CreatedAt: time.Now()},
			)
			return err
		})
	}
	return all
}

// written returns the bytes of log that the server has written so far.
func (m *measured) written() (bytes float64) {
	if m.log == nil {
		return 0
	}
	if err := m.log.QueryRow("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')").Scan(&bytes); err != nil {
		m.b.Fatal(err)
	}
	return bytes
}

func (m *measured) event() events.Event {
	at := time.Now()
	e, err := events.ForPayment(m.id(ids.Event), at,
		payments.Intent{ID: m.id(ids.PaymentIntent), Status: payments.Completed, AmountCents: 125_000, Currency: "USD"})
	if err != nil {
		m.b.Error(err)
	}
	return e
}

func (m *measured) row(date civil.Date) ledger.Transaction {
	return ledger.Transaction{
		ID: m.id(ids.Transaction), Date: date, AmountMinor: 125_000, AmountKnown: true, USDCents: 125_000, USDKnown: true,
		Currency: "USD", Counterparty: "Cumulus Hosting", Category: "software", Memo: "October invoice 4711", Method: "card",
		Reference: "ref-004711",
	}
}

// commit writes what a completed payment does: a row of the ledger, the sum of its day, and
// an event.
func (m *measured) commit(st *store.Store, org store.OrgKey) {
	row, e := m.row(civil.Of(time.Now())), m.event()
	m.write(st, func(tx *store.Tx) error {
		if err := tx.InsertTransactions(org, []ledger.Transaction{row}); err != nil {
			return err
		}
		return tx.AppendEvents(org, []events.Event{e})
	})
}

// BenchmarkCommits compares writers that share one organization's lock with writers of an
// organization each.
func BenchmarkCommits(b *testing.B) {
	for _, shape := range []struct{ writers, organizations int }{{1, 1}, {4, 1}, {8, 1}, {16, 1}, {4, 4}, {8, 8},
		{16, 16}} {
		b.Run(fmt.Sprintf("%d writers, organizations %d", shape.writers, shape.organizations), func(b *testing.B) {
			m := open(b, 2)
			orgs := m.organizations(shape.organizations)
			var mu sync.Mutex
			var took []time.Duration
			before := m.written()
			next := make(chan struct{})
			var writing sync.WaitGroup
			for w := range shape.writers {
				writing.Go(func() {
					for range next {
						began := time.Now()
						m.commit(m.processes[w%len(m.processes)], orgs[w%len(orgs)])
						mu.Lock()
						took = append(took, time.Since(began))
						mu.Unlock()
					}
				})
			}
			for b.Loop() {
				next <- struct{}{}
			}
			close(next)
			writing.Wait()
			b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "commits/s")
			b.ReportMetric((m.written()-before)/float64(len(took)), "log-B/commit")
			percentiles(b, took)
		})
	}
}

func percentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}

// BenchmarkBeside measures the commits of one organization while another one writes
// constantly in the same process.
func BenchmarkBeside(b *testing.B) {
	for _, hot := range []int{0, 4, requestsEach} {
		b.Run(fmt.Sprintf("%d of another", hot), func(b *testing.B) {
			m := open(b, 1)
			orgs, end := m.organizations(2), make(chan struct{})
			var writing sync.WaitGroup
			for range hot {
				writing.Go(func() {
					for {
						select {
						case <-end:
							return
						default:
							m.commit(m.processes[0], orgs[0])
						}
					}
				})
			}
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				m.commit(m.processes[0], orgs[1])
				took = append(took, time.Since(began))
			}
			close(end)
			writing.Wait()
			percentiles(b, took)
		})
	}
}

// BenchmarkDeliveries measures the database's share of a delivery: to queue, claim and
// complete it, with four endpoints per event and 32 deliveries per transaction.
func BenchmarkDeliveries(b *testing.B) {
	m := open(b, 1)
	st, org := m.processes[0], m.organizations(1)[0]
	const endpoints, each = 4, 8
	for range endpoints {
		m.write(st, func(tx *store.Tx) error {
			return tx.InsertEndpoint(
				org,
				webhooks.Endpoint{ID: m.id(ids.Webhook), URL: "https://receiver.example/hook", Status: webhooks.Active,
					EventTypes: []events.Type{events.PaymentCompleted}, CreatedAt: time.Now(), UpdatedAt: time.Now()},
				make([]byte, 77),
			)
		})
	}
	before, n, waits := m.written(), 0, [3]time.Duration{}
	for b.Loop() {
		evs := make([]events.Event, each)
		for i := range evs {
			evs[i] = m.event()
		}
		began := time.Now()
		m.write(st, func(tx *store.Tx) error { return tx.AppendEvents(org, evs) })
		queued, claimed := time.Now(), []store.Attempt{}
		var due []store.DueEndpoint
		if err := st.Read(b.Context(),
			func(s *store.Snapshot) (err error) { due, err = s.DueEndpoints(); return err }); err != nil {
			b.Fatal(err)
		}
		m.write(st, func(tx *store.Tx) error {
			for _, d := range due {
				some, err := tx.ClaimDeliveries(d.Endpoint, time.Now(), time.Now().Add(webhooks.Lease), each, webhooks.MaxAttempts)
				if err != nil {
					return err
				}
				claimed = append(claimed, some...)
			}
			return nil
		})
		sent := time.Now()
		m.write(st, func(tx *store.Tx) error {
			for _, a := range claimed {
				_, err := tx.FinishAttempt(a, time.Now(), 200, webhooks.NoProblem, func(e webhooks.Endpoint) webhooks.Consequence {
					return webhooks.Result{Code: 200}.Consequence(0, false, e, time.Now(), 0)
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		waits[0], waits[1], waits[2] = waits[0]+queued.Sub(began), waits[1]+sent.Sub(queued), waits[2]+time.Since(sent)
		if n += len(claimed); len(claimed) != endpoints*each {
			b.Fatalf("%d were claimed", len(claimed))
		}
	}
	for i, what := range [...]string{"queue", "claim", "settle"} {
		b.ReportMetric(float64(waits[i].Microseconds())/float64(n), "µs-"+what)
	}
	b.ReportMetric((m.written()-before)/float64(n), "log-B/delivery")
}

// BenchmarkPages measures pages of 100 rows with their totals for eight concurrent readers.
func BenchmarkPages(b *testing.B) {
	m := open(b, 1)
	org, rows := m.organizations(1)[0], make([]ledger.Transaction, organizationRows)
	today := civil.Of(time.Now())
	for i := range rows {
		rows[i] = m.row(today.AddDays(-i * organizationDays / organizationRows))
	}
	m.write(m.processes[0], func(tx *store.Tx) error { return tx.InsertTransactions(org, rows) })
	var asked atomic.Int64
	b.SetParallelism(8 / min(8, runtime.GOMAXPROCS(0)))
	b.ResetTimer()
	b.RunParallel(func(each *testing.PB) {
		for each.Next() {
			// A new period each time avoids cached results.
			n := int(asked.Add(1))
			filter := ledger.Filter{From: today.AddDays(-organizationDays - n), To: today.AddDays(-n % (organizationDays / 2))}
			page, sum, err := m.processes[0].Listing(b.Context(), org, filter, nil, 100)
			if err != nil || len(page.Rows) != 100 || sum.Count < 100 {
				b.Errorf("%d rows of %d, %v", len(page.Rows), sum.Count, err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}

// BenchmarkAllowances measures the shared count of requests, which only PostgreSQL has.
func BenchmarkAllowances(b *testing.B) {
	for _, tokens := range []int{1, 1000} {
		b.Run(fmt.Sprintf("%d tokens", tokens), func(b *testing.B) {
			m := open(b, 2)
			if !m.processes[0].Shared() {
				b.Skip("one process counts by itself")
			}
			next := make(chan string)
			var counting sync.WaitGroup
			var mu sync.Mutex
			var took []time.Duration
			for w := range 8 {
				counting.Go(func() {
					for token := range next {
						began := time.Now()
						if _, err := m.processes[w%2].TakeAllowance(context.Background(), token, began, time.Microsecond,
							time.Hour); err != nil {
							b.Error(err)
						}
						mu.Lock()
						took = append(took, time.Since(began))
						mu.Unlock()
					}
				})
			}
			n := 0
			for b.Loop() {
				next <- fmt.Sprintf("tok_%d", n%tokens)
				n++
			}
			close(next)
			counting.Wait()
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "counts/s")
			percentiles(b, took)
		})
	}
}
