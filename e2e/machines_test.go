//go:build long

package e2e_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
	"tarmac/service/ids"
	book "tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// cutOff is how long a machine is disconnected. It exceeds the time after which the database
// server rolls back an abandoned transaction.
const cutOff = 12 * time.Second

// Three processes serve one database under load. One is killed, and one is disconnected from
// the database and reconnected. Every proposal creates one invoice, every event reaches every
// endpoint, no delivery runs twice at a time, numbers have no gaps, and totals match their
// records.
func TestSeveralMachinesLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the lease of interrupted deliveries")
	}
	t.Parallel()
	m := newMachines(t)
	stop := make(chan struct{})
	var load sync.WaitGroup
	for i := range 3 {
		load.Go(func() { m.proposeUntil(i, stop) })
	}
	load.Go(func() { m.moveUntil(stop) })
	for i := range 2 {
		load.Go(func() { m.fillUntil(byte(i), stop) })
	}
	m.until("there is some load", func() bool { return m.answers.Load() > 30 })
	m.processes[1].kill()
	m.link.cut()
	before := m.answers.Load()
	<-time.After(cutOff)
	if m.answers.Load() == before {
		t.Error("nobody was answered while one machine of three was at work")
	}
	m.link.mend()
	m.until("the one that was cut off is back", func() bool {
		return m.propose(2, fmt.Sprintf("after-%d", time.Now().UnixNano()))
	})
	close(stop)
	load.Wait()
	m.until("all is delivered", func() bool {
		return m.number("SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'") == 0
	})
	m.check()
}

type machines struct {
	t             *testing.T
	database, key string
	org, token    string
	receiver      *testprogram.Receiver
	link          *link // between the third process and the database
	processes     [3]*machine
	answers       atomic.Int64

	mu       sync.Mutex
	proposed map[string]string // invoice ids by key
}

type machine struct {
	process *exec.Cmd
	address string
}

func newMachines(t *testing.T) *machines {
	m := &machines{t: t, database: testdb.Start(t).Database(t), key: filepath.Join(t.TempDir(), "key"),
		receiver: testprogram.NewReceiver(t), proposed: map[string]string{}}
	m.receiver.Takes = 5 * time.Millisecond
	m.link = newLink(t, m.database)
	var started sync.WaitGroup
	for i, database := range [...]string{m.database, m.database, m.link.url} {
		m.processes[i] = &machine{address: testprogram.FreeAddress(t)}
		p := testprogram.Command(t, []string{"TARMAC_DB=" + database}, "serve", "--addr", m.processes[i].address,
			"--rate", "0",
			"--key-file", m.key,
			"--webhook-allow", m.receiver.Address(), "--webhook-ca-file", m.receiver.CAFile)
		m.processes[i].process = p
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.processes[i].kill)
		// All three processes start on a database without tables.
		started.Go(func() {
			m.until("a process is ready", func() bool {
				res, err := http.Get("http://" + m.processes[i].address + "/readyz")
				if err == nil {
					_ = res.Body.Close()
				}
				return err == nil && res.StatusCode == http.StatusOK
			})
		})
	}
	started.Wait()
	m.org = testprogram.Must(t, "admin", "--db", m.database, "org", "create", "Northlight Labs")
	testprogram.Must(t, "admin", "--db", m.database, "org", "limit", m.org, "--drafts", "50000")
	testprogram.Must(t, "admin", "--db", m.database, "owner", "set", "--org", m.org, "--name", "Ada", "--email",
		"ada@example.com")
	m.token = testprogram.Must(t, "admin", "--db", m.database, "token", "create", "--org", m.org,
		"--scope", "account:read,payments:read,invoices:read,invoices:propose,event_feed:read,webhook_endpoints:manage")
	for i := range crashEndpoints {
		body := fmt.Sprintf(`{"url":"https://%s/%d","event_types":["invoice.sent","invoice.paid"]}`, m.receiver.Address(), i)
		if status, answer, err := m.ask(i, "POST", "/webhooks", body, ""); err != nil || status != http.StatusCreated {
			t.Fatalf("%d %s %v", status, answer, err)
		}
	}
	return m
}

func (p *machine) kill() {
	_ = p.process.Process.Kill()
	_ = p.process.Wait()
}

func (m *machines) until(what string, done func() bool) {
	for deadline := time.Now().Add(deliveredWithin); !done(); {
		if time.Now().After(deadline) {
			m.t.Errorf("not reached: %s", what)
			return
		}
		<-time.After(20 * time.Millisecond)
	}
}

// ask sends one request to a process. It returns an error if the process is dead or
// disconnected.
func (m *machines) ask(process int, method, path, body, key string) (status int, answer []byte, err error) {
	ctx, cancel := context.WithTimeout(m.t.Context(), 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+m.processes[process].address+"/api/ext/v1"+path,
		strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+m.token)
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

func (m *machines) propose(process int, key string) (heard bool) {
	status, answer, err := m.ask(process, "POST", "/invoices", `{"currency":"USD","description":"d","recipient_name":"n",`+
		`"recipient_email":"a@b.example","line_items":[{"description":"l","quantity":"1","unit_price_cents":100}]}`, key)
	var made struct{ ID string }
	if err != nil || status != http.StatusCreated || json.Unmarshal(answer, &made) != nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, again := m.proposed[key]; again && before != made.ID {
		m.t.Errorf("%s made %s and %s", key, before, made.ID)
	}
	m.proposed[key] = made.ID
	return true
}

// proposeUntil sends one proposal after another, each with its own key. It tries the processes
// in turn until one responds, and then repeats the proposal at another.
func (m *machines) proposeUntil(first int, stop <-chan struct{}) {
	for i := 0; ; i++ {
		key := fmt.Sprintf("key-%d-%d", first, i)
		for n := first + i; ; n++ {
			heard := m.propose(n%3, key)
			select {
			case <-stop:
				return
			default:
			}
			if heard {
				m.propose((n+1)%3, key)
				m.answers.Add(1)
				break
			}
		}
	}
}

// beside opens the service as an additional process would.
func (m *machines) beside() (*service.Service, store.OrgKey, error) {
	svc, err := service.Open(context.Background(), service.Config{
		Database: m.database, KeyFile: m.key, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader,
		Version: "test",
	})
	if err != nil {
		return nil, 0, err
	}
	_, key, err := svc.Organization(context.Background(), m.org)
	return svc, key, err
}

// moveUntil sends and pays the proposed invoices.
func (m *machines) moveUntil(stop <-chan struct{}) {
	svc, org, err := m.beside()
	if err != nil {
		m.t.Error(err)
		return
	}
	defer svc.Close()
	moved, source := map[string]int{}, ids.NewSource(rand.Reader)
	for {
		select {
		case <-stop:
			return
		default:
		}
		m.mu.Lock()
		var known []string
		for _, id := range m.proposed {
			known = append(known, id)
		}
		m.mu.Unlock()
		for _, id := range known {
			if moved[id] > 1 {
				continue
			}
			err := svc.Store().Write(context.Background(), func(tx *store.Tx) (err error) {
				moves := lifecycle.New(tx, source, time.Now().UTC())
				if moved[id] == 0 {
					_, err = moves.SendInvoice(org, id)
				} else {
					_, err = moves.PayInvoice(org, id, 0)
				}
				return err
			})
			if err != nil {
				m.t.Error(err)
				return
			}
			moved[id]++
		}
	}
}

// fillUntil adds rows of one day to the ledger.
func (m *machines) fillUntil(seed byte, stop <-chan struct{}) {
	svc, org, err := m.beside()
	if err != nil {
		m.t.Error(err)
		return
	}
	defer svc.Close()
	source := ids.NewSource(rand.Reader)
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Millisecond):
		}
		rows := make([]book.Transaction, 7)
		for i := range rows {
			rows[i] = book.Transaction{
				Date: civil.New(2026, 3, 1+i%3), AmountMinor: int64(seed) + 100, AmountKnown: true, USDCents: int64(seed) + 100,
				USDKnown: true,
				Currency: "USD", Counterparty: book.UnknownCounterparty,
			}
			if rows[i].ID, err = source.New(ids.Transaction, time.Now()); err != nil {
				m.t.Error(err)
				return
			}
		}
		if err := svc.Store().Write(context.Background(),
			func(tx *store.Tx) error { return tx.InsertTransactions(org, rows) }); err != nil {
			m.t.Error(err)
			return
		}
	}
}

func (m *machines) number(query string) (n int) {
	m.t.Helper()
	db, err := sql.Open("pgx", m.database)
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		m.t.Fatalf("%s: %v", query, err)
	}
	return n
}

func (m *machines) check() {
	t := m.t
	t.Helper()
	for query, want := range map[string]int{
		// Proposals and invoices.
		"SELECT count(*) - count(DISTINCT sequence) FROM invoices":                                       0,
		"SELECT count(*) - max(sequence) FROM invoices":                                                  0,
		"SELECT count(*) FROM invoices WHERE public_id NOT IN (SELECT invoice_id FROM idempotency_keys)": 0,
		"SELECT count(*) FROM idempotency_keys WHERE invoice_id NOT IN (SELECT public_id FROM invoices)": 0,
		"SELECT count(*) - max(sequence) FROM events":                                                    0,
		"SELECT count(*) FROM invoices WHERE status NOT IN ('draft', 'sent', 'paid')":                    0,
		"SELECT (SELECT count(*) FROM events) - (SELECT sum(CASE status WHEN 'sent' THEN 1 WHEN 'paid' THEN 2 END) FROM " +
			"invoices)": 0,
		// Deliveries.
		"SELECT count(*) FROM webhook_deliveries WHERE status <> 'delivered'":                                       0,
		fmt.Sprintf("SELECT count(*) * %d - (SELECT count(*) FROM webhook_deliveries) FROM events", crashEndpoints): 0,
		// The ledger.
		"SELECT count(*) - (SELECT sum(n) FROM ledger_daily) FROM transactions":               0,
		"SELECT sum(usd_cents) - (SELECT sum(usd_cents) FROM ledger_daily) FROM transactions": 0,
		"SELECT count(*) FROM (SELECT id >> 26 FROM transactions GROUP BY 1 HAVING count(*) <> max(id & ((1 << 26) - 1))) " +
			"AS gaps": 0,
	} {
		if got := m.number(query); got != want {
			t.Errorf("%s is %d, want %d", query, got, want)
		}
	}
	if heard, invoices := len(m.proposed), m.number("SELECT count(*) FROM invoices"); invoices < heard ||
		invoices > heard+3 {
		t.Errorf("%d invoices; %d answers were heard", invoices, heard)
	}
	if twice := m.receiver.Twice(); len(twice) > 0 {
		t.Errorf("%d deliveries were under way twice at a time: %v", len(twice), twice)
	}
	for _, process := range []int{0, 2} {
		_, answer, err := m.ask(process, "GET", "/transactions?limit=1", "", "")
		var page struct{ Summary struct{ Count int } }
		if err != nil || json.Unmarshal(answer, &page) != nil ||
			page.Summary.Count != m.number("SELECT count(*) FROM transactions") {
			t.Errorf("process %d answers %s, %v", process, answer, err)
		}
	}
	t.Logf("%d invoices, %d events, %d rows, %d requests at the receiver", len(m.proposed),
		m.number("SELECT count(*) FROM events"),
		m.number("SELECT count(*) FROM transactions"), m.receiver.Count())
}
