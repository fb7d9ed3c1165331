package examples_test

import (
	"crypto/rand"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/internal/testsupport/testdns"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/egress"
	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
)

// served is a service with an organization, and a client with its token.
type served struct {
	service *service.Service
	org     string
	token   string
	url     string
	client  *apiclient.Client
}

// serve starts a service with its background work until the test ends.
func serve(t *testing.T, hooks egress.Config) *served {
	t.Helper()
	hooks.Resolver = testdns.EmptyResolver()
	svc, err := service.Open(t.Context(), service.Config{
		Database: migrated.File(t), Ephemeral: true,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now:    time.Now, Entropy: rand.Reader, Webhooks: hooks,
	})
	if err != nil {
		t.Fatal(err)
	}
	running := make(chan error, 1)
	go func() { running <- svc.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := <-running; err != nil {
			t.Error(err)
		}
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
	})
	org, err := svc.CreateOrganization(t.Context(), "Northlight Labs")
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := svc.CreateToken(t.Context(), org.PublicID, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(svc.Handler())
	t.Cleanup(server.Close)
	client, err := apiclient.New(server.URL, apiclient.Token(token))
	if err != nil {
		t.Fatal(err)
	}
	return &served{svc, org.PublicID, token, server.URL, client}
}

// appendEvents appends n events: payments that are held when they are created.
func (s *served) appendEvents(t *testing.T, n int) {
	t.Helper()
	for range n {
		_, err := s.service.CreatePayment(t.Context(), s.org, lifecycle.Payment{
			AmountCents: 125000, Currency: "USD", Direction: ledger.Outflow, Description: "Contractor",
			Counterparty: "Acme LLC", HeldFor: "awaiting_approval",
		}, "")
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The service delivers to each receiver through a proxy that ends TLS.
func TestReceiversTakeWhatTheServiceDelivers(t *testing.T) {
	for _, r := range receivers {
		t.Run(r.name, func(t *testing.T) {
			p := r.start(t, filepath.Join(t.TempDir(), "secrets"))
			target, err := url.Parse(p.url)
			if err != nil {
				t.Fatal(err)
			}
			forward := httputil.NewSingleHostReverseProxy(target)
			forward.Transport = p.client.Transport
			proxy := httptest.NewTLSServer(forward)
			t.Cleanup(proxy.Close)
			authorities := x509.NewCertPool()
			authorities.AddCert(proxy.Certificate())
			s := serve(t, egress.Config{Allow: []string{proxy.Listener.Addr().String()}, RootCAs: authorities})
			made, err := s.client.CreateWebhook(t.Context(), proxy.URL+"/finance",
				[]apiclient.EventType{apiclient.EventPaymentHeld})
			if err != nil {
				t.Fatal(err)
			}
			p.keeps(t, made.Secret.Reveal())

			s.appendEvents(t, 1)
			awaited(t, p.lines, "verified payment.held evt_")

			if _, err := s.client.RotateWebhookSecret(t.Context(), made.ID); err != nil {
				t.Fatal(err)
			}
			queued, err := s.client.VerifyWebhook(t.Context(), made.ID)
			if err != nil {
				t.Fatal(err)
			}
			awaited(t, p.lines, "verified test.event "+queued.EventID) // also signed with the old secret
		})
	}
}
