// Package service is the Organization Finance Client API: its records, its
// rules and its HTTP interface, put together.
package service

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"tarmac/service/egress"
	"tarmac/service/httpapi"
	"tarmac/service/ids"
	"tarmac/service/invoicepdf"
	"tarmac/service/ledger"
	"tarmac/service/metrics"
	"tarmac/service/outbox"
	"tarmac/service/store"
)

// Config is what a service is made from. All fields are required, but those that
// say what their zero value means.
type Config struct {
	Database      string // the path of the SQLite file, or the URL of a PostgreSQL database
	KeyFile       string // of the key that secrets are sealed with; "" is the SQLite file's path and ".key"
	Operator      bool   // if set, for one command beside the service: it does without a key file that is missing
	Ephemeral     bool   // if set, the data can be generated again: do not wait for the disk
	RatePerMinute int    // requests a minute for each token; 0 is no limit
	Limits        Limits // the zero value is DefaultLimits
	Logger        *slog.Logger
	Now           func() time.Time
	Entropy       io.Reader // of tokens, ids and keys; safe for concurrent use
	Contract      []byte    // the bytes of openapi.yaml; without them none is served
	Version       string    // of the program, for the Server header
	Webhooks      egress.Config
	InvoiceFonts  []*invoicepdf.Font // for what the embedded fonts of invoices lack, in the order in which they are asked
}

// Service is the running service. It is safe for concurrent use.
type Service struct {
	store   *store.Store
	handler http.Handler
	usage   *usage
	outbox  *outbox.Dispatcher
	upkeep  *upkeep
	metrics *metrics.Metrics
	limits  Limits
	ids     *ids.Source
	logger  *slog.Logger
	now     func() time.Time
	entropy io.Reader
}

// cursorKey names the key that list cursors are sealed with. It is kept with
// the data, so that cursors survive a restart and hold for every process.
const cursorKey = "transaction_cursor"

// pagesAtOnce is how many PDFs are made at a time: each takes tens of megabytes
// while it is made.
const pagesAtOnce = 2

// Open opens the database and makes the service. Close it after use.
func Open(ctx context.Context, config Config) (*Service, error) {
	guard, err := egress.New(config.Webhooks)
	if err != nil {
		return nil, err
	}
	if err := notEmptied(config); err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, config.Database, store.Options{Ephemeral: config.Ephemeral})
	if err != nil {
		return nil, err
	}
	s, err := assemble(ctx, config, st, guard)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return s, nil
}

func assemble(ctx context.Context, config Config, st *store.Store, guard *egress.Guard) (*Service, error) {
	cursors, err := st.ServerKey(ctx, cursorKey, config.Entropy)
	if err != nil {
		return nil, err
	}
	key, err := sealingKey(ctx, config, st)
	if err != nil {
		return nil, err
	}
	if config.Limits == (Limits{}) {
		config.Limits = DefaultLimits
	}
	s := &Service{
		store: st, limits: config.Limits, usage: newUsage(st, config.Logger), ids: ids.NewSource(config.Entropy), metrics: metrics.New(st, config.Version, config.Now),
		logger: config.Logger, now: config.Now, entropy: config.Entropy,
	}
	s.upkeep = newUpkeep(st, s.ids, config.Logger, config.Now)
	s.outbox = outbox.New(outbox.Config{
		Store: st, Logger: config.Logger, Now: config.Now, Unseal: key.Open, Transport: guard.Transport(), Jitter: jitter, Observer: s.metrics,
	})
	api := httpapi.New(httpapi.Config{
		Store: st, Balances: httpapi.StoredBalances{Store: st}, Cursors: ledger.NewCursors(cursors), Logger: config.Logger, Now: config.Now,
		RatePerMinute: config.RatePerMinute, FailuresPerMinute: config.Limits.FailuresPerMinute, MaxConcurrent: config.Limits.Requests,
		Contract: config.Contract, OnTokenUsed: s.usage.note, OnResponse: s.metrics.ObserveRequest,
		IDs: s.ids, Entropy: config.Entropy, Guard: guard, PDFs: invoicepdf.New(pagesAtOnce, config.InvoiceFonts...),
		Seal: seal(config, st, key),
	})
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "tarmac/"+config.Version)
		api.ServeHTTP(w, r)
	})
	return s, nil
}

// jitter spreads what would otherwise happen at once; nothing secret hangs on it.
func jitter() float64 { return 2*rand.Float64() - 1 }

// Handler returns the service's HTTP interface.
func (s *Service) Handler() http.Handler { return s.handler }

// MetricsHandler serves the service's metrics in Prometheus's format. It asks for
// no token: serve it where only the operator can reach it.
func (s *Service) MetricsHandler() http.Handler { return s.metrics.Handler() }

// Store returns the service's records.
func (s *Service) Store() *store.Store { return s.store }

// Close writes what is still to be written and closes the database. Serve and Run
// must have returned before.
func (s *Service) Close() error {
	s.usage.close()
	return s.store.Close()
}
