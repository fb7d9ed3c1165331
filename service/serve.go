package service

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Bounds on connections: a client that is slower than this is cut off.
const (
	headerTimeout  = 5 * time.Second
	readTimeout    = 30 * time.Second
	writeTimeout   = 60 * time.Second
	idleTimeout    = 2 * time.Minute
	maxHeaderBytes = 16 << 10
	drainTimeout   = 10 * time.Second
)

// Run does what nobody asks for: it delivers events and keeps the service's own
// clock, until ctx ends. Deliveries on the wire then have a few seconds to finish.
func (s *Service) Run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { s.outbox.Run(ctx) })
	wg.Go(func() { s.upkeep.run(ctx) })
	wg.Wait()
}

// Serve answers requests on ln, over TLS unless config is nil, and does what Run
// does, until ctx ends. Requests that are being answered then have ten seconds to
// finish. It returns nil after such an end.
func (s *Service) Serve(ctx context.Context, ln net.Listener, config *tls.Config) error {
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { s.Run(ctx) })
	defer background.Wait()
	defer stop()
	return s.answer(ctx, ln, config)
}

func (s *Service) answer(ctx context.Context, ln net.Listener, config *tls.Config) error {
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
