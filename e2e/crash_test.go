//go:build long

package e2e_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
	"tarmac/service/ids"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

const (
	crashes        = 6
	crashEndpoints = 3
	// deliveredWithin exceeds a lease plus the first retry.
	deliveredWithin = 2 * time.Minute
)

// A process that is killed at any point loses and duplicates nothing: every committed event
// reaches every endpoint, every proposal creates one invoice, and the database stays intact.
func TestKilledProcessesLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the lease of interrupted deliveries")
	}
	t.Parallel()
	r := testprogram.NewReceiver(t)
	database, org, tokenFile := testprogram.Organization(t, "",
		"invoices:read,invoices:propose,event_feed:read,webhook_endpoints:manage")
	testprogram.Must(t, "admin", "--db", database, "org", "limit", org, "--drafts", "50000")
	testprogram.Must(t, "admin", "--db", database, "owner", "set", "--org", org, "--name", "Ada", "--email",
		"ada@example.com")
	secret, err := os.ReadFile(tokenFile)
	if err != nil {
		t.Fatal(err)
	}
	c := &crashTest{t: t, database: database, token: strings.TrimSpace(string(secret)), receiver: r,
		address: testprogram.FreeAddress(t)}
	c.start()
	defer c.kill()
	for i := range crashEndpoints {
		c.subscribe(i)
	}
	stop := make(chan struct{})
	var load sync.WaitGroup
	load.Go(func() { c.proposeUntil(stop) })
	load.Go(func() { c.moveUntil(org, stop) })
	load.Go(func() { c.verifyUntil(stop) })
	for range crashes {
		<-time.After(time.Duration(50+mathrand.IntN(350)) * time.Millisecond)
		c.kill()
		c.start()
	}
	close(stop)
	load.Wait()
	c.waitUntilDelivered()
	c.kill()
	c.checkRecords()
	c.checkDeliveries()
}

type crashTest struct {
	t        *testing.T
	database string
	token    string
	address  string
	receiver *testprogram.Receiver
	process  *exec.Cmd
	wanted   []string // the endpoints' ids

	mu       sync.Mutex
	proposed map[string]string // invoice ids by key
}

func (c *crashTest) start() {
	c.t.Helper()
	c.process = testprogram.Command(c.t, nil, "serve", "--db", c.database, "--addr", c.address, "--rate", "0",
		"--webhook-allow", c.receiver.Address(), "--webhook-ca-file", c.receiver.CAFile)
	if err := c.process.Start(); err != nil {
		c.t.Fatal(err)
	}
	for deadline := time.Now().Add(testprogram.Patience); ; {
		if res, err := http.Get("http://" + c.address + "/readyz"); err == nil {
			_ = res.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatal("the service did not come up")
		}
		<-time.After(5 * time.Millisecond)
	}
}

func (c *crashTest) kill() {
	_ = c.process.Process.Kill()
	_ = c.process.Wait()
}

// ask sends one request. It returns an error if the process dies meanwhile.
func (c *crashTest) ask(method, path, body, key string) (status int, answer []byte, err error) {
	req, err := http.NewRequest(method, "http://"+c.address+"/api/ext/v1"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
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

func (c *crashTest) subscribe(i int) {
	c.t.Helper()
	body := fmt.Sprintf(`{"url":"https://%s/%d","event_types":["invoice.sent","invoice.paid","invoice.voided"]}`,
		c.receiver.Address(), i)
	status, answer, err := c.ask("POST", "/webhooks", body, "")
	var made struct{ ID string }
	if err != nil || status != http.StatusCreated || json.Unmarshal(answer, &made) != nil {
		c.t.Fatalf("%d %s %v", status, answer, err)
	}
	c.wanted = append(c.wanted, made.ID)
}

// proposeUntil sends one proposal after another, each with its own key, and repeats each until
// it gets a response.
func (c *crashTest) proposeUntil(stop <-chan struct{}) {
	c.proposed = map[string]string{}
	for i := 0; ; i++ {
		key := fmt.Sprintf("key-%d", i)
		for heard := false; !heard; {
			status, answer, err := c.ask("POST", "/invoices", `{"currency":"USD","description":"d","recipient_name":"n",`+
				`"recipient_email":"a@b.example","line_items":[{"description":"l","quantity":"1","unit_price_cents":100}]}`, key)
			var made struct{ ID string }
			if err == nil && status == http.StatusCreated && json.Unmarshal(answer, &made) == nil {
				c.mu.Lock()
				c.proposed[key], heard = made.ID, true
				c.mu.Unlock()
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	}
}

// moveUntil opens the database from another process, and sends, pays and voids invoices.
func (c *crashTest) moveUntil(org string, stop <-chan struct{}) {
	svc, err := service.Open(context.Background(), service.Config{
		Database: c.database, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader, Version: "test",
	})
	if err != nil {
		c.t.Error(err)
		return
	}
	defer svc.Close()
	_, key, err := svc.Organization(context.Background(), org)
	if err != nil {
		c.t.Error(err)
		return
	}
	moved := map[string]int{}
	source := ids.NewSource(rand.Reader)
	for {
		select {
		case <-stop:
			return
		default:
		}
		for _, id := range c.known() {
			if moved[id] > 1 {
				continue
			}
			err := svc.Store().Write(context.Background(), func(tx *store.Tx) (err error) {
				m := lifecycle.New(tx, source, time.Now().UTC())
				if moved[id] == 0 {
					_, err = m.SendInvoice(key, id)
				} else {
					_, err = m.PayInvoice(key, id, 0)
				}
				return err
			})
			if err != nil {
				c.t.Error(err)
				return
			}
			moved[id]++
		}
	}
}

func (c *crashTest) known() (invoices []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range c.proposed {
		invoices = append(invoices, id)
	}
	return invoices
}

// verifyUntil makes the killed process queue its own events.
func (c *crashTest) verifyUntil(stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		// A request that is cut off may or may not have been executed.
		_, _, _ = c.ask("POST", "/webhooks/"+c.wanted[i%len(c.wanted)]+"/verify", "", "")
	}
}

func (c *crashTest) query(t *testing.T, query string, dest ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(c.database),
		RawQuery: "_pragma=busy_timeout(5000)"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(dest...); err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatalf("%s: %v", query, err)
	}
}

func (c *crashTest) waitUntilDelivered() {
	c.t.Helper()
	for deadline := time.Now().Add(deliveredWithin); ; {
		var pending int
		c.query(c.t, "SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'", &pending)
		if pending == 0 {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("%d deliveries are still pending", pending)
		}
		<-time.After(100 * time.Millisecond)
	}
}

func (c *crashTest) checkRecords() {
	t := c.t
	t.Helper()
	var integrity, orphan string
	c.query(t, "PRAGMA integrity_check", &integrity)
	c.query(t, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`, &orphan)
	if integrity != "ok" || orphan != "" {
		t.Errorf("integrity %s, orphans in %q", integrity, orphan)
	}
	var invoices, numbers, keys, events, sequence int
	c.query(t, "SELECT count(*), count(DISTINCT sequence) FROM invoices", &invoices, &numbers)
	c.query(t, "SELECT count(*) FROM idempotency_keys k JOIN invoices i ON i.public_id = k.invoice_id", &keys)
	c.query(t, "SELECT count(*), max(sequence) FROM events", &events, &sequence)
	// The last proposal may have been cut off before its response arrived.
	if heard := len(c.proposed); invoices != numbers || invoices != keys || invoices < heard || invoices > heard+1 ||
		heard < crashes {
		t.Errorf("%d invoices with %d numbers and %d keys; %d answers were heard", invoices, numbers, keys, heard)
	}
	if events != sequence || events < crashes {
		t.Errorf("%d events up to place %d", events, sequence)
	}
	var eventless int
	c.query(t, `SELECT count(*) FROM invoices i WHERE i.status <> 'draft' AND NOT EXISTS (
		SELECT 1 FROM events e WHERE e.type = 'invoice.' || i.status AND
			CAST(e.body AS TEXT) LIKE '%' || i.public_id || '%')`, &eventless)
	if eventless != 0 {
		t.Errorf("%d invoices moved without their event", eventless)
	}
	t.Logf("%d invoices, %d events, %d requests at the receiver", invoices, events, c.receiver.Count())
}

func (c *crashTest) checkDeliveries() {
	t := c.t
	t.Helper()
	var missing, undelivered, most int
	c.query(t, fmt.Sprintf(`SELECT count(*) FROM events e WHERE type <> 'test.event' AND
		(SELECT count(*) FROM webhook_deliveries d WHERE d.event_id = e.public_id) <> %d`, crashEndpoints), &missing)
	c.query(t, "SELECT count(*), (SELECT max(attempt_count) FROM webhook_deliveries) FROM webhook_deliveries WHERE "+
		"status <> 'delivered'", &undelivered, &most)
	if missing != 0 || undelivered != 0 || most > 2+crashes {
		t.Errorf("%d events without their deliveries, %d not delivered, %d attempts at most", missing, undelivered, most)
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(c.database)}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT d.event_id, e.url FROM webhook_deliveries d
		JOIN webhook_endpoints e ON e.id = d.endpoint_id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var event, target string
		if err := rows.Scan(&event, &target); err != nil {
			t.Fatal(err)
		}
		if !c.receiver.Acknowledged(target[strings.LastIndex(target, "/"):], event) {
			t.Errorf("%s is delivered to %s, which never acknowledged it", event, target)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
