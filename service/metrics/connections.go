package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tarmac/service/store"
)

// connections is a Prometheus collector that reads the connections to providers from the store at
// each scrape.
type connections struct {
	store         *store.Store
	now           func() time.Time
	age, failures *prometheus.Desc
	signIn        *prometheus.Desc
}

func newConnections(st *store.Store, now func() time.Time) *connections {
	labels := []string{"provider", "connection"}
	return &connections{
		store: st, now: now,
		age: prometheus.NewDesc("tarmac_provider_age_seconds",
			"Time since a connection to a provider was read successfully, or since it was made.", labels, nil),
		failures: prometheus.NewDesc("tarmac_provider_failures",
			"Failed readings of a connection to a provider since the last one that succeeded.", labels, nil),
		signIn: prometheus.NewDesc("tarmac_provider_sign_in",
			"1 for each bank of a connection to a provider at which a person has to sign in again.",
			append(labels, "bank"), nil),
	}
}

// Describe implements prometheus.Collector.
func (c *connections) Describe(to chan<- *prometheus.Desc) {
	to <- c.age
	to <- c.failures
	to <- c.signIn
}

// Collect implements prometheus.Collector.
func (c *connections) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	var all []store.Connection
	err := c.store.Read(ctx, func(snap *store.Snapshot) (err error) {
		all, err = snap.AllConnections()
		return err
	})
	if err != nil {
		to <- prometheus.NewInvalidMetric(c.age, err)
		return
	}
	for _, connection := range all {
		if connection.State == store.ConnectionClaiming || connection.State == store.ConnectionChoosing {
			continue // it is not read yet
		}
		since := connection.LastSuccess
		if since.IsZero() {
			since = connection.CreatedAt
		}
		age := max(0, c.now().Sub(since)).Seconds()
		labels := []string{connection.Provider, connection.ID}
		to <- prometheus.MustNewConstMetric(c.age, prometheus.GaugeValue, age, labels...)
		to <- prometheus.MustNewConstMetric(c.failures, prometheus.GaugeValue, float64(connection.Failures), labels...)
		for _, bank := range connection.SignIn {
			to <- prometheus.MustNewConstMetric(c.signIn, prometheus.GaugeValue, 1, append(labels, bank)...)
		}
	}
}
