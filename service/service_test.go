package service_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/contract"
	"tarmac/internal/testsupport/testdb"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/internal/testsupport/testdns"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/connections"
	"tarmac/service/egress"
	"tarmac/service/ids"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
)

// noon is the time at which the services of these tests start.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// clock is the settable time of a test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// fixture is a service behind a real HTTP server, with a client that checks every response
// against the contract.
type fixture struct {
	t        testing.TB
	database string
	keyFile  string
	referee  *contract.Contract
	rate     int
	limits   service.Limits
	proxies  connections.Proxies
	drain    time.Duration
	webhooks egress.Config
	banks    []providers.Kind
	bankWire *wire.Client // sends the requests to banks
	durable  bool         // true if commits wait for the disk
	service  *service.Service
	server   *httptest.Server
	client   *http.Client
	clock    *clock
	logs     *syncBuffer
	ids      *ids.Source
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// openContract reads the contract once for all tests.
var openContract = sync.OnceValues(contract.Open)

func start(t testing.TB, rate int) *fixture {
	t.Helper()
	referee, err := openContract()
	if err != nil {
		t.Fatal(err)
	}
	return startWith(t, rate, referee)
}

func startWith(t testing.TB, rate int, referee *contract.Contract) *fixture {
	t.Helper()
	f := &fixture{t: t, clock: &clock{at: noon}, logs: &syncBuffer{}, ids: ids.NewSource(rand.Reader)}
	f.database, f.referee, f.rate = migrated.New(t), referee, rate
	if f.keyFile = f.database + ".key"; testdb.Postgres() {
		f.keyFile = filepath.Join(t.TempDir(), "key")
	}
	f.open()
	t.Cleanup(f.close)
	return f
}

func (f *fixture) open() {
	f.t.Helper()
	if f.webhooks.Resolver == nil {
		f.webhooks.Resolver = testdns.EmptyResolver()
	}
	var err error
	f.service, err = service.Open(context.Background(), service.Config{
		Database: f.database, KeyFile: f.keyFile, Ephemeral: !f.durable, RatePerMinute: f.rate, Limits: f.limits,
		Proxies: f.proxies, Drain: f.drain,
		Logger: slog.New(slog.NewJSONHandler(f.logs, nil)), Now: f.clock.now, Entropy: rand.Reader,
		Contract: []byte("openapi: 3.1.0\n"), Version: "test", Webhooks: f.webhooks,
		Providers: f.banks, ProviderClient: f.bankWire,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	f.server = httptest.NewServer(f.service.Handler())
	f.client = &http.Client{Transport: f.referee.Transport(f.t, f.server.Client().Transport)}
}

func (f *fixture) close() {
	f.t.Helper()
	f.server.Close()
	if err := f.service.Close(); err != nil {
		f.t.Error(err)
	}
}

// restart closes the service and opens it again on the same database.
func (f *fixture) restart() {
	f.t.Helper()
	f.close()
	f.open()
}

// tenant is an organization with a token.
type tenant struct {
	id     string
	key    store.OrgKey
	secret string
	token  access.Token
}

func (f *fixture) tenant(name string, scopes ...access.Scope) tenant {
	f.t.Helper()
	o, err := f.service.CreateOrganization(context.Background(), name)
	if err != nil {
		f.t.Fatal(err)
	}
	_, key, err := f.service.Store().Organization(context.Background(), o.PublicID)
	if err != nil {
		f.t.Fatal(err)
	}
	if scopes == nil {
		scopes = access.Scopes[:]
	}
	secret, token, err := f.service.CreateToken(context.Background(), o.PublicID, scopes, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(func(tx *store.Tx) error { return tx.SetOwner(key, "Ada Lovelace", "ada@example.com") })
	return tenant{o.PublicID, key, secret, token}
}

func (f *fixture) write(fn func(*store.Tx) error) {
	f.t.Helper()
	if err := f.service.Store().Write(context.Background(), fn); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) id(kind string) string {
	f.t.Helper()
	id, err := f.ids.New(kind, f.clock.now())
	if err != nil {
		f.t.Fatal(err)
	}
	return id
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

const prefix = "/api/ext/v1"

// get sends a GET request with a token, or without one if secret is "".
func (f *fixture) get(secret, path string) answer {
	f.t.Helper()
	header := http.Header{}
	if secret != "" {
		header.Set("Authorization", "Bearer "+secret)
	}
	return f.do(http.MethodGet, path, header)
}

// send sends a request with a token and a JSON body, or without one if it is "". The pairs are
// further headers.
func (f *fixture) send(secret, method, path, body string, pairs ...string) answer {
	f.t.Helper()
	header := http.Header{}
	if secret != "" {
		header.Set("Authorization", "Bearer "+secret)
	}
	if body != "" {
		header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(pairs); i += 2 {
		header.Set(pairs[i], pairs[i+1])
	}
	return f.doWith(method, path, header, strings.NewReader(body))
}

func (f *fixture) do(method, path string, header http.Header) answer {
	f.t.Helper()
	return f.doWith(method, path, header, nil)
}

func (f *fixture) doWith(method, path string, header http.Header, sent io.Reader) answer {
	f.t.Helper()
	req, err := http.NewRequest(method, f.server.URL+path, sent)
	if err != nil {
		f.t.Fatal(err)
	}
	req.Header = header
	res, err := f.client.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, body}
}

// decode decodes the body of a successful response into v.
func (f *fixture) decode(a answer, v any) {
	f.t.Helper()
	if a.status < 200 || a.status > 299 {
		f.t.Fatalf("status %d: %s", a.status, a.body)
	}
	if err := json.Unmarshal(a.body, v); err != nil {
		f.t.Fatalf("%v in %s", err, a.body)
	}
}

// refused checks the status and the exact body of an error.
func (f *fixture) refused(what string, a answer, status int, text string) {
	f.t.Helper()
	want, err := json.Marshal(map[string]string{"error": text})
	if err != nil {
		f.t.Fatal(err)
	}
	var got, wanted any
	if err := json.Unmarshal(a.body, &got); err != nil {
		f.t.Errorf("%s: body %q: %v", what, a.body, err)
		return
	}
	if err := json.Unmarshal(want, &wanted); err != nil {
		f.t.Fatal(err)
	}
	gotText, _ := json.Marshal(got)
	wantText, _ := json.Marshal(wanted)
	if a.status != status || string(gotText) != string(wantText) {
		f.t.Errorf("%s: %d %s; want %d %s", what, a.status, gotText, status, wantText)
	}
}

func query(pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return "?" + values.Encode()
}

// plain requests a path outside the contract.
func (f *fixture) plain(path string) answer {
	f.t.Helper()
	strict := f.client
	f.client = f.server.Client()
	defer func() { f.client = strict }()
	return f.do(http.MethodGet, path, nil)
}
