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

// Limits bound what those who connect can take. A number of 0 is no limit.
type Limits struct {
	Connections           int // open at a time
	ConnectionsPerAddress int // of one IPv4 address or IPv6 /64 network; this machine's have no such limit
	Requests              int // worked on at a time; a quarter of them for one organization
	FailuresPerMinute     int // wrong credentials of one address
	// A client that is slower is cut off: with a request's header, and a TLS
	// handshake; with all of a request; with reading an answer; with asking again.
	HeaderTimeout, ReadTimeout, WriteTimeout, IdleTimeout time.Duration
}

// DefaultLimits suit a machine of half a gigabyte.
var DefaultLimits = Limits{
	Connections: 2048, ConnectionsPerAddress: 256, Requests: 64, FailuresPerMinute: 30,
	HeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
}

const (
	maxHeaderBytes = 16 << 10
	drainTimeout   = 10 * time.Second
)

// errStopping is why a request ends that did not finish in drainTimeout.
var errStopping = errors.New("the service stops")

// multiplexing bounds what one HTTP/2 connection can have going on. A client that
// resets streams faster than they end is disconnected by the library.
var multiplexing = http.HTTP2Config{
	MaxConcurrentStreams: 32, MaxReceiveBufferPerConnection: 1 << 20, MaxReceiveBufferPerStream: 256 << 10,
	SendPingTimeout: 30 * time.Second, PingTimeout: 10 * time.Second, WriteByteTimeout: 15 * time.Second,
}

// Run does what nobody asks for: it delivers events and keeps the service's own
// clock, until ctx ends. Deliveries on the wire then have a few seconds to finish.
// A panic in either ends both, and is returned as a *panics.Fault.
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
					s.logger.Error("the service ends", "error", faults[i])
					stop()
				}
			}()
			loop(ctx)
		})
	}
	wg.Wait()
	return errors.Join(faults[:]...)
}

// Serve answers requests on ln, over TLS unless config is nil, and does what Run
// does, until ctx ends. Requests that are being answered then have ten seconds to
// finish. It returns nil after such an end. What ends Run ends Serve in the same way:
// a service that answers and no longer delivers would not be noticed.
func (s *Service) Serve(ctx context.Context, ln net.Listener, config *tls.Config) error {
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	var fault error
	background.Go(func() {
		defer stop()
		fault = s.Run(ctx)
	})
	err := s.answer(ctx, ln, config)
	stop()
	background.Wait()
	return errors.Join(err, fault)
}

func (s *Service) answer(ctx context.Context, ln net.Listener, config *tls.Config) error {
	bounded := connections.Limit(ln, connections.Limits{Total: s.limits.Connections, PerAddress: s.limits.ConnectionsPerAddress}, s.metrics)
	streams := multiplexing
	requests, cutOff := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cutOff(nil)
	server := &http.Server{
		Handler: s.handler, TLSConfig: config, ConnState: bounded.State, HTTP2: &streams,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: s.limits.HeaderTimeout, ReadTimeout: s.limits.ReadTimeout, WriteTimeout: s.limits.WriteTimeout,
		IdleTimeout: s.limits.IdleTimeout, MaxHeaderBytes: maxHeaderBytes,
		// "OPTIONS *" is answered as what it is here, a route that there is not.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.logger.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() {
		if config != nil {
			ended <- server.ServeTLS(bounded, "", "")
			return
		}
		ended <- server.Serve(bounded)
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("serving on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		cutOff(errStopping) // said first: what Close does looks as if the callers had hung up
		return errors.Join(fmt.Errorf("some requests did not finish within %s: %w", drainTimeout, err), server.Close())
	}
	<-ended
	return nil
}
