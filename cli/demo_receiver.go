package cli

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"time"

	"tarmac/apiclient"
	"tarmac/service/egress"
	"tarmac/service/store"
)

// demoReceiver receives the webhooks of the demo on the loopback interface. One of its paths
// answers, the other always fails, so that the page Webhooks shows both.
type demoReceiver struct {
	listener    net.Listener
	certificate tls.Certificate
	authorities *x509.CertPool
}

// Paths of the receiver. Their endpoints are recognized by them in a later run, which has another
// port.
const (
	receiverUp      = "/up"
	receiverFailing = "/down"
)

// deliveredAtStart is the number of events that new endpoints receive at once.
const deliveredAtStart = 40

// receiverLife is how long the certificate of the receiver is valid.
const receiverLife = 30 * 24 * time.Hour

// newDemoReceiver listens on a free port. The closers close it.
func newDemoReceiver(now time.Time, closing *closers) (*demoReceiver, error) {
	r := &demoReceiver{authorities: x509.NewCertPool()}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(receiverLife),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	content, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(content)
	if err != nil {
		return nil, err
	}
	r.authorities.AddCert(leaf)
	r.certificate = tls.Certificate{Certificate: [][]byte{content}, PrivateKey: key, Leaf: leaf}
	if r.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("cannot listen on the loopback address: %w", err)
	}
	closing.add(func() { r.listener.Close() })
	return r, nil
}

// egress returns what lets webhooks reach the receiver, and no other private address.
func (r *demoReceiver) egress() egress.Config {
	return egress.Config{Allow: []string{r.listener.Addr().String()}, RootCAs: r.authorities}
}

// serve answers deliveries until ctx ends.
func (r *demoReceiver) serve(ctx context.Context) {
	server := &http.Server{
		ReadTimeout: 10 * time.Second,
		ErrorLog:    log.New(io.Discard, "", 0), // the default one writes over the dashboard
		Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			_, _ = io.Copy(io.Discard, io.LimitReader(q.Body, 1<<20))
			if q.URL.Path != receiverUp {
				http.Error(w, "this endpoint of the demo always fails", http.StatusServiceUnavailable)
			}
		}),
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	_ = server.Serve(tls.NewListener(r.listener, &tls.Config{Certificates: []tls.Certificate{r.certificate}}))
}

// register makes the two endpoints, or gives those of an earlier run the new address. New endpoints
// receive the latest events.
func (r *demoReceiver) register(
	ctx context.Context, client *apiclient.Client, st *store.Store, org store.OrgKey,
) error {
	known, err := client.Webhooks(ctx)
	if err != nil {
		return err
	}
	for _, path := range []string{receiverFailing, receiverUp} {
		address := "https://" + r.listener.Addr().String() + path
		if err := registerEndpoint(ctx, client, known, path, address); err != nil {
			return err
		}
	}
	if len(known) > 0 {
		return nil
	}
	return st.Write(ctx, func(tx *store.Tx) error { return tx.QueueLatest(org, deliveredAtStart) })
}

func registerEndpoint(ctx context.Context, client *apiclient.Client, known []apiclient.Webhook, path, to string) error {
	for i := range known {
		if u, err := url.Parse(known[i].URL); err == nil && u.Path == path && u.Hostname() == "127.0.0.1" {
			active := apiclient.WebhookActive
			_, err := client.UpdateWebhook(ctx, known[i].ID, apiclient.WebhookPatch{URL: &to, Status: &active})
			return err
		}
	}
	_, err := client.CreateWebhook(ctx, to, apiclient.EventTypes())
	return err
}
