// Package service is the Organization Finance Client API: its records, its
// rules and its HTTP interface, put together (specification 1).
package service

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"tarmac/service/httpapi"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Config is what a service is made from. All fields are required, but Ephemeral
// and RatePerMinute may be zero, and without a Contract none is served.
type Config struct {
	Database      string // the path of the SQLite file
	Ephemeral     bool   // the data can be generated again: do not wait for the disk
	RatePerMinute int    // requests a minute for each token; 0 is no limit
	Logger        *slog.Logger
	Now           func() time.Time
	Entropy       io.Reader // of tokens, ids and keys; safe for concurrent use
	Contract      []byte    // the bytes of openapi.yaml
	Version       string    // of the program, for the Server header
}

// Service is the running service. It is safe for concurrent use.
type Service struct {
	store   *store.Store
	handler http.Handler
	usage   *usage
	ids     *ids.Source
	logger  *slog.Logger
	now     func() time.Time
	entropy io.Reader
}

// cursorKey names the key that list cursors are sealed with. It is kept with
// the data, so that cursors survive a restart and hold for every process.
const cursorKey = "transaction_cursor"

// Open opens the database and makes the service. Close it after use.
func Open(ctx context.Context, config Config) (*Service, error) {
	st, err := store.Open(ctx, config.Database, store.Options{Ephemeral: config.Ephemeral})
	if err != nil {
		return nil, err
	}
	key, err := st.ServerKey(ctx, cursorKey, config.Entropy)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	s := &Service{
		store: st, usage: newUsage(st, config.Logger), ids: ids.NewSource(config.Entropy),
		logger: config.Logger, now: config.Now, entropy: config.Entropy,
	}
	api := httpapi.New(httpapi.Config{
		Store: st, Balances: httpapi.StoredBalances{Store: st}, Cursors: ledger.NewCursors(key), Logger: config.Logger, Now: config.Now,
		RatePerMinute: config.RatePerMinute, Contract: config.Contract, TokenUsed: s.usage.note,
	})
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "tarmac/"+config.Version)
		api.ServeHTTP(w, r)
	})
	return s, nil
}

// Handler returns the service's HTTP interface.
func (s *Service) Handler() http.Handler { return s.handler }

// Store returns the service's records.
func (s *Service) Store() *store.Store { return s.store }

// Close writes what is still to be written and closes the database. Serve must
// have returned before.
func (s *Service) Close() error {
	s.usage.close()
	return s.store.Close()
}

// Bounds on connections: a client that is slower than this is cut off.
const (
	headerTimeout  = 5 * time.Second
	readTimeout    = 30 * time.Second
	writeTimeout   = 60 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 16 << 10
	drainTimeout   = 10 * time.Second
)

// Serve answers requests on ln, over TLS unless config is nil, until ctx ends.
// Requests that are being answered then have ten seconds to finish. It returns
// nil after such an end.
func (s *Service) Serve(ctx context.Context, ln net.Listener, config *tls.Config) error {
	server := &http.Server{
		Handler: s.handler, TLSConfig: config,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		// "OPTIONS *" is answered as what it is here, a route that there is not.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.logger.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() {
		if config != nil {
			ended <- server.ServeTLS(ln, "", "")
			return
		}
		ended <- server.Serve(ln)
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("serving on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		return errors.Join(fmt.Errorf("some requests did not finish within %s: %w", drainTimeout, err), server.Close())
	}
	<-ended
	return nil
}
