package ui

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/state"
	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/internal/testsupport/testdns"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/demodata"
	"tarmac/service/egress"
)

var faultNoon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// company is the real service with a small organization and a token with full access.
type company struct {
	service *service.Service
	token   apiclient.Token
	witness *apiclient.Client // a client without faults
	intent  string            // id of a payment intent
}

func newCompany(t testing.TB) *company {
	t.Helper()
	svc, err := service.Open(t.Context(), service.Config{
		Database: migrated.File(t), Ephemeral: true, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return faultNoon }, Entropy: rand.Reader,
		Webhooks: egress.Config{Resolver: testdns.EmptyResolver()},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
	})
	org, err := svc.CreateOrganization(t.Context(), "Northlight Labs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := svc.SetOwner(t.Context(), org.PublicID, "Ada Palmer", "ada@northlight.example"); err != nil {
		t.Fatal(err)
	}
	_, key, err := svc.Store().Organization(t.Context(), org.PublicID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := demodata.Generate(t.Context(), svc.Store(), key, demodata.Options{Seed: 5, Today: faultNoon},
		nil); err != nil {
		t.Fatal(err)
	}
	secret, _, err := svc.CreateToken(t.Context(), org.PublicID, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	c := &company{service: svc, token: apiclient.Token(secret)}
	c.witness = newFaultyServer(t, c).client
	for event, err := range c.witness.Events(t.Context(), apiclient.EventQuery{Limit: 100}) {
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := event.PaymentData(); ok {
			c.intent = data.PaymentIntentID
			break
		}
	}
	if _, err := c.witness.CreateWebhook(t.Context(), "https://hooks.example.com/finance",
		[]apiclient.EventType{apiclient.EventInvoicePaid}); err != nil {
		t.Fatal(err)
	}
	return c
}

// faultyServer is a proxy to a company that applies faults to requests.
type faultyServer struct {
	client    *apiclient.Client
	clock     *clock
	faults    *faults.Handler
	transport *timeoutTransport
	elsewhere *stranger
}

// clock is the time of a dashboard and its client. It advances when a test or the client's waiting
// requires it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.pass(d)
	return ctx.Err()
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// stranger is another host, which must receive no requests.
type stranger struct {
	mu   sync.Mutex
	came []string
}

func (s *stranger) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.came = append(
		s.came,
		r.Method+" "+r.URL.Path+" with "+strconv.Itoa(len(r.Header.Get("Authorization")))+" bytes of authorization",
	)
}

func newFaultyServer(t testing.TB, c *company) *faultyServer {
	t.Helper()
	p := &faultyServer{clock: &clock{now: faultNoon}, transport: newTimeoutTransport(), elsewhere: &stranger{}}
	elsewhere := httptest.NewServer(p.elsewhere)
	p.faults = faults.New(c.service.Handler(), faults.Options{Elsewhere: elsewhere.URL, Held: p.transport.giveUp})
	server := httptest.NewUnstartedServer(p.faults)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	server.Start()
	t.Cleanup(func() {
		p.transport.close()
		server.Close()
		elsewhere.Close()
		p.elsewhere.mu.Lock()
		defer p.elsewhere.mu.Unlock()
		for _, request := range p.elsewhere.came {
			t.Errorf("the other host was asked: %s", request)
		}
	})
	var err error
	p.client, err = apiclient.New(server.URL, c.token, apiclient.WithHTTPClient(&http.Client{Transport: p.transport}),
		apiclient.WithClock(p.clock), apiclient.WithRetry(apiclient.Policy{Tries: 1, Countdown: true}))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// timeoutTransport times a request out as soon as the server reports that it withholds the answer,
// so that no test waits for a timeout. Like the client, it sends each write on its own connection.
type timeoutTransport struct {
	reads, writes *http.Transport

	mu      sync.Mutex
	number  int
	waiting map[string]context.CancelCauseFunc
}

func newTimeoutTransport() *timeoutTransport {
	i := &timeoutTransport{waiting: map[string]context.CancelCauseFunc{}}
	i.reads = &http.Transport{MaxResponseHeaderBytes: 64 << 10}
	i.writes = i.reads.Clone()
	i.writes.DisableKeepAlives = true
	return i
}

const numberHeader = "X-Number"

func (i *timeoutTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	i.mu.Lock()
	i.number++
	number := strconv.Itoa(i.number)
	i.waiting[number] = cancel
	i.mu.Unlock()
	r = r.Clone(ctx)
	r.Header.Set(numberHeader, number)
	transport := i.reads
	if r.Method != http.MethodGet {
		transport = i.writes
	}
	resp, err := transport.RoundTrip(r)
	if err != nil {
		i.done(number)
		return nil, late(ctx, err)
	}
	resp.Body = &lateBody{resp.Body, ctx, func() { i.done(number) }}
	return resp, nil
}

// late returns context.DeadlineExceeded if a timeout caused err, else err.
func late(ctx context.Context, err error) error {
	if context.Cause(ctx) == context.DeadlineExceeded {
		return context.DeadlineExceeded
	}
	return err
}

func (i *timeoutTransport) giveUp(r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if cancel := i.waiting[r.Header.Get(numberHeader)]; cancel != nil {
		cancel(context.DeadlineExceeded)
	}
}

func (i *timeoutTransport) done(number string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if cancel := i.waiting[number]; cancel != nil {
		cancel(nil)
		delete(i.waiting, number)
	}
}

func (i *timeoutTransport) close() {
	i.reads.CloseIdleConnections()
	i.writes.CloseIdleConnections()
}

type lateBody struct {
	io.ReadCloser
	ctx  context.Context
	done func()
}

func (b *lateBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = late(b.ctx, err)
	}
	return n, err
}

func (b *lateBody) Close() error {
	err := b.ReadCloser.Close()
	b.done()
	return err
}

// newDashboard returns a dashboard on a faulty server, before its first requests.
func newDashboard(t *testing.T, p *faultyServer) (*dashboard, tea.Cmd) {
	t.Helper()
	d := &dashboard{t: t}
	d.Model = New(t.Context(), Options{
		Now: p.clock.Now, Timeout: time.Minute,
		Documents: Documents{Places: export.Directories{Documents: t.TempDir()}},
		Drafts:    state.Directory(filepath.Join(t.TempDir(), "drafts")),
	})
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	return d, d.begin(Connection{Client: p.client, Profile: "test"})
}

// timeWords matches times, which also change during faults, and ids.
var timeWords = regexp.MustCompile(`\b[a-z]+_[0-9A-Z]+|\b(\d+h)?(\d+m)?\d+ ?[smhd]\b|\d\d:\d\d(:\d\d)?`)

var figure = regexp.MustCompile(`\d[\d,.]*`)

// figuresOf returns the figures in a frame.
func figuresOf(text string) map[string]bool {
	found := map[string]bool{}
	for _, f := range figure.FindAllString(timeWords.ReplaceAllString(text, ""), -1) {
		found[strings.TrimRight(f, ",.")] = true
	}
	return found
}

// fits checks that a frame has the size of its window.
func (d *dashboard) fits(what string) {
	d.t.Helper()
	for _, size := range [...]tea.WindowSizeMsg{{Width: 40, Height: 12}, {Width: 80, Height: 24},
		{Width: 120, Height: 40}} {
		d.Update(size)
		lines := strings.Split(d.render(), "\n")
		if len(lines) != size.Height {
			d.t.Errorf("%s: %d lines at %dx%d", what, len(lines), size.Width, size.Height)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > size.Width {
				d.t.Errorf("%s: %q is wider than %d", what, ansi.Strip(line), size.Width)
			}
		}
	}
}
