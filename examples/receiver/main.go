// Command receiver is a minimal but complete receiver of webhooks: it accepts deliveries
// over https, verifies their signatures and acknowledges them. docs/operating.md uses it to
// try an endpoint on one machine.
//
//	go run ./examples/receiver -addr 127.0.0.1:9443 \
//		-ca-file receiver-ca.pem -secret-file webhook-secret
//
// It creates a certificate and writes the authority to -ca-file. The secret file has one
// secret per line. It is read for each delivery, so that a second secret can be added during
// a rotation.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"fmt"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/apiclient/webhook"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:9443", "the address to listen on")
	caFile := flag.String("ca-file", "receiver-ca.pem", "where to write the certificate authority")
	secretFile := flag.String("secret-file", "webhook-secret", "a file with the signing secrets, one a line")
	flag.Parse()
	host, _, err := net.SplitHostPort(*addr)
	if err != nil {
		log.Fatalf("-addr must be HOST:PORT: %v", err)
	}
	certificate, err := selfSigned(host, *caFile)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Handler: receive(*secretFile), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
	}
	log.Printf("listening on https://%s; the certificate authority is in %s", listener.Addr(), *caFile)
	log.Fatal(server.ServeTLS(listener, "", ""))
}

// receive acknowledges signed deliveries. They may arrive twice, so code that acts on
// events must remember their ids.
func receive(secretFile string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		secrets, err := readSecrets(secretFile)
		if err != nil {
			log.Print(err)
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		event, err := webhook.ReadRequest(r, secrets)
		if err != nil {
			log.Printf("refused: %v", err)
			http.Error(w, "not accepted", http.StatusBadRequest)
			return
		}
		fmt.Printf("verified %s %s of %s\n", event.Type, event.ID, event.OccurredAt.Format(time.RFC3339))
		w.WriteHeader(http.StatusNoContent)
	}
}

func readSecrets(path string) (secrets []apiclient.Secret, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the secrets: %w", err)
	}
	for line := range strings.FieldsSeq(string(text)) {
		secrets = append(secrets, apiclient.Secret(line))
	}
	return secrets, nil
}

// selfSigned creates a certificate for a host and writes it to a file.
func selfSigned(host, file string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "webhook receiver"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(0, 1, 0), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	err = os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
