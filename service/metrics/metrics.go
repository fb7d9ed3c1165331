// Package metrics counts what the service does, for Prometheus. No organization,
// token, URL or id is a label: what is scraped names nobody.
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

// Metrics is one service's counts. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	attempts *prometheus.CounterVec
	attempt  prometheus.Histogram
	waited   prometheus.Histogram
	inFlight *prometheus.GaugeVec
	open     prometheus.Gauge
	refused  *prometheus.CounterVec
}

// seconds are the buckets of durations: from what a read of an index takes to
// the longest that an attempt may.
var seconds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15, 30}

// New returns the metrics of a service on st.
func New(st *store.Store, version string, now func() time.Time) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tarmac_http_requests_total", Help: "Requests answered, by operation of the contract and status.",
		}, []string{"operation", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tarmac_http_request_duration_seconds", Help: "Time from a request's header to its answer.", Buckets: seconds,
		}, []string{"operation"}),
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tarmac_webhook_attempts_total", Help: "Attempts to deliver, by outcome: delivered, or what went wrong.",
		}, []string{"outcome"}),
		attempt: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tarmac_webhook_attempt_duration_seconds", Help: "Time that an attempt to deliver took.", Buckets: seconds,
		}),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tarmac_webhook_wait_seconds", Help: "Time from when a delivery was due to when it was sent.", Buckets: seconds,
		}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tarmac_webhook_in_flight", Help: "Attempts on the wire, by lane.",
		}, []string{"lane"}),
		open: prometheus.NewGauge(prometheus.GaugeOpts{Name: "tarmac_connections_open", Help: "Connections of clients."}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tarmac_connections_refused_total", Help: "Connections closed for want of room: those at rest, and newcomers where none was.",
		}, []string{"which"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tarmac_build_info", Help: "Always 1; the label is the program's version.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.took, m.attempts, m.attempt, m.waited, m.inFlight, m.open, m.refused, build, newDepth(st, now),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics in Prometheus's text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 4})
}

// Answered counts a request. An operation of "" is one that the contract does
// not have.
func (m *Metrics) Answered(operation string, status int, took time.Duration) {
	if operation == "" {
		operation = "other"
	}
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(operation).Observe(took.Seconds())
}

// ObserveAttempt counts an attempt at a delivery: its problem, its duration, and how long the
// delivery had been due.
func (m *Metrics) ObserveAttempt(problem webhooks.Problem, took, waited time.Duration) {
	outcome := string(problem)
	if problem == webhooks.NoProblem {
		outcome = "delivered"
	}
	m.attempts.WithLabelValues(outcome).Inc()
	m.attempt.Observe(took.Seconds())
	m.waited.Observe(max(0, waited.Seconds()))
}

// ObserveInFlight sets how many attempts are in progress.
func (m *Metrics) ObserveInFlight(prompt, slow int) {
	m.inFlight.WithLabelValues("prompt").Set(float64(prompt))
	m.inFlight.WithLabelValues("slow").Set(float64(slow))
}

// ConnectionsOpen tells how many clients are connected.
func (m *Metrics) ConnectionsOpen(n int) { m.open.Set(float64(n)) }

// ConnectionRefused counts a connection that was closed for want of room.
func (m *Metrics) ConnectionRefused(rested bool) {
	which := "newcomer"
	if rested {
		which = "resting"
	}
	m.refused.WithLabelValues(which).Inc()
}

// depth reads how much waits when it is asked, so that nothing has to be counted
// along.
type depth struct {
	store                 *store.Store
	now                   func() time.Time
	pending, held, oldest *prometheus.Desc
}

func newDepth(st *store.Store, now func() time.Time) *depth {
	return &depth{
		store: st, now: now,
		pending: prometheus.NewDesc("tarmac_webhook_pending", "Deliveries that wait for an attempt or are on the wire.", nil, nil),
		held:    prometheus.NewDesc("tarmac_webhook_held", "Deliveries held because their endpoint is paused.", nil, nil),
		oldest: prometheus.NewDesc("tarmac_webhook_oldest_pending_seconds",
			"Age of the delivery that has been pending longest; 0 when none is.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (d *depth) Describe(to chan<- *prometheus.Desc) {
	to <- d.pending
	to <- d.held
	to <- d.oldest
}

const depthTimeout = 2 * time.Second

// Collect implements prometheus.Collector.
func (d *depth) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), depthTimeout)
	defer cancel()
	var now store.OutboxDepth
	err := d.store.Read(ctx, func(snap *store.Snapshot) (err error) {
		now, err = snap.OutboxDepth()
		return err
	})
	if err != nil {
		// A scrape tells that a figure is missing; it never tells a made-up one.
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
