package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/views"
)

// api is a fake server: it has a body for each path, or a failure for all.
type api struct {
	mu      sync.Mutex // the months are requested concurrently
	fail    error
	status  int
	wait    string // Retry-After of every answer
	order   []string
	broken  string        // the path that is answered with 500
	refused string        // the path that is answered with 401
	silent  chan struct{} // if not nil, nothing is answered until it is closed
	bodies  map[string]string
	asked   map[string]int
}

func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(r.URL.Path, "/api/ext/v1")
	if a.silent != nil {
		select {
		case <-a.silent:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked[path]++
	a.order = append(a.order, path)
	if a.fail != nil {
		return nil, a.fail
	}
	status, body := http.StatusOK, a.bodies[path]
	if path == a.broken {
		status, body = http.StatusInternalServerError, `{"error":"as the test wants it"}`
	} else if path == a.refused {
		status, body = http.StatusUnauthorized, `{"error":"invalid API token"}`
	} else if a.status != 0 {
		status, body = a.status, `{"error":"as the test wants it"}`
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if a.wait != "" {
		header.Set("Retry-After", a.wait)
	}
	return &http.Response{
		StatusCode: status, Header: header, Request: r,
		Body: io.NopCloser(bytes.NewBufferString(body)), ContentLength: int64(len(body)),
	}, nil
}

const oneTransaction = `{"id":"txn_1","amount_cents":125000,"amount_known":true,"amount_usd_cents":125000,
	"usd_known":true,"currency":"USD","direction":"outflow","date":"2026-11-20","counterparty_name":"Łukasz 株式会社",
	"has_receipt":true,"source":"svc","source_label":"Service account"}`

func healthy() *api {
	return &api{asked: map[string]int{}, bodies: map[string]string{
		"/ping": `{"org_id":"org_test","scopes":["account:read"],"token_expires_at":null}`,
		"/account": `{"org_id":"org_test","status":"open","balance":{"available_cents":378667246,"holding_cents":4055000,
			"locked_cents":5214000,"pending_cents":966300},"synced_at":"2026-11-20T11:59:00Z"}`,
		"/insights/cash-position": `{"org_id":"org_test","status":"open","as_of":"2026-11-20T12:00:00Z",
			"cash_cents":403979673,"monthly_burn_cents":27879521,"is_burning":true,"sufficient":true,
			"runway_cash_cents":394710673,"runway_months":14.1,"runway_note":"About 14.1 months."}`,
		"/invoices": `[]`,
		"/receivables/aging": `{"org_id":"org_test","as_of":"2026-11-20T12:00:00Z","currency":"USD",
			"totals":{"outstanding_cents":43858600,"overdue_cents":12043600,"invoice_count":41,"overdue_count":19,
			"unconverted_count":3},"buckets":{"current_cents":31815000,"days_1_30_cents":5024300,
			"days_31_60_cents":3063600,"days_61_90_cents":1062000,"days_90_plus_cents":2893700},
			"top_overdue_customers":[{"customer_name":"Ironwood","overdue_cents":2479400,"overdue_count":3,
			"oldest_days_past_due":67}]}`,
		"/transactions": `{"data":[` + oneTransaction +
			`],"next_cursor":"","summary":{"count":1,"inflow_usd_cents":0,"outflow_usd_cents":125000,
			"net_usd_cents":-125000,"unconverted_count":0}}`,
		"/events": `{"data":[{"id":"evt_1","type":"invoice.paid","version":1,"occurred_at":"2026-11-20T11:00:00Z",
			"data":{"invoice_id":"inv_1","number":"INV-000001","status":"paid","total_cents":5,"currency":"USD"}}],
			"next_cursor":""}`,
	}}
}

// empty returns the API of an organization without records.
func empty() *api {
	a := healthy()
	a.bodies["/account"] = `{"org_id":"org_test","status":"not_open","balance":null,"synced_at":null}`
	a.bodies["/insights/cash-position"] = `{"org_id":"org_test","status":"not_open","as_of":"2026-11-20T12:00:00Z",
		"cash_cents":0,"monthly_burn_cents":0,"is_burning":false,"sufficient":false,"runway_cash_cents":null,
		"runway_months":null,"runway_note":"No account is open yet."}`
	a.bodies["/receivables/aging"] = `{"buckets":{"current_cents":0,"days_1_30_cents":0,"days_31_60_cents":0,
		"days_61_90_cents":0,"days_90_plus_cents":0}}`
	a.bodies["/transactions"] = `{"data":[],"next_cursor":"",
		"summary":{"count":0,"inflow_usd_cents":0,"outflow_usd_cents":0,"net_usd_cents":0,"unconverted_count":0}}`
	a.bodies["/events"] = `{"data":[],"next_cursor":""}`
	return a
}

// dashboard is a model on an in-memory server, with a clock that the test advances.
type dashboard struct {
	*Model
	t   *testing.T
	api *api
	now time.Time
}

// clientsClock is the dashboard's clock, which the client's sleeps advance.
type clientsClock struct {
	*dashboard
	slept atomic.Int64
}

func (c *clientsClock) Now() time.Time { return c.now.Add(time.Duration(c.slept.Load())) }

func (c *clientsClock) Sleep(ctx context.Context, d time.Duration) error {
	c.slept.Add(int64(d))
	return ctx.Err()
}

// clientOf returns a client of an in-memory server.
func (d *dashboard) clientOf(a *api) *apiclient.Client {
	d.t.Helper()
	client, err := apiclient.New("http://127.0.0.1:1", "svc_org_test", apiclient.WithClock(&clientsClock{dashboard: d}),
		apiclient.WithHTTPClient(&http.Client{Transport: a}), apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		d.t.Fatal(err)
	}
	return client
}

// connect returns a dashboard before its first requests.
func connect(t *testing.T, a *api) (*dashboard, tea.Cmd) {
	t.Helper()
	d := &dashboard{t: t, api: a, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	d.Model = New(t.Context(), Options{Now: func() time.Time { return d.now }, Timeout: time.Minute})
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	return d, d.begin(Connection{Client: d.clientOf(a), Profile: "test"})
}

// begin opens the first connection and returns the resulting command.
func (d *dashboard) begin(c Connection) tea.Cmd {
	p := &Profile{Name: c.Profile, Open: func(context.Context) (Connection, error) { return c, nil }}
	_, cmd := d.Update(d.Model.connect(p, p, false)())
	return cmd
}

// open returns a dashboard that has received all its first answers.
func open(t *testing.T, a *api) *dashboard {
	t.Helper()
	d, cmd := connect(t, a)
	d.drain(cmd)
	return d
}

// drain runs commands one after the other and delivers their messages.
func (d *dashboard) drain(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	d.handle(cmd())
}

func (d *dashboard) handle(msg tea.Msg) {
	d.t.Helper()
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, c := range batch {
			d.drain(c)
		}
		return
	}
	if msg != nil {
		_, next := d.Update(msg)
		d.drain(next)
	}
}

// press sends keys and runs the resulting commands; quit reports whether the last key quit.
func (d *dashboard) press(keys ...string) (quit bool) {
	d.t.Helper()
	for _, k := range keys {
		_, cmd := d.Update(keyPress(k))
		if cmd == nil {
			continue
		}
		msg := cmd()
		if _, quit = msg.(tea.QuitMsg); quit {
			if d.render() != "" {
				d.t.Error("the last frame is not empty")
			}
			d.leaving = false // the test continues
			continue
		}
		d.handle(msg)
	}
	return quit
}

// reach opens a page as a person does: by its digit, or from another page.
func (d *dashboard) reach(p page) {
	d.t.Helper()
	if p.Digit != "" {
		d.press(p.Digit)
		return
	}
	d.drain(views.Go(p.Name, nil))
}

func isQuit(cmd tea.Cmd) bool {
	_, quit := cmd().(tea.QuitMsg)
	return quit
}

// after advances the clock and ticks.
func (d *dashboard) after(passed time.Duration) {
	d.t.Helper()
	d.now = d.now.Add(passed)
	d.drain(d.tick(views.Tick{Now: d.now}))
}

func (d *dashboard) text() string { return ansi.Strip(d.render()) }

func (d *dashboard) shows(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if !strings.Contains(d.text(), w) {
			d.t.Fatalf("the screen does not show %q:\n%s", w, d.text())
		}
	}
}

var errRefused = errors.New("connection refused")
