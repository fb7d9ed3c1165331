//go:build long && linux

package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
	"tarmac/service/lifecycle"
)

// load is what people and programs ask of the cluster, and what they were told.
type load struct {
	*cluster
	org, token string
	operator   *service.Service
	stop       context.CancelFunc
	running    sync.WaitGroup
	tailing    sync.WaitGroup
	stopTail   context.CancelFunc

	mu        sync.Mutex
	reads     []time.Time       // when reads were answered
	writes    []time.Time       // when proposals were acknowledged
	proposals map[string]string // IDs of invoices by key
	numbers   map[string]bool
	twice     []string // acknowledged with an ID or a number that was there before
	events    []string // IDs of events in the order of the tail
	missed    []string // what the tail says that it missed
	statuses  map[int]int
	bare      int // answers of 503 without Retry-After
	slowest   time.Duration
}

const (
	proposers = 4
	apiPath   = "/api/ext/v1"
)

// newLoad makes an organization with a webhook endpoint.
func newLoad(c *cluster) *load {
	c.t.Helper()
	l := &load{cluster: c, operator: c.operate(c.machines[0]), proposals: map[string]string{},
		numbers: map[string]bool{}, statuses: map[int]int{}}
	l.org, l.token = c.organization("Northlight Labs")
	status, answer, err := l.request(c.t.Context(), 0, http.MethodPost, "/webhooks",
		`{"url":"https://`+c.receiver.Address()+`/0","event_types":["invoice.sent"]}`, "")
	if err != nil || status != http.StatusCreated {
		c.t.Fatalf("%d %s %v", status, answer, err)
	}
	return l
}

// organization creates an organization with an owner, and a token with all scopes.
func (c *cluster) organization(name string) (id, token string) {
	id = c.admin("org", "create", name)
	c.admin("org", "limit", id, "--drafts", "50000", "--draft-mib", "1024")
	c.admin("owner", "set", "--org", id, "--name", "Ada", "--email", "ada@example.com")
	return id, c.admin("token", "create", "--org", id, "--scope", testprogram.AllScopes)
}

// begin lets everybody work until end.
func (l *load) begin() {
	ctx, stop := context.WithCancel(l.t.Context())
	l.stop = stop
	for i := range proposers {
		l.running.Go(func() { l.propose(ctx, i) })
	}
	l.running.Go(func() { l.read(ctx) })
	l.running.Go(func() { l.sendInvoices(ctx) })
	tailed, stopTail := context.WithCancel(l.t.Context())
	l.stopTail = stopTail
	l.tailing.Go(func() { l.tail(tailed) })
}

// request sends a request through the HAProxy of a machine.
func (l *load) request(ctx context.Context, via int, method, path, body, key string) (int, []byte, error) {
	address := l.machines[via%len(l.machines)].api()
	req, err := http.NewRequestWithContext(ctx, method, "https://"+address+apiPath+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+l.token)
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	began := time.Now()
	res, err := l.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statuses[res.StatusCode]++
	l.slowest = max(l.slowest, time.Since(began))
	if res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") == "" {
		l.bare++
	}
	return res.StatusCode, answer, err
}

// pause waits a little between two requests.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(50 * time.Millisecond):
	}
}

// propose sends proposals one after the other. Each has a key, and is repeated until it is
// acknowledged.
func (l *load) propose(ctx context.Context, who int) {
	const body = `{"currency":"USD","description":"d","recipient_name":"n","recipient_email":"a@b.example",` +
		`"line_items":[{"description":"l","quantity":"1","unit_price_cents":100}]}`
	for i := 0; ctx.Err() == nil; i++ {
		key := fmt.Sprintf("%s-%d-%d", l.org, who, i)
		for via := who + i; ; via++ {
			// What was begun is finished, or nobody knows whether it exists.
			status, answer, err := l.request(context.WithoutCancel(ctx), via, http.MethodPost, "/invoices", body, key)
			var made struct {
				ID     string
				Number string
			}
			if err == nil && status == http.StatusCreated && json.Unmarshal(answer, &made) == nil {
				l.acknowledged(key, made.ID, made.Number)
				break
			}
			if err == nil && status < 500 && status != http.StatusTooManyRequests {
				l.t.Errorf("a proposal was answered %d %s", status, answer)
				return
			}
			pause(context.WithoutCancel(ctx))
		}
		pause(ctx)
	}
}

func (l *load) acknowledged(key, id, number string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writes = append(l.writes, time.Now())
	if slices.Contains(slices.Collect(maps.Values(l.proposals)), id) || l.numbers[number] {
		l.twice = append(l.twice, id+" "+number)
	}
	l.proposals[key], l.numbers[number] = id, true
}

func (l *load) read(ctx context.Context) {
	for via := 0; ctx.Err() == nil; via++ {
		status, _, err := l.request(ctx, via, http.MethodGet, "/invoices?limit=5", "", "")
		if err == nil && status == http.StatusOK {
			l.mu.Lock()
			l.reads = append(l.reads, time.Now())
			l.mu.Unlock()
		}
		pause(ctx)
	}
}

// sendInvoices sends acknowledged invoices to their customers, as an operator does. Each makes an
// event.
func (l *load) sendInvoices(ctx context.Context) {
	sent := map[string]bool{}
	for ctx.Err() == nil {
		id := l.unsent(sent)
		for id != "" && ctx.Err() == nil {
			_, err := l.operator.SendInvoice(ctx, id)
			if _, before := errors.AsType[*lifecycle.Conflict](err); err == nil || before {
				sent[id] = true
				break
			}
			pause(ctx)
		}
		pause(ctx)
	}
}

func (l *load) unsent(sent map[string]bool) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range l.proposals {
		if !sent[id] {
			return id
		}
	}
	return ""
}

// tail reads the feed of events as they come.
func (l *load) tail(ctx context.Context) {
	client, err := apiclient.New("https://"+l.machines[1].api(), apiclient.Token(l.token),
		apiclient.WithHTTPClient(l.client))
	if err != nil {
		l.t.Error(err)
		return
	}
	options := apiclient.TailOptions{Since: apiclient.SinceBeginning, Interval: 300 * time.Millisecond}
	for event, err := range apiclient.Tail(ctx, client, options) {
		l.mu.Lock()
		if missed, ok := errors.AsType[*apiclient.MissedError](err); ok {
			l.missed = append(l.missed, missed.Error())
		}
		if err == nil {
			l.events = append(l.events, event.ID)
		}
		l.mu.Unlock()
	}
}

// paused returns for how long at most nothing was read, and nothing written, within a period.
func (l *load) paused(from, to time.Time) (reads, writes time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return longest(l.reads, from, to), longest(l.writes, from, to)
}

// longest returns the longest pause between two of the times within a period.
func longest(times []time.Time, from, to time.Time) (pause time.Duration) {
	last := from
	for _, at := range times {
		if at.Before(from) || at.After(to) {
			continue
		}
		pause, last = max(pause, at.Sub(last)), at
	}
	return max(pause, to.Sub(last))
}

// end ends the load when the tail has the whole feed and everything was delivered.
func (l *load) end() {
	l.t.Helper()
	pending := `SELECT count(*) FROM webhook_deliveries d JOIN organizations o ON o.id = d.org_id
		WHERE o.public_id = $1 AND d.status = 'pending'`
	l.stop()
	l.running.Wait()
	until(l.t, "everything is delivered", 90*time.Second, func() error {
		if n := l.queryNumber(pending, l.org); n > 0 {
			return fmt.Errorf("%d are pending", n)
		}
		events := l.queryNumber("SELECT event_sequence FROM organizations WHERE public_id = $1", l.org)
		l.mu.Lock()
		defer l.mu.Unlock()
		if int64(len(l.events)) < events {
			return fmt.Errorf("the tail has %d of %d events", len(l.events), events)
		}
		return nil
	})
	l.stopTail()
	l.tailing.Wait()
}

// check compares what was acknowledged with what is there.
func (l *load) check() {
	t := l.t
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	here := l.queryStrings(`SELECT i.public_id FROM invoices i JOIN organizations o ON o.id = i.org_id
		WHERE o.public_id = $1`, l.org)
	lost := 0
	for _, id := range l.proposals {
		if !slices.Contains(here, id) {
			lost++
		}
	}
	if lost > 0 || len(here) != len(l.proposals) || len(l.twice) > 0 {
		t.Errorf("of %d acknowledged proposals %d are lost; there are %d; twice: %v", len(l.proposals), lost, len(here),
			l.twice)
	}
	if gaps := l.queryNumber(`SELECT max(sequence) - count(*) FROM invoices i JOIN organizations o ON o.id = i.org_id
		WHERE o.public_id = $1`, l.org); gaps != 0 {
		t.Errorf("%d gaps in the numbers of invoices", gaps)
	}
	feed := l.queryStrings(`SELECT e.public_id FROM events e JOIN organizations o ON o.id = e.org_id WHERE o.public_id = $1
		ORDER BY sequence`, l.org)
	if !slices.Equal(feed, l.events) || len(l.missed) > 0 {
		t.Errorf("the feed has %d events and the tail %d; missed: %v", len(feed), len(l.events), l.missed)
	}
	undelivered := 0
	for _, id := range feed {
		if !l.receiver.Acknowledged("/0", id) {
			undelivered++
		}
	}
	if undelivered > 0 || len(feed) == 0 {
		t.Errorf("%d of %d events did not arrive", undelivered, len(feed))
	}
	if l.bare > 0 {
		t.Errorf("%d answers of 503 do not say when to try again", l.bare)
	}
	t.Logf("%d proposals, %d events, %d deliveries; answers by status %v; the slowest took %s", len(l.proposals),
		len(feed), l.receiver.Count(), l.statuses, l.slowest.Round(time.Millisecond))
}
