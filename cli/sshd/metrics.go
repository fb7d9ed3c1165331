package sshd

import (
	"github.com/prometheus/client_golang/prometheus"

	"tarmac/sshserver"
)

// sshMetrics is a Prometheus collector of the connections of a server of sessions over SSH.
type sshMetrics struct {
	server                *sshserver.Server
	connections, refusals *prometheus.Desc
	sessions              *prometheus.Desc
}

func newSSHMetrics(server *sshserver.Server) sshMetrics {
	return sshMetrics{
		server: server,
		sessions: prometheus.NewDesc(
			"tarmac_ssh_sessions", "Open sessions of the dashboard over SSH.", nil, nil,
		),
		connections: prometheus.NewDesc(
			"tarmac_ssh_connections", "Open connections of SSH clients, by whether they have authenticated.",
			[]string{"authenticated"}, nil,
		),
		refusals: prometheus.NewDesc(
			"tarmac_ssh_refusals_total", "Connections dropped and keys refused since the start, by reason.",
			[]string{"reason"}, nil,
		),
	}
}

// Describe implements prometheus.Collector.
func (m sshMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- m.sessions
	to <- m.connections
	to <- m.refusals
}

// Collect implements prometheus.Collector.
func (m sshMetrics) Collect(to chan<- prometheus.Metric) {
	open := m.server.Connections()
	gauge := func(desc *prometheus.Desc, n int, labels ...string) {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(n), labels...)
	}
	gauge(m.sessions, open.Sessions)
	gauge(m.connections, open.Authenticated, "yes")
	gauge(m.connections, open.Unauthenticated, "no")
	refusals := m.server.Refusals()
	for _, reason := range sshserver.Reasons {
		to <- prometheus.MustNewConstMetric(m.refusals, prometheus.CounterValue, float64(refusals[reason]), string(reason))
	}
}
