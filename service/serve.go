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
)

// Limits bounds how much of the service clients can use. A number of 0 means no limit.
type Limits struct {
	Connections           int // open connections
	ConnectionsPerAddress int // of one IPv4 address or IPv6 /64 network; loopback has no limit
	Requests              int // requests in progress; one organization gets a quarter of them
	FailuresPerMinute     int // failed authentications of one address
	// HeaderTimeout bounds the TLS handshake and a request's header, ReadTimeout a whole
	// request, WriteTimeout the response, and IdleTimeout the wait for the next request.
	HeaderTimeout, ReadTimeout, WriteTimeout, IdleTimeout time.Duration
}

// DefaultLimits suits a machine with half a gigabyte of memory.
var DefaultLimits = Limits{
	Connections: 2048, ConnectionsPerAddress: 256, Requests: 64, FailuresPerMinute: 30,
	HeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
}

const (
	maxHeaderBytes = 16 << 10
	drainTimeout   = 10 * time.Second
)

// errStopping cancels requests that did not finish within drainTimeout.
var errStopping = errors.New("the service stops")

// http2Config bounds one HTTP/2 connection. The library disconnects clients that reset streams
// too fast.
var http2Config = http.HTTP2Config{
	MaxConcurrentStreams: 32, MaxReceiveBufferPerConnection: 1 << 20, MaxReceiveBufferPerStream: 256 << 10,
	SendPingTimeout: 30 * time.Second, PingTimeout: 10 * time.Second, WriteByteTimeout: 15 * time.Second,
}

// Run delivers events to webhooks and runs the periodic tasks until ctx ends. Deliveries in
// progress then have a few seconds to finish. After a panic in either, both end, and the panic
// is returned as a *panics.Fault.
func (s *Service) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	loops := [...]func(context.Context){s.outbox.Run, s.upkeep.run}
	var faults [len(loops)]error
	var wg sync.WaitGroup
	for i, loop := range loops {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					faults[i] = panics.Of(r)
					s.logger.Error("the service stops after a panic", "error", faults[i])
					stop()
				}
			}()
			loop(ctx)
		})
	}
	wg.Wait()
	return errors.Join(faults[:]...)
}

// Serve answers requests on ln, over TLS unless config is nil, and does what Run does, until ctx
// ends. Requests in progress then have ten seconds to finish, and Serve returns nil. If Run
// fails, Serve ends too, because nobody might notice that a service no longer delivers.
func (s *Service) Serve(ctx context.Context, ln net.Listener, config *tls.Config) error {
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	var fault error
	background.Go(func() {
		defer stop()
		fault = s.Run(ctx)
	})
	err := s.serveHTTP(ctx, ln, config)
	stop()
	background.Wait()
	return errors.Join(err, fault)
}

func (s *Service) serveHTTP(ctx context.Context, ln net.Listener, config *tls.Config) error {
	limited := connections.Limit(
		ln, connections.Limits{Total: s.limits.Connections, PerAddress: s.limits.ConnectionsPerAddress}, s.metrics,
	)
	streams := http2Config
	requests, cancelRequests := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancelRequests(nil)
	server := &http.Server{
		Handler: s.handler, TLSConfig: config, ConnState: limited.State, HTTP2: &streams,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: s.limits.HeaderTimeout, ReadTimeout: s.limits.ReadTimeout, WriteTimeout: s.limits.WriteTimeout,
		IdleTimeout: s.limits.IdleTimeout, MaxHeaderBytes: maxHeaderBytes,
		// "OPTIONS *" is answered with 404 like any unknown route.
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
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		cancelRequests(errStopping) // before Close, after which the callers would seem to have hung up
		return errors.Join(fmt.Errorf("some requests did not finish within %s: %w", drainTimeout, err), server.Close())
	}
	<-serveErr
	return nil
}
