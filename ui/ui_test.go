package ui

import (
	"bytes"
	"context"
	"errors"
	"image/color"
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
	"tarmac/internal/settings"
	"tarmac/theme"
	"tarmac/views"
)

// api answers in the place of a server: a body for each path, or a failure for
// all of them.
type api struct {
	mu     sync.Mutex // the months are asked for several at a time
	fail   error
	status int
	wait   string // Retry-After of every answer
	order  []string
	broken string // the path that is answered with 500
	bodies map[string]string
	asked  map[string]int
}

func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(r.URL.Path, "/api/ext/v1")
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

const oneTransaction = `{"id":"txn_1","amount_cents":125000,"amount_known":true,"amount_usd_cents":125000,"usd_known":true,"currency":"USD",
	"direction":"outflow","date":"2026-11-20","counterparty_name":"Łukasz 株式会社","has_receipt":true,"source":"svc","source_label":"Service account"}`

func healthy() *api {
	return &api{asked: map[string]int{}, bodies: map[string]string{
		"/ping":    `{"org_id":"org_test","scopes":["account:read"],"token_expires_at":null}`,
		"/account": `{"org_id":"org_test","status":"open","balance":{"available_cents":378667246,"holding_cents":4055000,"locked_cents":5214000,"pending_cents":966300},"synced_at":"2026-11-20T11:59:00Z"}`,
		"/insights/cash-position": `{"org_id":"org_test","status":"open","as_of":"2026-11-20T12:00:00Z","cash_cents":403979673,"monthly_burn_cents":27879521,
			"is_burning":true,"sufficient":true,"runway_cash_cents":394710673,"runway_months":14.1,"runway_note":"About 14.1 months."}`,
		"/receivables/aging": `{"org_id":"org_test","as_of":"2026-11-20T12:00:00Z","currency":"USD",
			"totals":{"outstanding_cents":43858600,"overdue_cents":12043600,"invoice_count":41,"overdue_count":19,"unconverted_count":3},
			"buckets":{"current_cents":31815000,"days_1_30_cents":5024300,"days_31_60_cents":3063600,"days_61_90_cents":1062000,"days_90_plus_cents":2893700},
			"top_overdue_customers":[{"customer_name":"Ironwood","overdue_cents":2479400,"overdue_count":3,"oldest_days_past_due":67}]}`,
		"/transactions": `{"data":[` + oneTransaction + `],"next_cursor":"","summary":{"count":1,"inflow_usd_cents":0,"outflow_usd_cents":125000,"net_usd_cents":-125000,"unconverted_count":0}}`,
		"/events": `{"data":[{"id":"evt_1","type":"invoice.paid","version":1,"occurred_at":"2026-11-20T11:00:00Z",
			"data":{"invoice_id":"inv_1","number":"INV-000001","status":"paid","total_cents":5,"currency":"USD"}}],"next_cursor":""}`,
	}}
}

// empty answers as for an organization in which nothing has happened yet.
func empty() *api {
	a := healthy()
	a.bodies["/account"] = `{"org_id":"org_test","status":"not_open","balance":null,"synced_at":null}`
	a.bodies["/insights/cash-position"] = `{"org_id":"org_test","status":"not_open","as_of":"2026-11-20T12:00:00Z","cash_cents":0,"monthly_burn_cents":0,"is_burning":false,"sufficient":false,"runway_cash_cents":null,"runway_months":null,"runway_note":"No account is open yet."}`
	a.bodies["/receivables/aging"] = `{"buckets":{"current_cents":0,"days_1_30_cents":0,"days_31_60_cents":0,"days_61_90_cents":0,"days_90_plus_cents":0}}`
	a.bodies["/transactions"] = `{"data":[],"next_cursor":"","summary":{"count":0,"inflow_usd_cents":0,"outflow_usd_cents":0,"net_usd_cents":0,"unconverted_count":0}}`
	a.bodies["/events"] = `{"data":[],"next_cursor":""}`
	return a
}

// dashboard is a model on a server in memory, with a clock that the test moves.
type dashboard struct {
	*Model
	t   *testing.T
	api *api
	now time.Time
}

// clientsClock is the dashboard's, and goes on by what the client sleeps.
type clientsClock struct {
	*dashboard
	slept atomic.Int64
}

func (c *clientsClock) Now() time.Time { return c.now.Add(time.Duration(c.slept.Load())) }

func (c *clientsClock) Sleep(ctx context.Context, d time.Duration) error {
	c.slept.Add(int64(d))
	return ctx.Err()
}

// connect returns a dashboard whose first figures have not been asked for yet.
func connect(t *testing.T, a *api) (*dashboard, tea.Cmd) {
	t.Helper()
	d := &dashboard{t: t, api: a, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	client, err := apiclient.New("http://127.0.0.1:1", "svc_org_test", apiclient.WithClock(&clientsClock{dashboard: d}),
		apiclient.WithHTTPClient(&http.Client{Transport: a}), apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		t.Fatal(err)
	}
	d.Model = New(t.Context(), Options{
		Now: func() time.Time { return d.now }, Timeout: time.Minute,
		Start: func(context.Context) (Connection, error) { return Connection{}, nil },
	})
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	_, cmd := d.Update(connected{connection: Connection{Client: client, Profile: "test"}})
	return d, cmd
}

// open returns a dashboard that has all its first answers.
func open(t *testing.T, a *api) *dashboard {
	t.Helper()
	d, cmd := connect(t, a)
	d.drain(cmd)
	return d
}

// drain carries commands out, one after the other, and hands on what they return.
func (d *dashboard) drain(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	msg := cmd()
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

// press sends keys and carries out what they lead to; it reports whether the
// last one quit.
func (d *dashboard) press(keys ...string) (quit bool) {
	d.t.Helper()
	for _, k := range keys {
		_, cmd := d.Update(press(k))
		if cmd == nil {
			continue
		}
		if quit = isQuit(cmd); quit {
			if d.render() != "" {
				d.t.Error("the last frame is not empty")
			}
			d.leaving = false // the test goes on
			continue
		}
		d.drain(cmd)
	}
	return quit
}

// reach opens a page as a person does: by its digit, or from another page.
func (d *dashboard) reach(p page) {
	d.t.Helper()
	if p.digit != "" {
		d.press(p.digit)
		return
	}
	d.drain(views.Go(p.name, nil))
}

func isQuit(cmd tea.Cmd) bool {
	_, quit := cmd().(tea.QuitMsg)
	return quit
}

// after lets time pass and the clock tick.
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

func TestTheHeaderSaysWhoseFiguresAndHowFresh(t *testing.T) {
	d, first := connect(t, healthy())
	d.shows("tarmac", "test", "◌ loading")
	d.drain(first)
	d.shows("org_test", "● live")

	d.api.fail = errRefused
	d.after(20 * time.Second)
	d.shows("✕ offline 20s", "retry in 2s", "◌ stale, 20s old")
	d.after(time.Second)
	d.shows("✕ offline 21s", "retry in 1s")
	d.api.fail = nil
	d.after(2 * time.Second)
	d.shows("● live")

	d.api.status = http.StatusUnauthorized
	d.after(20 * time.Second)
	d.shows("✕ token refused")
}

func TestTheHeaderSaysThatNothingCanBeChanged(t *testing.T) {
	d := open(t, healthy())
	if strings.Contains(d.text(), "read-only") {
		t.Error("it says so when much can be changed")
	}
	d.options.ReadOnly = true
	d.shows("test  read-only  org_test")
}

func TestWhatNeverCameIsNotLive(t *testing.T) {
	a := healthy()
	a.bodies["/receivables/aging"] = "not what the contract says"
	d := open(t, a)
	d.shows("◌ some figures failed")
	a.bodies["/receivables/aging"] = healthy().bodies["/receivables/aging"]
	d.after(3 * time.Second)
	d.shows("● live")
}

// A key that is held down comes thirty times a second; every refresh is about
// twenty requests.
func TestHoldingTheRefreshKeyDoesNotFloodTheServer(t *testing.T) {
	d := open(t, healthy())
	d.after(2 * time.Second)
	d.press("4")
	clear(d.api.asked)
	for range 100 {
		d.press("r")
		d.now = d.now.Add(10 * time.Millisecond)
	}
	if n := d.api.asked["/account"]; n != 1 {
		t.Errorf("the account was asked for %d times in a second", n)
	}
	d.press("r")
	if n := d.api.asked["/account"]; n != 2 {
		t.Errorf("asked %d times after a second", n)
	}

	var waiting []tea.Cmd
	clear(d.api.asked)
	for range 5 {
		d.now = d.now.Add(2 * time.Second)
		_, cmd := d.Update(press("r"))
		waiting = append(waiting, cmd)
	}
	for _, cmd := range waiting {
		d.drain(cmd)
	}
	if n := d.api.asked["/account"]; n != 1 {
		t.Errorf("the account was asked for %d times while an answer was awaited", n)
	}
}

func TestTheFooterNamesOnlyKeysThatWork(t *testing.T) {
	d := open(t, healthy())
	footer := func() string { lines := strings.Split(d.text(), "\n"); return lines[len(lines)-1] }
	for _, c := range []struct {
		keys []string
		want []string
		not  []string
	}{
		{nil, []string{"tab next panel", "r refresh", "q quit", "? help"}, nil},
		{[]string{"4"}, []string{"enter open", "/ keyword", "f dates", "d in, out or both", "r refresh"}, nil},
		{[]string{"enter"}, []string{"esc back"}, []string{"enter open"}},
		{[]string{"/"}, []string{"enter apply", "esc leave"}, []string{"q quit", "r refresh"}},
		{[]string{"esc", "?"}, []string{"esc back"}, []string{"q quit", "/ keyword"}},
	} {
		d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.press(c.keys...)
		for _, want := range c.want {
			if !strings.Contains(footer(), want) {
				t.Errorf("after %v the footer lacks %q: %q", c.keys, want, footer())
			}
		}
		for _, not := range c.not {
			if strings.Contains(footer(), not) {
				t.Errorf("after %v the footer has %q: %q", c.keys, not, footer())
			}
		}
	}
}

func TestWhileTheServerIsAwayOnlyTheFeedIsTried(t *testing.T) {
	d := open(t, healthy())
	d.api.fail = errRefused
	d.after(20 * time.Second)
	clear(d.api.asked)
	for range 300 {
		d.after(time.Second)
	}
	for path, n := range d.api.asked {
		if path != "/events" {
			t.Errorf("%s was asked %d times", path, n)
		}
	}
	if n := d.api.asked["/events"]; n < 8 || n > 20 {
		t.Errorf("the feed was tried %d times in five minutes", n)
	}
}

// A server that fails at the feed alone is there: the rest goes on.
func TestABrokenFeedLeavesTheRestAlive(t *testing.T) {
	a := healthy()
	a.broken = "/events"
	d := open(t, a)
	d.shows("◌ some figures failed", "Could not load: as the test wants it", "$4,039,796.73")
	clear(d.api.asked)
	for range 120 {
		d.after(time.Second)
	}
	for _, path := range []string{"/account", "/insights/cash-position", "/receivables/aging", "/transactions", "/events"} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not asked", path)
		}
	}
	if strings.Contains(d.text(), "stale") || strings.Contains(d.text(), "offline") {
		t.Errorf("fresh figures are called old:\n%s", d.text())
	}
	a.broken = ""
	d.after(30 * time.Second)
	d.shows("● live")
}

func TestWhatFailedIsFetchedAtOnceWhenTheServerReturns(t *testing.T) {
	d := open(t, healthy())
	d.api.fail = errRefused
	d.press("r") // everything fails
	d.shows("✕ offline")
	d.api.fail = nil
	clear(d.api.asked)
	d.after(3 * time.Second)
	for _, path := range []string{"/events", "/account", "/insights/cash-position", "/receivables/aging", "/ping", "/transactions"} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not asked", path)
		}
	}
	d.shows("● live")
}

func TestAnEventRenewsTheFigures(t *testing.T) {
	d := open(t, healthy())
	d.api.bodies["/events"] = strings.Replace(d.api.bodies["/events"], `{"data":[`, `{"data":[{"id":"evt_2","type":"payment.completed","version":1,
		"occurred_at":"2026-11-20T12:00:01Z","data":{"payment_intent_id":"pi_1","amount_cents":5,"currency":"USD"}},`, 1)
	clear(d.api.asked)
	d.after(3 * time.Second) // the poll brings the event
	if d.api.asked["/account"] != 0 {
		t.Error("the figures were asked for before the burst had settled")
	}
	d.after(time.Second)
	for _, path := range []string{"/account", "/insights/cash-position", "/receivables/aging", "/transactions"} {
		if d.api.asked[path] == 0 {
			t.Errorf("%s was not asked after an event", path)
		}
	}
}

func TestAQuietHourStaysWithinTheRateLimit(t *testing.T) {
	d := open(t, healthy())
	clear(d.api.asked)
	for range 3600 {
		d.after(time.Second)
	}
	total := 0
	for _, n := range d.api.asked {
		total += n
	}
	if perMinute := total / 60; perMinute > 50 {
		t.Errorf("%d requests a minute", perMinute)
	}
}

func TestLeaningOnRefreshStaysWithinTheRateLimit(t *testing.T) {
	d := open(t, healthy())
	clear(d.api.asked)
	for range 60 {
		d.press("r")
		d.now = d.now.Add(2 * time.Second)
	}
	total := 0
	for _, n := range d.api.asked {
		total += n
	}
	if total > 2*300 {
		t.Errorf("%d requests in two minutes", total)
	}
	if closed := d.api.asked["/transactions"]; closed < 2*13 {
		t.Errorf("%d listings: the closed months were not asked for again", closed)
	}
}

func TestKeysThatWorkEverywhere(t *testing.T) {
	d := open(t, healthy())
	for i, p := range d.session.pages {
		d.reach(p)
		if d.session.active != i {
			t.Errorf("%s did not open %s", p.digit, p.title)
		}
		d.press("?")
		d.shows("Everywhere", "quit, always")
		if d.press("q") || d.help.open {
			t.Error("q in the help page did more than close it")
		}
		if !d.press("q") {
			t.Errorf("q does not quit on %s", p.title)
		}
		if !d.press("ctrl+c") {
			t.Errorf("ctrl+c does not quit on %s", p.title)
		}
	}
}

func TestEscapeLeadsBackThroughThePages(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "2", "6", "6")
	for _, want := range []int{1, 3, 0, 0} {
		d.press("esc")
		if d.session.active != want {
			t.Fatalf("esc led to page %d, want %d", d.session.active, want)
		}
	}
}

func TestWhileTypingLettersAreLetters(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "/")
	if !d.front().Typing() {
		t.Fatal("/ does not take a keyword")
	}
	if d.press("q", "?", "1") || d.session.active != 3 || d.help.open {
		t.Error("a typed letter was a command")
	}
	d.shows("q?1")
	if !d.press("ctrl+c") {
		t.Error("ctrl+c does not quit while typing")
	}
}

func TestEveryBindingShowsInHelpAndNoneCollides(t *testing.T) {
	d := open(t, healthy())
	for _, p := range d.session.pages {
		d.reach(p)
		owner := map[string]string{}
		for _, g := range d.helpGroups() {
			for _, b := range g.Bindings {
				if !b.Enabled() {
					continue
				}
				if b.Help().Key == "" || b.Help().Desc == "" {
					t.Errorf("%s: a binding of %q for %v has no help", p.title, g.Title, b.Keys())
				}
				for _, k := range b.Keys() {
					// esc is both the screen's and the root's: the root asks the screen first.
					if other, taken := owner[k]; taken && k != "esc" {
						t.Errorf("%s: %q is both %q and %q", p.title, k, other, b.Help().Desc)
					}
					owner[k] = b.Help().Desc
				}
			}
		}
	}
}

func TestTheHintToHelpIsNeverCut(t *testing.T) {
	d := open(t, healthy())
	for width := 6; width <= 200; width++ {
		d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		lines := strings.Split(d.text(), "\n")
		if last := lines[len(lines)-1]; !strings.HasSuffix(last, "? help") {
			t.Fatalf("at %d columns the footer is %q", width, last)
		}
	}
}

func TestTheTerminalsBackgroundChoosesTheTheme(t *testing.T) {
	d := open(t, healthy())
	d.Update(tea.BackgroundColorMsg{Color: color.White})
	before := d.render()
	d.Update(tea.BackgroundColorMsg{Color: color.Black})
	if d.render() == before || !d.theme.Dark {
		t.Error("dark and light look the same")
	}
}

func TestThemesGoRound(t *testing.T) {
	d := open(t, healthy())
	frames := map[string]bool{}
	for _, want := range []string{"dark", "light", "colour-blind", "terminal"} {
		d.press("T")
		d.shows("theme: " + want)
		frames[d.render()] = true
	}
	if len(frames) != len(theme.Names()) {
		t.Errorf("%d themes look different", len(frames))
	}
	d.press(":")
	d.press(strings.Split("thlight", "")...)
	d.press("enter")
	d.shows("theme: light")
	d.Update(tea.BackgroundColorMsg{Color: color.Black})
	if d.theme.Name != theme.Light {
		t.Error("the terminal's background has changed what was chosen")
	}
}

func TestOptionsSayTheFirstThemeAndTheThresholds(t *testing.T) {
	m := New(t.Context(), Options{Theme: theme.ColourBlind, Runway: settings.Runway{Comfortable: 9, Healthy: 8, Caution: 7}})
	if m.theme.Name != theme.ColourBlind || m.theme.RunwayWord(9) != "comfortable" {
		t.Errorf("%s, %s", m.theme.Name, m.theme.RunwayWord(9))
	}
}

// A page without a digit is in the tab line while it is shown, at any width.
func TestATabLineSaysWhereOneIs(t *testing.T) {
	d := open(t, healthy())
	for _, width := range []int{80, 120} {
		d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		for _, p := range d.session.pages {
			d.drain(views.Go(p.name, nil))
			if line := strings.Split(d.render(), "\n")[1]; !strings.Contains(line, p.title) {
				t.Errorf("%d columns: %q does not name %s", width, line, p.title)
			}
		}
	}
}
