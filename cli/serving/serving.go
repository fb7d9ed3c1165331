// Package serving holds what the commands share that serve until they are stopped.
package serving

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"tarmac/service"
)

// DefaultRate is the number of requests per minute that a token may make.
const DefaultRate = 300

// MaxDrain is the maximum value of --drain.
const MaxDrain = time.Hour

// MaxLimit is the maximum value of flags that set limits. It is more than any machine can serve.
const MaxLimit = 1_000_000

// LogStopped writes the last line of the log: why the service ended and how long it ran.
func LogStopped(logger *slog.Logger, cause, err error, ran time.Duration) {
	facts := []any{"ran_seconds", int64(ran.Seconds())}
	if cause != nil {
		facts = append(facts, "reason", cause.Error())
	}
	if err != nil {
		logger.Error("stopped", append(facts, "error", err.Error())...)
		return
	}
	logger.Info("stopped", facts...)
}

// Metrics serves /metrics, /healthz and /readyz on a separate address until stop is called.
// They respond on this address even if the API has reached its connection limit.
func Metrics(addr string, svc *service.Service, logger *slog.Logger) (stop func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen for metrics on %s: %w", addr, err)
	}
	if !IsLoopback(listener.Addr()) {
		logger.Warn("serving metrics beyond this machine: they ask for no token", "addr", listener.Addr().String())
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", svc.MetricsHandler())
	mux.Handle("GET /healthz", svc.Handler())
	mux.Handle("GET /readyz", svc.Handler())
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: metricsTimeout, ReadTimeout: metricsTimeout, WriteTimeout: metricsTimeout,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("serving metrics ended", "error", err)
		}
	}()
	logger.Info("serving metrics", "addr", listener.Addr().String())
	return func() { _ = server.Close() }, nil
}

const metricsTimeout = 10 * time.Second

// InUTC changes log times to UTC, which the API uses too, so that logs of several machines can be
// compared.
func InUTC(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}

// IsLoopback reports whether an address reaches this machine only.
func IsLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
