package service_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/service/metrics"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

func TestMetricsCountRequestsWithoutNamesOrIDs(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	made := f.endpoint(a, goodEndpoint)
	f.get(a.secret, prefix+"/ping")
	f.get(a.secret, prefix+"/ping")
	f.get("", prefix+"/ping")
	f.plain("/nothing")
	f.send(a.secret, http.MethodPost, endpoints+"/"+made.ID+"/verify", "")
	rec := httptest.NewRecorder()
	f.service.MetricsHandler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text, err := io.ReadAll(rec.Body)
	if err != nil || rec.Code != http.StatusOK {
		t.Fatalf("%d %v", rec.Code, err)
	}
	for _, line := range []string{
		`tarmac_http_requests_total{operation="ping",status="200"} 2`,
		`tarmac_http_requests_total{operation="ping",status="401"} 1`,
		`tarmac_http_requests_total{operation="other",status="404"} 1`,
		`tarmac_http_request_duration_seconds_count{operation="ping"} 3`,
		`tarmac_webhook_pending 1`, `tarmac_webhook_held 0`, `tarmac_build_info{version="test"} 1`,
	} {
		if !strings.Contains(string(text), line+"\n") {
			t.Errorf("there is no %s in\n%s", line, text)
		}
	}
	for _, secret := range []string{a.id, a.token.PublicID, a.secret, made.ID, made.Secret, "hooks.example.com"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is in the metrics", secret)
		}
	}
}

func TestMetricsSayTheAgeAndTheFailuresOfEachConnection(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}
	f.metricIsMissing("tarmac_provider_age_seconds")
	f.execute("UPDATE connections SET sign_in = 'Harbor Bank'")
	c := f.connections(a.id)[0]
	c.State, c.Failures = store.ConnectionFailing, 3
	f.write(func(tx *store.Tx) error { return tx.DescribeConnection(c.Connection) })
	f.clock.advance(c.CreatedAt.Add(90 * time.Second).Sub(f.clock.now()))

	labels := fmt.Sprintf(`{connection="%s",provider="stub"}`, c.ID)

	if age := f.metric("tarmac_provider_age_seconds" + labels); age != "90" {
		t.Errorf("the age is %s seconds", age)
	}
	if failures := f.metric("tarmac_provider_failures" + labels); failures != "3" {
		t.Errorf("%s failures", failures)
	}
	if n := f.metric(`tarmac_provider_sign_in{bank="Harbor Bank",` + labels[1:]); n != "1" {
		t.Errorf("a bank that needs a login is counted as %s", n)
	}
}

// The alerts and the dashboard of packaging/monitoring ask for series that exist.
func TestAlertsAndTheDashboardAreAboutSeriesThatExist(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}
	f.execute("UPDATE connections SET sign_in = 'Harbor Bank'")
	c := f.connections(a.id)[0]
	c.State = store.ConnectionFailing
	f.write(func(tx *store.Tx) error { return tx.DescribeConnection(c.Connection) })
	rec := httptest.NewRecorder()
	m := metrics.New(f.service.Store(), "test", f.clock.now)
	m.ObserveRequest("ping", http.StatusOK, time.Second)
	m.ObserveAttempt(webhooks.NoProblem, time.Second, time.Second)
	m.ObserveInFlight(1, 1)
	m.ConnectionRefused(true)
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	backup, err := os.ReadFile("../packaging/cluster/backup")
	if err != nil {
		t.Fatal(err)
	}
	for file, least := range map[string]int{"tarmac.rules.yml": 4, "cluster.rules.yml": 1, "tarmac.grafana.json": 20} {
		asking, err := os.ReadFile(filepath.Join(monitoring, file))
		if err != nil {
			t.Fatal(err)
		}
		series := regexp.MustCompile(`\btarmac_[a-z_]+`).FindAllString(string(asking), -1)
		slices.Sort(series)
		series = slices.Compact(series)
		for _, name := range series {
			if strings.HasPrefix(name, "tarmac_ssh_") || strings.Contains(string(backup), name+" ") {
				continue // of tarmac ssh, whose tests look for them, or left by the script for the node exporter
			}
			if !strings.Contains(rec.Body.String(), "# HELP "+strings.TrimSuffix(name, "_bucket")+" ") {
				t.Errorf("%s: there is no %s", file, name)
			}
		}
		if len(series) < least {
			t.Errorf("%s: only %q were found", file, series)
		}
	}
}

const monitoring = "../packaging/monitoring"

// Each alert fires and stays silent as its test says.
func TestAlertsFire(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("TARMAC_REQUIRE_PROMTOOL") != "" {
			t.Fatal(err)
		}
		fmt.Fprintf(os.Stderr, "SKIPPED: the alerts were not tried: %v\n", err)
		t.Skip(err)
	}
	test := exec.CommandContext(t.Context(), promtool, "test", "rules", "tarmac.test.yml", "cluster.test.yml")
	test.Dir = monitoring
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The other metrics are still served.
func TestMetricsThatCannotBeReadAreLeftOut(t *testing.T) {
	f := start(t, 0)
	f.tenant("a")
	f.execute("ALTER TABLE webhook_deliveries RENAME TO gone")
	rec := httptest.NewRecorder()
	f.service.MetricsHandler().ServeHTTP(
		rec, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/metrics", nil),
	)
	if text := rec.Body.String(); rec.Code != http.StatusOK || strings.Contains(text, "tarmac_webhook_pending ") ||
		!strings.Contains(text, "tarmac_build_info") {
		t.Errorf("%d %s", rec.Code, text)
	}
}

// metricIsMissing checks that a metric has no value.
func (f *fixture) metricIsMissing(name string) {
	f.t.Helper()
	rec := httptest.NewRecorder()
	f.service.MetricsHandler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if strings.Contains(rec.Body.String(), name+"{") {
		f.t.Errorf("there is a value of %s", name)
	}
}

// metric returns the scraped value of a metric.
func (f *fixture) metric(name string) string {
	f.t.Helper()
	rec := httptest.NewRecorder()
	f.service.MetricsHandler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(rec.Body.String()) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	f.t.Fatalf("there is no %s", name)
	return ""
}
