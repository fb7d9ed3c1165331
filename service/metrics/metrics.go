// Package metrics counts requests, deliveries and connections for Prometheus. No label holds an
// organization, token or URL, so metrics reveal nothing about customers. The only ids are those of
// connections to providers, each of which has an age of its own.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// Metrics holds the metrics of one service. It is safe for concurrent use.
type Metrics struct {
	registry       *prometheus.Registry
	requests       *prometheus.CounterVec
	requestSeconds *prometheus.HistogramVec
	attempts       *prometheus.CounterVec
	attemptSeconds prometheus.Histogram
	waitSeconds    prometheus.Histogram
	inFlight       *prometheus.GaugeVec
	open           prometheus.Gauge
	refused        *prometheus.CounterVec
}

// seconds lists the bounds of the histogram buckets. They range from the time of an indexed
// database read to the time-out of a delivery attempt.
var seconds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15, 30}

// New returns the metrics of a service. Numbers of waiting deliveries are read from st.
func New(st *store.Store, version string, now func() time.Time) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tarmac_http_requests_total", Help: "Requests answered, by operation of the contract and status.",
		}, []string{"operation", "status"}),
		requestSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tarmac_http_request_duration_seconds", Help: "Time from a request's header to its response.",
			Buckets: seconds,
		}, []string{"operation"}),
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tarmac_webhook_attempts_total", Help: "Attempts to deliver, by outcome: delivered, or the problem.",
		}, []string{"outcome"}),
		attemptSeconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tarmac_webhook_attempt_duration_seconds", Help: "Duration of an attempt to deliver.", Buckets: seconds,
		}),
		waitSeconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tarmac_webhook_wait_seconds", Help: "Time from when a delivery was due to when it was sent.",
			Buckets: seconds,
		}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tarmac_webhook_in_flight", Help: "Attempts in progress, by lane.",
		}, []string{"lane"}),
		open: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "tarmac_connections_open", Help: "Open connections of clients.",
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tarmac_connections_refused_total",
			Help: "Connections closed for lack of room: idle ones (resting) or new ones (newcomer).",
		}, []string{"which"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tarmac_build_info", Help: "Always 1; the label is the program's version.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	away := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "tarmac_database_away_seconds", Help: "Time in which no server of the database took writes.",
	}, func() float64 { return st.Away().Seconds() })
	m.registry.MustRegister(m.requests, m.requestSeconds, m.attempts, m.attemptSeconds, m.waitSeconds, m.inFlight,
		m.open, m.refused, build, away, newDepth(st, now), newConnections(st, now),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler returns a handler that serves the metrics in Prometheus's text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(
		m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 4},
	)
}

// Register adds metrics of the process that are not the service's own. Their names must be new.
func (m *Metrics) Register(c prometheus.Collector) error { return m.registry.Register(c) }

// ObserveRequest counts a request and its duration. The operation is "" for a request that is not
// for an API operation, such as a probe.
func (m *Metrics) ObserveRequest(operation string, status int, elapsed time.Duration) {
	if operation == "" {
		operation = "other"
	}
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	m.requestSeconds.WithLabelValues(operation).Observe(elapsed.Seconds())
}

// ObserveAttempt counts a delivery attempt under its problem. elapsed is the attempt's duration,
// and waited the time from when the delivery was due until it was sent.
func (m *Metrics) ObserveAttempt(problem webhooks.Problem, elapsed, waited time.Duration) {
	outcome := string(problem)
	if problem == webhooks.NoProblem {
		outcome = "delivered"
	}
	m.attempts.WithLabelValues(outcome).Inc()
	m.attemptSeconds.Observe(elapsed.Seconds())
	m.waitSeconds.Observe(max(0, waited.Seconds()))
}

// ObserveInFlight sets the numbers of delivery attempts in progress: those in prompt slots and
// those in slow slots (package outbox).
func (m *Metrics) ObserveInFlight(prompt, slow int) {
	m.inFlight.WithLabelValues("prompt").Set(float64(prompt))
	m.inFlight.WithLabelValues("slow").Set(float64(slow))
}

// ConnectionsOpen sets the number of open connections.
func (m *Metrics) ConnectionsOpen(n int) { m.open.Set(float64(n)) }

// ConnectionRefused counts a connection that was closed because a limit of connections.Limits was
// reached. idle is true for an idle connection and false for a new one.
func (m *Metrics) ConnectionRefused(idle bool) {
	which := "newcomer"
	if idle {
		which = "resting"
	}
	m.refused.WithLabelValues(which).Inc()
}

// depth is a Prometheus collector that reads the numbers of waiting deliveries from the store at
// each scrape.
type depth struct {
	store                 *store.Store
	now                   func() time.Time
	pending, held, oldest *prometheus.Desc
}

func newDepth(st *store.Store, now func() time.Time) *depth {
	return &depth{
		store: st, now: now,
		pending: prometheus.NewDesc(
			"tarmac_webhook_pending", "Deliveries that wait for an attempt or have one in progress.", nil, nil,
		),
		held: prometheus.NewDesc("tarmac_webhook_held", "Deliveries held because their endpoint is paused.", nil, nil),
		oldest: prometheus.NewDesc("tarmac_webhook_oldest_pending_seconds",
			"Age of the delivery that has been pending longest; 0 if none is.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (d *depth) Describe(to chan<- *prometheus.Desc) {
	to <- d.pending
	to <- d.held
	to <- d.oldest
}

// readTimeout is the longest time that a scrape waits for the store.
const readTimeout = 2 * time.Second

// Collect implements prometheus.Collector.
func (d *depth) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	var now store.OutboxDepth
	err := d.store.Read(ctx, func(snap *store.Snapshot) (err error) {
		now, err = snap.OutboxDepth()
		return err
	})
	if err != nil {
		// The number is unknown, so the scrape reports an error instead of a number.
		to <- prometheus.NewInvalidMetric(d.pending, err)
		return
	}
	age := time.Duration(0)
	if now.OldestAt != nil {
		age = max(0, d.now().Sub(*now.OldestAt))
	}
	to <- prometheus.MustNewConstMetric(d.pending, prometheus.GaugeValue, float64(now.Pending))
	to <- prometheus.MustNewConstMetric(d.held, prometheus.GaugeValue, float64(now.Held))
	to <- prometheus.MustNewConstMetric(d.oldest, prometheus.GaugeValue, age.Seconds())
}
