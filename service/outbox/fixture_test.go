package outbox_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/x509"
	"log/slog"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/egress"
	"tarmac/service/ids"
	"tarmac/service/outbox"
	"tarmac/service/sealing"
	"tarmac/service/store"
)

// noon is the time at which the tests start.
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

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
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

// fixture is a store with one organization, and a dispatcher for it.
type fixture struct {
	t             testing.TB
	path          string
	store         *store.Store
	clock         *clock
	key           sealing.Key
	ids           *ids.Source
	org           store.OrgKey
	orgs          []store.OrgKey // of addEndpoints
	config        outbox.Config
	roundRecorder *roundRecorder
	logs          *syncBuffer
}

// newFixture returns a fixture whose dispatcher may reach the given receivers.
func newFixture(t testing.TB, receivers ...*receiver) *fixture {
	t.Helper()
	key, err := sealing.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, path: migrated.New(t), clock: &clock{at: noon}, key: key, ids: ids.NewSource(rand.Reader)}
	f.store = f.open()
	f.org = f.organization("a")
	allowed := egress.Config{RootCAs: x509.NewCertPool()}
	for _, r := range receivers {
		allowed.Allow = append(allowed.Allow, r.Listener.Addr().String())
		allowed.RootCAs.AddCert(r.Certificate())
	}
	f.config = f.configure(f.store, allowed)
	f.roundRecorder = f.config.Observer.(*roundRecorder)
	return f
}

func (f *fixture) open() *store.Store {
	f.t.Helper()
	st, err := store.Open(context.Background(), f.path, store.Options{Ephemeral: true})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		if err := st.Close(); err != nil {
			f.t.Error(err)
		}
	})
	return st
}

func (f *fixture) configure(st *store.Store, allowed egress.Config) outbox.Config {
	f.t.Helper()
	guard, err := egress.New(allowed)
	if err != nil {
		f.t.Fatal(err)
	}
	if f.logs == nil {
		f.logs = &syncBuffer{}
	}
	return outbox.Config{
		Store: st, Logger: slog.New(slog.NewTextHandler(f.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now:    f.clock.now,
		Unseal: f.key.Open, Transport: guard.Transport(), Jitter: func() float64 { return 0 },
		Observer: &roundRecorder{round: make(chan struct{}, 1)},
		Poll:     2 * time.Millisecond, // the test's clock changes without a wake-up
	}
}

// start runs a dispatcher until the test ends or stop is called.
func (f *fixture) start(adjust ...func(*outbox.Dispatcher)) (stop func()) {
	f.t.Helper()
	return runDispatcher(f.t, f.config, adjust...)
}

func runDispatcher(t testing.TB, config outbox.Config, adjust ...func(*outbox.Dispatcher)) (stop func()) {
	t.Helper()
	end, ended := startDispatcher(t, config, adjust...)
	return func() {
		end()
		<-ended
	}
}

// startDispatcher runs a dispatcher until end is called. ended is closed when Run has
// returned.
func startDispatcher(
	t testing.TB, config outbox.Config, adjust ...func(*outbox.Dispatcher),
) (end func(), ended <-chan struct{}) {
	t.Helper()
	d := outbox.New(config)
	d.SetBackoff(time.Millisecond)
	for _, change := range adjust {
		change(d)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return cancel, done
}
