package outbox_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/x509"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/egress"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/outbox"
	"tarmac/service/payments"
	"tarmac/service/sealing"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// noon is when the tests begin.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// patience is how long a test waits for what has to happen.
const patience = 30 * time.Second

// clock is the time of a test.
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

// watch is an observer that tells of every round.
type watch struct {
	round chan struct{}

	mu                    sync.Mutex
	problems              []webhooks.Problem
	waited                []time.Duration
	mostPrompt, mostSlow  int
	promptNow, slowNow, n int
}

func (w *watch) Attempted(problem webhooks.Problem, _, waited time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems, w.waited = append(w.problems, problem), append(w.waited, waited)
}

func (w *watch) InFlight(prompt, slow int) {
	w.mu.Lock()
	w.promptNow, w.slowNow, w.n = prompt, slow, w.n+1
	w.mostPrompt, w.mostSlow = max(w.mostPrompt, prompt), max(w.mostSlow, slow)
	w.mu.Unlock()
	select {
	case w.round <- struct{}{}:
	default:
	}
}

func (w *watch) counts() (prompt, slow, rounds int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.promptNow, w.slowNow, w.n
}

// fixture is a store with one organization, and a dispatcher for it.
type fixture struct {
	t      testing.TB
	path   string
	store  *store.Store
	clock  *clock
	key    sealing.Key
	ids    *ids.Source
	org    store.OrgKey
	orgs   []store.OrgKey // of a crowd
	config outbox.Config
	watch  *watch
	logs   *syncBuffer
}

// newFixture makes one whose dispatcher may reach the given receivers.
func newFixture(t testing.TB, receivers ...*receiver) *fixture {
	t.Helper()
	key, err := sealing.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, path: testdb.New(t), clock: &clock{at: noon}, key: key, ids: ids.NewSource(rand.Reader)}
	f.store = f.open()
	f.org = f.organization("a")
	allowed := egress.Config{RootCAs: x509.NewCertPool()}
	for _, r := range receivers {
		allowed.Allow = append(allowed.Allow, r.Listener.Addr().String())
		allowed.RootCAs.AddCert(r.Certificate())
	}
	f.config = f.configure(f.store, allowed)
	f.watch = f.config.Observe.(*watch)
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
		Store: st, Logger: slog.New(slog.NewTextHandler(f.logs, &slog.HandlerOptions{Level: slog.LevelDebug})), Now: f.clock.now,
		Unseal: f.key.Open, Transport: guard.Transport(), Jitter: func() float64 { return 0 },
		Observe: &watch{round: make(chan struct{}, 1)},
		// The records' clock moves without anybody being told.
		Poll: 2 * time.Millisecond,
	}
}

// start runs a dispatcher until the test ends or stop is called.
func (f *fixture) start(adjust ...func(*outbox.Dispatcher)) (stop func()) {
	f.t.Helper()
	return run(f.t, f.config, adjust...)
}

func run(t testing.TB, config outbox.Config, adjust ...func(*outbox.Dispatcher)) (stop func()) {
	t.Helper()
	end, ended := begin(t, config, adjust...)
	return func() {
		end()
		<-ended
	}
}

// begin runs a dispatcher until end is called; ended is closed when nothing of it
// runs any more.
func begin(t testing.TB, config outbox.Config, adjust ...func(*outbox.Dispatcher)) (end func(), ended <-chan struct{}) {
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

func (f *fixture) write(fn func(*store.Tx) error) {
	f.t.Helper()
	if err := f.store.Write(context.Background(), fn); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) read(fn func(*store.Snapshot) error) {
	f.t.Helper()
	if err := f.store.Read(context.Background(), fn); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) organization(name string) (org store.OrgKey) {
	f.t.Helper()
	f.write(func(tx *store.Tx) (err error) {
		org, err = tx.CreateOrganization(store.Organization{PublicID: "org_" + name, Name: name, CreatedAt: noon})
		return err
	})
	return org
}

func (f *fixture) id(kind string) string {
	f.t.Helper()
	id, err := f.ids.New(kind, f.clock.now())
	if err != nil {
		f.t.Fatal(err)
	}
	return id
}

func (f *fixture) secret(endpointID string) (secret string, sealed []byte) {
	f.t.Helper()
	secret, err := webhooks.NewSecret(rand.Reader)
	if err == nil {
		sealed, err = f.key.Seal(rand.Reader, secret, endpointID)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return secret, sealed
}

// endpoint adds an endpoint that wants payment.failed.
func (f *fixture) endpoint(url string) (id, secret string) {
	f.t.Helper()
	return f.endpointOf(f.org, url)
}

func (f *fixture) endpointOf(org store.OrgKey, url string) (id, secret string) {
	f.t.Helper()
	id = f.id(ids.Webhook)
	secret, sealed := f.secret(id)
	f.write(func(tx *store.Tx) error {
		return tx.InsertEndpoint(org, webhooks.Endpoint{
			ID: id, URL: url, EventTypes: []events.Type{events.PaymentFailed}, Status: webhooks.Active,
			CreatedAt: f.clock.now(), UpdatedAt: f.clock.now(),
		}, sealed)
	})
	return id, secret
}

// rotate gives an endpoint a new secret, as the API does.
func (f *fixture) rotate(id string) (secret string) {
	f.t.Helper()
	secret, sealed := f.secret(id)
	now := f.clock.now()
	expires := now.Add(webhooks.RotationOverlap)
	f.write(func(tx *store.Tx) error {
		before, err := tx.EndpointSecrets(f.org, id)
		if err != nil {
			return err
		}
		return tx.SetEndpointSecrets(f.org, id, store.Secrets{Current: sealed, Previous: before.Current, PreviousExpiresAt: &expires}, now)
	})
	return secret
}

// emit appends payment.failed events that occur now, in one transaction.
func (f *fixture) emit(n int) []events.Event {
	f.t.Helper()
	return f.emitFor(f.org, n)
}

func (f *fixture) emitFor(org store.OrgKey, n int) (evs []events.Event) {
	f.t.Helper()
	for range n {
		e, err := events.ForPayment(f.id(ids.Event), f.clock.now(),
			payments.Intent{ID: f.id(ids.PaymentIntent), Status: payments.Failed, AmountCents: 125000, Currency: "USD"})
		if err != nil {
			f.t.Fatal(err)
		}
		evs = append(evs, e)
	}
	f.write(func(tx *store.Tx) error { return tx.AppendEvents(org, evs) })
	return evs
}

// verify queues a test event, as the API does.
func (f *fixture) verify(endpointID string) (deliveryID string) {
	f.t.Helper()
	e, err := events.ForTest(f.id(ids.Event), f.clock.now())
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(func(tx *store.Tx) (err error) {
		deliveryID, err = tx.QueueTest(f.org, endpointID, e)
		return err
	})
	return deliveryID
}

// setStatus pauses or resumes an endpoint, as the API does.
func (f *fixture) setStatus(id string, status webhooks.Status) {
	f.t.Helper()
	now := f.clock.now()
	f.write(func(tx *store.Tx) error {
		e, err := tx.Endpoint(f.org, id)
		if err != nil {
			return err
		}
		e.Status, e.DisabledAt, e.DisabledReason, e.UpdatedAt = status, nil, "", now
		if status == webhooks.Paused {
			return errors.Join(tx.UpdateEndpoint(f.org, e), tx.HoldDeliveries(f.org, id))
		}
		e.FailingSince = nil
		return errors.Join(tx.UpdateEndpoint(f.org, e),
			tx.ReleaseDeliveries(f.org, id, now, now.Add(-webhooks.HeldFor), webhooks.ReleaseSpread))
	})
}

// deliveries returns an endpoint's, the newest first.
func (f *fixture) deliveries(endpointID string) (all []webhooks.Delivery) {
	f.t.Helper()
	f.read(func(snap *store.Snapshot) (err error) {
		all, err = snap.Deliveries(f.org, endpointID, 10_000)
		return err
	})
	return all
}

func (f *fixture) only(endpointID string) webhooks.Delivery {
	f.t.Helper()
	all := f.deliveries(endpointID)
	if len(all) != 1 {
		f.t.Fatalf("%d deliveries", len(all))
	}
	return all[0]
}

func (f *fixture) readEndpoint(id string) (e webhooks.Endpoint) {
	f.t.Helper()
	f.read(func(snap *store.Snapshot) (err error) {
		e, err = snap.Endpoint(f.org, id)
		return err
	})
	return e
}

func (f *fixture) depth() (d store.OutboxDepth) {
	f.t.Helper()
	f.read(func(snap *store.Snapshot) (err error) {
		d, err = snap.OutboxDepth()
		return err
	})
	return d
}

// until waits, round by round, for something to come true.
func (f *fixture) until(what string, true func() bool) {
	f.t.Helper()
	limit := time.After(patience)
	for !true() {
		select {
		case <-f.watch.round:
		case <-limit:
			f.t.Fatalf("still not so: %s\n%s", what, f.logs)
		}
	}
}

// quiet waits until the dispatcher has looked at everything, done what it could,
// and nothing is on the wire.
func (f *fixture) quiet() {
	f.t.Helper()
	_, _, first := f.watch.counts()
	calm := 0
	f.until("nothing left to do", func() bool {
		prompt, slow, n := f.watch.counts()
		if prompt+slow > 0 {
			calm = 0
		} else if n > first+1 {
			calm++
		}
		return calm > 1
	})
}

// attempted waits until a delivery's attempt of that number has its outcome.
func (f *fixture) attempted(endpointID string, number int) webhooks.Delivery {
	f.t.Helper()
	f.until(fmt.Sprintf("attempt %d was made", number), func() bool { return f.only(endpointID).AttemptCount >= number })
	f.quiet()
	d := f.only(endpointID)
	if d.AttemptCount != number {
		f.t.Fatalf("%d attempts, want %d", d.AttemptCount, number)
	}
	return d
}

// refuse has the database refuse what a condition says of deliveries, until allow
// is called.
func (f *fixture) refuse(condition, why string) (allow func()) {
	f.t.Helper()
	if !testdb.Postgres() {
		f.exec("CREATE TRIGGER refuses BEFORE UPDATE ON webhook_deliveries WHEN " + condition + " BEGIN SELECT RAISE(ABORT, '" + why + "'); END")
		return func() { f.exec("DROP TRIGGER refuses") }
	}
	f.exec("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '" + why + "'; END $$")
	f.exec("CREATE TRIGGER refuses BEFORE UPDATE ON webhook_deliveries FOR EACH ROW WHEN (" + condition + ") EXECUTE FUNCTION refuse()")
	return func() { f.exec("DROP TRIGGER refuses ON webhook_deliveries") }
}

// exec changes the database behind everybody's back.
func (f *fixture) exec(query string) {
	f.t.Helper()
	driver, name := "sqlite", f.path+"?_pragma=busy_timeout(5000)"
	if testdb.Postgres() {
		driver, name = "pgx", f.path
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		f.t.Fatal(err)
	}
	_, err = db.Exec(query)
	if err := errors.Join(err, db.Close()); err != nil {
		f.t.Fatal(err)
	}
}
