// Package service assembles the Organization Finance Client API: its store, its HTTP handler, its
// webhook deliveries and its periodic tasks.
package service

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tarmac/internal/processes"
	"tarmac/service/bookkeeping"
	"tarmac/service/connections"
	"tarmac/service/egress"
	"tarmac/service/httpapi"
	"tarmac/service/ids"
	"tarmac/service/invoicepdf"
	"tarmac/service/ledger"
	"tarmac/service/metrics"
	"tarmac/service/outbox"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// Config configures a service. A field is required unless its comment names a default.
type Config struct {
	Database string // path of an SQLite file, or URL of a PostgreSQL database
	// KeyFile is the path of the file with the key that encrypts secrets. The default for SQLite is
	// the path of the database with ".key" appended.
	KeyFile string
	// Operator is true for an administrative command, which runs beside the service and does not
	// need the key file.
	Operator bool
	// KeyOptional is true for own books: they can be read without their key file. Only the tokens
	// of providers cannot, and connecting one replaces a lost key.
	KeyOptional bool
	// Ephemeral is true if the data can be generated again. Nothing is then synced to disk, which
	// is faster.
	Ephemeral bool
	// SmallCache is true if the caches of pages, of the database and of the API, may use little
	// memory, because the sessions of this process need it. Default: false.
	SmallCache    bool
	RatePerMinute int    // requests a minute for each token; 0 means no limit
	Limits        Limits // default: DefaultLimits
	// Drain is how long Serve continues to answer after its context has ended. Default: not at all.
	Drain time.Duration
	// Proxies are believed which address they pass a request on for. Default: none.
	Proxies  connections.Proxies
	Logger   *slog.Logger
	Now      func() time.Time
	Entropy  io.Reader // source of randomness; safe for concurrent use
	Contract []byte    // OpenAPI document to serve; default: none
	Version  string    // program version in the Server header
	Webhooks egress.Config
	// InvoiceFonts are fonts for characters that the embedded fonts lack, in the order in which
	// they are tried.
	InvoiceFonts []*invoicepdf.Font
	// Providers are the providers that organizations can be connected to, and ProviderClient sends
	// the requests to them. Default: none.
	Providers      []providers.Kind
	ProviderClient *wire.Client
	// ReadsProviders is true if Run and Serve read the connections that are due. It is false for
	// commands that end soon: a reading that is cut off would have used up a request.
	ReadsProviders bool
	// RulesFile is the file with the rules of own books, for a database of one person. By default
	// only the database has the rules.
	RulesFile bookkeeping.RulesFile
	// Owner is the actor in the audit of own books, their owner. Default: whoever makes a request.
	Owner string
}

// Service is an instance of the API with an open database. It is safe for concurrent use.
type Service struct {
	store   *store.Store
	handler http.Handler
	api     *httpapi.API
	usage   *usage
	outbox  *outbox.Dispatcher
	upkeep  *upkeep
	syncing *syncing.Syncer
	// readsProviders is Config.ReadsProviders.
	readsProviders bool
	metrics        *metrics.Metrics
	limits         Limits
	proxies        connections.Proxies
	drain          time.Duration
	ids            *ids.Source
	logger         *slog.Logger
	now            func() time.Time
	entropy        io.Reader
	rules          bookkeeping.RulesFile
}

// cursorKey is the name of the key that authenticates cursors of lists. The key is stored in the
// database, so that cursors remain valid after a restart and in every process.
const cursorKey = "transaction_cursor"

// maxConcurrentPDFs is how many PDFs are rendered at a time. Rendering one takes tens of megabytes.
const maxConcurrentPDFs = 2

// Open opens the database and returns the service. The caller must call Close.
func Open(ctx context.Context, config Config) (*Service, error) {
	guard, err := egress.New(config.Webhooks)
	if err != nil {
		return nil, err
	}
	if err := checkNotEmptied(config); err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, config.Database, store.Options{
		Ephemeral: config.Ephemeral, SmallCache: config.Operator || config.SmallCache,
		Returned: func(away time.Duration) {
			config.Logger.Warn("the database was away", "seconds", away.Seconds())
		},
	})
	if err != nil {
		return nil, err
	}
	// What the service itself needs in the database is nobody's change.
	s, err := assemble(store.WithAudit(ctx, nil), config, st, guard)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return s, nil
}

// smallPageCache is the memory of the API's page cache with Config.SmallCache, in bytes.
const smallPageCache = 2 << 20

func assemble(ctx context.Context, config Config, st *store.Store, guard *egress.Guard) (*Service, error) {
	cursors, err := st.ServerKey(ctx, cursorKey, config.Entropy)
	if err != nil {
		return nil, err
	}
	secrets, err := secretsOf(ctx, config, st)
	if err != nil {
		return nil, err
	}
	if config.Limits == (Limits{}) {
		config.Limits = DefaultLimits
	}
	s := &Service{
		store: st, limits: config.Limits, proxies: config.Proxies, drain: config.Drain, usage: newUsage(st, config.Logger),
		ids:     ids.NewSource(config.Entropy),
		metrics: metrics.New(st, config.Version, config.Now),
		logger:  config.Logger, now: config.Now, entropy: config.Entropy, rules: config.RulesFile,
		readsProviders: config.ReadsProviders,
	}
	s.upkeep = newUpkeep(st, s.ids, config.Logger, config.Now)
	s.outbox = outbox.New(outbox.Config{
		Store: st, Logger: config.Logger, Now: config.Now, Unseal: secrets.unseal, Transport: guard.Transport(),
		Jitter: jitter, Observer: s.metrics,
	})
	s.syncing = syncing.New(syncing.Config{
		Store: st, IDs: s.ids, Now: config.Now, Jitter: jitter, Kinds: config.Providers, Client: config.ProviderClient,
		Seal: secrets.seal, Unseal: secrets.unseal, Books: s.booksOf, Logger: config.Logger,
		Process: processes.Self(),
	})
	pageCache := 0 // the default
	if config.SmallCache {
		pageCache = smallPageCache
	}
	s.api = httpapi.New(httpapi.Config{
		Store: st, Balances: httpapi.StoredBalances{Store: st, Live: s.syncing.LiveProviders()},
		RefreshBalances: secrets.refresh(s.syncing.RefreshBalances),
		Cursors:         ledger.NewCursors(cursors), Logger: config.Logger, Now: config.Now,
		RatePerMinute: config.RatePerMinute, FailuresPerMinute: config.Limits.FailuresPerMinute,
		MaxConcurrent: config.Limits.Requests, Proxies: config.Proxies, Owner: config.Owner,
		Contract: config.Contract, OnTokenUsed: s.usage.record, OnResponse: s.metrics.ObserveRequest,
		IDs: s.ids, Entropy: config.Entropy, Guard: guard, PDFs: invoicepdf.New(maxConcurrentPDFs, config.InvoiceFonts...),
		Seal: secrets.seal, PageCacheBytes: pageCache,
	})
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "tarmac/"+config.Version)
		s.api.ServeHTTP(w, r)
	})
	return s, nil
}

// jitter returns a random number in [-1, 1).
func jitter() float64 { return 2*rand.Float64() - 1 }

// Handler returns the http.Handler of the API.
func (s *Service) Handler() http.Handler { return s.handler }

// MetricsHandler serves the metrics in Prometheus's format. It requires no token, so only the
// operator should be able to reach it.
func (s *Service) MetricsHandler() http.Handler { return s.metrics.Handler() }

// RegisterMetrics adds metrics to those of MetricsHandler.
func (s *Service) RegisterMetrics(c prometheus.Collector) error { return s.metrics.Register(c) }

// Store returns the store with the service's records.
func (s *Service) Store() *store.Store { return s.store }

// Syncing connects organizations to providers and reads them.
func (s *Service) Syncing() *syncing.Syncer { return s.syncing }

// Close writes queued times at which tokens were last used, and closes the database. Serve and Run
// must have returned.
func (s *Service) Close() error {
	s.usage.close()
	return s.store.Close()
}
