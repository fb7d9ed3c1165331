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

	"tarmac/internal/panics"
	"tarmac/service/connections"
	"tarmac/service/events"
	"tarmac/service/store"
)

// Limits bounds what clients can use of the service. A number of 0 means no limit.
type Limits struct {
	Connections           int // open connections in total
	ConnectionsPerAddress int // open connections of an IPv4 address or IPv6 /64; loopback has no limit
	Requests              int // requests in progress; an organization has a quarter of them
	FailuresPerMinute     int // failed authentications a minute for each address
	// HeaderTimeout is the longest time for the TLS handshake and the header of a request,
	// ReadTimeout for reading a whole request, WriteTimeout for the response, and IdleTimeout for
	// the wait for the next request.
	HeaderTimeout, ReadTimeout, WriteTimeout, IdleTimeout time.Duration
}

// DefaultLimits are limits for a machine with half a gigabyte of memory.
var DefaultLimits = Limits{
	Connections: 2048, ConnectionsPerAddress: 256, Requests: 64, FailuresPerMinute: 30,
	HeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
}

const (
	maxHeaderBytes = 16 << 10
	finishTimeout  = 10 * time.Second
)

// errStopping is the cause of cancellation for requests that did not finish within finishTimeout.
var errStopping = errors.New("the service stops")

// http2Config limits what one HTTP/2 connection can use. net/http itself disconnects clients that
// reset streams too fast.
var http2Config = http.HTTP2Config{
	MaxConcurrentStreams: 32, MaxReceiveBufferPerConnection: 1 << 20, MaxReceiveBufferPerStream: 256 << 10,
	SendPingTimeout: 30 * time.Second, PingTimeout: 10 * time.Second, WriteByteTimeout: 15 * time.Second,
}

// Run sends events to webhook endpoints, runs the periodic tasks and, with Config.ReadsProviders,
// reads the connections that are due, until ctx ends. Deliveries in progress then have a few
// seconds to finish. If one of these panics, all end and Run returns the panic as a *panics.Fault.
func (s *Service) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.nameSilentEndpoints(ctx)
	loops := []func(context.Context){s.outbox.Run, s.upkeep.run, s.upkeep.sumTexts, s.updateCurrencies}
	if s.readsProviders {
		loops = append(loops, s.syncing.Run)
	}
	faults := make([]error, len(loops))
	var wg sync.WaitGroup
	for i, loop := range loops {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					faults[i] = panics.Describe(r)
					s.logger.Error("the service stops after a panic", "error", faults[i])
					stop()
				}
			}()
			loop(ctx)
		})
	}
	wg.Wait()
	return errors.Join(faults...)
}

// nameSilentEndpoints logs which webhook endpoints are paused because the only event type that they
// had chosen is none any more (events.Retired).
func (s *Service) nameSilentEndpoints(ctx context.Context) {
	var silent []string
	err := s.store.Read(ctx, func(snap *store.Snapshot) (err error) {
		silent, err = snap.SilentEndpoints()
		return err
	})
	if err != nil {
		s.logger.Warn("webhook endpoints could not be checked for event types", "error", err)
	}
	for _, id := range silent {
		s.logger.Warn("a webhook endpoint is paused, because it has no event type left: choose others or delete it",
			"endpoint", id, "gone", string(events.Retired))
	}
}

// Serve answers requests on ln until ctx ends, and meanwhile does the work of Run. It uses TLS
// unless config is nil. When ctx ends, /readyz answers 503, and Serve continues to answer for
// Config.Drain and asks clients to close their connections. Then it closes ln, requests in progress
// have ten seconds to finish, and Serve returns nil. If Run fails, Serve ends with its error:
// otherwise nobody might notice that webhooks are no longer delivered.
func (s *Service) Serve(ctx context.Context, ln net.Listener, config *tls.Config) error {
	running, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	var fault error
	background.Go(func() {
		defer stop()
		fault = s.Run(running)
	})
	err := s.serveHTTP(running, ln, config, func() time.Duration {
		if ctx.Err() == nil {
			return 0 // after a fault
		}
		return s.drain
	})
	stop()
	background.Wait()
	return errors.Join(err, fault)
}

// Stop makes /readyz answer 503 from now on (httpapi.API.Stop). Requests are still answered.
func (s *Service) Stop() { s.api.Stop() }

// serveHTTP answers requests until ctx ends, and then for as long as drain returns.
func (s *Service) serveHTTP(
	ctx context.Context, ln net.Listener, config *tls.Config, drain func() time.Duration,
) error {
	limited := connections.Limit(ln, connections.Limits{
		Total: s.limits.Connections, PerAddress: s.limits.ConnectionsPerAddress, Proxies: s.proxies,
	}, s.metrics)
	streams := http2Config
	requests, cancelRequests := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancelRequests(nil)
	server := &http.Server{
		Handler: s.handler, TLSConfig: config, ConnState: limited.State, HTTP2: &streams,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: s.limits.HeaderTimeout, ReadTimeout: s.limits.ReadTimeout, WriteTimeout: s.limits.WriteTimeout,
		IdleTimeout: s.limits.IdleTimeout, MaxHeaderBytes: maxHeaderBytes,
		// The request "OPTIONS *" gets 404, like any unknown route.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.logger.Handler(), slog.LevelWarn),
	}
	serveErr := make(chan error, 1)
	go func() {
		if config != nil {
			serveErr <- server.ServeTLS(limited, "", "")
			return
		}
		serveErr <- server.Serve(limited)
	}()
	select {
	case err := <-serveErr:
		return fmt.Errorf("serving on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	s.Stop()
	select {
	case err := <-serveErr:
		return fmt.Errorf("serving on %s: %w", ln.Addr(), err)
	case <-time.After(drain()):
	}
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	if err := server.Shutdown(finish); err != nil {
		// Close would cancel them as if their callers had hung up.
		cancelRequests(errStopping)
		return errors.Join(fmt.Errorf("some requests did not finish within %s: %w", finishTimeout, err), server.Close())
	}
	<-serveErr
	return nil
}
